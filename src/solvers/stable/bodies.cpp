#include "solvers/stable/bodies.h"

#include <Eigen/Dense>
#include <algorithm>

#include "solvers/stable/kernels.h"
#include "solvers/stable/secular.h"

namespace tendril::solvers::stable {

namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

Eigen::Vector3d eigen(const Vec3d& a) { return {a.x, a.y, a.z}; }
Eigen::Matrix3d eigen(const Mat3d& m) {
  Eigen::Matrix3d out;
  out << eigen(m.c0), eigen(m.c1), eigen(m.c2);
  return out;
}

// a segment that ends at a follower, with the other end and its frame known: force K delta, delta how far it is from
// where the segment wants it
struct Spring {
  Vec3d wanted;  // displacement of the follower [m]
  Mat3d K;       // [N/m]
};

// what pulls at one point of the body
struct Anchor {
  Vec3d offset, start;  // in the body's frame; its position at the start of the step [m]
  double weight;        // M/h² [N/m]
  Vec3d goal;           // [m]
  std::vector<Spring> springs;
  Vec3d touched;     // displacement at which contact pushes with `push` [m]
  Vec3d push;        // [N]
  Mat3d resistance;  // of contact against more [N/m]
};

// adds a bend to the other frame to 1/2 qᵀAq - bᵀq
void add_bend(const BendTerm& term, const Quatd& other, const Quatd& q, Sym4<double>& A, Quatd& b) {
  const double target[4] = {term.target.w, term.target.x, term.target.y, term.target.z};
  const Quatd axes[4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  Quatd pull{0, 0, 0, 0};
  for (int j = 0; j < 4; ++j) {
    const Quatd axis = other * term.left * axes[j] * term.right;
    pull += (term.k[j] * target[j]) * axis;
    add_square(A, std::sqrt(term.k[j]) * axis);
  }
  b += nearest_sign(pull, q);
}

}  // namespace

// the terms of the potential that move with one body, all else fixed
struct Bodies::Energy {
  BodyTerm term;
  std::vector<Anchor> anchors;
  Sym4<double> A;  // bends and rotational inertia: 1/2 qᵀAq - bᵀq
  Quatd b{0, 0, 0, 0};
  Quatd start;  // where the moment's work counts from
  Vec3d begin;  // at the start of the step

  double value(const Vec3d& x, const Quatd& q) const {
    double energy = 0.5 * term.weight * norm_squared(x - term.goal) + 0.5 * dot(q, A * q) - dot(b, q);
    for (const Anchor& anchor : anchors) {
      const Vec3d u = x + rotate(q, anchor.offset) - anchor.start;
      energy += 0.5 * anchor.weight * norm_squared(u - anchor.goal);
      for (const Spring& spring : anchor.springs)
        energy += 0.5 * dot(u - spring.wanted, spring.K * (u - spring.wanted));
      const Vec3d moved = u - anchor.touched;
      energy += 0.5 * dot(moved, anchor.resistance * moved) - dot(anchor.push, moved);
    }
    return energy - 2 * dot(term.moment, (q * conjugate(start)).imaginary());
  }

