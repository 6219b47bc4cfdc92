#include "sim/steering.h"

#include <stdexcept>
#include <string>

#include "contact/ccd.h"

namespace tendril::sim {
namespace {

void refuse_beyond(const char* what, int number, std::size_t count) {
  if (number < 0 || std::size_t(number) >= count)
    throw std::out_of_range("there is no " + std::string(what) + " " + std::to_string(number) + "; the model has " +
                            std::to_string(count));
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

void Steering::add_forces(Instant& instant) const {
  for (std::size_t i = 0; i < force_.size(); ++i) instant.force[i] += force_[i];
}

void Steering::prescribe(const State& before, double step_end, Inputs& inputs) const {
  add_forces(inputs.begin), add_forces(inputs.end);
  const double h = inputs.end.time - inputs.begin.time;
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

int support_of(const Model& model, int vertex) {
  for (const Tie& tie : model.ties)
    if (tie.vertex == vertex && model.bodies[tie.body].kind == BodyKind::kinematic) return tie.body;
  return -1;
}

}  // namespace tendril::sim
