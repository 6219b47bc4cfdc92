#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "layers.h"

namespace tendril::sim {

// which step each frame shows: frame k is the state after step round(k / (frame_rate time_step)); the last step has a
// frame
struct Schedule {
  double time_step = 0;    // [s]
  double duration = 0;     // [s]
  double frame_rate = 30;  // [1/s]

  // enough steps to reach the duration; rounding of their quotient adds none
  std::int64_t step_count() const {
    return std::max<std::int64_t>(1, std::int64_t(std::ceil(duration / time_step * (1 - 1e-12) - 1e-9)));
  }
  std::int64_t frame_step(std::int64_t frame) const {
    const double step = std::round(double(frame) / (frame_rate * time_step));
    return std::min(step_count(), step < 9e18 ? std::int64_t(step) : step_count());
  }
  // those up to the end of the last step, and one more when the last step is not among them
  std::int64_t last_frame() const {
    const std::int64_t last = step_count();
    const auto frame = std::int64_t(std::floor(double(last) * time_step * frame_rate * (1 + 1e-12) + 1e-9));
    return frame_step(frame) < last ? frame + 1 : frame;
  }
};

}  // namespace tendril::sim
