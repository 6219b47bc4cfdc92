#include <algorithm>
#include <atomic>

#include "contact/for_all.h"
#include "solvers/stable/safe_shares.h"
#include "solvers/stable/solver.h"

namespace tendril::solvers::stable {

// The path of a step from waypoint to waypoint, see regions/regions.h.

namespace {

// a step whose solids do not get through in so many substeps is left where it is
constexpr int most_substeps = 1000;

// what is struck may want to leave its box; sweeps that overshoot may want so again and again, and when they are used
// up the step ends unsolved, at the walls
constexpr int most_substeps_for_room = 10;

// a share of the way below which nothing is found any more
constexpr double least_share = 1e-6;

}  // namespace

void StableSolver::aim_at_iterate() {
  target_.x.resize(iterate_.x.size());
  for_all(team_, target_.x.size(), [&](std::size_t i) { target_.x[i] = iterate_.x[i]; });
  target_.body_x = iterate_.body_x, target_.body_q = iterate_.body_q;
}

// the first substep; before it a straight one, if planes that were laid where a long way begins stand across it
void StableSolver::approach(Contact& contact, StepReport& report) {
  substep_count_ = unbalanced_legs_ = 0, is_balanced_ = true;
  if (!contact.is_enabled()) return;
  rod_correction_.begin_step(contact);
  regions_.begin_step(contact, *team_);
  aim_at_iterate();
  begin_substep(contact, report);
  if (!report.failure.empty() || !is_held_up(contact)) return;
  go_straight(contact);
  begin_substep(contact, report);
}

// whether planes keep something from its target by more than barriers reach
bool StableSolver::is_held_up(const Contact& contact) const {
  const auto is_missing = [](const Vec3d& here, const Vec3d& target, double reach) {
    return norm_squared(target - here) > reach * reach;
  };
  const std::span<const Pair> pairs = contact.pairs();
  return !holds_for_all(team_, pairs.size(), [&](std::size_t p) {
    const double reach = pairs[p].barrier.reach;
    for (int i : pairs[p].vertex)
      if (i >= 0 && is_missing(iterate_.x[i], target_.x[i], reach)) return false;
    for (int b : {pairs[p].body_a, pairs[p].body})
      if (b >= 0 && rod_correction_.part_of_body(b) >= 0 && is_missing(iterate_.body_x[b], target_.body_x[b], reach))
        return false;
    return true;
  });
}

// A substep on which all that hangs together goes straight towards its target, as far as nothing is in the way. The
// targets are where all would be if nothing touched: on the way there nothing is strained. What is driven waits: with
// planes it pushes what is before it, and straight it would come so close to that that planes find no room.
void StableSolver::go_straight(Contact& contact) {
  ++substep_count_;
  regions_.drive(0);
  std::vector<double> shares(rod_correction_.part_count(), 1);
  find_safe_shares(
      contact, shares, [&](const Pair& pair, int side) { return rod_correction_.part_of(pair, side); },
      [&]() -> const State& {
        go_towards_target(contact, shares);
        place_followers(problem_, iterate_);
        return iterate_;
      });
  contact.end_substep(iterate_), regions_.end_substep();
}

// where everything starts on the next substep: at its target if allowed. When there is no room, what is held and the
// solids go only a part of their way.
void StableSolver::begin_substep(Contact& contact, StepReport& report) {
  if (!contact.is_enabled()) return;
  ++substep_count_;
  for (double share = 1; share > least_share; share *= 0.5) {
    go_towards_target(contact, std::vector<double>(rod_correction_.part_count(), share));
    if (regions_.begin_substep(share, iterate_)) {
      sweeps_->begin_substep(regions_, problem_, iterate_, *team_);
      leg_start_.resize(iterate_.x.size());
      for_all(team_, leg_start_.size(), [&](std::size_t i) { leg_start_[i] = iterate_.x[i]; });
      return;
    }
  }
  report.failure = contact.obstruction();
}

// a share of the way from the waypoint (part)
void StableSolver::go_towards_target(const Contact& contact, std::span<const double> shares) {
  const auto part = [](double share, const Vec3d& from, const Vec3d& to) {
    return share == 1 ? to : from + share * (to - from);
  };
  for_all(team_, target_.x.size(), [&](std::size_t i) {
    const double share = shares[rod_correction_.part_of_vertex(static_cast<int>(i))];
    iterate_.x[i] = part(share, contact.waypoint(i), target_.x[i]);
  });
  for (std::size_t b = 0; b < target_.body_x.size(); ++b) {
    const int of = rod_correction_.part_of_body(static_cast<int>(b));
    if (of < 0) continue;
    const double share = shares[of];
    const Pose& waypoint = contact.body_waypoint(b);
    const Quatd& q = target_.body_q[b];
    iterate_.body_x[b] = part(share, waypoint.x, target_.body_x[b]);
    iterate_.body_q[b] =
        share == 1 ? q : normalized(waypoint.q + share * ((dot(waypoint.q, q) < 0 ? -q : q) - waypoint.q));
  }
}

// the next substep's targets: where everything is and what it was not allowed; whether a wall of a box cut some off
bool StableSolver::take_targets() {
  std::atomic<bool> cut_by_wall = false;
  for_all(team_, target_.x.size(), [&](std::size_t i) {
    if (problem_.role[i] == Role::slaved) return;
    const Vec3d cut_off = sweeps_->cut_off(static_cast<int>(i));
    if (!(cut_off == Vec3d{})) {
      target_.x[i] += cut_off;
      if (!regions_.is_inside_walls(i, target_.x[i])) cut_by_wall.store(true, std::memory_order_relaxed);
    }
    for (int k = 0; k < 3; ++k)
      if (problem_.free_axes[i][k] == 0) target_.x[i][k] = problem_.prescribed_x[i][k];
  });
  for (std::size_t b = 0; b < target_.body_x.size(); ++b) {
    if (problem_.model->bodies[b].kind != BodyKind::dynamic) continue;
    const Pose aim = sweeps_->aim(static_cast<int>(b));
    if (regions_.is_inside_walls(static_cast<int>(b), aim)) continue;  // what planes refuse is not asked for again
    target_.body_x[b] = aim.x, target_.body_q[b] = aim.q;
    cut_by_wall = true;
  }
  place_followers(problem_, target_);
  return cut_by_wall;
}

// Ends a substep for what left the box in which the list of pairs is complete: at its wall, if it meets something
// beyond. Whether anything is stopped, vertex by vertex, which strains it.
bool StableSolver::stops_at_walls(Contact& contact) {
  if (regions_.are_inside_walls(iterate_.x)) return false;
  std::vector<Vec3d> stopped = iterate_.x;
  regions_.stop_at_walls(stopped);
  contact.cover(iterate_);
  const std::span<const Pair> pairs = contact.pairs();
  const bool meets = !holds_for_all(team_, pairs.size(), [&](std::size_t p) {
    return !contact.is_new(static_cast<int>(p)) || contact.safe_fraction(pairs[p], iterate_) == 1;
  });
  if (meets) iterate_.x = std::move(stopped);
  return meets;
}

// where a step ends when it is solved: a given number of sweeps stays what it is, and so does the material of
// approximate lambda
bool StableSolver::corrects_rods(const Contact& contact) const {
  return contact.is_enabled() && options_.tolerance > 0 && options_.lambda == Lambda::exact && !options_.paper;
}

// the next substep; before it a substep of rods that touch something as a whole
void StableSolver::go_on(Contact& contact, StepReport& report) {
  if (!corrects_rods(contact) || !rod_correction_.look(problem_, contact, iterate_))
    return begin_substep(contact, report);
  rod_correction_.step(problem_, contact, iterate_);
  contact.end_substep(iterate_);
  report.contacts = contact.touching(), report.smallest_gap = std::min(report.smallest_gap, contact.smallest_gap());
  for (std::size_t i = 0; i < target_.x.size(); ++i)
    if (rod_correction_.moves(static_cast<int>(i))) target_.x[i] = iterate_.x[i];
  for (std::size_t b = 0; b < target_.body_x.size(); ++b)
    if (rod_correction_.moves_body(static_cast<int>(b)))
      target_.body_x[b] = iterate_.body_x[b], target_.body_q[b] = iterate_.body_q[b];
  begin_substep(contact, report);
  in_parallel([&](Worker worker) { sweeps_->load_rows(problem_, iterate_, worker); });
  momentum_ = {};  // the next sweep starts elsewhere
}

// whether the step is done
bool StableSolver::end_substep(Contact& contact, StepReport& report) {
  if (!contact.is_enabled()) return is_done(contact, report);
  in_parallel([&](Worker worker) { sweeps_->store(problem_, iterate_, worker); });
  regions_.bring_back(leg_start_, iterate_.x);  // single precision may be a digit outside
  place_followers(problem_, iterate_);
  aim_at_iterate();
  const bool is_cut = take_targets(), is_stopped = stops_at_walls(contact);
  const bool cut = is_cut && substep_count_ < most_substeps_for_room;
  const bool used_up = report.iterations >= options_.iterations;
  const bool stopped = is_stopped && substep_count_ < (used_up ? most_substeps_for_room : most_substeps);
  const bool unbalanced = corrects_rods(contact) && !is_balanced_ && ++unbalanced_legs_ < most_substeps_for_room;
  const bool arrived = regions_.reaches_end() && !stopped && !cut && !unbalanced;
  contact.end_substep(iterate_), regions_.end_substep();
  report.contacts = contact.touching(), report.smallest_gap = std::min(report.smallest_gap, contact.smallest_gap());
  if (arrived && is_done(contact, report)) {
    is_balanced_ &= !is_cut && !is_stopped;
    return true;
  }
  if (!arrived && substep_count_ >= most_substeps) report.failure = contact.obstruction();
  return !report.failure.empty();
}

}  // namespace tendril::solvers::stable
