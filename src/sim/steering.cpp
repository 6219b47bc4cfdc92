#include "sim/steering.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "contact/ccd.h"

namespace tendril::sim {
namespace {

void refuse_beyond(const char* what, int number, std::size_t count) {
  if (number < 0 || std::size_t(number) >= count)
    throw std::out_of_range("there is no " + std::string(what) + " " + std::to_string(number) + "; the model has " +
                            std::to_string(count));
}

// the point that a spring pulls at
struct Pulled {
  Vec3d x, v;  // [m], [m/s]
  Vec3d arm;   // from the centre of its body [m]
};
Pulled pulled(const Spring& spring, const State& state) {
  if (spring.vertex >= 0) return {state.x[spring.vertex], state.v[spring.vertex], {}};
  const Vec3d arm = rotate(state.body_q[spring.body], spring.point);
  return {state.body_x[spring.body] + arm, state.body_v[spring.body] + cross(state.body_omega[spring.body], arm), arm};
}

// k of Spring [N/m]
double bounded_stiffness(const Spring& spring, const Vec3d& stretch) {
  return std::min(spring.stiffness, spring.most_force / std::max(norm(stretch), 1e-300));
}

void add_spring(const Spring& spring, const State& before, double h, Instant& instant) {
  const Pulled at = pulled(spring, before);
  const Vec3d stretch = spring.target - at.x;
  const double k = bounded_stiffness(spring, stretch);
  if (spring.vertex < 0) {
    const Vec3d force = k * stretch - spring.damping * at.v;
    instant.body_force[spring.body] += force, instant.body_moment[spring.body] += cross(at.arm, force);
    return;
  }
  const double slope = spring.damping + k * h;  // - d force / d velocity
  instant.force[spring.vertex] += k * stretch - slope * at.v;
  if (instant.drag.empty()) instant.drag.resize(instant.force.size());
  instant.drag[spring.vertex] += slope;
}

}  // namespace

void Steering::set_force(const Model& model, int vertex, const Vec3d& force) {
  refuse_beyond("vertex", vertex, model.vertices.size());
  force_.resize(model.vertices.size());
  force_[vertex] = force;
}

void Steering::drive(const Model& model, int body, const Pose& pose) {
  refuse_beyond("body", body, model.bodies.size());
  if (model.bodies[body].kind == BodyKind::dynamic)
    throw std::invalid_argument("body " + std::to_string(body) + " moves freely: only what is held can be driven");
  drive_.resize(model.bodies.size());
  drive_[body] = Pose{pose.x, normalized(pose.q)};
}

void Steering::let_go(int body) {
  if (body < int(drive_.size())) drive_[body].reset();
}

void Steering::set_springs(const Model& model, std::vector<Spring> springs) {
  for (const Spring& spring : springs) {
    if (spring.vertex >= 0) {
      refuse_beyond("vertex", spring.vertex, model.vertices.size());
      continue;
    }
    refuse_beyond("body", spring.body, model.bodies.size());
    if (model.bodies[spring.body].kind != BodyKind::dynamic)
      throw std::invalid_argument("body " + std::to_string(spring.body) + " does not move freely: it can be driven");
  }
  springs_ = std::move(springs);
}

void Steering::add_forces(const State& still, Instant& instant) const {
  for (std::size_t i = 0; i < force_.size(); ++i) instant.force[i] += force_[i];
  for (const Spring& spring : springs_) {
    const Pulled at = pulled(spring, still);
    const Vec3d stretch = spring.target - at.x, force = bounded_stiffness(spring, stretch) * stretch;
    if (spring.vertex >= 0)
      instant.force[spring.vertex] += force;
    else
      instant.body_force[spring.body] += force, instant.body_moment[spring.body] += cross(at.arm, force);
  }
}

void Steering::prescribe(const State& before, double step_end, Inputs& inputs) const {
  const double h = inputs.end.time - inputs.begin.time;
  for (Instant* instant : {&inputs.begin, &inputs.end}) {
    for (std::size_t i = 0; i < force_.size(); ++i) instant->force[i] += force_[i];
    for (const Spring& spring : springs_) add_spring(spring, before, h, *instant);
  }
  for (std::size_t b = 0; b < drive_.size(); ++b) {
    if (!drive_[b]) continue;
    const Pose from{before.body_x[b], before.body_q[b]};
    const double left = step_end - inputs.begin.time;  // of the whole step, which may be divided
    const Pose to = left > h ? pose_between(from, *drive_[b], h / left) : *drive_[b];
    inputs.begin.body_pose[b] = from, inputs.end.body_pose[b] = to;
    inputs.begin.body_twist[b] = {before.body_v[b], before.body_omega[b]};
    inputs.end.body_twist[b] = {(to.x - from.x) / h, turn_between(from.q, to.q) / h};
  }
}

Vec3d force_of(const Spring& spring, const State& before, const State& after, double h) {
  const Pulled begin = pulled(spring, before);
  const Vec3d stretch = spring.target - begin.x;
  const double k = bounded_stiffness(spring, stretch);
  if (spring.vertex < 0) return k * stretch - spring.damping * begin.v;
  return k * stretch - (spring.damping + k * h) * after.v[spring.vertex];
}

int support_of(const Model& model, int vertex) {
  for (const Tie& tie : model.ties)
    if (tie.vertex == vertex && model.bodies[tie.body].kind == BodyKind::kinematic) return tie.body;
  return -1;
}

}  // namespace tendril::sim
