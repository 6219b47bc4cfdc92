#include "solvers/newton/coupling.h"

#include <algorithm>

#include "contact/for_all.h"

namespace tendril::solvers::newton {
namespace {

constexpr int most_iterations = 200;
constexpr std::size_t worth_sharing_pairs = 200;  // a gap takes half a microsecond

}  // namespace

template <class Work>
void Coupling::for_parts(ThreadTeam& team, Work work) const {
  team.for_each(static_cast<int>(parts_in_.size()), [&](int k, int) { work(parts_in_[k]); });
}

void Coupling::begin(std::span<const int> parts, const ContactTerms& contact_terms, const Iterate& at,
                     std::span<const double> hessian_share, const std::vector<std::unique_ptr<System>>& systems) {
  for (Vectors* v : {&u_, &r_, &z_, &p_, &mp_, &ap_}) v->resize(parts_.count());
  scale_.resize(parts_.count());
  for (int p : parts) {
    u_[p] = systems[p]->direction();
    r_[p].assign(u_[p].size(), {}), scale_[p] = 0;
  }
  for (int p : parts)  // r = -O u
    for (const ContactTerms::Side& s : contact_terms.sides_of(p))
      if (const ContactTerms::Term& term = contact_terms.terms()[s.term];
          s.side == 0 && term.is_pressed && term.couples())
        add_coupling(term, at, hessian_share, u_, -1, r_);
}

void Coupling::change(const ContactTerms::Term& term, const ContactTerms::Linear& before,
                      const ContactTerms::Linear& after, const Iterate& at, std::span<const double> hessian_share,
                      const std::vector<std::unique_ptr<System>>& systems) {
  Motion moved[2];
  for (int side = 0; side < 2; ++side)
    if (const int p = term.part[side]; p >= 0) moved[side] = motion(term, side, systems[p]->direction(), at);
  for (int side = 0; side < 2; ++side) {
    if (term.part[side] < 0) continue;
    const Motion now = pull(term, after, side, moved, hessian_share),
                 then = pull(term, before, side, moved, hessian_share);
    push(term, side, {now.point - then.point, now.surface - then.surface, now.turn - then.turn}, at, r_);
  }
}

// the force of a linear term where both sides have moved
Coupling::Motion Coupling::pull(const ContactTerms::Term& term, const ContactTerms::Linear& linear, int side,
                                const Motion (&moved)[2], std::span<const double> hessian_share) const {
  const GapCurvature& c = linear.curvature;
  const Motion &mine = moved[side], &other = moved[1 - side];
  const double own = hessian_share[term.part[side]],
               both = term.couples() ? std::min(own, hessian_share[term.part[1 - side]]) : 0;
  const Vec3d &my_edge = side == 0 ? c.a : c.b, &other_edge = side == 0 ? c.b : c.a;
  return {
      -(own * (c.slide * mine.point + mine.turn * my_edge) + both * (c.slide * other.point + other.turn * other_edge)),
      linear.force - linear.K * (mine.surface + other.surface),
      -(own * dot(my_edge, mine.point) + (side == 0 ? c.aa : c.bb) * mine.turn + both * dot(my_edge, other.point) +
        c.ab * other.turn)};
}

int Coupling::solve(const ContactTerms& contact_terms, const Islands& islands, const std::vector<char>& asked,
                    const std::vector<int>& open, const Iterate& at, std::span<const double> hessian_share,
                    double accuracy, std::vector<std::unique_ptr<System>>& systems, ThreadTeam& team) {
  gather(contact_terms, islands, asked, open);
  if (terms_.empty()) return 0;
  for_parts(team, [&](int p) {
    z_[p] = r_[p];
    systems[p]->precondition(z_[p]);
    p_[p] = z_[p], mp_[p] = r_[p];
  });
  std::vector<double> rz = dots(r_, z_, islands, team);  // (island)
  const std::vector<double> known = islands.sum(scale_);
  for (int p : parts_in_)
    if (known[islands.of(p)] == 0) scale_[p] = of_parts_[p];
  std::vector<double> enough = islands.sum(scale_);
  for (double& e : enough) e *= accuracy * accuracy;
  for (int n = 0; n < most_iterations; ++n) {
    leave_out(islands, [&](int i) { return !(rz[i] > enough[i]); });
    if (terms_.empty()) return n;
    for_parts(team, [&](int p) { ap_[p] = mp_[p]; });
    add_couplings(at, hessian_share, p_, ap_);
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

void Coupling::add_excess(const ContactTerms& contact_terms, const std::vector<std::unique_ptr<System>>& systems,
                          const Contact& contact, const Iterate& at, const Iterate& straight, ThreadTeam& team,
                          Vectors& forces) const {
  const auto is_asked = [&](const ContactTerms::Term& term, int side) {
    return term.part[side] >= 0 && !forces[term.part[side]].empty();
  };
  const auto gap_there = [&](const ContactTerms::Term& term, const Pair& pair) {
    return term.aim < 0 ? contact.gap_at(pair, straight) : contact.gap_along(contact_terms.aimed_pair(term), straight);
  };
  const auto pull_of = [&](const ContactTerms::Term& term, const Pair& pair) {
    const double reach = term.barrier.reach;
    if (!term.is_pressed || (!is_asked(term, 0) && !is_asked(term, 1))) return 0.0;
    Vec3d way;
    for (int side = 0; side < 2; ++side)
      if (is_asked(term, side)) way += motion(term, side, systems[term.part[side]]->direction(), at).point;
    const double excess = std::min(gap_there(term, pair), reach) - std::min(term.linear_gap(way), reach);
    if (!(excess < 0)) return 0.0;                  // what opens wants no force
    const double sides = term.couples() ? 0.5 : 1;  // each part is moved as if the other stood still
    return sides * term.barrier.curvature_of(term.pressure) * term.slope * excess;
  };
  const std::span<const ContactTerms::Term> terms = contact_terms.terms();
  std::vector<double> pulls(terms.size());
  for_all(
      &team, terms.size(), [&](std::size_t t) { pulls[t] = pull_of(terms[t], contact_terms.pairs()[t]); },
      worth_sharing_pairs);
  for (std::size_t t = 0; t < terms.size(); ++t)
    for (int side = 0; side < 2 && pulls[t] != 0; ++side)
      if (is_asked(terms[t], side)) push(terms[t], side, {-pulls[t] * terms[t].normal, {}, 0}, at, forces);
}

// what couples parts of these islands, and their parts
void Coupling::gather(const ContactTerms& contact_terms, const Islands& islands, const std::vector<char>& asked,
                      const std::vector<int>& open) {
  terms_.clear(), parts_in_.clear();
  std::vector<char> is_in(islands.count(), false);
  for (int t : contact_terms.couplings()) {
    const ContactTerms::Term& term = contact_terms.terms()[t];
    const int island = islands.of(term.part[0]);
    if (!term.is_pressed || !asked[island]) continue;
    terms_.push_back(&term), is_in[island] = true;
  }
  for (int p : open)
    if (is_in[islands.of(p)]) parts_in_.push_back(p);
}

template <class IsDone>
void Coupling::leave_out(const Islands& islands, IsDone is_done) {
  std::erase_if(terms_, [&](const ContactTerms::Term* term) { return is_done(islands.of(term->part[0])); });
  std::erase_if(parts_in_, [&](int p) { return is_done(islands.of(p)); });
}

Coupling::Motion Coupling::motion(const ContactTerms::Term& term, int side, const std::vector<Vec3d>& u,
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

void Coupling::push(const ContactTerms::Term& term, int side, const Motion& force, const Iterate& at,
                    Vectors& out) const {
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

void Coupling::add_couplings(const Iterate& at, std::span<const double> hessian_share, const Vectors& u,
                             Vectors& out) const {
  for (const ContactTerms::Term* term : terms_) add_coupling(*term, at, hessian_share, u, 1, out);
}

// what a term adds beyond the systems of its parts
void Coupling::add_coupling(const ContactTerms::Term& term, const Iterate& at, std::span<const double> hessian_share,
                            const Vectors& u, double factor, Vectors& out) const {
  const GapCurvature& c = term.curvature;
  const double share = factor * std::min(hessian_share[term.part[0]], hessian_share[term.part[1]]);
  for (int side = 0; side < 2; ++side) {
    const Motion other = motion(term, 1 - side, u[term.part[1 - side]], at);
    const Vec3d &mine = side == 0 ? c.a : c.b, &others = side == 0 ? c.b : c.a;  // turning with sliding
    push(term, side,
         {share * (c.slide * other.point + other.turn * others), factor * (term.K * other.surface),
          share * dot(mine, other.point) + factor * c.ab * other.turn},
         at, out);
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

}  // namespace tendril::solvers::newton
