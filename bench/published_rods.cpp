#include "published_rods.h"

#include <algorithm>
#include <queue>

namespace tendril::app {
namespace {

using Matrix3 = Eigen::Matrix3d;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Quaternion = Eigen::Quaterniond;
using Vector3 = Eigen::Vector3d;

Vector3 eigen(const Vec3d& v) { return {v.x, v.y, v.z}; }
Vec3d ours(const Vector3& v) { return {v.x(), v.y(), v.z()}; }
Quaternion eigen(const Quatd& q) { return {q.w, q.x, q.y, q.z}; }
Matrix3 skew(const Vector3& v) {
  Matrix3 out;
  out << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return out;
}

// Eq. 28, and its inverse
Matrix6 blocks(double mass, const Vector3& inertia, const Quaternion& q) {
  const Matrix3 R = q.toRotationMatrix();
  Matrix6 out = Matrix6::Zero();
  out.topLeftCorner<3, 3>().diagonal().setConstant(mass);
  out.bottomRightCorner<3, 3>() = R * inertia.asDiagonal() * R.transpose();
  return out;
}

// q + G(q) turn, Eq. 27, of length one
void move(const Vector3& shift, const Vector3& turn, Vector3& x, Quaternion& q) {
  x += shift;
  q.coeffs() += 0.5 * (Quaternion(0, turn.x(), turn.y(), turn.z()) * q).coeffs();
  q.normalize();
}

}  // namespace

PublishedRods::PublishedRods(const Model& model, const State& at_rest, double zero_stretch_compliance)
    : model_(&model), state_(at_rest) {
  std::vector<std::vector<int>> at_vertex(model.vertices.size());
  for (std::size_t s = 0; s < model.segments.size(); ++s)
    for (int i : model.segments[s].vertex) at_vertex[i].push_back(static_cast<int>(s));
  struct Arrival {
    int vertex, before;
  };
  std::queue<Arrival> arrivals;
  for (const Tie& tie : model.ties) arrivals.push({tie.vertex, -1});
  std::vector<bool> found(model.segments.size());
  for (; !arrivals.empty(); arrivals.pop())
    for (int s : at_vertex[arrivals.front().vertex]) {
      if (found[s]) continue;
      found[s] = true;
      const auto [near, before] = arrivals.front();
      add(s, near, before, zero_stretch_compliance);
      const auto [i, j] = model.segments[s].vertex;
      arrivals.push({i == near ? j : i, static_cast<int>(segments_.size()) - 1});
    }
}

// the next segment, from its nearer vertex on
void PublishedRods::add(int in_model, int vertex, int before, double zero_stretch_compliance) {
  const rod::Segment& g = model_->segments[in_model];
  const double l = g.rest_length, across = g.linear_density * l * l * l / 12;
  Segment segment;
  segment.in_model = in_model;
  segment.mass = l * g.linear_density, segment.inertia = l * eigen(g.linear_inertia) + Vector3(across, across, 0);
  segment.x = 0.5 * eigen(state_.x[g.vertex[0]] + state_.x[g.vertex[1]]), segment.q = eigen(state_.q[in_model]);
  Joint joint;
  joint.before = before;
  joint.arm = {0, 0, g.vertex[0] == vertex ? -0.5 * l : 0.5 * l};
  joint.arm_before = eigen(state_.x[vertex]), joint.clamp = segment.q, joint.length = l;
  Quaternion turn = Quaternion::Identity();
  if (before >= 0) {
    const Segment& other = segments_[before];
    joint.arm_before = other.q.conjugate() * (joint.arm_before - other.x);
    joint.length = 0.5 * (l + model_->segments[other.in_model].rest_length);
    turn = other.q.conjugate() * segment.q;
  }
  joint.side = turn.w() < 0 ? -1 : 1;
  joint.rest = (2 * joint.side / joint.length) * turn.vec();
  joint.compliance << Vector3::Constant(zero_stretch_compliance),
      Vector3(1 / g.EI1, 1 / g.EI2, 1 / g.GJ) / joint.length;
  segments_.push_back(segment), joints_.push_back(joint);
}

int PublishedRods::depth() const {
  std::vector<int> of(joints_.size());
  for (std::size_t n = 0; n < of.size(); ++n) of[n] = joints_[n].before < 0 ? 1 : of[joints_[n].before] + 1;
  return *std::max_element(of.begin(), of.end());
}

void PublishedRods::begin_step(const Instant& outside, double h) {
  h_ = h;
  for (Segment& s : segments_) {
    s.x_before = s.x, s.q_before = s.q;
    for (int i : model_->segments[s.in_model].vertex)  // a vertex shares its force out by mass
      s.v += (0.5 * h / model_->vertices[i].mass) * eigen(outside.force[i]);
    move(h * s.v, h * s.omega, s.x, s.q);
  }
  for (Joint& joint : joints_) joint.lambda.setZero();
}

PublishedRods::Vector6 PublishedRods::left(int n) const {
  const Joint& j = joints_[n];
  const Segment& s = segments_[n];
  const bool is_free = j.before >= 0;
  const Quaternion& q_before = is_free ? segments_[j.before].q : j.clamp;
  const Vector3 meeting = is_free ? Vector3(segments_[j.before].x + q_before * j.arm_before) : j.arm_before;
  const Quaternion turn = q_before.conjugate() * s.q;
  Vector6 out;
  out << meeting - s.x - s.q * j.arm, (2 * j.side / j.length) * turn.vec() - j.rest;
  return out + alpha(j).cwiseProduct(j.lambda);
}

// a turn theta of the second frame in the world changes q̄_a q_b by q̄_a theta q_b / 2, one of the first by as much back
PublishedRods::Rows PublishedRods::rows(int n) const {
  const Joint& j = joints_[n];
  const Segment& s = segments_[n];
  const bool is_free = j.before >= 0;
  const Quaternion& q_before = is_free ? segments_[j.before].q : j.clamp;
  const Quaternion turn = q_before.conjugate() * s.q;
  const Matrix3 by_turn = (j.side / j.length) * (turn.w() * Matrix3::Identity() - skew(turn.vec())) *
                          q_before.toRotationMatrix().transpose();
  Rows out;
  out.left = left(n);
  out.by_segment << -Matrix3::Identity(), skew(s.q * j.arm), Matrix3::Zero(), by_turn;
  if (is_free)
    out.by_before << Matrix3::Identity(), -skew(q_before * j.arm_before), Matrix3::Zero(), -by_turn;
  else
    out.by_before.setZero();
  return out;
}

void PublishedRods::solve_one_by_one() {
  const auto mobility = [](const Segment& s) { return blocks(1 / s.mass, s.inertia.cwiseInverse(), s.q); };
  for (std::size_t n = 0; n < joints_.size(); ++n) {
    Joint& j = joints_[n];
    const Rows r = rows(static_cast<int>(n));
    const Matrix6 moves = mobility(segments_[n]) * r.by_segment.transpose();
    Matrix6 A = r.by_segment * moves, moves_before;
    if (j.before >= 0) {
      moves_before = mobility(segments_[j.before]) * r.by_before.transpose();
      A += r.by_before * moves_before;
    }
    A.diagonal() += alpha(j);
    const Vector6 change = A.llt().solve(-r.left);
    j.lambda += change;
    const auto follow = [&](const Matrix6& by, Segment& s) {
      const Vector6 dx = by * change;
      move(dx.head<3>(), dx.tail<3>(), s.x, s.q);
    };
    follow(moves, segments_[n]);
    if (j.before >= 0) follow(moves_before, segments_[j.before]);
  }
}

// Segments and their joints are eliminated from the tips to the root,
//   D dx = g + Jᵀ dlambda,   S dlambda = right - J_before dx_before,   S = alpha + J D⁻¹ Jᵀ,
// and what a joint leaves to the segment before it is J_beforeᵀ S⁻¹ (right - J_before dx_before).
void PublishedRods::solve_all_at_once() {
  struct Eliminated {
    Matrix6 D, J, J_before;
    Vector6 g = Vector6::Zero(), right;
    Eigen::LLT<Matrix6> D_factors, S_factors;
  };
  const std::size_t count = segments_.size();
  std::vector<Eliminated> all(count);
  for (std::size_t n = 0; n < count; ++n) all[n].D = blocks(segments_[n].mass, segments_[n].inertia, segments_[n].q);
  for (std::size_t n = count; n-- > 0;) {
    Eliminated& e = all[n];
    const Joint& j = joints_[n];
    const Rows r = rows(static_cast<int>(n));
    e.J = r.by_segment, e.J_before = r.by_before;
    e.D_factors.compute(e.D);
    Matrix6 S = e.J * e.D_factors.solve(e.J.transpose());
    S.diagonal() += alpha(j);
    e.S_factors.compute(S);
    e.right = -r.left - e.J * e.D_factors.solve(e.g);
    if (j.before < 0) continue;
    all[j.before].D += e.J_before.transpose() * e.S_factors.solve(e.J_before);
    all[j.before].g += e.J_before.transpose() * e.S_factors.solve(e.right);
  }
  std::vector<Vector6> dx(count);
  for (std::size_t n = 0; n < count; ++n) {
    Joint& j = joints_[n];
    const Eliminated& e = all[n];
    const Vector6 change = e.S_factors.solve(j.before >= 0 ? Vector6(e.right - e.J_before * dx[j.before]) : e.right);
    j.lambda += change;
    dx[n] = e.D_factors.solve(e.g + e.J.transpose() * change);
  }
  for (std::size_t n = 0; n < count; ++n) move(dx[n].head<3>(), dx[n].tail<3>(), segments_[n].x, segments_[n].q);
}

double PublishedRods::residual() const {
  double largest = 0;
  for (std::size_t n = 0; n < joints_.size(); ++n)
    largest = std::max(largest, left(static_cast<int>(n)).cwiseAbs().maxCoeff());
  return largest;
}

void PublishedRods::end_step() {
  for (std::size_t n = 0; n < segments_.size(); ++n) {
    Segment& s = segments_[n];
    s.v = (s.x - s.x_before) / h_;
    const Quaternion turn = s.q * s.q_before.conjugate();
    s.omega = ((turn.w() < 0 ? -2 : 2) / h_) * turn.vec();
    const int far = model_->segments[s.in_model].vertex[joints_[n].arm.z() < 0 ? 1 : 0];
    const Vector3 arm = s.q * -joints_[n].arm;
    state_.x[far] = ours(s.x + arm), state_.v[far] = ours(s.v + s.omega.cross(arm));
    state_.q[s.in_model] = {s.q.w(), s.q.x(), s.q.y(), s.q.z()}, state_.omega[s.in_model] = ours(s.omega);
  }
  state_.time += h_;
}

}  // namespace tendril::app
