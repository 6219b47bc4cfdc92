#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "solvers/direct/position_based.h"

namespace tendril::solvers::direct {
namespace {

using Matrix3 = Eigen::Matrix3d;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector3 = Eigen::Vector3d;
using Vector6 = Eigen::Matrix<double, 6, 1>;

Vector3 eigen(const Vec3d& v) { return {v.x, v.y, v.z}; }
Matrix3 eigen(const Mat3d& m) {
  Matrix3 out;
  out << eigen(m.c0), eigen(m.c1), eigen(m.c2);
  return out;
}
Vec3d vector(const Vector3& v) { return {v.x(), v.y(), v.z()}; }

// h² M⁻¹ of what may move
double inverse(double weight) { return weight > 0 ? 1 / weight : 0; }
Matrix3 mobility_of_vertex(const Problem& p, int i) {
  return inverse(p.weight[i]) * eigen(p.free_axes(i)).asDiagonal().toDenseMatrix();
}
Matrix3 mobility_of_frame(const Problem& p, const FrameId& id, const Iterate& at) {
  if (id.index < 0 || id.is_body) return Matrix3::Zero();
  const Matrix3 R = eigen(rotation_matrix(at.q[id.index]));
  const Vec3d w = p.spin(id.index).weight;
  return R * Vector3(inverse(w.x), inverse(w.y), inverse(w.z)).asDiagonal() * R.transpose();
}

}  // namespace

// what is left of C + alpha lambda: a strain, and an angle in the frame of a
Vec3d PositionBased::stretch_left(const StretchElement& e, const Iterate& at) const {
  const StretchState<double> state = stretch_state(*original_, e.segment, e.vertex[0], e.vertex[1], at);
  return strain(original_->stretch(e.segment), state) - stretches_[e.segment];
}
Vec3d PositionBased::angle_left(const BendElement& e, const Iterate& at) const {
  const Frames f = frames(*original_, e.bend, at);
  const bool scalar = original_->bends[e.bend].scalar;
  const Vec3d angle =
      scalar ? original_->scalar_strain(e.bend, f.a, f.b).angle : bend_angle(original_->bend(e.bend), f.a, f.b);
  return angle - angles_[e.bend];
}

// Eq. 21 [deul2018] of the zero-stretch rows of a segment and the bend and twist rows between its frame and another, or
// of one of the two alone. The stretch changes by u1 - u0 + E theta and the bend by B (theta - theta_other). With
// stiffness K = alpha⁻¹ and mobilities W, (J W Jᵀ + K⁻¹) f = -c is solved as (1 + K J W Jᵀ) f = -K c.
void PositionBased::solve(const StretchElement* stretch, const BendElement* bend, Iterate& at) {
  const Problem& p = *original_;
  Matrix6 K = Matrix6::Zero(), JWJ = Matrix6::Zero();
  Vector6 left = Vector6::Zero();
  Matrix3 E = Matrix3::Zero(), B = Matrix3::Zero(), W0 = Matrix3::Zero(), W1 = Matrix3::Zero();
  FrameId own{-1, false}, other{-1, true};
  if (stretch) {
    const Stretch<double> term = p.stretch(stretch->segment);
    const StretchState<double> state = stretch_state(p, stretch->segment, stretch->vertex[0], stretch->vertex[1], at);
    const Matrix3 R = eigen(rotation_matrix(state.q));
    K.topLeftCorner<3, 3>() = R * Vector3(term.GA, term.GA, term.EA).asDiagonal() * R.transpose() / term.length;
    left.head<3>() = term.length * (R * eigen(stretch_left(*stretch, at)));
    W0 = mobility_of_vertex(p, stretch->vertex[0]), W1 = mobility_of_vertex(p, stretch->vertex[1]);
    E = eigen(skew(term.length * state.e));
    own = {stretch->segment, false};
  }
  if (bend) {
    const rod::Bend& ends = p.model->bends[bend->bend];
    const Frames f = frames(p, bend->bend, at);
    const Bend<double> term = p.bend(bend->bend);
    if (own.index < 0) own = ends.b.is_body ? ends.a : ends.b;
    other = own == ends.b ? ends.a : ends.b;
    B = (own == ends.b ? 1 : -1) *
        eigen(p.bends[bend->bend].scalar ? scalar_bend(p, bend->bend, f).by_turn : angle_by_turn(term, f.a, f.b));
    K.bottomRightCorner<3, 3>() = eigen(Mat3d::diagonal(term.K));
    left.tail<3>() = eigen(angle_left(*bend, at));
  }
  const Matrix3 W = mobility_of_frame(p, own, at), W_other = mobility_of_frame(p, other, at);
  JWJ << W0 + W1 + E * W * E.transpose(), E * W * B.transpose(), B * W * E.transpose(),
      B * (W + W_other) * B.transpose();
  const Vector6 force = (Matrix6::Identity() + K * JWJ).partialPivLu().solve(-K * left);
  const Vector6 predicted = left + JWJ * force;
  const Vector3 push = force.head<3>(), moment = B.transpose() * force.tail<3>();
  if (stretch) {
    const Stretch<double> term = p.stretch(stretch->segment);
    stretches_[stretch->segment] +=
        (1 / term.length) * rotate(conjugate(at.q[stretch->segment]), vector(predicted.head<3>()));
    at.x[stretch->vertex[0]] -= vector(W0 * push), at.x[stretch->vertex[1]] += vector(W1 * push);
  }
  if (bend) angles_[bend->bend] += vector(predicted.tail<3>());
  if (!own.is_body) at.q[own.index] = turned(vector(W * (E.transpose() * push + moment)), at.q[own.index]);
  if (!other.is_body) at.q[other.index] = turned(vector(-W_other * moment), at.q[other.index]);
}

double PositionBased::sweep(const Part& part, Iterate& at) {
  const Structure& s = (*structures_)[&part - parts_->all().data()];
  for (const Joint& joint : s.joints)
    solve(&part.stretches[joint.stretch], joint.bend >= 0 ? &part.bends[joint.bend] : nullptr, at);
  for (int e : s.stretches) solve(&part.stretches[e], nullptr, at);
  for (const LooseBend& e : s.bends) solve(nullptr, &part.bends[e.bend], at);
  return residual(part, at);
}

double PositionBased::residual(const Part& part, const Iterate& at) const {
  double largest = 0;
  const auto take = [&](const Vec3d& v) { largest = std::max({largest, std::abs(v.x), std::abs(v.y), std::abs(v.z)}); };
  for (const StretchElement& e : part.stretches) take(stretch_left(e, at));
  for (const BendElement& e : part.bends) take(angle_left(e, at));
  return largest;
}

}  // namespace tendril::solvers::direct
