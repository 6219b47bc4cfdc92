#include "solvers/stable/kernels.h"
#include "solvers/stable/rod_correction.h"

namespace tendril::solvers::stable {

// The forces and the matrix of a RodCorrection.

namespace {

// of a turn about the axis of a segment, which nothing may resist: a part of what its ends' inertia does across
constexpr double spin_weight = 1e-6;

bool is_dynamic(const StepProblem& problem, int body) { return problem.model->bodies[body].kind == BodyKind::dynamic; }

Quatd weighted(const BendTerm& term, const Quatd& r) {
  return {term.k[0] * r.w, term.k[1] * r.x, term.k[2] * r.y, term.k[3] * r.z};
}

Mat3d scaled(double s) { return Mat3d::diagonal({s, s, s}); }

// Gauss-Newton matrix of 1/2 rᵀ diag(k) r, r = left turn right, for a turn dtheta/2 in the middle
Mat3d turn_stiffness(const Quatd& left, const Quatd& right, const double (&k)[4]) {
  Quatd column[3];
  for (int j = 0; j < 3; ++j) {
    Vec3d axis;
    axis[j] = 0.5;
    column[j] = left * (axis * right);
  }
  const auto product = [&](int i, int j) {
    const Quatd &a = column[i], &b = column[j];
    return k[0] * a.w * b.w + k[1] * a.x * b.x + k[2] * a.y * b.y + k[3] * a.z * b.z;
  };
  return {{product(0, 0), product(1, 0), product(2, 0)},
          {product(0, 1), product(1, 1), product(2, 1)},
          {product(0, 2), product(1, 2), product(2, 2)}};
}

}  // namespace

void RodCorrection::add_body_point(int body, const Vec3d& point, double weight, const State& at, Terms& terms) const {
  terms.add(place_of(body), scaled(weight));
  terms.add(turn_of(body), -weight * skew(rotate(at.body_q[body], point)));
}

void RodCorrection::add_point(int vertex, double weight, const State& at, Terms& terms) const {
  if (follows_[vertex] >= 0) return add_body_point(follows_[vertex], offset_[vertex], weight, at, terms);
  terms.add(vertex, scaled(weight));
}

RodCorrection::Link RodCorrection::link_of(const Pair& pair, const State& at) const {
  Link link;
  link.normal = pair.normal;
  for (int side = 0; side < 2; ++side) {
    link.part[side] = part_of(pair, side);
    const int body = side == 0 ? pair.body_a : pair.body;
    if (body >= 0 && link.part[side] >= 0)
      add_body_point(body, side == 0 ? pair.point_a : pair.point, side == 0 ? 1 : -1, at, link.point[side]);
    if (body >= 0) continue;
    for (int k = 2 * side; k < 2 * side + 2; ++k) {
      add_point(pair.vertex[k], pair.weight[k], at, link.point[side]);
      add_point(pair.vertex[k], k % 2 == 1 ? 1 : -1, at, link.turn[side]);
    }
  }
  return link;
}

void RodCorrection::add_force(const Terms& terms, const Vec3d& force) {
  for (int k = 0; k < terms.count; ++k) {
    const Vec3d f = transpose(terms.term[k].map) * force;
    force_[terms.term[k].unknown] += f, scale_[terms.term[k].unknown] += norm(f);
  }
}

void RodCorrection::add_stiffness(Part& part, const Terms& terms, const Mat3d& stiffness) {
  for (int j = 0; j < terms.count; ++j) {
    const Mat3d pull = transpose(terms.term[j].map) * stiffness;
    const int row = row_[terms.term[j].unknown];
    for (int k = 0; k < terms.count; ++k) {
      const int other = row_[terms.term[k].unknown];
      if (other == row) part.matrix.diagonal(row) += pull * terms.term[k].map;
      if (other < row) part.matrix.coupling(part.plan.coupling(other, row)) += pull * terms.term[k].map;
    }
  }
}

void RodCorrection::add_vertices(const StepProblem& problem, const State& at, Part& part, bool with_stiffness) {
  for (int i : part.vertices) {
    Terms terms;
    add_point(i, 1, at, terms);
    add_force(terms, problem.weight[i] * (problem.goal[i] - (at.x[i] - problem.begin.x[i])));
    if (with_stiffness) add_stiffness(part, terms, scaled(problem.weight[i]));
  }
}

void RodCorrection::add_segments(const StepProblem& problem, const State& at, Part& part, bool with_stiffness) {
  for (int s : part.segments) {
    const StretchTerm& term = problem.stretch[s];
    const int* i = problem.model->segments[s].vertex;
    const Vec3d edge = problem.edge[s] + (at.x[i[1]] - problem.begin.x[i[1]]) - (at.x[i[0]] - problem.begin.x[i[0]]);
    const Mat3d R = rotation_matrix(at.q[s]);
    const Vec3d D = (1 / term.length) * Vec3d{term.GA, term.GA, term.EA};
    const Vec3d n = R * scale(D, transpose(R) * edge - term.length * term.p);
    Terms terms;
    add_point(i[1], 1, at, terms), add_point(i[0], -1, at, terms);
    terms.add(turn_of_segment(s), skew(edge));  // the strain moves by R(q)ᵀ (u1 - u0 + edge x theta)
    add_force(terms, -n);
    scale_[turn_of_segment(s)] += term.length * norm(n);
    if (!problem.moment.empty()) force_[turn_of_segment(s)] += problem.moment[s];
    if (!with_stiffness) continue;
    add_stiffness(part, terms, R * (Mat3d::diagonal(D) * transpose(R)));
    const double spin = spin_weight * (problem.weight[i[0]] + problem.weight[i[1]]);
    part.matrix.diagonal(row_[turn_of_segment(s)]) += spin * outer(edge, edge);
  }
}

void RodCorrection::add_bends(const StepProblem& problem, const State& at, Part& part, bool with_stiffness) {
  for (int b : part.bends) {
    const BendTerm& term = problem.bends[b];
    const Bend& bend = problem.model->bends[b];
    const Quatd &q_a = frame_of(at, bend.a), &q_b = frame_of(at, bend.b);
    const Quatd rho = relative_turn(term, q_a, q_b), stress = weighted(term, rho), pull = weighted(term, term.target);
    const Quatd strain = dot(rho, pull) < 0 ? stress + pull : stress - pull;
    Terms terms;
    for (const auto& [frame, sign] : {std::pair{bend.a, -1.0}, {bend.b, 1.0}})
      if (!frame.is_body || is_dynamic(problem, frame.index))
        terms.add(frame.is_body ? turn_of(frame.index) : turn_of_segment(frame.index), scaled(sign));
    add_force(terms, -torque_of(q_a * term.left * strain * term.right, q_b));
    if (with_stiffness)
      add_stiffness(part, terms, turn_stiffness(conjugate(q_a * term.left), q_b * conjugate(term.right), term.k));
  }
}

void RodCorrection::add_bodies(const StepProblem& problem, const State& at, Part& part, bool with_stiffness) {
  for (int b : part.bodies) {
    const BodyTerm& term = problem.bodies[b];
    const Quatd& q = at.body_q[b];
    const Vec3d turn = (conjugate(term.turn_goal) * q).imaginary(), pull = scale(term.spin_weight, turn);
    Terms place, spin;
    place.add(place_of(b), scaled(1)), spin.add(turn_of(b), scaled(1));
    add_force(place, term.weight * (term.goal - at.body_x[b]));
    add_force(spin, -torque_of(term.turn_goal * Quatd{0, pull.x, pull.y, pull.z}, q));
    add_force(spin, term.moment);
    if (!with_stiffness) continue;
    const double k[4] = {0, term.spin_weight.x, term.spin_weight.y, term.spin_weight.z};
    add_stiffness(part, place, scaled(term.weight));
    add_stiffness(part, spin, turn_stiffness(conjugate(term.turn_goal), q, k));
  }
}

// all but contact
void RodCorrection::add_parts(const StepProblem& problem, const State& at, bool with_stiffness) {
  for_active([&](int i, int) { force_[i] = {}, scale_[i] = 0; });
  for (int p : active_) {
    add_vertices(problem, at, parts_[p], with_stiffness);
    add_segments(problem, at, parts_[p], with_stiffness);
    add_bends(problem, at, parts_[p], with_stiffness);
    add_bodies(problem, at, parts_[p], with_stiffness);
  }
}

// At the waypoint. Each side's stiffness is part of its own block; what couples the two is left to conjugate gradients.
void RodCorrection::add_contact(const Contact& contact, const State& at) {
  links_.clear();
  for (const Pair& pair : contact.pairs()) {
    if (!(pair.gap < pair.barrier.reach)) continue;
    const PairForce now = force_of(pair, {});
    const double normal_force = pair.normal_force();
    Link link = link_of(pair, at);
    link.stiffness = (now.normal_stiffness - now.tangent_stiffness) * outer(pair.normal, pair.normal) +
                     scaled(now.tangent_stiffness);
    link.turning = normal_force / pair.slope * contact.curvature(pair);
    for (int side = 0; side < 2; ++side) {
      add_force(link.point[side], now.force);
      if (link.part[side] < 0) continue;
      Part& part = parts_[link.part[side]];
      add_stiffness(part, link.point[side], link.stiffness);
      add_stiffness(part, link.turn[side],
                    (side == 0 ? link.turning.aa : link.turning.bb) * outer(pair.normal, pair.normal));
    }
    links_.push_back(link);
  }
}

void RodCorrection::add_contact_of_trial(const Contact& contact, const State& trial) {
  for (const Pair& pair : contact.pairs()) {
    const bool moves[2] = {island_of(pair, 0) >= 0, island_of(pair, 1) >= 0};
    if (!(moves[0] || moves[1]) || contact.is_far(pair, trial)) continue;
    Pair there = contact.pair_at(pair, trial);
    if (!(there.gap < there.barrier.reach)) continue;
    there.slip = contact.slip_at(pair, trial);
    const Link link = link_of(there, trial);
    const Vec3d force = force_of(there, {}).force;
    for (int side = 0; side < 2; ++side)
      if (moves[side]) add_force(link.point[side], force);
  }
}

void RodCorrection::release_held(const StepProblem& problem) {
  for (int p : active_)
    for (int i : parts_[p].vertices) force_[i] = scale(problem.free_axes[i], force_[i]);
}

}  // namespace tendril::solvers::stable
