#include "solvers/newton/touching.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "contact/for_all.h"
#include "solvers/newton/islands.h"

namespace tendril::newton {
namespace {

constexpr std::size_t worth_sharing_pairs = 200;  // a gap takes half a microsecond

}  // namespace

std::uint64_t Touching::key(const Pair& pair) {
  const std::uint64_t kind = (pair.body_a >= 0 ? 2 : 0) + (pair.body >= 0 ? 1 : 0);
  return kind << 62 | static_cast<std::uint64_t>(pair.a) << 31 | static_cast<std::uint64_t>(pair.b);
}

int Touching::part_of(const Pair& pair, int side, const Problem& problem, const Parts& parts) {
  const int body = side == 0 ? pair.body_a : pair.body;
  if (body < 0) return parts.part_of_vertex(pair.vertex[2 * side]);
  return problem.model->bodies[body].kind == BodyKind::kinematic ? -1 : parts.part_of_body(body);
}

// terms keep the order of the list of pairs
void Touching::list_followed(const Contact& contact, const Problem& problem, const Parts& parts) {
  followed_.clear();
  int term = 0;
  const int terms = static_cast<int>(terms_.size());
  for (int number : contact.followed()) {
    const Pair& pair = contact.pairs()[number];
    while (term < terms && pairs_[term].order() < pair.order()) ++term;
    const bool has_term = term < terms && pairs_[term].order() == pair.order();
    followed_.push_back(
        {number, {part_of(pair, 0, problem, parts), part_of(pair, 1, problem, parts)}, has_term ? term : -1});
  }
}

// visit(key, normal force now, mu, parts of both sides), of pairs that press now or did when friction was frozen
template <class Visit>
void Touching::for_pairs_that_rub(const Contact& contact, const Problem& problem, const Parts& parts,
                                  Visit visit) const {
  for (int number : contact.followed()) {
    const Pair& pair = contact.pairs()[number];
    if (pair.grip.friction == 0) continue;
    const double now = pair.normal_force();
    if (now == 0 && !frictions_.contains(key(pair))) continue;
    const std::array part{part_of(pair, 0, problem, parts), part_of(pair, 1, problem, parts)};
    visit(key(pair), now, pair.grip.friction, part);
  }
}

std::vector<Touching::Change> Touching::changes_since_last_corner(const Contact& contact, const Problem& problem,
                                                                  const Parts& parts) {
  std::vector<Change> out(parts.count());
  for_pairs_that_rub(contact, problem, parts, [&](auto key, double now, double mu, const auto& part) {
    const double then = std::exchange(frictions_[key].last_force, now);
    for (int p : part)
      if (p >= 0) out[p].of += mu * now, out[p].by += mu * std::abs(now - then);
  });
  return out;
}

std::vector<Touching::Change> Touching::changes_since_frozen(const Contact& contact, const Problem& problem,
                                                             const Parts& parts) const {
  std::vector<Change> out(parts.count());
  for_pairs_that_rub(contact, problem, parts, [&](auto key, double now, double mu, const auto& part) {
    const auto found = frictions_.find(key);
    const double then = found == frictions_.end() ? 0 : found->second.normal_force;
    for (int p : part)
      if (p >= 0) out[p].of += mu * now, out[p].by += mu * std::abs(now - then);
  });
  return out;
}

void Touching::freeze_friction(const Contact& contact, const Problem& problem, const Parts& parts,
                               const std::vector<char>& asked) {
  for_pairs_that_rub(contact, problem, parts, [&](auto key, double now, double, const auto& part) {
    if (const int p = std::max(part[0], part[1]); p < 0 || asked[p]) frictions_[key].normal_force = now;
  });
}

// all of the caution where the whole of the last step would have turned the drag round, else less and less
void Touching::Friction::go_to(const Vec3d& next_drag, const LastStep& last) {
  const bool overshoots = last.share == 0 || dot(drag, last.share * drag + (next_drag - drag)) < 0;
  caution = overshoots ? 1 : caution > 2e-4 ? 0.1 * caution : 0;
  if (last.is_small) caution = 0;
  drag = next_drag;
}

std::vector<int> Touching::parts_that_touch(const Contact& contact, const Problem& problem, const Parts& parts) {
  std::vector<char> touches(parts.count(), false);
  for (int number : contact.followed())
    if (const Pair& pair = contact.pairs()[number]; pair.gap < pair.barrier.reach)
      for (int side = 0; side < 2; ++side)
        if (const int p = part_of(pair, side, problem, parts); p >= 0) touches[p] = true;
  std::vector<int> all;
  for (int p = 0; p < parts.count(); ++p)
    if (touches[p]) all.push_back(p);
  return all;
}

void Touching::look(const Contact& contact, const Problem& problem, const Parts& parts, const Iterate& at,
                    std::span<const LastStep> last) {
  terms_.clear(), pairs_.clear();
  is_cautious_.assign(parts.count(), false);
  sides_.assign(parts.count(), {});
  list_followed(contact, problem, parts);
  for (Followed& f : followed_) {
    const Pair& pair = contact.pairs()[f.pair];
    if (!is_near(pair)) continue;
    f.term = static_cast<int>(terms_.size());
    add(pair, f, contact, problem, parts, at, last);
  }
}

void Touching::add(const Pair& pair, const Followed& followed, const Contact& contact, const Problem& problem,
                   const Parts& parts, const Iterate& at, std::span<const LastStep> last) {
  const int index = followed.term;
  const Barrier::Value value = pair.barrier.at(pair.gap);
  const double normal_force = -pair.slope * value.slope;
  Term term;
  term.pair = index;
  std::copy(pair.vertex, pair.vertex + 4, term.vertex), std::copy(pair.weight, pair.weight + 4, term.weight);
  term.normal = pair.normal, term.drag = tangential(pair.drag, pair.normal);
  term.barrier = pair.barrier, term.gap = pair.gap, term.slope = pair.slope;
  if (normal_force > 0) term.curvature = -value.slope * contact.curvature(pair);
  term.force = normal_force * pair.normal;
  term.K = (value.curvature * pair.slope * pair.slope) * outer(pair.normal, pair.normal);
  std::copy(followed.part, followed.part + 2, term.part);
  const int part = std::max(term.part[0], term.part[1]);  // both are of one island, and took one share
  add_friction(pair, term, last.empty() || part < 0 ? LastStep{} : last[part], contact.effort().legs);
  term.acts = value.curvature > 0 || term.limit > 0;
  Vec3d driven;  // part of the way that what is held goes in any case
  for (int side = 0; side < 2; ++side) {
    if (term.part[side] >= 0 && term.acts) sides_[term.part[side]].push_back({index, side});
    if (const int body = side == 0 ? pair.body_a : pair.body; body >= 0) {
      if (term.part[side] < 0) {
        const Vec3d way = contact.way_left(body, side == 0 ? pair.point_a : pair.point);
        driven += side == 0 ? way : -way;
        continue;
      }
      term.body[side] = body;
      term.arm[side] = rotate(at.body_q[body], side == 0 ? pair.point_a : pair.point);
      term.core[side] = rotate(at.body_q[body], side == 0 ? pair.core_a : pair.core);
      term.edge[side] = rotate(at.body_q[body], contact.edge(pair, side));
      continue;
    }
    if (pair.grip.friction > 0 && contact.turns(pair, side))
      term.segment[side] = side == 0 ? pair.a : pair.b, term.lever[side] = contact.lever(pair, side);
    for (int k = 2 * side; k < 2 * side + 2; ++k)
      if (const int i = pair.vertex[k]; problem.role[i] != Role::free)
        driven += pair.weight[k] * (problem.held_place(i, at.x[i]) - at.x[i]);
  }
  term.force -= term.K * driven;
  terms_.push_back(term), pairs_.push_back(pair);
}

// what slides has no stiffness along its way
void Touching::add_friction(const Pair& pair, Term& term, const LastStep& last, int leg) {
  const auto found = pair.grip.friction > 0 ? frictions_.find(key(pair)) : frictions_.end();
  if (found == frictions_.end() || !(found->second.normal_force > 0)) return;
  Friction& friction = found->second;
  if (std::exchange(friction.leg, leg) != leg) friction.go_to(term.drag, last);
  term.limit = friction.normal_force;
  const double length = norm(term.drag), secant = pair.grip.secant(length, term.limit);
  term.force -= secant * term.drag;
  term.K += secant * (Mat3d::identity() + (-1.0) * outer(term.normal, term.normal));
  if (length <= pair.grip.slip_length(term.limit)) return;  // it holds
  term.K += ((friction.caution - 1) * secant / (length * length)) * outer(term.drag, term.drag);
  for (int p : term.part)
    if (p >= 0 && friction.caution > 0) is_cautious_[p] = true;
}

double Touching::energy(const Contact& contact, const Iterate& at) const {
  double sum = 0;
  for (const Term& term : terms_) {
    const Pair& pair = pairs_[term.pair];
    const double gap = contact.gap_at(pair, at);
    sum += gap > 0 ? pair.barrier.at(gap).energy : forever;
    if (term.limit > 0) sum += pair.grip.energy(norm(tangential(contact.drag_at(pair, at), pair.normal)), term.limit);
  }
  return sum;
}

// a pair of two islands counts for both
void Touching::add_energies(const Islands& islands, const std::vector<char>& asked, const Contact& contact,
                            const Iterate* at, ThreadTeam& team, std::vector<double>& energies) const {
  const auto island = [&](int p) { return p >= 0 && asked[islands.of(p)] ? islands.of(p) : -1; };
  std::vector<const Followed*> pairs;
  for (const Followed& f : followed_)
    if ((f.term >= 0 || at) && (island(f.part[0]) >= 0 || island(f.part[1]) >= 0)) pairs.push_back(&f);
  std::vector<double> of_pairs(pairs.size());
  for_all(
      &team, pairs.size(),
      [&](std::size_t k) {
        const Followed& f = *pairs[k];
        const Pair& pair = f.term >= 0 ? pairs_[f.term] : contact.pairs()[f.pair];
        if (f.term < 0 && contact.is_far(pair, *at)) return;
        const double gap = at ? contact.gap_at(pair, *at) : pair.gap;
        of_pairs[k] = gap > 0 ? pair.barrier.at(gap).energy : forever;
        if (f.term < 0 || !(terms_[f.term].limit > 0)) return;
        const Vec3d drag = at ? contact.drag_at(pair, *at) : pair.drag;
        of_pairs[k] += pair.grip.energy(norm(tangential(drag, pair.normal)), terms_[f.term].limit);
      },
      worth_sharing_pairs);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const int a = island(pairs[k]->part[0]), b = island(pairs[k]->part[1]);
    if (a >= 0) energies[a] += of_pairs[k];
    if (b >= 0 && b != a) energies[b] += of_pairs[k];
  }
}

}  // namespace tendril::newton
