#include "solvers/newton/contact_terms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "contact/for_all.h"
#include "solvers/newton/islands.h"

namespace tendril::solvers::newton {
namespace {

constexpr std::size_t worth_sharing_pairs = 200;  // a gap takes half a microsecond

// at the waypoint
bool acts(const Pair& pair) { return pair.gap < pair.barrier.reach; }

}  // namespace

int ContactTerms::part_of(const Pair& pair, int side, const Problem& problem, const Parts& parts) {
  const int body = side == 0 ? pair.body_a : pair.body;
  if (body < 0) return parts.part_of_vertex(pair.vertex[2 * side]);
  return problem.model->bodies[body].kind == BodyKind::kinematic ? -1 : parts.part_of_body(body);
}

void ContactTerms::list_followed(const Contact& contact, const Problem& problem, const Parts& parts, ThreadTeam* team) {
  using Order = decltype(Pair().order());
  std::vector<std::pair<Order, int>> terms(term_count_);  // with their numbers
  for_all(team, term_count_, [&](std::size_t t) { terms[t] = {pairs_[t].order(), static_cast<int>(t)}; });
  std::sort(terms.begin(), terms.end());
  const auto is_before = [&](const auto& term, const Order& order) { return term.first < order; };
  const std::span<const int> numbers = contact.followed();
  followed_.resize(numbers.size());
  for_shares(team, numbers.size(), [&](Share share, int) {
    auto term = terms.begin();
    for (int k = share.begin; k < share.end; ++k) {
      const Pair& pair = contact.pairs()[numbers[k]];
      const Order order = pair.order();
      if (k == share.begin) term = std::lower_bound(term, terms.end(), order, is_before);
      while (term != terms.end() && is_before(*term, order)) ++term;
      const bool has_term = term != terms.end() && term->first == order;
      followed_[k] = {numbers[k],
                      {part_of(pair, 0, problem, parts), part_of(pair, 1, problem, parts)},
                      has_term ? term->second : -1};
    }
  });
}

std::vector<int> ContactTerms::parts_that_touch(const Contact& contact, const Problem& problem, const Parts& parts,
                                                ThreadTeam* team) {
  const std::span<const int> numbers = contact.followed();
  std::vector<char> touches(parts.count(), false);
  for (int k : all_where(team, numbers.size(), [&](std::size_t n) { return acts(contact.pairs()[numbers[n]]); }))
    for (int side = 0; side < 2; ++side)
      if (const int p = part_of(contact.pairs()[numbers[k]], side, problem, parts); p >= 0) touches[p] = true;
  std::vector<int> all;
  for (int p = 0; p < parts.count(); ++p)
    if (touches[p]) all.push_back(p);
  return all;
}

void ContactTerms::evaluate(const Contact& contact, const Problem& problem, const Parts& parts, const Iterate& at,
                            ThreadTeam* team) {
  term_count_ = 0, couplings_.clear(), aimed_.clear();
  sides_.resize(parts.count());
  for (std::vector<Side>& sides : sides_) sides.clear();
  list_followed(contact, problem, parts, team);
  const auto is_near = [&](std::size_t k) { return acts(contact.pairs()[followed_[k].pair]); };
  add_terms(all_where(team, followed_.size(), is_near), contact, problem, at, team);
}

void ContactTerms::add_terms(std::span<const int> far, const Contact& contact, const Problem& problem,
                             const Iterate& at, ThreadTeam* team) {
  const std::size_t first = std::exchange(term_count_, term_count_ + far.size());
  if (terms_.size() < term_count_) terms_.resize(term_count_), pairs_.resize(term_count_);
  is_listed_.resize(term_count_);
  std::vector<char> is_pressed(far.size());
  for_all(
      team, far.size(),
      [&](std::size_t k) {
        Followed& followed = followed_[far[k]];
        followed.term = static_cast<int>(first + k);
        const Pair& pair = pairs_[followed.term] = contact.pairs()[followed.pair];
        terms_[followed.term] = make_term(followed, pair, contact, problem, at);
        terms_[followed.term].bend = contact.curvature(pair);
        terms_[followed.term].linearise_at_iterate();
        is_pressed[k] = terms_[followed.term].is_pressed;
      },
      worth_sharing_pairs);
  for (std::size_t k = 0; k < far.size(); ++k) {
    const Followed& followed = followed_[far[k]];
    is_listed_[followed.term] = false;
    if (followed.part[0] >= 0 && followed.part[1] >= 0) couplings_.push_back(followed.term);
    if (is_pressed[k]) list_sides(followed);
  }
}

void ContactTerms::aim(const Followed& followed, const Pair& there, const Contact& contact, const Problem& problem,
                       const Iterate& at) {
  Term& term = terms_[followed.term];
  const Term old = std::exchange(term, make_term(followed, there, contact, problem, at));
  term.aim = static_cast<int>(aimed_.size());
  aimed_.push_back(there);
  term.is_pressed = old.is_pressed, term.pressure = old.pressure;
  term.slid = tangential(old.slid, term.normal);
  term.linearise(), term.before = {};
}

ContactTerms::Term ContactTerms::make_term(const Followed& followed, const Pair& pair, const Contact& contact,
                                           const Problem& problem, const Iterate& at) {
  Term term;
  std::copy(pair.vertex, pair.vertex + 4, term.vertex), std::copy(pair.weight, pair.weight + 4, term.weight);
  std::copy(followed.part, followed.part + 2, term.part);
  term.normal = pair.normal, term.slip = tangential(pair.slip, pair.normal);
  term.barrier = pair.barrier, term.spring = pair.spring;
  term.gap = pair.gap, term.slope = pair.slope;
  for (int side = 0; side < 2; ++side) {
    if (const int body = side == 0 ? pair.body_a : pair.body; body >= 0) {
      if (term.part[side] < 0) {
        const Vec3d way = contact.way_left(body, side == 0 ? pair.point_a : pair.point);
        term.driven += side == 0 ? way : -way;
        continue;
      }
      term.body[side] = body;
      term.arm[side] = rotate(at.body_q[body], side == 0 ? pair.point_a : pair.point);
      term.core[side] = rotate(at.body_q[body], side == 0 ? pair.core_a : pair.core);
      term.edge[side] = rotate(at.body_q[body], contact.edge(pair, side));
      continue;
    }
    if (pair.spring.friction > 0 && contact.turns(pair, side))
      term.segment[side] = side == 0 ? pair.a : pair.b, term.lever[side] = contact.lever(pair, side);
    for (int k = 2 * side; k < 2 * side + 2; ++k)
      if (const int i = pair.vertex[k]; problem.role[i] != Role::free)
        term.driven += pair.weight[k] * (problem.held_place(i, at.x[i]) - at.x[i]);
  }
  return term;
}

void ContactTerms::list_sides(const Followed& followed) {
  if (std::exchange(is_listed_[followed.term], true)) return;
  for (int side = 0; side < 2; ++side)
    if (const int p = followed.part[side]; p >= 0) sides_[p].push_back({followed.term, side});
}

// The linear equations have found a force and a gap. The barrier is linearised next where it pushes with that force,
// which it does somewhere, however small, or negative, the gap may be; they are solved when the gap there is the one
// that was found. A spring of friction is linearised at its slip; one that slid, and would slide back, holds.
bool ContactTerms::Term::follow(const Vec3d& way, const Vec3d& surface_way, double accuracy) {
  const double next_gap = linear_gap(way + driven);
  const Vec3d next_slip = slip + tangential(surface_way + driven, normal);
  if (!is_pressed && !(next_gap < barrier.reach)) return false;
  const double k = barrier.curvature_of(pressure), middle = barrier.gap_of(pressure);
  const double found = is_pressed ? pressure - k * (next_gap - middle) : 0;
  const double found_gap = barrier.gap_of(std::max(found, 0.0));
  bool is_there = is_pressed && found >= 0 && std::abs(next_gap - found_gap) <= accuracy * found_gap;
  if (spring.friction > 0 && is_pressed && found >= 0) {
    const Vec3d predicted = tangential(force - K * surface_way, normal);
    const Vec3d friction = -spring.secant(norm(next_slip), slope * found) * next_slip;
    is_there &= norm(predicted - friction) <= accuracy * spring.friction * slope * found;
  }
  if (is_there) return false;
  const bool slides_back = norm(slid) > spring.slip_length(limit()) && dot(slid, next_slip) < 0;
  is_pressed = found >= 0, pressure = std::max(found, 0.0);
  slid = slides_back ? Vec3d{} : next_slip;
  before = *this;
  linearise();
  return true;
}

void ContactTerms::Term::linearise_at_iterate() {
  is_pressed = gap > 0 && gap < barrier.reach;
  pressure = -barrier.at(gap).slope, slid = slip;
  linearise();
}

// what slides has no stiffness along its way
void ContactTerms::Term::linearise() {
  force = {}, K = {}, curvature = pressure * bend;
  if (!is_pressed) return;
  const double k = barrier.curvature_of(pressure);
  force = (slope * (pressure - k * (gap - barrier.gap_of(pressure)))) * normal;
  K = (k * slope * slope) * outer(normal, normal);
  if (spring.friction > 0 && pressure > 0) {
    const double length = norm(slid), secant = spring.secant(length, limit());
    Mat3d along = secant * (Mat3d::identity() + (-1.0) * outer(normal, normal));
    if (length > spring.slip_length(limit())) along += (-secant / (length * length)) * outer(slid, slid);
    force -= secant * slid + along * (slip - slid);
    K += along;
  }
  force -= K * driven;
}

double ContactTerms::energy(const Contact& contact, const Iterate& at) const {
  double sum = 0;
  for (std::size_t t = 0; t < term_count_; ++t) {
    const Pair& pair = pairs_[t];
    const double gap = contact.gap_at(pair, at), limit = terms_[t].limit();
    sum += gap > 0 ? pair.barrier.at(gap).energy : forever;
    if (limit > 0) sum += pair.spring.energy(norm(tangential(contact.slip_at(pair, at), pair.normal)), limit);
  }
  return sum;
}

void ContactTerms::add_round_off(const Islands& islands, const Iterate& at, std::vector<double>& round_off) const {
  constexpr double digits = 4 * std::numeric_limits<double>::epsilon();  // differences of rotated and moved points
  for (const Term& term : terms()) {
    double farthest = 0;
    for (int i : term.vertex)
      if (i >= 0) farthest = std::max(farthest, norm(at.x[i]));
    for (int b : term.body)
      if (b >= 0) farthest = std::max(farthest, norm(at.body_x[b]));
    const double off = digits * farthest * (1 + term.spring.friction) * term.limit();
    for (int p : term.part)
      if (p >= 0) round_off[islands.of(p)] += off;
  }
}

// a pair of two islands counts for both
void ContactTerms::add_energies(const Islands& islands, const std::vector<char>& asked, const Contact& contact,
                                const Iterate* at, ThreadTeam& team, std::vector<double>& energies) const {
  const auto island = [&](int p) { return p >= 0 && asked[islands.of(p)] ? islands.of(p) : -1; };
  const std::vector<int> pairs = all_where(&team, followed_.size(), [&](std::size_t k) {
    const Followed& f = followed_[k];
    return (f.term >= 0 || at) && (island(f.part[0]) >= 0 || island(f.part[1]) >= 0);
  });
  std::vector<double> of_pairs(pairs.size());
  for_all(
      &team, pairs.size(),
      [&](std::size_t k) {
        const Followed& f = followed_[pairs[k]];
        const Pair& pair = f.term >= 0 ? pairs_[f.term] : contact.pairs()[f.pair];
        if (f.term < 0 && contact.is_far(pair, *at)) return;
        const double gap = at ? contact.gap_at(pair, *at) : pair.gap;
        of_pairs[k] = gap > 0 ? pair.barrier.at(gap).energy : forever;
        if (f.term < 0 || pair.spring.friction == 0 || !(terms_[f.term].limit() > 0)) return;
        const Vec3d slip = at ? contact.slip_at(pair, *at) : pair.slip;
        of_pairs[k] += pair.spring.energy(norm(tangential(slip, pair.normal)), terms_[f.term].limit());
      },
      worth_sharing_pairs);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const Followed& f = followed_[pairs[k]];
    const int a = island(f.part[0]), b = island(f.part[1]);
    if (a >= 0) energies[a] += of_pairs[k];
    if (b >= 0 && b != a) energies[b] += of_pairs[k];
  }
}

}  // namespace tendril::solvers::newton
