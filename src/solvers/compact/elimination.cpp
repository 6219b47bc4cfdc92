#include "solvers/compact/elimination.h"

#include <algorithm>

#include "solvers/compact/factors.h"

namespace tendril::solvers::compact {
namespace {

// of a pivot, over the largest: a turn that nothing resists stays as it is
constexpr double nothing = 1e-14;

// aᵀ b, known to be symmetric
Sym3<double> symmetric_product(const Mat3d& a, const Mat3d& b) {
  return {dot(a.c0, b.c0), dot(a.c1, b.c0), dot(a.c2, b.c0), dot(a.c1, b.c1), dot(a.c2, b.c1), dot(a.c2, b.c2)};
}

// P B, of B w = w x arm
Mat3d times_arm(const Sym3<double>& P, const Vec3d& arm) {
  return {P * Vec3d{0, -arm.z, arm.y}, P * Vec3d{arm.z, 0, -arm.x}, P * Vec3d{-arm.y, arm.x, 0}};
}
Mat3d times_arm(const Mat3d& m, const Vec3d& arm) {
  return {m.c2 * arm.y - m.c1 * arm.z, m.c0 * arm.z - m.c2 * arm.x, m.c1 * arm.x - m.c0 * arm.y};
}

// Bᵀ y + cᵀ B, where the sum is symmetric
Sym3<double> turned_by_arm(const Vec3d& arm, const Mat3d& y, const Mat3d& c) {
  const Vec3d y0 = cross(arm, y.c0), y1 = cross(arm, y.c1), y2 = cross(arm, y.c2);
  const Vec3d c0 = cross(arm, c.c0), c1 = cross(arm, c.c1), c2 = cross(arm, c.c2);
  return {y0.x + c0.x, y0.y + c1.x, y0.z + c2.x, y1.y + c1.y, y1.z + c2.y, y2.z + c2.z};
}

Sym3<double> twice_symmetric(const Mat3d& m) {
  return {2 * m.c0.x, m.c0.y + m.c1.x, m.c0.z + m.c2.x, 2 * m.c1.y, m.c1.z + m.c2.y, 2 * m.c2.z};
}

}  // namespace

bool Elimination::factorise(const Equations& equations) {
  const int count = equations.count();
  steps_.resize(count);
  bool definite = true;
  Sym3<double> P, W;
  Mat3d C;
  Vec3d a, b;
  for (int k = count - 1; k >= 0; --k) {
    const Equations::Link& link = equations.links[k];
    const Equations::Vertex& far = equations.vertices[k + 1];
    const Vec3d& arm = link.arm;
    P += far.H, a += far.right;
    Sym3<double> P_near = P;
    if (link.coupling >= 0) C += equations.couplings[link.coupling].far_theta;
    Mat3d C_near = times_arm(P, arm) + C;
    W += turned_by_arm(arm, C_near, C) + link.theta;
    if (link.coupling >= 0) {
      const Equations::Coupling& c = equations.couplings[link.coupling];
      P_near += twice_symmetric(c.near_far);
      C_near += times_arm(c.near_far, arm) + c.near_theta;
    }
    b += cross(arm, a) + link.right;

    Step& step = steps_[k];
    Sym3<double> Q = W;
    Mat3d G = full(W);
    if (k > 0) Q += link.S, G += skew(-link.half_moment);
    Q += nothing * std::max({Q.xx, Q.yy, Q.zz});
    definite &= solvers::factorise(Q, step.Q);
    step.by_turn = divided(G, step.Q), step.by_way = divided(transpose(C_near), step.Q);
    step.arm = arm, step.free = divided(b, step.Q);
    a -= transposed_product(step.by_way, b);
    P = P_near + (-1.0) * symmetric_product(transpose(C_near), step.by_way);
    if (k == 0) break;
    b -= transposed_product(step.by_turn, b);
    C = C_near + (-1.0) * (C_near * step.by_turn);
    W += (-1.0) * symmetric_product(G, step.by_turn);
  }
  root_free_ = equations.root_free;
  root_force_ = a + equations.vertices[0].right;
  root_weight_ = P + equations.vertices[0].H;
  definite &= solvers::factorise(without_held(root_weight_, root_free_), root_);
  return definite;
}

Vec3d Elimination::root(const Vec3d& force) const { return divided(scale(root_free_, force), root_); }

void Elimination::solve(const Vec3d& root_way, Vectors& u) const {
  const std::size_t count = steps_.size();
  u.x.resize(count + 1), u.theta.resize(count);
  for (std::size_t k = 0; k < count; ++k) u.theta[k] = steps_[k].free;
  u.x[0] = root(root_force_ - root_weight_ * root_way) + root_way;
  go_forwards(u);
}

// from Q⁻¹ b' in theta
void Elimination::go_forwards(Vectors& u) const {
  Vec3d w;
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    const Step& step = steps_[k];
    Vec3d turn = u.theta[k] - step.by_way * u.x[k];
    if (k > 0) turn += w - step.by_turn * w;
    w = u.theta[k] = turn;
    u.x[k + 1] = u.x[k] + cross(w, step.arm);
  }
}

void Elimination::solve_for(Vectors& u) const {
  Vec3d a, b;
  for (std::size_t k = steps_.size(); k-- > 0;) {
    const Step& step = steps_[k];
    a += u.x[k + 1];
    b += cross(step.arm, a) + u.theta[k];
    u.theta[k] = divided(b, step.Q);
    a -= transposed_product(step.by_way, b);
    if (k > 0) b -= transposed_product(step.by_turn, b);
  }
  u.x[0] = root(a + u.x[0]);
  go_forwards(u);
}

}  // namespace tendril::solvers::compact
