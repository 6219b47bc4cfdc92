#pragma once

#include <limits>

namespace tendril::stable {

// Whether the next step is shared between the threads or done by one: on a busy machine threads that wait for each other
// at every colour are slower than one alone. Both ways give the same bits, so the clock may choose.
class CrewChoice {
 public:
  bool together() {
    const bool faster = seconds_[true] <= seconds_[false];
    return ++step_ % steps_per_trial == 0 ? !faster : faster;
  }
  void record(bool together, double seconds_per_sweep) { seconds_[together] = seconds_per_sweep; }

 private:
  static constexpr int steps_per_trial = 32;  // one of so many steps tries the other way
  double seconds_[2] = {std::numeric_limits<double>::infinity(), 0};  // per sweep; at first together
  int step_ = steps_per_trial - 4;  // the first trial comes soon
};

}  // namespace tendril::stable