  // derivatives with respect to x and theta in q <- exp(theta) q; the matrix has only its positive parts
  void derivatives(const Vec3d& x, const Quatd& q, Vector6& gradient, Matrix6& matrix, Remainder* met) const {
    gradient.setZero(), matrix.setZero();
    gradient.head<3>() = eigen(term.weight * (x - term.goal));
    matrix.topLeftCorner<3, 3>() = term.weight * Eigen::Matrix3d::Identity();
    double force_scale = gradient.head<3>().norm(), torque_scale = norm(term.moment);
    for (const Anchor& anchor : anchors) {
      const Vec3d arm = rotate(q, anchor.offset), u = x + arm - anchor.start;
      Vec3d force = anchor.weight * (u - anchor.goal);
      Mat3d K = Mat3d::diagonal({anchor.weight, anchor.weight, anchor.weight});
      double scale = norm(force);
      for (const Spring& spring : anchor.springs) {
        const Vec3d f = spring.K * (u - spring.wanted);
        force += f, scale += norm(f), K += spring.K;
      }
      force += anchor.resistance * (u - anchor.touched) - anchor.push;
      scale += norm(anchor.push), K += anchor.resistance;
      // u moves with [1, -[arm]x]; turning the arm under a force that pulls outward costs too
      Eigen::Matrix<double, 3, 6> jacobian;
      jacobian << Eigen::Matrix3d::Identity(), -eigen(skew(arm));
      gradient += jacobian.transpose() * eigen(force);
      matrix += jacobian.transpose() * eigen(K) * jacobian;
      const double outward = std::max(-dot(arm, force), 0.0);
      const Eigen::Vector3d a = eigen(arm).normalized();
      if (outward > 0) matrix.bottomRightCorner<3, 3>() += outward * (Eigen::Matrix3d::Identity() - a * a.transpose());
      force_scale += scale, torque_scale += norm(arm) * scale;
    }
    // dq = theta q / 2 - |theta|² q / 8
    const Quatd slope = A * q - b;
    const Quatd tangent[3] = {0.5 * (Vec3d{1, 0, 0} * q), 0.5 * (Vec3d{0, 1, 0} * q), 0.5 * (Vec3d{0, 0, 1} * q)};
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 3; ++j) matrix(3 + k, 3 + j) += dot(tangent[k], A * tangent[j]);
    matrix.bottomRightCorner<3, 3>() += 0.25 * std::max(-dot(slope, q), 0.0) * Eigen::Matrix3d::Identity();
    gradient.tail<3>() += eigen(torque_of(slope, q) - term.moment);
    if (!met) return;
    met->take({gradient.head<3>().norm(), force_scale, gradient.tail<3>().norm(),
               torque_scale + norm(torque_of(A * q, q)), norm(x - begin)});
  }
};

void Bodies::reset(const StepProblem& problem, const Layout& layout) {
  const Model& model = *problem.model;
  bodies_.clear();
  std::vector<int> block_of(model.bodies.size(), -1), follower_of(model.vertices.size(), -1);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (model.bodies[b].kind != BodyKind::dynamic) continue;
    block_of[b] = static_cast<int>(bodies_.size());
    bodies_.push_back({static_cast<int>(b), layout.first_body_row + static_cast<int>(b), {}, {}});
  }
  std::vector<Block*> body_of(model.vertices.size(), nullptr);
  for (const Tie& tie : model.ties) {
    if (block_of[tie.body] < 0 || body_of[tie.vertex]) continue;
    Block& block = bodies_[block_of[tie.body]];
    body_of[tie.vertex] = &block;
    follower_of[tie.vertex] = static_cast<int>(block.followers.size());
    block.followers.push_back({tie.vertex, layout.vertex_row[tie.vertex], tie.offset, {}});
  }
  for (std::size_t s = 0; s < model.segments.size(); ++s) {
    const int* i = model.segments[s].vertex;
    for (int end = 0; end < 2; ++end)
      if (Block* block = body_of[i[end]])
        block->followers[follower_of[i[end]]].ends.push_back(
            {layout.vertex_row[i[1 - end]], layout.segment_row[s], static_cast<int>(s), end == 1 ? 1 : -1});
  }
  const auto row_of = [&](const FrameId& frame) {
    return frame.is_body ? layout.first_body_row + frame.index : layout.segment_row[frame.index];
  };
  for (std::size_t b = 0; b < model.bends.size(); ++b) {
    const Bend& bend = model.bends[b];
    if (bend.a.is_body && block_of[bend.a.index] >= 0)
      bodies_[block_of[bend.a.index]].joints.push_back({row_of(bend.b), static_cast<int>(b), true});
    if (bend.b.is_body && block_of[bend.b.index] >= 0)
      bodies_[block_of[bend.b.index]].joints.push_back({row_of(bend.a), static_cast<int>(b), false});
  }
}

template <class S>
void Bodies::place(const StepProblem& problem, const Block& block, const State& iterate, Rows<S>& rows) const {
  rows.set_frame(block.row, iterate.body_q[block.body]);
  for (const Follower& follower : block.followers) {
    const Vec3d arm = rotate(iterate.body_q[block.body], follower.offset);
    rows.set_displacement(follower.row, iterate.body_x[block.body] + arm - problem.begin.x[follower.vertex]);
  }
}

