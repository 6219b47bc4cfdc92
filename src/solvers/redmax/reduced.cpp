#include "solvers/redmax/reduced.h"

#include "rod/strain.h"

namespace tendril::solvers::redmax {

Configuration::Configuration(const Chain& chain, const Model& model, const State& state) : chain_(chain) {
  const std::size_t n = chain.joints.size();
  for (std::size_t j = 0; j < n; ++j) {
    const Joint& joint = chain.joints[j];
    const Segment& segment = model.segments[joint.segment];
    const Quatd before = j > 0             ? state.q[chain.joints[j - 1].segment]
                         : joint.body >= 0 ? state.body_q[joint.body]
                                           : state.q[joint.segment];
    frame_.push_back(state.q[joint.segment]);
    base_.push_back(before * joint.pre);
    Q_.push_back(chain.turns_freely(j) ? Vec3d{} : coordinates(joint, model, before, frame_.back()));
    axes_.push_back(chain.turns_freely(j) ? Mat3d::identity()
                                          : rotation_matrix(base_.back()) * turn_jacobian(Q_.back()));
    arm_.push_back(joint.arm * director3(frame_.back()));
    inertia_.push_back(segment.rest_length * segment.linear_inertia);
  }
}

// Q' = J⁻¹ Rᵀ (omega_child - omega_parent)
Rates Configuration::rates(const State& state) const {
  Rates out = zero();
  out.root = state.v[chain_.root];
  for (std::size_t j = 0; j < chain_.joints.size(); ++j) {
    const Joint& joint = chain_.joints[j];
    const Vec3d before = j > 0             ? state.omega[chain_.joints[j - 1].segment]
                         : joint.body >= 0 ? state.body_omega[joint.body]
                                           : Vec3d{};
    const Vec3d spin = state.omega[joint.segment] - before;
    out.joint[j] = chain_.turns_freely(j) ? spin : rotation_vector_jacobian(Q_[j]) * rotate(conjugate(base_[j]), spin);
  }
  return out;
}

Maximal Configuration::velocities(const Rates& rates, const Twist& base) const {
  Maximal out;
  Vec3d v = out.root = chain_.is_free() ? rates.root : base.v;
  Vec3d omega = chain_.joints[0].body >= 0 ? base.omega : Vec3d{};
  for (std::size_t j = 0; j < chain_.joints.size(); ++j) {
    omega += axes_[j] * rates.joint[j], v += cross(omega, arm_[j]);
    out.turn.push_back(omega), out.far.push_back(v);
  }
  return out;
}

//   omega' of the child = that of the parent + omega_parent x (R J Q') + R (J Q')' where Q' stays
Maximal Configuration::accelerations(const Rates& rates, const Twist& base) const {
  Maximal out;
  Vec3d a, omega = chain_.joints[0].body >= 0 ? base.omega : Vec3d{}, alpha;
  for (std::size_t j = 0; j < chain_.joints.size(); ++j) {
    if (!chain_.turns_freely(j)) {
      alpha += cross(omega, axes_[j] * rates.joint[j]);
      alpha += rotate(base_[j], turn_jacobian_rate(Q_[j], rates.joint[j]));
    }
    omega += axes_[j] * rates.joint[j];
    a += cross(alpha, arm_[j]) + cross(omega, cross(omega, arm_[j]));
    out.turn.push_back(alpha), out.far.push_back(a);
  }
  return out;
}

Rates Configuration::pull_back(const Maximal& impulses) const {
  Rates out = zero();
  Vec3d force, torque;  // of all that is farther out, torque about the near vertex
  for (std::size_t j = chain_.joints.size(); j-- > 0;) {
    force += impulses.far[j];
    torque += impulses.turn[j] + cross(arm_[j], force);
    out.joint[j] = transpose(axes_[j]) * torque;
  }
  if (chain_.is_free()) out.root = force + impulses.root;
  return out;
}

Maximal Configuration::weighed(const Maximal& v, const std::vector<double>& mass, double spin_factor) const {
  Maximal out;
  out.root = mass[chain_.root] * v.root;
  for (std::size_t j = 0; j < chain_.joints.size(); ++j) {
    out.far.push_back(mass[chain_.joints[j].far] * v.far[j]);
    out.turn.push_back(spin_factor * turned(j, v.turn[j]));
  }
  return out;
}

auto Configuration::diagonal(const std::vector<double>& mass, double spin_factor) const -> Diagonal {
  Diagonal out{0, std::vector<Mat3d>(chain_.joints.size())};
  Composite outer_part;
  for (std::size_t j = chain_.joints.size(); j-- > 0;) {
    outer_part.mass += mass[chain_.joints[j].far];
    outer_part = outer_part.seen_over(arm_[j]);
    const Mat3d R = rotation_matrix(frame_[j]);
    outer_part.inertia += R * (Mat3d::diagonal(spin_factor * inertia_[j]) * transpose(R));
    out.joint[j] = transpose(axes_[j]) * (outer_part.inertia * axes_[j]);
  }
  out.root = outer_part.mass + mass[chain_.root];
  return out;
}

void place(const Chain& chain, const std::vector<Vec3d>& Q, State& state) {
  for (std::size_t j = 0; j < chain.joints.size(); ++j) {
    const Joint& joint = chain.joints[j];
    Quatd& q = state.q[joint.segment];
    if (chain.turns_freely(j)) {
      q = normalized(quaternion_exp(Q[j]) * q);
    } else {
      const Quatd& before = j > 0 ? state.q[chain.joints[j - 1].segment] : state.body_q[joint.body];
      q = normalized(before * joint.pre * quaternion_exp(Q[j]) * joint.post);
    }
    state.x[joint.far] = state.x[joint.near] + joint.arm * director3(q);
  }
}

}  // namespace tendril::solvers::redmax
