#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

#include "sim/settle.h"

namespace tendril::sim {

// where a run is
struct ProgressPoint {
  double time = 0, duration = 0;  // simulated [s]
  std::int64_t step = 0, step_count = 0;
  std::int64_t frame = 0;
  int iterations = 0;
  double residual = 0;          // [-]
  double stretch = 0;           // the largest [-]
  double elapsed = 0;           // wall clock since the first step of this session [s]
  std::int64_t first_step = 0;  // of this session
};

// "[=====>    ] 50 %  t 0.5/1 s  frame 15  8 iterations  residual 1e-9  stretch 0.1 %  12 s left"
std::string progress_line(const ProgressPoint& point);

// "settling  1200 steps  residual 3.2e-05, until 1e-08"
std::string progress_line(const SettlePoint& point);

// where other long work is
struct WorkPoint {
  double part = 0;     // that is done, 0 to 1
  std::string what;    // "frame 12 of 60"
  double elapsed = 0;  // wall clock since it began [s]
};

// "[=====>    ] 50 %  frame 12 of 60  12 s left"
std::string progress_line(const WorkPoint& point);

// wall clock that the rest will take at the pace so far [s]; negative when unknown
double time_left(const ProgressPoint& point);

// shows where a run is: a bar on a terminal, otherwise a line now and then
class Progress {
 public:
  enum class Style { none, bar, lines };

  explicit Progress(std::FILE* out, Style style) : out_(out), style_(style) {}
  static Style style_for(std::FILE* out);  // a bar on a terminal, lines elsewhere

  bool wants_update() const;  // cheap: whether the next update would show
  void update(const ProgressPoint& point) { show(progress_line(point)); }
  void update(const SettlePoint& point) { show(progress_line(point)); }
  void update(const WorkPoint& point) { show(progress_line(point)); }
  void say(const std::string& line);        // a message, above the bar
  void finish(const ProgressPoint& point);  // the last line stays
  void finish(const WorkPoint& point);

 private:
  using Clock = std::chrono::steady_clock;

  void show(const std::string& line);
  void end_bar();

  std::FILE* out_;
  Style style_;
  Clock::time_point shown_{};
  bool bar_is_shown_ = false;
};

}  // namespace tendril::sim
