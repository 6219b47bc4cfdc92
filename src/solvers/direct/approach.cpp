#include "solvers/direct/approach.h"

#include <algorithm>
#include <numeric>

#include "solvers/supports.h"

namespace tendril::solvers::direct {
namespace {

constexpr int most_substeps = 100;  // then what is driven does not get through
constexpr int usual_substeps = 3;   // after which only what is driven is waited for
constexpr int most_cuts = 40;       // of a substep, by what is in its way
constexpr double least_gap =
    0.02;                        // over the reach of the barrier: halved again and again it would be lost in rounding
constexpr int gentle_cuts = 30;  // after which what still meets something stays where it is

}  // namespace

void Approach::reset(const Model& model) {
  model_ = &model;
  const Supports supports = supports_of(model);
  mover_of_.resize(model.vertices.size()), is_held_.assign(model.vertices.size(), false);
  std::iota(mover_of_.begin(), mover_of_.end(), 0);
  for (std::size_t i = 0; i < mover_of_.size(); ++i) {
    if (supports.role[i] == Role::slaved) mover_of_[i] = body(model.ties[supports.tie[i]].body);
    is_held_[i] = supports.role[i] == Role::held || supports.role[i] == Role::partly_held;
  }
}

std::string Approach::go(const Iterate& target, Contact& contact, Iterate& at) {
  smallest_gap_ = forever;
  for (int substep = 0; substep < most_substeps; ++substep) {
    const bool arrived = go_straight(target, contact, at);
    contact.end_substep(at);
    smallest_gap_ = std::min(smallest_gap_, contact.smallest_gap());
    const bool is_enough = substep + 1 >= usual_substeps && contact.all_at_end() && held_are_there(target, contact);
    if (arrived || is_enough) return measure(target, at), std::string();
  }
  return contact.obstruction();
}

// one substep; whether nothing was in the way
bool Approach::go_straight(const Iterate& target, Contact& contact, Iterate& at) {
  shares_.assign(model_->vertices.size() + model_->bodies.size(), 1);
  std::vector<int> all;
  for (int cut = 0;; ++cut) {
    if (cut > most_cuts) shares_.assign(shares_.size(), 0);
    contact.drive(std::span(shares_).last(model_->bodies.size()));
    place(target, contact, at);
    contact.cover(at);
    all.resize(contact.pairs().size());
    std::iota(all.begin(), all.end(), 0);
    auto met = contact.pairs_that_meet(all, at);
    std::erase_if(met, [&](const auto& pair) { return go_apart(contact.pairs()[pair.first], contact, at); });
    if (met.empty() || cut > most_cuts) return cut == 0;
    shorten(met, cut < 3 ? 1 : cut < gentle_cuts ? 0.7 : 0, contact, at);
  }
}

// Two segments between which a plane along their normal moves on without reaching either: fractions of almost no gap
// are lost in rounding.
bool Approach::go_apart(const Pair& pair, const Contact& contact, const Iterate& at) const {
  if (pair.body_a >= 0 || pair.with_solid()) return false;
  const auto along = [&](int k) {
    const int i = pair.vertex[k];
    return dot(pair.normal, at.x[i] - contact.waypoint(i));
  };
  return std::min(along(0), along(1)) >= std::max(along(2), along(3));
}

// everything a share of its way from the waypoint; frames know nothing of contact
void Approach::place(const Iterate& target, const Contact& contact, Iterate& at) const {
  at.q = target.q;
  for (std::size_t i = 0; i < at.x.size(); ++i)
    at.x[i] = shares_[i] == 1 ? target.x[i] : contact.waypoint(i) + shares_[i] * (target.x[i] - contact.waypoint(i));
  for (std::size_t b = 0; b < at.body_x.size(); ++b) {
    const double share = model_->bodies[b].kind == BodyKind::dynamic ? shares_[body(b)] : 1;
    const Pose& waypoint = contact.body_waypoint(b);
    at.body_x[b] = share == 1 ? target.body_x[b] : waypoint.x + share * (target.body_x[b] - waypoint.x);
    at.body_q[b] = share == 1 ? target.body_q[b] : part_of_turn(waypoint.q, target.body_q[b], share);
  }
  for (const Tie& tie : model_->ties)
    if (mover_of_[tie.vertex] == body(tie.body))
      at.x[tie.vertex] = at.body_x[tie.body] + rotate(at.body_q[tie.body], tie.offset);
}

int Approach::mover(const Pair& pair, int side, int k) const {
  if (const int b = side == 0 ? pair.body_a : pair.body; b >= 0) return k == 0 ? body(b) : -1;
  return mover_of_[pair.vertex[2 * side + k]];
}

// those of a pair that come closer to the other; all, if none does
void Approach::shorten(const std::vector<std::pair<int, double>>& met, double factor, const Contact& contact,
                       const Iterate& at) {
  std::vector<double> allowed(shares_.size(), 1);
  for (const auto& [number, safe] : met) {
    const Pair& pair = contact.pairs()[number];
    const double fraction = pair.true_gap > least_gap * pair.barrier.reach ? safe : 0;
    const auto comes_closer = [&](int side, int k) {
      const int i = pair.vertex[2 * side + k];
      return i < 0 || dot(pair.normal, at.x[i] - contact.waypoint(i)) * (side == 0 ? -1 : 1) > 0;
    };
    bool some_do = false;
    for (const bool any : {false, true})
      for (int side = 0; side < 2 && !(any && some_do); ++side)
        for (int k = 0; k < 2; ++k) {
          const int m = mover(pair, side, k);
          if (m < 0 || !(any || comes_closer(side, k))) continue;
          some_do = some_do || !any, allowed[m] = std::min(allowed[m], fraction);
        }
  }
  for (std::size_t m = 0; m < shares_.size(); ++m)
    if (allowed[m] < 1) shares_[m] *= factor * allowed[m];
}

bool Approach::held_are_there(const Iterate& target, const Contact& contact) const {
  for (std::size_t i = 0; i < is_held_.size(); ++i)
    if (is_held_[i] && !(contact.waypoint(i) == target.x[i])) return false;
  return true;
}

void Approach::measure(const Iterate& target, const Iterate& at) {
  cut_off_ = 0;
  for (std::size_t i = 0; i < at.x.size(); ++i)
    if (model_->vertices[i].radius > 0)
      cut_off_ = std::max(cut_off_, norm(target.x[i] - at.x[i]) / model_->vertices[i].radius);
}

}  // namespace tendril::solvers::direct
