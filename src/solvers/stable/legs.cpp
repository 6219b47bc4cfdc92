#include <algorithm>

#include "solvers/stable/solver.h"

namespace tendril::stable {

// The path of a step through the regions that contact allows, see contact/contact.h.

namespace {

constexpr int most_legs_of_approach = 20;

// a step whose solids do not get through in so many legs is left where it is
constexpr int most_legs = 1000;

// a share of the way below which nothing is found any more
constexpr double least_share = 1e-6;

}  // namespace

// the first leg, and more while vertices far from anything are held up only because their planes were laid far away
void StableSolver::approach(Contact& contact, StepReport& report) {
  leg_count_ = 0;
  if (!contact.is_enabled()) return;
  target_ = iterate_.x;
  begin_leg(contact, report);
  const auto held_up = [&](std::size_t i) {
    const double missing = norm(target_[i] - iterate_.x[i]), advance = norm(iterate_.x[i] - contact.corner(i));
    return missing > problem_.model->vertices[i].radius && advance > 0.2 * missing;
  };
  const auto some_are = [&] {
    for (std::size_t i = 0; i < target_.size(); ++i)
      if (contact.is_bounded(static_cast<int>(i)) && held_up(i)) return true;
    return false;
  };
  while (report.failure.empty() && leg_count_ < most_legs_of_approach && contact.reached() == 0 && some_are()) {
    contact.end_leg(iterate_.x);
    begin_leg(contact, report);
  }
}

// where everything starts on the next leg: at its target if allowed. When there is no room, what is held and the solids
// go only a part of their way.
void StableSolver::begin_leg(Contact& contact, StepReport& report) {
  if (!contact.is_enabled()) return;
  ++leg_count_;
  for (double share = 1; share > least_share; share *= 0.5) {
    for (std::size_t i = 0; i < target_.size(); ++i)
      iterate_.x[i] = share == 1 ? target_[i] : contact.corner(i) + share * (target_[i] - contact.corner(i));
    if (contact.begin_leg(share, iterate_.x) && sweeps_->begin_leg(contact, problem_, iterate_)) {
      leg_start_ = iterate_.x;
      return;
    }
  }
  report.failure = contact.obstruction();
}

// whether the step is done; otherwise the next leg's targets: where the vertices are and what they were not allowed
bool StableSolver::end_leg(Contact& contact, StepReport& report) {
  if (!contact.is_enabled()) return is_done(contact, report);
  sweeps_->store(problem_, iterate_, {});
  contact.bring_back(leg_start_, iterate_.x);  // single precision may be a digit outside
  target_ = iterate_.x;
  const bool stopped = contact.stop_at_walls(iterate_.x), arrived = contact.reaches_end() && !stopped;
  contact.end_leg(iterate_.x);
  report.contacts = contact.touching(), report.smallest_gap = std::min(report.smallest_gap, contact.smallest_gap());
  if (arrived && is_done(contact, report)) return true;
  if (!arrived && leg_count_ >= most_legs) report.failure = contact.obstruction();
  for (std::size_t i = 0; i < target_.size(); ++i) {
    target_[i] += sweeps_->cut_off(static_cast<int>(i));
    for (int k = 0; k < 3; ++k)
      if (problem_.free_axes[i][k] == 0 && problem_.role[i] != Role::slaved)
        target_[i][k] = problem_.prescribed_x[i][k];
  }
  return !report.failure.empty();
}

}  // namespace tendril::stable
