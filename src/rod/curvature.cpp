#include "rod/curvature.h"

#include "rod/energy.h"
#include "rod/strain.h"

namespace tendril::rod {

Vec3d rest_curvature(const Bend& bend) {
  if (!bend.holds_an_axis()) return shortest_angle(bend.rest) / bend.length;
  const bool seen_from_b = !bend.b.is_body;  // as swing_strain() measures it
  const Vec3d swing = swing_from_axis(director3(seen_from_b ? conjugate(bend.rest) : bend.rest)).angle;
  return (seen_from_b ? -1.0 : 1.0) * swing / bend.length;
}

Vec3d curvature(const Bend& bend, const State& state) {
  const auto frame = [&](const FrameId& f) { return f.is_body ? state.body_q[f.index] : state.q[f.index]; };
  if (bend.holds_an_axis()) return rest_curvature(bend) + angle_beyond_rest(bend, state) / bend.length;
  return bend_angle(frame(bend.a), frame(bend.b) * bend.turn, bend.rest, {bend.EI1, bend.EI2, bend.GJ}) / bend.length;
}

}  // namespace tendril::rod
