#pragma once

#include <algorithm>

#include "layers.h"

namespace tendril::solvers::newton {

// Where a step of second order fails, things move more violently than such steps can follow. Steps of first order damp
// them: more each time, until those of second order succeed again.
class FirstOrderFallback {
 public:
  bool is_on() const { return left_ > 0; }
  void pass() { left_ = std::max(0, left_ - 1); }  // a step of first order
  void after_success() { length_ = std::max(1, length_ / 2); }
  void after_growth() { last(2 * length_); }  // of the energy
  void after_unsolved() { last(longest); }    // which is dear

 private:
  static constexpr int longest = 32;

  // the failed step is repeated with implicit Euler, and counts as the first
  void last(int length) { length_ = std::min(longest, length), left_ = length_ - 1; }

  int left_ = 0, length_ = 1;  // steps of first order
};

}  // namespace tendril::solvers::newton
