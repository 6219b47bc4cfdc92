#include "solvers/chain.h"

#include "contact/contact.h"

namespace tendril::solvers::testing {

int Scene::add_vertex(const Vec3d& x) {
  model.vertices.push_back({});
  state.x.push_back(x), state.v.push_back({});
  return static_cast<int>(state.x.size()) - 1;
}

int Scene::add_segment(int i, int j, const RodOptions& o) {
  Segment s;
  s.vertex[0] = i, s.vertex[1] = j;
  s.rest_length = norm(state.x[j] - state.x[i]);
  s.EA = o.EA, s.GA = o.GA, s.EI1 = o.EI1, s.EI2 = o.EI2, s.GJ = o.GJ;
  s.linear_density = o.linear_density, s.damping = o.damping, s.internal_damping = o.internal_damping;
  model.segments.push_back(s);
  for (int v : {i, j}) model.vertices[v].mass += 0.5 * s.linear_density * s.rest_length;
  state.q.push_back(frame_from_tangent(normalized(state.x[j] - state.x[i]), o.normal));
  state.omega.push_back({});
  return static_cast<int>(state.q.size()) - 1;
}

int Scene::add_bend(FrameId a, FrameId b, double length, const RodOptions& o) {
  const auto frame = [&](FrameId f) { return f.is_body ? state.body_q[f.index] : state.q[f.index]; };
  Bend bend;
  bend.a = a, bend.b = b, bend.length = length;
  bend.rest = conjugate(frame(a)) * frame(b);
  if (bend.rest.w < 0) bend.rest = -bend.rest;
  bend.EI1 = o.EI1, bend.EI2 = o.EI2, bend.GJ = o.GJ, bend.internal_damping = o.internal_damping;
  model.bends.push_back(bend);
  return static_cast<int>(model.bends.size()) - 1;
}

int Scene::add_body(const Body& body, const Pose& pose) {
  model.bodies.push_back(body);
  state.body_x.push_back(pose.x), state.body_q.push_back(pose.q);
  state.body_v.push_back({}), state.body_omega.push_back({});
  return static_cast<int>(model.bodies.size()) - 1;
}

void Scene::add_chain(const RodOptions& o) {
  const double l = o.length / o.segments;
  int last = add_vertex(o.from), last_segment = -1;
  for (int s = 0; s < o.segments; ++s) {
    const int next = add_vertex(o.from + ((s + 1) * l) * o.along);
    const int segment = add_segment(last, next, o);
    if (last_segment >= 0) add_bend({last_segment, false}, {segment, false}, l, o);
    last = next, last_segment = segment;
  }
}

void Scene::clamp(int vertex, int segment, const RodOptions& o) {
  const int body = add_body({}, {state.x[vertex], state.q[segment]});
  Tie tie;
  tie.vertex = vertex, tie.body = body;
  model.ties.push_back(tie);
  add_bend({body, true}, {segment, false}, 0.5 * model.segments[segment].rest_length, o);
}

void Scene::fill_inputs() {
  Instant& end = inputs.end;
  end.force.assign(model.vertices.size(), {});
  for (std::size_t i = 0; i < end.force.size(); ++i) end.force[i] = model.vertices[i].mass * model.gravity;
  end.body_force.assign(model.bodies.size(), {}), end.body_moment.assign(model.bodies.size(), {});
  end.body_pose.assign(model.bodies.size(), {}), end.body_twist.assign(model.bodies.size(), {});
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    end.body_force[b] = model.bodies[b].mass * model.gravity;
    end.body_pose[b] = {state.body_x[b], state.body_q[b]};
  }
  inputs.begin = end;
}

void Scene::advance(Solver& solver, double h, int steps) {
  Contact contact;
  for (int n = 0; n < steps; ++n) {
    solver.step(inputs, contact, h, state);
    state.time += h;
  }
}

Scene cantilever(const RodOptions& o) {
  Scene scene;
  scene.model.gravity = {0, 0, 0};
  scene.add_chain(o);
  scene.clamp(0, 0, o);
  scene.fill_inputs();
  return scene;
}

}  // namespace tendril::solvers::testing
