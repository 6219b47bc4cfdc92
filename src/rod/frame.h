#pragma once

#include "rod/model.h"

namespace tendril::rod {

// the section's frame at a probe: its body's, half-way between two segments, or extrapolated by half a bend at an end
// (exact for a uniform curvature, second order otherwise)
inline Quatd section_frame(const State& state, const Probe& probe) {
  if (probe.body >= 0) return state.body_q[probe.body];
  if (probe.segment < 0) return {};
  const Quatd q = state.q[probe.segment];
  if (probe.other_segment < 0) return q;
  const Vec3d half_bend = 0.5 * shortest_angle(conjugate(state.q[probe.other_segment]) * q);
  return q * quaternion_exp(probe.at_end ? half_bend : -half_bend);
}

}  // namespace tendril::rod
