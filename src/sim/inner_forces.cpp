#include "sim/inner_forces.h"

#include <fmt/format.h>

#include <Eigen/Sparse>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "rod/strain.h"
#include "sim/active.h"
#include "sim/pair_name.h"
#include "sim/prescribe.h"

namespace tendril::sim {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;
using Sparse = Eigen::SparseMatrix<double>;
using Eigen::VectorXd;

void add_block(Triplets& triplets, int row, int column, const Mat3d& m) {
  const Vec3d* columns[3] = {&m.c0, &m.c1, &m.c2};
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      if ((*columns[j])[i] != 0) triplets.emplace_back(row + i, column + j, (*columns[j])[i]);
}

// The least u of the least |B u - f|, by conjugate gradients that measure what is left by the inverse of B Bᵀ,
// softened: one step for what is stiff, some for what is softer than that, none for what is free and without load.
VectorXd least_answer(const Sparse& B, const VectorXd& f) {
  constexpr double softening = 1e-12;  // where rows of B are of length one: far above their rounding
  Sparse identity(B.rows(), B.rows());
  identity.setIdentity();
  const Eigen::SimplicialLDLT<Sparse> factor(Sparse(B * B.transpose()) + softening * identity);
  const auto downhill = [&](const VectorXd& left) { return VectorXd(B.transpose() * factor.solve(left)); };
  VectorXd u = VectorXd::Zero(B.cols()), best = u;
  VectorXd s = downhill(f), p = s;
  double least = f.norm();
  for (int k = 0; k < 200 && s.norm() > 1e-14 * u.norm(); ++k) {
    const VectorXd q = B * p;
    const double slope = s.squaredNorm();
    u += slope / q.dot(factor.solve(q)) * p;
    const VectorXd left = f - B * u;
    if (left.norm() < least) least = left.norm(), best = u;
    if (!(left.norm() < 100 * least)) break;  // f has a part that no u reaches, and rounding follows it
    s = downhill(left);
    p = s + s.squaredNorm() / slope * p;
  }
  return best;
}

// Rows: three for the force on each vertex, the moment on each segment, the force and the moment on each body. Columns:
// the force of each segment, and the moment of each bend along the axes of its strain.
class Equilibrium {
 public:
  Equilibrium(const Model& model, const State& state, const Present& present) : model_(model), state_(state) {
    force_on_body_.assign(model.vertices.size(), -1);
    free_.assign(row_count(), true);
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
      if (model.bodies[b].kind == BodyKind::kinematic)
        for (int k = 0; k < 6; ++k) free_[body_row(int(b)) + k] = false;
    for (std::size_t t = 0; t < model.ties.size(); ++t) {
      const Tie& tie = model.ties[t];
      if (!present.tie[t]) continue;
      if (model.bodies[tie.body].kind == BodyKind::dynamic) force_on_body_[tie.vertex] = tie.body;
      for (int k = 0; k < 3; ++k)
        if (tie.held[k]) free_[3 * tie.vertex + k] = false;
    }
    add_segments();
    add_bends(present);
    add_loads();
  }

  InnerForces solve() const {
    // in units in which every stiffness and every diagonal of A W Aᵀ is one
    Sparse A(long(row_count()), long(weights_.size()));
    A.setFromTriplets(entries_.begin(), entries_.end());
    const VectorXd root = Eigen::Map<const VectorXd>(weights_.data(), long(weights_.size())).cwiseSqrt();
    const VectorXd f = -Eigen::Map<const VectorXd>(loads_.data(), long(loads_.size()));
    const Sparse stiff = A * root.asDiagonal();
    VectorXd unit = stiff.cwiseAbs2() * VectorXd::Ones(stiff.cols());
    for (long r = 0; r < unit.size(); ++r) unit[r] = !free_[r] ? 0 : unit[r] > 0 ? 1 / std::sqrt(unit[r]) : 1;
    Sparse B = unit.asDiagonal() * stiff;
    B.prune([](long, long, double value) { return value != 0; });
    const VectorXd y = root.asDiagonal() * least_answer(B, unit.asDiagonal() * f);

    InnerForces inner;
    const auto three = [&](std::size_t block) { return Vec3d{y[3 * block], y[3 * block + 1], y[3 * block + 2]}; };
    for (std::size_t s = 0; s < model_.segments.size(); ++s) inner.force.push_back(three(s));
    for (std::size_t b = 0; b < model_.bends.size(); ++b)
      inner.moment.push_back(axes_[b] * three(model_.segments.size() + b));
    refuse_what_is_left(f - A * y, f.cwiseAbs() + A.cwiseAbs() * y.cwiseAbs());
    return inner;
  }

