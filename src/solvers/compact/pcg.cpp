#include "solvers/compact/pcg.h"

#include <cmath>

#include "solvers/compact/factors.h"

namespace tendril::solvers::compact {
namespace {

Sym3<double> diagonal_of(const Sym3<double>& m) { return {m.xx, 0, 0, m.yy, 0, m.zz}; }

// of the root's way and the turns
double product(const Vectors& a, const Vectors& b) {
  double sum = dot(a.x[0], b.x[0]);
  for (std::size_t k = 0; k < a.theta.size(); ++k) sum += dot(a.theta[k], b.theta[k]);
  return sum;
}
// a += s b
void add(double s, const Vectors& b, Vectors& a) {
  a.x[0] += s * b.x[0];
  for (std::size_t k = 0; k < a.theta.size(); ++k) a.theta[k] += s * b.theta[k];
}

}  // namespace

bool Preconditioning::factorise(const Equations& equations, Preconditioner kind) {
  const int count = equations.count();
  diagonal_.resize(count);
  std::vector<Sym3<double>> blocks(count);
  Sym3<double> beyond;  // sum of H
  for (int k = count - 1; k >= 0; --k) {
    const Equations::Link& link = equations.links[k];
    beyond += equations.vertices[k + 1].H;
    const Mat3d turn = skew(link.arm);  // Bᵀ
    blocks[k] = lower_half(turn * (full(beyond) * transpose(turn))) + link.theta;
    if (k > 0) blocks[k] += link.S;
    if (k + 1 < count) blocks[k] += equations.links[k + 1].S;
  }
  beyond += equations.vertices[0].H;
  root_free_ = equations.root_free;
  bool definite = solvers::factorise(
      without_held(kind == Preconditioner::diagonal ? diagonal_of(beyond) : beyond, root_free_), root_);
  upper_.clear(), lower_.clear();
  if (kind != Preconditioner::hybrid) {
    for (int k = 0; k < count; ++k)
      definite &=
          solvers::factorise(kind == Preconditioner::diagonal ? diagonal_of(blocks[k]) : blocks[k], diagonal_[k]);
    return definite;
  }
  upper_.resize(count), lower_.resize(count);
  for (int k = 0; k < count; ++k) {
    if (k > 0) blocks[k] += (-1.0) * lower_half(transpose(lower_[k - 1]) * upper_[k - 1]);
    definite &= solvers::factorise(blocks[k], diagonal_[k]);
    if (k + 1 == count) break;
    lower_[k] = (-1.0) * full(equations.links[k + 1].S) + skew(equations.links[k + 1].half_moment);
    const Mat3d& O = lower_[k];
    upper_[k] = divided(O, diagonal_[k]);
  }
  return definite;
}

void Preconditioning::solve(Vectors& r) const {
  r.x[0] = divided(scale(root_free_, r.x[0]), root_);
  const std::size_t count = diagonal_.size();
  for (std::size_t k = 0; k < count; ++k) {
    if (k > 0 && !upper_.empty()) r.theta[k] -= transposed_product(lower_[k - 1], r.theta[k - 1]);
    r.theta[k] = divided(r.theta[k], diagonal_[k]);
  }
  if (upper_.empty()) return;
  for (std::size_t k = count - 1; k-- > 0;) r.theta[k] -= upper_[k] * r.theta[k + 1];
}

bool Pcg::factorise(const Equations& equations) {
  equations_ = &equations;
  iterations_ = 0;
  if (!preconditioning_.factorise(equations, kind_)) return false;
  Vectors right;
  for (const Equations::Vertex& v : equations.vertices) right.x.push_back(v.right);
  for (const Equations::Link& l : equations.links) right.theta.push_back(l.right);
  gather(equations, right);
  return iterate(right, solution_);
}

void Pcg::solve(const Vec3d& root_way, Vectors& u) const {
  u = solution_;
  if (!(root_way == Vec3d{})) {
    Vectors way, right, s;
    way.x.assign(count() + 1, {}), way.theta.assign(count(), {});
    way.x[0] = root_way;
    follow(*equations_, way);
    compact::multiply(*equations_, way, right);
    gather(*equations_, right);
    iterate(right, s);
    add(-1, s, u);
    u.x[0] += root_way;
  }
  follow(*equations_, u);
}

void Pcg::solve_for(Vectors& forces) const {
  gather(*equations_, forces);
  Vectors s;
  iterate(forces, s);
  follow(*equations_, s);
  forces = std::move(s);
}

void Pcg::multiply(const Vectors& s, Vectors& out) const {
  ways_ = s;
  follow(*equations_, ways_);
  compact::multiply(*equations_, ways_, out);
  gather(*equations_, out);
}

bool Pcg::iterate(const Vectors& right, Vectors& s) const {
  s.x.assign(count() + 1, {}), s.theta.assign(count(), {});
  r_ = right;
  const double enough = tolerance_ * tolerance_ * product(right, right);
  double rz = 0;
  const int most = 20 * (count() + 10);
  for (int n = 0; n < most && product(r_, r_) > enough; ++n) {
    z_ = r_;
    preconditioning_.solve(z_);
    const double next = product(r_, z_);
    if (n == 0) {
      p_ = z_;
    } else {
      const double beta = next / rz;
      p_.x[0] = z_.x[0] + beta * p_.x[0];
      for (std::size_t k = 0; k < p_.theta.size(); ++k) p_.theta[k] = z_.theta[k] + beta * p_.theta[k];
    }
    rz = next;
    multiply(p_, ap_);
    const double curvature = product(p_, ap_);
    if (!(curvature > 0)) return false;
    add(rz / curvature, p_, s), add(-rz / curvature, ap_, r_);
    ++iterations_;
  }
  return true;
}

}  // namespace tendril::solvers::compact
