#include <cmath>
#include <limits>

#include "math/random.h"
#include "scene/draft.h"

namespace tendril::scene {
namespace {

// moves the free vertices by a random vector of at most `amplitude`; frames follow their segments
void perturb(const DraftRod& rod, const Table& t, const std::vector<bool>& held, Draft& draft) {
  Random random(std::uint64_t(t.integer("seed")));
  const double amplitude = t.number("amplitude");
  for (int i : rod.vertex) {
    const Vec3d direction{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    if (!held[i]) draft.state.x[i] += (amplitude / std::sqrt(3.0)) * direction;
  }
  for (int e = 0; e < int(rod.curve.edges.size()); ++e) {
    const Segment& s = draft.model.segments[rod.first_segment + e];
    Quatd& q = draft.state.q[rod.first_segment + e];
    const auto [a, b] = rod.curve.edges[e];
    const Vec3d before = normalized(rod.curve.points[b] - rod.curve.points[a]);
    const Vec3d tangent = normalized(draft.state.x[s.vertex[1]] - draft.state.x[s.vertex[0]]);
    q = normalized(rotation_between(before, tangent) * q);
  }
}

Vec3d center_of_mass(const DraftRod& rod, const Draft& draft) {
  Vec3d sum;
  double mass = 0;
  for (int e = 0; e < int(rod.curve.edges.size()); ++e) {
    const Segment& s = draft.model.segments[rod.first_segment + e];
    const double m = s.linear_density * s.rest_length;
    sum += (0.5 * m) * (draft.state.x[s.vertex[0]] + draft.state.x[s.vertex[1]]);
    mass += m;
  }
  return sum / mass;
}

void set_rods_moving(Draft& draft) {
  for (const DraftRod& rod : draft.rods) {
    const Vec3d velocity = rod.table.vec3("velocity"), omega = rod.table.vec3("angular_velocity");
    const Vec3d center = center_of_mass(rod, draft);
    for (int i : rod.vertex) draft.state.v[i] = velocity + cross(omega, draft.state.x[i] - center);
    for (int e = 0; e < int(rod.curve.edges.size()); ++e) draft.state.omega[rod.first_segment + e] = omega;
  }
}

// a segment that meets each vertex
std::vector<int> segments_at(const Model& model) {
  std::vector<int> segment(model.vertices.size(), -1);
  for (int s = 0; s < int(model.segments.size()); ++s)
    for (int i : model.segments[s].vertex) segment[i] = s;
  return segment;
}

// a body moves with the rod that it hangs on, as far as the scene does not say how; its vertices follow it
//   v = v_i + omega x (x - x_i)
void set_bodies_moving(const Table& root, Draft& draft) {
  State& state = draft.state;
  const std::vector<int> segment_at = segments_at(draft.model);
  std::vector<int> tie_of(draft.model.bodies.size(), -1);  // its first
  for (int k = int(draft.model.ties.size()) - 1; k >= 0; --k) tie_of[draft.model.ties[k].body] = k;
  int body = int(root.tables("obstacle").size());  // bodies are numbered after the obstacles
  for (const Table& t : root.tables("body")) {
    const int i = tie_of[body] < 0 ? -1 : draft.model.ties[tie_of[body]].vertex;
    Vec3d &v = state.body_v[body], &omega = state.body_omega[body];
    if (i >= 0) omega = state.omega[segment_at[i]];
    if (t.has("angular_velocity")) omega = t.vec3("angular_velocity");
    if (i >= 0) v = state.v[i] + cross(omega, state.body_x[body] - state.x[i]);
    if (t.has("velocity")) v = t.vec3("velocity");
    ++body;
  }
}

// what is held from the start moves as its drive does just after time 0: before, nothing is driven
void set_driven_bodies_moving(Draft& draft) {
  const double at_once = std::numeric_limits<double>::min();
  for (std::size_t b = 0; b < draft.model.bodies.size(); ++b) {
    const Body& body = draft.model.bodies[b];
    if (body.kind == BodyKind::dynamic) continue;
    const bool acts = body.hold < 0 || draft.model.holds[body.hold].from <= 0;
    const Pose start{draft.state.body_x[b], draft.state.body_q[b]};
    const Twist twist = acts ? motion_rate(body.motions, start, at_once) : Twist{};
    draft.state.body_v[b] = twist.v;
    draft.state.body_omega[b] = twist.omega;
  }
}

// the vertices that bodies hold from the start, along the axes that they hold
void set_held_vertices_moving(Draft& draft) {
  State& state = draft.state;
  for (const Tie& tie : draft.model.ties) {
    if (tie.hold >= 0 && draft.model.holds[tie.hold].from > 0) continue;
    const Vec3d arm = state.x[tie.vertex] - state.body_x[tie.body];
    const Vec3d v = state.body_v[tie.body] + cross(state.body_omega[tie.body], arm);
    for (int k = 0; k < 3; ++k)
      if (tie.held[k]) state.v[tie.vertex][k] = v[k];
  }
}

}  // namespace

void set_initial_motion(const Table& root, Draft& draft) {
  std::vector<bool> held(draft.state.x.size(), false);
  for (const Tie& tie : draft.model.ties) held[tie.vertex] = true;
  for (const DraftRod& rod : draft.rods)
    if (rod.table.has("perturb")) perturb(rod, rod.table.table("perturb"), held, draft);
  set_rods_moving(draft);
  set_bodies_moving(root, draft);
  set_driven_bodies_moving(draft);
  set_held_vertices_moving(draft);
}

}  // namespace tendril::scene
