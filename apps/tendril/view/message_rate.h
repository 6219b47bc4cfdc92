#pragma once

#include <algorithm>
#include <chrono>

namespace tendril::app {

// lets so many messages a second pass, and a burst now and then
class MessageRate {
 public:
  using Clock = std::chrono::steady_clock;

  bool takes_one(Clock::time_point now = Clock::now()) {
    left_ = std::min(most, left_ + per_second * std::chrono::duration<double>(now - last_).count());
    last_ = now;
    if (left_ < 1) return false;
    left_ -= 1;
    return true;
  }

  static constexpr double per_second = 480;  // two sides at 60 Hz are acknowledged, and a hand moves as often
  static constexpr double most = 2000;

 private:
  double left_ = most;
  Clock::time_point last_ = Clock::now();
};

}  // namespace tendril::app
