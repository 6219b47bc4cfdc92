#include <algorithm>
#include <atomic>

#include "contact/for_all.h"
#include "solvers/stable/solver.h"

namespace tendril::solvers::stable {

// The path of a step from waypoint to waypoint, see regions/regions.h.

namespace {

constexpr int most_substeps_of_approach = 20;

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

// the first substep, and more while what is far from anything is held up only because its planes were laid far away
void StableSolver::approach(Contact& contact, StepReport& report) {
  substep_count_ = unbalanced_legs_ = 0, is_balanced_ = true;
  if (!contact.is_enabled()) return;
  rod_correction_.begin_step(contact);
  regions_.begin_step(contact, *team_);
  aim_at_iterate();
  begin_substep(contact, report);
  const auto held_up = [](const Vec3d& waypoint, const Vec3d& here, const Vec3d& target, double size) {
    const double missing = norm(target - here), advance = norm(here - waypoint);
    return missing > size && advance > 0.2 * missing;
  };
  const auto some_are = [&] {
    const Model& model = *problem_.model;
    const bool no_vertex_is = holds_for_all(team_, target_.x.size(), [&](std::size_t i) {
      return !regions_.is_bounded(static_cast<int>(i)) ||
             !held_up(contact.waypoint(i), iterate_.x[i], target_.x[i], model.vertices[i].radius);
    });
    if (!no_vertex_is) return true;
    for (std::size_t b = 0; b < target_.body_x.size(); ++b)
      if (model.bodies[b].kind == BodyKind::dynamic && held_up(contact.body_waypoint(b).x, iterate_.body_x[b],
                                                               target_.body_x[b], 0.1 * regions_.body_region(b).size))
        return true;
    return false;
  };
  while (report.failure.empty() && substep_count_ < most_substeps_of_approach && regions_.is_at_start() && some_are()) {
    contact.end_substep(iterate_), regions_.end_substep();
    begin_substep(contact, report);
  }
}

// where everything starts on the next substep: at its target if allowed. When there is no room, what is held and the
// solids go only a part of their way.
void StableSolver::begin_substep(Contact& contact, StepReport& report) {
  if (!contact.is_enabled()) return;
  ++substep_count_;
  for (double share = 1; share > least_share; share *= 0.5) {
    go_towards_target(contact, share);
    if (regions_.begin_substep(share, iterate_)) {
      sweeps_->begin_substep(regions_, problem_, iterate_, *team_);
      leg_start_.resize(iterate_.x.size());
      for_all(team_, leg_start_.size(), [&](std::size_t i) { leg_start_[i] = iterate_.x[i]; });
      return;
    }
  }
  report.failure = contact.obstruction();
}

// a share of the way from the waypoint
void StableSolver::go_towards_target(const Contact& contact, double share) {
  const auto part = [&](const Vec3d& from, const Vec3d& to) { return share == 1 ? to : from + share * (to - from); };
  for_all(team_, target_.x.size(), [&](std::size_t i) { iterate_.x[i] = part(contact.waypoint(i), target_.x[i]); });
  for (std::size_t b = 0; b < target_.body_x.size(); ++b) {
    if (problem_.model->bodies[b].kind != BodyKind::dynamic) continue;
    const Pose& waypoint = contact.body_waypoint(b);
    const Quatd& q = target_.body_q[b];
    iterate_.body_x[b] = part(waypoint.x, target_.body_x[b]);
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
  const bool is_cut = take_targets(), is_stopped = regions_.stop_at_walls(iterate_.x);
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
