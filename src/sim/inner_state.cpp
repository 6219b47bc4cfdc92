#include "sim/inner_state.h"

#include "rod/curvature.h"
#include "rod/strain.h"

namespace tendril::sim {

InnerState inner_state(const Simulation& simulation) {
  const Model& whole = simulation.whole_model();
  const ActiveModel& active = simulation.active();
  const State& state = simulation.state();
  InnerState inner{std::vector<Vec3d>(whole.segments.size()), std::vector<Vec3d>(whole.segments.size()),
                   std::vector<Vec3d>(whole.bends.size())};
  for (std::size_t s = 0; s < active.segment.size(); ++s) {
    const Segment& segment = active.model.segments[s];
    const Vec3d gamma =
        stretch_shear_strain(state.x[segment.vertex[0]], state.x[segment.vertex[1]], state.q[s], segment.rest_length);
    inner.strain[active.segment[s]] = gamma;
    inner.internal_force[active.segment[s]] =
        rotate(state.q[s], scale(Vec3d{segment.GA, segment.GA, segment.EA}, gamma));
  }
  for (std::size_t b = 0; b < active.bend.size(); ++b)
    inner.curvature[active.bend[b]] = curvature(active.model.bends[b], state);
  return inner;
}

}  // namespace tendril::sim
