#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "session/session.h"
#include "session/show.h"
#include "sim/metrics.h"

namespace tendril::session {

// how fast something ran since the last look
class Pace {
 public:
  void add(const StepReport& report, double seconds);
  // and starts again; `time` is simulated, `now` the wall clock [s]
  nlohmann::json take(double time, double now);
  void start_again(double time, double now) { *this = {}, time_ = time, began_ = now; }

 private:
  int steps_ = 0, iterations_ = 0, contacts_ = 0;
  double seconds_ = 0, residual_ = 0, smallest_gap_ = forever, time_ = 0, began_ = 0;
};

// a scene that runs under one solver, or under two side by side
class LiveShow : public Show {
 public:
  // `name` is what pages call it; `number`: of its first layout
  LiveShow(SceneText text, std::string name, std::uint32_t number);

  const char* mode() const override { return "live"; }
  nlohmann::json scene() override;
  nlohmann::json status(double now, int clients) override;
  Drawing& drawing() override { return *drawing_; }
  int sides() const override { return int(sides_.size()); }
  DrawnMoment moment(int side, Coloring color) override;
  Answer receive(const nlohmann::json& message, double now) override;
  bool advance(double now, double budget, Answer& news) override;
  bool is_playing() const override { return is_playing_; }

  const Session& session() const { return sides_[0].session; }

 private:
  struct Side {
    explicit Side(Session session);
    Session session;
    Metrics metrics;
    Pace pace;
    std::int64_t unsolved = 0;
  };

  void act(const std::string& type, const nlohmann::json& message, double now, Answer& answer);
  void act_on_hands(const std::string& type, const nlohmann::json& message);
  bool act_on_scene(const std::string& type, const nlohmann::json& message, Answer& answer);
  void change(const std::function<bool(Session&)>& change, Answer& answer);
  void compare_with(const std::string& solver, Answer& answer);
  void check(const std::string& text, Answer& answer) const;
  void step(Answer& news);
  void set_pace(double now);
  void renew(Answer& answer);
  nlohmann::json row_of(Side& side) const;
  int drop(const Vec3d& at, double radius, double mass, Answer& answer);
  nlohmann::json numbers() const;  // what `scene` and `changed` share

  std::string name_;
  std::vector<Side> sides_;
  std::unique_ptr<Drawing> drawing_;
  bool is_playing_ = false;
  double rate_ = 1;                           // simulated seconds per second; 0: as fast as it goes
  double anchor_time_ = 0, anchor_wall_ = 0;  // simulated and wall clock that belong together [s]
  double now_ = 0;
};

}  // namespace tendril::session
