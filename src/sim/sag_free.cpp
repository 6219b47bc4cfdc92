#include "sim/sag_free.h"

#include <Eigen/Sparse>
#include <Eigen/SparseCholesky>
#include <cmath>
#include <stdexcept>

#include "rod/strain.h"
#include "sim/active.h"
#include "sim/prescribe.h"

namespace tendril {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

void add_block(Triplets& triplets, int row, int column, const Mat3d& m) {
  const Vec3d* columns[3] = {&m.c0, &m.c1, &m.c2};
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      if ((*columns[j])[i] != 0) triplets.emplace_back(row + i, column + j, (*columns[j])[i]);
}

// the bends and ties that act at time 0
struct Present {
  std::vector<char> bend, tie;

  explicit Present(const Model& model) : bend(model.bends.size(), true), tie(model.ties.size(), true) {
    const auto on = [&](int hold) { return hold < 0 || acts(model.holds[hold], 0); };
    for (std::size_t b = 0; b < bend.size(); ++b) bend[b] = on(model.bends[b].hold);
    for (std::size_t t = 0; t < tie.size(); ++t) tie[t] = on(model.ties[t].hold);
    for (std::size_t h = 0; h < model.holds.size(); ++h)
      if (on(int(h)))
        for (int b : model.holds[h].replaced_bends) bend[b] = false;
  }
};

// Rows: three for the force on each vertex, the moment on each segment, the force and the moment on each body. Columns:
// the force of each segment (it pulls its first vertex along n), the moment of each bend (on its frame b, the opposite
// on a).
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

  // the least weighted answer of A y = -f, y scaled by the square roots of the stiffness: A W Aᵀ z = -f, y = W Aᵀ z
  Eigen::VectorXd solve() const {
    std::vector<int> row(free_.size(), -1);
    int rows = 0;
    for (std::size_t r = 0; r < free_.size(); ++r)
      if (free_[r]) row[r] = rows++;
    Triplets kept;
    for (const auto& t : entries_)
      if (free_[t.row()]) kept.emplace_back(row[t.row()], t.col(), t.value());
    Eigen::SparseMatrix<double> A(rows, weights_.size());
    A.setFromTriplets(kept.begin(), kept.end());
    Eigen::VectorXd f(rows);
    for (std::size_t r = 0; r < free_.size(); ++r)
      if (free_[r]) f[row[r]] = -loads_[r];
    const Eigen::VectorXd W = Eigen::Map<const Eigen::VectorXd>(weights_.data(), long(weights_.size()));
    const Eigen::SparseMatrix<double> normal = A * W.asDiagonal() * A.transpose();
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(normal);
    const Eigen::VectorXd y = W.asDiagonal() * (A.transpose() * factor.solve(f));
    if (factor.info() != Eigen::Success || !((A * y - f).norm() <= 1e-6 * f.norm()))
      throw std::runtime_error(
          "settle = \"rest\": there is no equilibrium to choose, nothing holds a part that is loaded");
    return y;
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
    for (std::size_t b = 0; b < model_.bends.size(); ++b) {
      const Bend& bend = model_.bends[b];
      const int column = int(weights_.size());
      const double weight = present.bend[b] ? (bend.EI1 + bend.EI2) / (2 * bend.length) : 0;
      weights_.insert(weights_.end(), 3, weight);
      if (weight == 0) continue;
      add_block(entries_, frame_row(bend.b), column, Mat3d::identity());
      add_block(entries_, frame_row(bend.a), column, -1.0 * Mat3d::identity());
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

  const Model& model_;
  const State& state_;
  std::vector<int> force_on_body_;  // the dynamic body that carries a vertex, -1: none (vertex)
  std::vector<char> free_;          // whether a row has to balance
  Triplets entries_;
  std::vector<double> weights_, loads_;
};

// l and d3 such that edge/l = d3 (1 + n·d3/EA - n·d3/GA) + n/GA: alternately the root of |edge/l - n/GA| = that factor,
// and d3
void carry_force(Segment& segment, const Vec3d& edge, const Vec3d& n, Quatd& q) {
  Vec3d d3 = normalized(edge);
  const Vec3d shear = n / segment.GA;
  double inverse_length = 1 / norm(edge);
  for (int step = 0; step < 50; ++step) {
    const double factor = 1 + dot(n, d3) * (1 / segment.EA - 1 / segment.GA);
    const double a = norm_squared(edge), b = dot(edge, shear), c = norm_squared(shear) - factor * factor;
    inverse_length = (b + std::sqrt(std::max(b * b - a * c, 0.0))) / a;
    d3 = normalized(inverse_length * edge - shear);
  }
  segment.rest_length = 1 / inverse_length;
  q = normalized(rotation_between(director3(q), d3) * q);
}

// the rest rotation at which the bend's moment on frame b is m
void carry_moment(Bend& bend, const Quatd& q_a, const Quatd& q_b, const Vec3d& m) {
  Quatd turn = conjugate(q_a) * q_b * bend.turn;
  if (dot(turn, bend.rest) < 0) turn = -turn;
  const Vec3d angle = quaternion_log(turn);
  const Mat3d jacobian = rotation_vector_jacobian(angle);
  const Mat3d jt = transpose(jacobian);
  // m = -R_a Jᵀ (K/l) (angle - rest angle)
  const Vec3d local = -rotate(conjugate(q_a), m);
  const Vec3d r0 = cross(jt.c1, jt.c2), r1 = cross(jt.c2, jt.c0), r2 = cross(jt.c0, jt.c1);
  const Vec3d stress = (1 / dot(jt.c0, r0)) * Vec3d{dot(r0, local), dot(r1, local), dot(r2, local)};
  const Vec3d strain =
      bend.length * Vec3d{stress.x / bend.EI1, stress.y / bend.EI2, bend.GJ > 0 ? stress.z / bend.GJ : 0};
  bend.rest = quaternion_exp(angle - strain);
}

}  // namespace

void make_sag_free(Model& model, State& state) {
  const Present present(model);
  const Eigen::VectorXd y = Equilibrium(model, state, present).solve();
  const auto vector_at = [&](std::size_t block) { return Vec3d{y[3 * block], y[3 * block + 1], y[3 * block + 2]}; };
  for (std::size_t s = 0; s < model.segments.size(); ++s) {
    Segment& segment = model.segments[s];
    carry_force(segment, state.x[segment.vertex[1]] - state.x[segment.vertex[0]], vector_at(s), state.q[s]);
  }
  const auto frame = [&](FrameId f) { return f.is_body ? state.body_q[f.index] : state.q[f.index]; };
  for (std::size_t b = 0; b < model.bends.size(); ++b)
    if (present.bend[b])
      carry_moment(model.bends[b], frame(model.bends[b].a), frame(model.bends[b].b),
                   vector_at(model.segments.size() + b));
}

}  // namespace tendril
