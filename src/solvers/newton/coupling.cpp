#include "solvers/newton/coupling.h"

#include <algorithm>

#include "contact/for_all.h"

namespace tendril::newton {
namespace {

constexpr int most_iterations = 200;
constexpr std::size_t worth_sharing_pairs = 200;  // a gap takes half a microsecond

}  // namespace

template <class Work>
void Coupling::for_parts(ThreadTeam& team, Work work) const {
  team.for_each(static_cast<int>(parts_in_.size()), [&](int k, int) { work(parts_in_[k]); });
}

int Coupling::solve(const Touching& touching, const Islands& islands, const std::vector<char>& asked, const Iterate& at,
                    std::span<const double> exact, double accuracy, std::vector<std::unique_ptr<System>>& systems,
                    ThreadTeam& team) {
  gather(touching, islands, asked);
  if (terms_.empty()) return 0;
  for (Vectors* v : {&r_, &z_, &p_, &mp_, &ap_}) v->resize(parts_.count());
  for_parts(team, [&](int p) {
    p_[p] = systems[p]->direction();
    r_[p].assign(p_[p].size(), {});
  });
  add_coupling(at, exact, p_, r_);  // r = -O u
  for_parts(team, [&](int p) {
    for (Vec3d& r : r_[p]) r = -r;
    z_[p] = r_[p];
    systems[p]->precondition(z_[p]);
    p_[p] = z_[p], mp_[p] = r_[p];
  });
  std::vector<double> rz = dots(r_, z_, islands, team), enough = rz;  // (island)
  for (double& e : enough) e *= accuracy * accuracy;
  for (int n = 0; n < most_iterations; ++n) {
    leave_out(islands, [&](int i) { return !(rz[i] > enough[i]); });
    if (terms_.empty()) return n;
    for_parts(team, [&](int p) { ap_[p] = mp_[p]; });
    add_coupling(at, exact, p_, ap_);
    const std::vector<double> curvature = dots(p_, ap_, islands, team);
    leave_out(islands, [&](int i) { return !(curvature[i] > 0); });
    for_parts(team, [&](int p) {
      const double alpha = rz[islands.of(p)] / curvature[islands.of(p)];
      std::vector<Vec3d>& u = systems[p]->direction();
      for (std::size_t row = 0; row < u.size(); ++row) {
        u[row] += alpha * p_[p][row];
        r_[p][row] -= alpha * ap_[p][row];
      }
      z_[p] = r_[p];
      systems[p]->precondition(z_[p]);
    });
    const std::vector<double> next = dots(r_, z_, islands, team);
    for_parts(team, [&](int p) {
      const double beta = next[islands.of(p)] / rz[islands.of(p)];
      for (std::size_t row = 0; row < p_[p].size(); ++row) {
        p_[p][row] = z_[p][row] + beta * p_[p][row];
        mp_[p][row] = r_[p][row] + beta * mp_[p][row];
      }
    });
    rz = next;
  }
  return most_iterations;
}

void Coupling::add_excess(const Touching& touching, const std::vector<std::unique_ptr<System>>& systems,
                          const Contact& contact, const Iterate& at, const Iterate& straight, ThreadTeam& team,
                          Vectors& forces) const {
  const auto is_asked = [&](const Touching::Term& term, int side) {
    return term.part[side] >= 0 && !forces[term.part[side]].empty();
  };
  const auto pull_of = [&](const Touching::Term& term, const Pair& pair) {
    const double reach = term.barrier.reach;
    if (!term.is_pressed || (!is_asked(term, 0) && !is_asked(term, 1))) return 0.0;
    Vec3d way;
    for (int side = 0; side < 2; ++side)
      if (is_asked(term, side)) way += motion(term, side, systems[term.part[side]]->direction(), at).point;
    const double linear = term.gap + term.slope * dot(term.normal, way);
    const double excess = std::min(contact.gap_at(pair, straight), reach) - std::min(linear, reach);
    if (!(excess < 0)) return 0.0;                  // what opens wants no force
    const double sides = term.couples() ? 0.5 : 1;  // each part is moved as if the other stood still
    return sides * term.barrier.curvature_of(term.pressure) * term.slope * excess;
  };
  const std::span<const Touching::Term> terms = touching.terms();
  std::vector<double> pulls(terms.size());
  for_all(
      &team, terms.size(), [&](std::size_t t) { pulls[t] = pull_of(terms[t], touching.pairs()[t]); },
      worth_sharing_pairs);
  for (std::size_t t = 0; t < terms.size(); ++t)
    for (int side = 0; side < 2 && pulls[t] != 0; ++side)
      if (is_asked(terms[t], side)) push(terms[t], side, {-pulls[t] * terms[t].normal, {}, 0}, at, forces);
}

// what couples parts of these islands, and the parts
void Coupling::gather(const Touching& touching, const Islands& islands, const std::vector<char>& asked) {
  terms_.clear(), parts_in_.clear();
  for (int t : touching.couplings()) {
    const Touching::Term& term = touching.terms()[t];
    if (!term.is_pressed || !asked[islands.of(term.part[0])]) continue;
    terms_.push_back(&term);
    parts_in_.insert(parts_in_.end(), {term.part[0], term.part[1]});
  }
  std::sort(parts_in_.begin(), parts_in_.end());
  parts_in_.erase(std::unique(parts_in_.begin(), parts_in_.end()), parts_in_.end());
}

template <class IsDone>
void Coupling::leave_out(const Islands& islands, IsDone is_done) {
  std::erase_if(terms_, [&](const Touching::Term* term) { return is_done(islands.of(term->part[0])); });
  std::erase_if(parts_in_, [&](int p) { return is_done(islands.of(p)); });
}

Coupling::Motion Coupling::motion(const Touching::Term& term, int side, const std::vector<Vec3d>& u,
                                  const Iterate& at) const {
  Vec3d moved[2];
  if (term.body[side] >= 0) {
    const Vec3d* arms[2] = {&term.core[side], &term.arm[side]};
    for (int k = 0; k < 2; ++k)
      for (const Parts::Follows& f : parts_.rows_of_point(term.body[side], *arms[k])) moved[k] += f.by * u[f.row];
    const double sign = side == 0 ? 1 : -1;
    const Vec3d& turn = u[parts_.row_of_turn(term.body[side])];
    return {sign * moved[0], sign * moved[1], dot(cross(term.edge[side], term.normal), turn)};
  }
  for (int end = 0; end < 2; ++end) {
    const int i = term.vertex[2 * side + end], row = parts_.row_of_vertex(i);
    if (row >= 0)
      moved[end] = u[row];
    else
      for (const Parts::Follows& f : parts_.rows_of_vertex(problem_, i, at)) moved[end] += f.by * u[f.row];
  }
  const Vec3d point = term.weight[2 * side] * moved[0] + term.weight[2 * side + 1] * moved[1];
  Motion sum{point, point, dot(term.normal, moved[1] - moved[0])};
  if (const int s = term.segment[side]; s >= 0) sum.surface += term.lever[side] * u[parts_.row_of_segment(s)];
  return sum;
}

void Coupling::push(const Touching::Term& term, int side, const Motion& force, const Iterate& at, Vectors& out) const {
  if (term.body[side] >= 0) {
    const double sign = side == 0 ? 1 : -1;
    for (const Parts::Follows& f : parts_.rows_of_point(term.body[side], term.core[side]))
      out[term.part[side]][f.row] += transpose(f.by) * (sign * force.point);
    for (const Parts::Follows& f : parts_.rows_of_point(term.body[side], term.arm[side]))
      out[term.part[side]][f.row] += transpose(f.by) * (sign * force.surface);
    out[term.part[side]][parts_.row_of_turn(term.body[side])] += force.turn * cross(term.edge[side], term.normal);
    return;
  }
  for (int end = 0; end < 2; ++end) {
    const int i = term.vertex[2 * side + end], row = parts_.row_of_vertex(i);
    const Vec3d share = term.weight[2 * side + end] * (force.point + force.surface) +
                        (end == 0 ? -force.turn : force.turn) * term.normal;
    if (row >= 0)
      out[term.part[side]][row] += scale(problem_.free_axes(i), share);
    else
      for (const Parts::Follows& f : parts_.rows_of_vertex(problem_, i, at))
        out[term.part[side]][f.row] += transpose(f.by) * share;
  }
  if (const int s = term.segment[side]; s >= 0)
    out[term.part[side]][parts_.row_of_segment(s)] += transpose(term.lever[side]) * force.surface;
}

void Coupling::add_coupling(const Iterate& at, std::span<const double> exact, const Vectors& u, Vectors& out) const {
  for (const Touching::Term* term : terms_) {
    const GapCurvature& c = term->curvature;
    const double share = std::min(exact[term->part[0]], exact[term->part[1]]);
    for (int side = 0; side < 2; ++side) {
      const Motion other = motion(*term, 1 - side, u[term->part[1 - side]], at);
      const Vec3d &mine = side == 0 ? c.a : c.b, &others = side == 0 ? c.b : c.a;  // turning with sliding
      push(*term, side,
           {share * (c.slide * other.point + other.turn * others), term->K * other.surface,
            share * dot(mine, other.point) + c.ab * other.turn},
           at, out);
    }
  }
}

// part by part, so that they do not depend on the threads
std::vector<double> Coupling::dots(const Vectors& a, const Vectors& b, const Islands& islands, ThreadTeam& team) {
  of_parts_.resize(parts_.count());
  for_parts(team, [&](int p) {
    double sum = 0;
    for (std::size_t row = 0; row < a[p].size(); ++row) sum += dot(a[p][row], b[p][row]);
    of_parts_[p] = sum;
  });
  std::vector<double> sums(islands.count(), 0);
  for (int p : parts_in_) sums[islands.of(p)] += of_parts_[p];
  return sums;
}

}  // namespace tendril::newton
