#include "solvers/block/coupling.h"

#include <cmath>

namespace tendril::block {
namespace {

constexpr double accuracy = 1e-5;  // of the direction, in the norm of the energy
constexpr int most_iterations = 200;

}  // namespace

template <class Work>
void Coupling::for_parts(ThreadTeam& team, Work work) const {
  team.run([&](int worker) {
    const Share mine = share_of(parts_.count(), worker, team.size());
    for (int p = mine.begin; p < mine.end; ++p) work(p);
  });
}

int Coupling::solve(const Touching& touching, const Iterate& at, std::vector<System>& systems, ThreadTeam& team) {
  if (!touching.couples()) return 0;
  for (Vectors* v : {&r_, &z_, &p_, &mp_, &ap_}) v->resize(parts_.count());
  for_parts(team, [&](int p) {
    p_[p] = systems[p].direction();
    r_[p].assign(p_[p].size(), {});
  });
  add_coupling(touching, at, p_, r_);  // r = -O u
  for_parts(team, [&](int p) {
    for (Vec3d& r : r_[p]) r = -r;
    z_[p] = r_[p];
    systems[p].precondition(z_[p]);
    p_[p] = z_[p], mp_[p] = r_[p];
  });
  double rz = dot_of_all(r_, z_, team);
  const double enough = accuracy * accuracy * rz;
  int n = 0;
  while (rz > enough && rz > 0 && n < most_iterations) {
    ++n;
    ap_ = mp_;
    add_coupling(touching, at, p_, ap_);
    const double curvature = dot_of_all(p_, ap_, team);
    if (!(curvature > 0)) break;
    const double alpha = rz / curvature;
    for_parts(team, [&](int p) {
      std::vector<Vec3d>& u = systems[p].direction();
      for (std::size_t row = 0; row < u.size(); ++row) {
        u[row] += alpha * p_[p][row];
        r_[p][row] -= alpha * ap_[p][row];
      }
      z_[p] = r_[p];
      systems[p].precondition(z_[p]);
    });
    const double next = dot_of_all(r_, z_, team), beta = next / rz;
    rz = next;
    for_parts(team, [&](int p) {
      for (std::size_t row = 0; row < p_[p].size(); ++row) {
        p_[p][row] = z_[p][row] + beta * p_[p][row];
        mp_[p][row] = r_[p][row] + beta * mp_[p][row];
      }
    });
  }
  return n;
}

// how the point of one side moves
Vec3d Coupling::moved(const Touching::Term& term, int side, const Vectors& u, const Iterate& at) const {
  Vec3d sum;
  for (int k = 2 * side; k < 2 * side + 2; ++k) {
    const int i = term.vertex[k], row = parts_.row_of_vertex(i);
    if (row >= 0)
      sum += term.weight[k] * u[term.part[side]][row];
    else
      for (const Parts::Follows& f : parts_.rows_of_vertex(problem_, i, at))
        sum += term.weight[k] * (f.by * u[term.part[side]][f.row]);
  }
  return sum;
}

void Coupling::push(const Touching::Term& term, int side, const Vec3d& force, const Iterate& at, Vectors& out) const {
  for (int k = 2 * side; k < 2 * side + 2; ++k) {
    const int i = term.vertex[k], row = parts_.row_of_vertex(i);
    const Vec3d share = term.weight[k] * force;
    if (row >= 0)
      out[term.part[side]][row] += scale(problem_.free_axes[i], share);
    else
      for (const Parts::Follows& f : parts_.rows_of_vertex(problem_, i, at))
        out[term.part[side]][f.row] += transpose(f.by) * share;
  }
}

void Coupling::add_coupling(const Touching& touching, const Iterate& at, const Vectors& u, Vectors& out) const {
  for (const Touching::Term& term : touching.terms()) {
    if (!term.couples()) continue;
    push(term, 0, term.K * moved(term, 1, u, at), at, out);
    push(term, 1, term.K * moved(term, 0, u, at), at, out);
  }
}

// part by part, so that it does not depend on the threads
double Coupling::dot_of_all(const Vectors& a, const Vectors& b, ThreadTeam& team) {
  sums_.assign(parts_.count(), 0);
  for_parts(team, [&](int p) {
    double sum = 0;
    for (std::size_t row = 0; row < a[p].size(); ++row) sum += dot(a[p][row], b[p][row]);
    sums_[p] = sum;
  });
  double sum = 0;
  for (double s : sums_) sum += s;
  return sum;
}

}  // namespace tendril::block