 private:
  int segment_row(int s) const { return int(3 * (model_.vertices.size() + s)); }
  int body_row(int b) const { return int(3 * (model_.vertices.size() + model_.segments.size() + 2 * b)); }
  std::size_t row_count() const {
    return 3 * (model_.vertices.size() + model_.segments.size() + 2 * model_.bodies.size());
  }
  int frame_row(FrameId f) const { return f.is_body ? body_row(f.index) + 3 : segment_row(f.index); }

  // a force on a vertex is one on the body that carries it
  void add_force(int vertex, int column, const Mat3d& m) {
    const int body = force_on_body_[vertex];
    if (body < 0) return add_block(entries_, 3 * vertex, column, m);
    add_block(entries_, body_row(body), column, m);
    add_block(entries_, body_row(body) + 3, column, skew(state_.x[vertex] - state_.body_x[body]) * m);
  }

  void add_segments() {
    for (int s = 0; s < int(model_.segments.size()); ++s) {
      const Segment& segment = model_.segments[s];
      const int column = int(weights_.size());
      const Vec3d edge = state_.x[segment.vertex[1]] - state_.x[segment.vertex[0]];
      add_force(segment.vertex[0], column, Mat3d::identity());
      add_force(segment.vertex[1], column, -1.0 * Mat3d::identity());
      add_block(entries_, segment_row(s), column, skew(edge));
      weights_.insert(weights_.end(), 3, segment.EA / segment.rest_length);
    }
  }

  void add_bends(const Present& present) {
    const auto frame = [&](FrameId f) { return f.is_body ? state_.body_q[f.index] : state_.q[f.index]; };
    for (std::size_t b = 0; b < model_.bends.size(); ++b) {
      const Bend& bend = model_.bends[b];
      const int column = int(weights_.size());
      const Quatd q_a = frame(bend.a);
      const BendStrain strain = bend_strain(q_a, frame(bend.b) * bend.turn, bend.rest, {1, 1, 1});
      const Mat3d by_component = transpose(strain.jacobian);
      axes_.push_back({rotate(q_a, by_component.c0), rotate(q_a, by_component.c1), rotate(q_a, by_component.c2)});
      for (double stiffness : {bend.EI1, bend.EI2, bend.GJ})
        weights_.push_back(present.bend[b] ? stiffness / bend.length : 0);
      add_block(entries_, frame_row(bend.b), column, axes_[b]);
      add_block(entries_, frame_row(bend.a), column, -1.0 * axes_[b]);
    }
  }

  void add_loads() {
    std::vector<Pose> poses;
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) poses.push_back({state_.body_x[b], state_.body_q[b]});
    const Instant now = Prescription(model_, 0).at({0, false}, state_, poses);
    loads_.assign(row_count(), 0);
    const auto add = [&](int row, const Vec3d& f) {
      for (int k = 0; k < 3; ++k) loads_[row + k] += f[k];
    };
    for (int i = 0; i < int(model_.vertices.size()); ++i) {
      const int body = force_on_body_[i];
      add(body < 0 ? 3 * i : body_row(body), now.force[i]);
      if (body >= 0) add(body_row(body) + 3, cross(state_.x[i] - state_.body_x[body], now.force[i]));
    }
    for (std::size_t s = 0; s < now.moment.size(); ++s) add(segment_row(int(s)), now.moment[s]);
    for (std::size_t b = 0; b < now.body_force.size(); ++b) add(body_row(int(b)), now.body_force[b]);
    for (std::size_t b = 0; b < now.body_moment.size(); ++b) add(body_row(int(b)) + 3, now.body_moment[b]);
  }

