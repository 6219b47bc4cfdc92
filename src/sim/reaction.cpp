#include "sim/reaction.h"

namespace tendril::sim {
namespace {

// moment of the half bends between a body and the segments that meet at the vertex, on the segments
Vec3d section_moment(const BalancedStep& step, int body, int vertex) {
  const auto meets = [&](const FrameId& frame) {
    if (frame.is_body) return false;
    const int* ends = step.model.segments[frame.index].vertex;
    return ends[0] == vertex || ends[1] == vertex;
  };
  Vec3d moment;
  for (const Bend& bend : step.model.bends) {
    if (bend.b == FrameId{body, true} && meets(bend.a)) moment -= bend_moment(bend, step.after);
    if (bend.a == FrameId{body, true} && meets(bend.b)) moment += bend_moment(bend, step.after);
  }
  return moment;
}

}  // namespace

Reaction reaction_at(int vertex, const BalancedStep& step) {
  const Vec3d change = step.after.v[vertex] - step.before.v[vertex];
  Vec3d external = step.end.force[vertex];
  if (!step.end.drag.empty()) external -= step.end.drag[vertex] * change;
  const Vec3d needed = (step.model.vertices[vertex].mass / step.h) * change - step.internal.force[vertex] - external;

  Reaction reaction;
  for (const Tie& tie : step.model.ties) {
    if (tie.vertex != vertex || step.model.bodies[tie.body].kind != BodyKind::kinematic) continue;
    for (int k = 0; k < 3; ++k)
      if (tie.held[k]) reaction.force[k] = needed[k];
    reaction.moment += section_moment(step, tie.body, vertex);
  }
  return reaction;
}

Forces internal_forces(const Model& model, const State& state) {
  Forces forces = Forces::zero(model);
  add_elastic_forces(model, state, forces);
  add_internal_damping(model, state, forces);
  add_external_damping(model, state, forces);
  return forces;
}

}  // namespace tendril::sim
