#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/csv.h"
#include "recorded_run.h"
#include "session/show.h"

namespace tendril::app {

// a recorded run, played back
class RecordedShow : public Show {
 public:
  RecordedShow(const std::string& folder, std::uint32_t number);  // throws FileError

  const char* mode() const override { return "recorded"; }
  nlohmann::json scene() override;
  nlohmann::json status(double now, int clients) override;
  Drawing& drawing() override { return *drawing_; }
  int sides() const override { return 1; }
  DrawnMoment moment(int side, Coloring color) override;
  Answer receive(const nlohmann::json& message, double now) override;
  bool advance(double now, double budget, Answer& news) override;
  bool is_playing() const override { return is_playing_; }

 private:
  void go_to(int frame, double now);

  RecordedRun run_;
  std::vector<double> times_;  // (frame) [s]
  CsvTable metrics_;
  std::unique_ptr<Drawing> drawing_;
  bool is_playing_ = false;
  double rate_ = 1;
  int frame_ = 0;
  double anchor_time_ = 0, anchor_wall_ = 0;  // of the run and of the wall clock [s]
};

}  // namespace tendril::app