  // each vertex, frame and body is balanced to 1e-6 of what acts on it, or to rounding of the largest
  void refuse_what_is_left(const VectorXd& left, const VectorXd& acting) const {
    const auto size = [&](const VectorXd& v, std::size_t block) {
      double sum = 0;
      for (std::size_t r = 3 * block; r < 3 * block + 3; ++r)
        if (free_[r]) sum += v[r] * v[r];
      return std::sqrt(sum);
    };
    double largest[2] = {0, 0};  // force, moment
    for (std::size_t block = 0; block < row_count() / 3; ++block)
      largest[is_moment(block)] = std::max(largest[is_moment(block)], size(acting, block));
    for (const bool moment : {false, true}) {
      std::size_t worst = 0;
      double excess = 1;
      for (std::size_t block = 0; block < row_count() / 3; ++block) {
        const double allowed = 1e-6 * size(acting, block) + 1e-12 * largest[moment];
        if (is_moment(block) == moment && !(size(left, block) <= excess * allowed))
          worst = block, excess = size(left, block) / allowed;
      }
      if (excess != 1)
        throw NoEquilibrium(fmt::format(
            "there is no equilibrium to choose, nothing holds {} against {:.3g} {}; hold it, or settle = false",
            name(worst), size(left, worst), moment ? "N m" : "N"));
    }
  }

  bool is_moment(std::size_t block) const {
    const std::size_t vertices = model_.vertices.size(), frames = vertices + model_.segments.size();
    return block >= frames ? (block - frames) % 2 == 1 : block >= vertices;
  }

  // of the vertex, segment or body that a block of three rows balances
  std::string name(std::size_t block) const {
    const std::size_t vertices = model_.vertices.size(), frames = vertices + model_.segments.size();
    if (block >= frames) return fmt::format("body \"{}\"", model_.bodies[(block - frames) / 2].name);
    if (block >= vertices) return segment_name(model_, int(block - vertices));
    for (const Rod& rod : model_.rods)
      for (std::size_t k = 0; k < rod.vertices.size(); ++k)
        if (rod.vertices[k] == int(block)) return fmt::format("rod \"{}\" vertex {}", rod.name, k);
    return fmt::format("vertex {}", block);
  }

  const Model& model_;
  const State& state_;
  std::vector<int> force_on_body_;  // the dynamic body that carries a vertex, -1: none (vertex)
  std::vector<char> free_;          // whether a row has to balance
  Triplets entries_;
  std::vector<Mat3d> axes_;  // on which a bend's moments about d1, d2, d3 act (bend)
  std::vector<double> weights_, loads_;
};

}  // namespace

Present::Present(const Model& model) : bend(model.bends.size(), true), tie(model.ties.size(), true) {
  const auto on = [&](int hold) { return hold < 0 || acts(model.holds[hold], 0); };
  for (std::size_t b = 0; b < bend.size(); ++b) bend[b] = on(model.bends[b].hold);
  for (std::size_t t = 0; t < tie.size(); ++t) tie[t] = on(model.ties[t].hold);
  for (std::size_t h = 0; h < model.holds.size(); ++h)
    if (on(int(h)))
      for (int b : model.holds[h].replaced_bends) bend[b] = false;
}

InnerForces balancing_forces(const Model& model, const State& state, const Present& present) {
  return Equilibrium(model, state, present).solve();
}

}  // namespace tendril::sim
