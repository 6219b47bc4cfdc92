#include "solvers/stable/potential.h"

#include <algorithm>

#include "solvers/stable/kernels.h"

namespace tendril::solvers::stable {

namespace {

// (rho - phi t) of a bend, phi the sign that makes its energy least
Quatd bend_strain(const BendTerm& term, const Quatd& rho) {
  const Quatd& t = term.target;
  const double product =
      term.k[0] * rho.w * t.w + term.k[1] * rho.x * t.x + term.k[2] * rho.y * t.y + term.k[3] * rho.z * t.z;
  return product < 0 ? rho + t : rho - t;
}

Quatd weighted(const BendTerm& term, const Quatd& r) {
  return {term.k[0] * r.w, term.k[1] * r.x, term.k[2] * r.y, term.k[3] * r.z};
}

Vec3d edge_of(const StepProblem& problem, const State& state, std::size_t s) {
  const int* i = problem.model->segments[s].vertex;
  return problem.edge[s] + (state.x[i[1]] - problem.begin.x[i[1]]) - (state.x[i[0]] - problem.begin.x[i[0]]);
}

bool is_dynamic(const StepProblem& problem, std::size_t b) {
  return problem.model->bodies[b].kind == BodyKind::dynamic;
}

Vec3d turn_error(const BodyTerm& term, const Quatd& q) { return (conjugate(term.turn_goal) * q).imaginary(); }

struct Sums {
  std::vector<double> force, torque, body_force, body_torque;  // of magnitudes
};

void add_inertia(const StepProblem& problem, const State& state, Balance& out, Sums& sums) {
  for (std::size_t i = 0; i < out.force.size(); ++i) {
    out.force[i] = problem.weight[i] * (state.x[i] - problem.begin.x[i] - problem.goal[i]);
    sums.force[i] = norm(out.force[i]);
  }
  for (std::size_t b = 0; b < out.body_force.size(); ++b) {
    if (!is_dynamic(problem, b)) continue;
    const BodyTerm& term = problem.bodies[b];
    out.body_force[b] = term.weight * (state.body_x[b] - term.goal);
    const Vec3d turn = turn_error(term, state.body_q[b]), pull = scale(term.spin_weight, turn);
    // energy 1/2 pull·turn; d turn = Im(q̄_y dtheta q) / 2
    const Quatd in_world = term.turn_goal * Quatd{0, pull.x, pull.y, pull.z};
    const Vec3d spin = torque_of(in_world, state.body_q[b]);
    out.body_torque[b] = spin - term.moment;
    sums.body_force[b] = norm(out.body_force[b]);
    sums.body_torque[b] = norm(spin) + norm(term.moment);
  }
}

void add_stretch(const StepProblem& problem, const State& state, Balance& out, Sums& sums) {
  for (std::size_t s = 0; s < out.torque.size(); ++s) {
    const StretchTerm& term = problem.stretch[s];
    const int* i = problem.model->segments[s].vertex;
    const Vec3d edge = edge_of(problem, state, s);
    const Vec3d gap = rotate(conjugate(state.q[s]), edge) - term.length * term.p;  // l (gamma - beta gamma_old)
    const Vec3d n = rotate(state.q[s], scale({term.GA, term.GA, term.EA}, gap / term.length));
    out.force[i[1]] += n, out.force[i[0]] -= n;
    sums.force[i[1]] += norm(n), sums.force[i[0]] += norm(n);
    // d (Rᵀ a) = -Rᵀ (dtheta x a), so dE = n·(a x dtheta) = (n x a)·dtheta
    out.torque[s] = cross(n, edge);
    sums.torque[s] = term.length * norm(n);
    if (problem.moment.empty()) continue;
    out.torque[s] -= problem.moment[s];
    sums.torque[s] += norm(problem.moment[s]);
  }
}

void add_bends(const StepProblem& problem, const State& state, Balance& out, Sums& sums) {
  for (std::size_t b = 0; b < problem.bends.size(); ++b) {
    const BendTerm& term = problem.bends[b];
    const Bend& bend = problem.model->bends[b];
    const Quatd &q_a = frame_of(state, bend.a), &q_b = frame_of(state, bend.b);
    const Quatd stress = weighted(term, bend_strain(term, relative_turn(term, q_a, q_b)));
    const Vec3d torque = torque_of(q_a * term.left * stress * term.right, q_b);
    for (const auto& [frame, sign] : {std::pair{bend.a, -1.0}, {bend.b, 1.0}}) {
      (frame.is_body ? out.body_torque : out.torque)[frame.index] += sign * torque;
      (frame.is_body ? sums.body_torque : sums.torque)[frame.index] += norm(torque);
    }
  }
}

void add_contact(const StepProblem& problem, const State& state, const Contact& contact, Balance& out, Sums& sums) {
  const auto push = [&](int body, const Vec3d& point, const Vec3d& force) {
    if (body < 0 || !is_dynamic(problem, body)) return;
    const Vec3d arm = rotate(state.body_q[body], point);
    out.body_force[body] -= force, out.body_torque[body] -= cross(arm, force);
    sums.body_force[body] += norm(force), sums.body_torque[body] += norm(arm) * norm(force);
  };
  for (const Pair& pair : contact.pairs()) {
    if (pair.gap >= pair.barrier.reach) continue;
    const Vec3d force = force_of(pair, {}).force;
    for (int k = 0; k < 4; ++k) {
      if (pair.vertex[k] < 0) continue;
      out.force[pair.vertex[k]] -= pair.weight[k] * force;
      sums.force[pair.vertex[k]] += std::abs(pair.weight[k]) * norm(force);
    }
    push(pair.body_a, pair.point_a, force), push(pair.body, pair.point, -force);
  }
}

void hand_over_to_bodies(const StepProblem& problem, const State& state, Balance& out, Sums& sums) {
  for (const Tie& tie : problem.model->ties) {
    if (problem.role[tie.vertex] != Role::slaved) continue;
    const Vec3d arm = rotate(state.body_q[tie.body], tie.offset);
    out.body_force[tie.body] += out.force[tie.vertex];
    out.body_torque[tie.body] += cross(arm, out.force[tie.vertex]);
    sums.body_force[tie.body] += sums.force[tie.vertex];
    sums.body_torque[tie.body] += norm(arm) * sums.force[tie.vertex];
  }
  for (std::size_t i = 0; i < out.force.size(); ++i) out.force[i] = scale(out.force[i], problem.free_axes[i]);
  for (std::size_t b = 0; b < out.body_force.size(); ++b) {
    if (is_dynamic(problem, b)) continue;
    out.body_force[b] = out.body_torque[b] = {};
    sums.body_force[b] = sums.body_torque[b] = 0;
  }
}

double largest(const std::vector<double>& values, double otherwise) {
  for (double value : values) otherwise = std::max(otherwise, value);
  return otherwise;
}

double largest_norm(const std::vector<Vec3d>& values) {
  double squared = 0;
  for (const Vec3d& value : values) squared = std::max(squared, norm_squared(value));
  return std::sqrt(squared);
}

}  // namespace

double incremental_potential(const StepProblem& problem, const State& state) {
  double energy = 0;
  for (std::size_t i = 0; i < problem.weight.size(); ++i)
    energy += 0.5 * problem.weight[i] * norm_squared(state.x[i] - problem.begin.x[i] - problem.goal[i]);
  for (std::size_t s = 0; s < problem.stretch.size(); ++s) {
    const StretchTerm& term = problem.stretch[s];
    const Vec3d gamma = rotate(conjugate(state.q[s]), edge_of(problem, state, s) / term.length) - term.p;
    energy += 0.5 * term.length * dot(gamma, scale({term.GA, term.GA, term.EA}, gamma));
  }
  for (std::size_t b = 0; b < problem.bends.size(); ++b) {
    const Bend& bend = problem.model->bends[b];
    const BendTerm& term = problem.bends[b];
    const Quatd strain = bend_strain(term, relative_turn(term, frame_of(state, bend.a), frame_of(state, bend.b)));
    energy += 0.5 * dot(strain, weighted(term, strain));
  }
  for (std::size_t b = 0; b < problem.bodies.size(); ++b) {
    if (!is_dynamic(problem, b)) continue;
    const BodyTerm& term = problem.bodies[b];
    const Vec3d turn = turn_error(term, state.body_q[b]);
    energy +=
        0.5 * term.weight * norm_squared(state.body_x[b] - term.goal) + 0.5 * dot(turn, scale(term.spin_weight, turn));
  }
  return energy;
}

Balance balance(const StepProblem& problem, const State& state, const Contact& contact) {
  Balance out;
  const std::size_t n = state.x.size(), m = state.q.size(), bodies = problem.bodies.size();
  out.force.resize(n), out.torque.resize(m), out.body_force.resize(bodies), out.body_torque.resize(bodies);
  Sums sums{std::vector<double>(n), std::vector<double>(m), std::vector<double>(bodies), std::vector<double>(bodies)};
  add_inertia(problem, state, out, sums);
  add_stretch(problem, state, out, sums);
  add_bends(problem, state, out, sums);
  add_contact(problem, state, contact, out, sums);
  hand_over_to_bodies(problem, state, out, sums);
  out.force_scale = largest(sums.body_force, largest(sums.force, problem.largest_force));
  out.torque_scale = largest(sums.body_torque, largest(sums.torque, problem.largest_moment));
  return out;
}

void Remainder::take(const Remainder& other) {
  force = std::max(force, other.force), force_scale = std::max(force_scale, other.force_scale);
  torque = std::max(torque, other.torque), torque_scale = std::max(torque_scale, other.torque_scale);
  displacement = std::max(displacement, other.displacement);
}

Remainder remainder(const StepProblem& problem, const State& state, const Contact& contact) {
  const Balance b = balance(problem, state, contact);
  double moved = 0;
  for (std::size_t i = 0; i < state.x.size(); ++i)
    moved = std::max(moved, norm_squared(state.x[i] - problem.begin.x[i]));
  for (std::size_t k = 0; k < problem.bodies.size(); ++k)
    if (is_dynamic(problem, k)) moved = std::max(moved, norm_squared(state.body_x[k] - problem.begin.body_x[k]));
  return {std::max(largest_norm(b.force), largest_norm(b.body_force)), b.force_scale,
          std::max(largest_norm(b.torque), largest_norm(b.body_torque)), b.torque_scale, std::sqrt(moved)};
}

double residual(const Remainder& left, const StepProblem& problem, double round_off) {
  constexpr double double_round_off = 2.3e-16;
  // stiffness times the last digits of a strain, of a position at the start, of a displacement
  const StepProblem::Sizes& sizes = problem.sizes;
  const double position = double_round_off * sizes.position + 2 * round_off * left.displacement;
  const double force_noise = 2 * round_off * (sizes.EA + sizes.inertia) + position * sizes.EA_per_length;
  const double torque_noise = 32 * round_off * sizes.torque + position * sizes.EA;
  const double force_scale = std::max(left.force_scale, left.torque_scale / std::max(sizes.extent, 1e-300));
  double worst = 0;
  if (left.force > force_noise) worst = (left.force - force_noise) / force_scale;
  if (left.torque > torque_noise) worst = std::max(worst, (left.torque - torque_noise) / left.torque_scale);
  const double sum = left.force + left.torque;
  return sum == sum ? worst : sum;  // not a number stays one
}

}  // namespace tendril::solvers::stable
