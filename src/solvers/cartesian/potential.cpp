#include "solvers/cartesian/potential.h"

namespace tendril::solvers::cartesian {
namespace {

// of a bend on its frames, by their turns: minus the gradient is on b, the opposite on a
struct BendTerms {
  Vec3d moment;
  Mat3d same, cross;  // second derivatives by (b, b) and (a, a), and by (a, b)
};

BendTerms bend_terms(const newton::Problem& problem, int b, const Quatd& q_a, const Quatd& q_b, bool exact) {
  const newton::Bend<double> bend = problem.bend(b);
  if (!problem.bends[b].scalar) {
    const auto d = newton::derivatives(bend, q_a, newton::bend_angle(bend, q_a, q_b), exact ? 1.0 : 0.0);
    const Mat3d S = full(d.S);
    return {-d.moment, S, -1.0 * S + skew(d.half_moment)};
  }
  const BendStrain strain = problem.scalar_strain(b, q_a, q_b);  // dphi = B (theta_b - theta_a), H = Bᵀ K B
  const Mat3d B = strain.jacobian * transpose(rotation_matrix(strain.frame));
  const Mat3d S = transpose(B) * (Mat3d::diagonal(bend.K) * B);
  return {-(transpose(B) * scale(bend.K, strain.angle)), S, -1.0 * S};
}

double bend_energy(const newton::Problem& problem, int b, const Quatd& q_a, const Quatd& q_b) {
  const newton::Bend<double> bend = problem.bend(b);
  if (!problem.bends[b].scalar) return newton::bend_energy(bend, newton::bend_angle(bend, q_a, q_b));
  const Vec3d angle = problem.scalar_strain(b, q_a, q_b).angle;
  return 0.5 * dot(angle, scale(bend.K, angle));
}

}  // namespace

void Potential::begin_step(const Inputs& inputs, double h, const State& state) {
  newton::Accelerations old;
  old.forget(*problem_.model, 1);
  problem_.begin_step(inputs, newton::Scheme::implicit_euler(h), state, old);
  problem_.set_vertices(inputs, state, old, {0, static_cast<int>(state.x.size())});
  problem_.set_segments(state, old, {0, newton::Problem::pack_count(state.q.size())});
  problem_.set_bends(state, {0, static_cast<int>(problem_.bends.size())});
}

const Vec3d& Potential::external_moment(int s) const {
  static constexpr Vec3d none;
  return problem_.moment.empty() ? none : problem_.moment[s];
}

double Potential::energy(const Iterate& at) const {
  double sum = 0;
  for (std::size_t i = 0; i < at.x.size(); ++i)
    sum += 0.5 * problem_.weight[i] * norm_squared(at.x[i] - problem_.goal[i]);
  for (std::size_t s = 0; s < at.q.size(); ++s) {
    const newton::Spin<double> spin = problem_.spin(static_cast<int>(s));
    sum += newton::spin_energy(spin, newton::half_turn(spin, at.q[s]));
  }
  for (std::size_t b = 0; b < problem_.bends.size(); ++b) {
    const Bend& bend = problem_.model->bends[b];
    sum +=
        bend_energy(problem_, static_cast<int>(b), problem_.frame(at, bend.a), problem_.frame(at, bend.b) * bend.turn);
  }
  return sum;
}

void Potential::add_to(System& system, const Iterate& at, bool exact) const {
  add_inertia(system, at);
  for (std::size_t b = 0; b < problem_.bends.size(); ++b) add_bend(static_cast<int>(b), system, at, exact);
}

void Potential::add_inertia(System& system, const Iterate& at) const {
  for (int i = 0; i < static_cast<int>(at.x.size()); ++i) {
    const double w = problem_.weight[i];
    system.add(system.vertex(i), w * Mat3d::identity());
    system.add_to_right(system.vertex(i), w * (problem_.goal[i] - at.x[i]));
  }
  for (int s = 0; s < static_cast<int>(at.q.size()); ++s) {
    const newton::Spin<double> spin = problem_.spin(s);
    const auto d = newton::derivatives(spin, newton::half_turn(spin, at.q[s]));
    system.add(system.turn(s), full(d.theta_theta));
    system.add_to_right(system.turn(s), external_moment(s) - d.torque);
  }
}

void Potential::add_bend(int b, System& system, const Iterate& at, bool exact) const {
  const Bend& bend = problem_.model->bends[b];
  const Quatd q_a = problem_.frame(at, bend.a), q_b = problem_.frame(at, bend.b) * bend.turn;
  const BendTerms terms = bend_terms(problem_, b, q_a, q_b, exact);
  const auto add = [&](const FrameId& frame, double sign) {
    if (frame.is_body) return;
    system.add(system.turn(frame.index), terms.same);
    system.add_to_right(system.turn(frame.index), sign * terms.moment);
  };
  add(bend.a, -1), add(bend.b, 1);
  if (!bend.a.is_body && !bend.b.is_body) system.add(system.turn(bend.a.index), system.turn(bend.b.index), terms.cross);
}

}  // namespace tendril::solvers::cartesian