template <class S>
void Bodies::place(const StepProblem& problem, const Layout& layout, const State& iterate, Rows<S>& rows) const {
  for (std::size_t b = 0; b < iterate.body_q.size(); ++b)
    rows.set_frame(layout.first_body_row + static_cast<int>(b), iterate.body_q[b]);
  for (const Block& block : bodies_) place(problem, block, iterate, rows);
}

// the terms of one body, everything else where the rows have it
template <class S>
Bodies::Energy Bodies::assemble(const StepProblem& problem, const Block& block, const Vec3d& x, const Quatd& q,
                                const ContactSweep<S>& contact_sweep, const Rows<S>& rows) const {
  Energy energy;
  energy.term = problem.bodies[block.body];
  energy.start = q, energy.begin = problem.begin.body_x[block.body];
  for (const Follower& follower : block.followers) {
    const int i = follower.vertex;
    const typename ContactSweep<S>::Pull pull = contact_sweep.pull_at_row(follower.row);
    Anchor anchor{
        follower.offset, problem.begin.x[i], problem.weight[i], problem.goal[i], {}, rows.displacement(follower.row),
        pull.force,      pull.stiffness};
    for (const End& end : follower.ends) {
      const StretchTerm& term = problem.stretch[end.segment];
      const Vec3d d3 = director3(rows.frame(end.segment_row));
      const Mat3d K = Mat3d::diagonal({term.GA, term.GA, term.GA}) + (term.EA - term.GA) * outer(d3, d3);
      const Vec3d wanted = rows.displacement(end.other_row) + double(end.sign) * rows.wanted_change(end.segment_row);
      anchor.springs.push_back({wanted, (1 / term.length) * K});
    }
    energy.anchors.push_back(anchor);
  }
  for (const auto& [point, force, stiffness] : contact_sweep.pushes_at(block.body))
    energy.anchors.push_back({point, {}, 0, {}, {}, x + rotate(q, point), force, stiffness});
  for (const Joint& joint : block.joints) {
    const BendTerm& forward = problem.bends[joint.bend];
    add_bend(joint.reversed ? reversed(forward) : forward, rows.frame(joint.frame_row), q, energy.A, energy.b);
  }
  // the rotational inertia is a bend to the frame that the body would turn to, without a real part
  BendTerm spin;
  for (int j = 0; j < 3; ++j) spin.k[j + 1] = energy.term.spin_weight[j];
  add_bend(spin, energy.term.turn_goal, q, energy.A, energy.b);
  return energy;
}

template <class S>
void Bodies::update(const StepProblem& problem, ContactSweep<S>& contact_sweep, Rows<S>& rows, State& iterate,
                    Remainder* met) const {
  for (const Block& block : bodies_) {
    contact_sweep.evaluate_body(rows, block.body);
    Vec3d& x = iterate.body_x[block.body];
    Quatd& q = iterate.body_q[block.body];
    const Energy energy = assemble(problem, block, x, q, contact_sweep, rows);
    Vector6 gradient;
    Matrix6 matrix;
    energy.derivatives(x, q, gradient, matrix, met);
    matrix.diagonal().array() += 1e-12 * matrix.diagonal().maxCoeff() + 1e-300;
    Vector6 step = -matrix.ldlt().solve(gradient);
    const double turn = step.tail<3>().norm();
    if (turn > 1) step *= 1 / turn;
    const double before = energy.value(x, q), slack = 1e-12 * std::abs(before);
    for (int halving = 0; halving < 8; ++halving, step *= 0.5) {
      Pose next{x + Vec3d{step[0], step[1], step[2]}, normalized(quaternion_exp({step[3], step[4], step[5]}) * q)};
      if (halving == 0) contact_sweep.set_aim(block.body, next);
      if (!contact_sweep.keep_in_region(block.body, next) || energy.value(next.x, next.q) > before + slack) continue;
      x = next.x, q = next.q;
      break;
    }
    contact_sweep.set_pose(block.body, {x, q});
    place(problem, block, iterate, rows);
  }
}

template void Bodies::update(const StepProblem&, ContactSweep<float>&, Rows<float>&, State&, Remainder*) const;
template void Bodies::update(const StepProblem&, ContactSweep<double>&, Rows<double>&, State&, Remainder*) const;
template void Bodies::place(const StepProblem&, const Layout&, const State&, Rows<float>&) const;
template void Bodies::place(const StepProblem&, const Layout&, const State&, Rows<double>&) const;

}  // namespace tendril::solvers::stable
