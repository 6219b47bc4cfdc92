#pragma once

#include <chrono>

#include "layers.h"

namespace tendril::math {

// adds up the time of what it is started for
class Stopwatch {
 public:
  void start() { start_ = Clock::now(); }
  double stop() {
    seconds_ += std::chrono::duration<double>(Clock::now() - start_).count();
    return seconds_;
  }
  template <class Job>
  void time(Job job) {
    start();
    job();
    stop();
  }
  double seconds() const { return seconds_; }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_;
  double seconds_ = 0;
};

}  // namespace tendril::math
