#pragma once

#include <algorithm>
#include <limits>

namespace tendril::stable {

// Whether the next step is shared between the threads or done by one: on a busy machine threads that wait for each
// other at every colour are slower than one alone. Both ways give the same bits, so the clock may choose.
class CrewChoice {
 public:
  bool together() {
    trial_ = --until_trial_ == 0;
    return together_ != trial_;  // a trial goes the other way
  }

  void record(double seconds_per_sweep) {
    if (!trial_) {
      seconds_ = seconds_per_sweep;
      return;
    }
    const bool better = seconds_per_sweep < seconds_;
    if (better) together_ = !together_, seconds_ = seconds_per_sweep;
    pause_ = better ? first_pause : std::min(2 * pause_, longest_pause);  // trials that fail become rare
    until_trial_ = pause_;
  }

 private:
  static constexpr int first_pause = 16, longest_pause = 1024;  // steps
  bool together_ = true, trial_ = false;
  double seconds_ = std::numeric_limits<double>::infinity();  // per sweep, of the last step that was no trial
  int pause_ = first_pause, until_trial_ = 4;
};

}  // namespace tendril::stable
