#include "solvers/block/strands_on_obstacles.h"

#include "math/quat_pack.h"
#include "solvers/newton/newton.h"

namespace tendril::solvers::block {
namespace {

// Most strands need eight to ten. What takes much longer goes in circles, and is for the method with a line search.
constexpr int most_iterations = 48;
// Which pairs press may alternate from step to step for ever: parts of steps average that out (see Islands), and whole
// ones find the end. A step below this size changes none of them.
constexpr double small = 1e-3;
double share_of_step(int n) { return n < 12 ? 1 : n < 18 ? 0.5 : n < 24 ? 1 : n < 36 ? 0.25 : 1; }

}  // namespace

auto StrandsOnObstacles::solve(const std::vector<ObstacleSlot>& slots, const Contact& contact,
                               const newton::Options& options, const Motion& motion, T& hessian_share) -> Result {
  terms_.clear();
  for (const ObstacleSlot& slot : slots) terms_.emplace_back(slot, contact, *start_, bundle_->lineup);
  touch_.resize(segment_count()), is_touched_.resize(segment_count());
  if (any(is_pressed())) return solve_in_contact(options, hessian_share);

  const T share = hessian_share;
  const std::vector<Vec3<T>> prediction = bundle_->prediction;
  const Result free = solve_as_if_free(options, hessian_share);
  if (!any(is_near())) return free;
  hessian_share = share, bundle_->prediction = prediction;
  is_moving_ = false;
  load_start(motion);
  return solve_in_contact(options, hessian_share);
}

auto StrandsOnObstacles::solve_as_if_free(const newton::Options& options, T& hessian_share) -> Result {
  const auto result = newton::Newton<Base>::solve(*this, options, hessian_share);
  begin_moving();
  measure();
  return {result.iterations, result.step, result.converged, T(1) < T(0), result.steps};
}

void StrandsOnObstacles::measure() {
  for (ObstacleTerm& term : terms_) {
    const int s = term.segment();
    term.measure(place(s + 1), place(s), frame(s));
  }
}

auto StrandsOnObstacles::is_pressed() const -> Mask {
  Mask pressed = T(1) < T(0);
  for (const ObstacleTerm& term : terms_) pressed = pressed | term.is_pressed();
  return pressed;
}

auto StrandsOnObstacles::is_near() const -> Mask {
  Mask near = T(1) < T(0);
  for (const ObstacleTerm& term : terms_) near = near | term.is_near();
  return near;
}

auto StrandsOnObstacles::factorise(T hessian_share) -> Pass {
  std::fill(is_touched_.begin(), is_touched_.end(), false);
  for (ObstacleTerm& term : terms_) {
    if (!any(term.is_pressed())) continue;
    const int s = term.segment();
    if (!std::exchange(is_touched_[s], true)) touch_[s] = {};
    term.add(touch_[s], hessian_share);
  }
  return factorise_touching(hessian_share, touch_, is_touched_);
}

// whether all is linearised where the direction leads
auto StrandsOnObstacles::follow(T share) -> Mask {
  Mask settled = T(0) < T(1);
  for (ObstacleTerm& term : terms_) {
    const int s = term.segment();
    settled = settled & term.follow(u_[2 * s + 2], u_[2 * s], u_[2 * s + 1], share);
  }
  return settled;
}

// the largest way of a vertex, over the length of its segment [-]
auto StrandsOnObstacles::shift_size() const -> T {
  T longest(0);
  for (int s = 0; s < segment_count(); ++s) {
    const T per_length = constants_->segments[s].per_length;
    longest = max(longest, norm_squared(u_[2 * s + 2]) * (per_length * per_length));
    longest = max(longest, norm_squared(u_[2 * s]) * (per_length * per_length));
  }
  return sqrt(longest);
}

auto StrandsOnObstacles::solve_in_contact(const newton::Options& options, T& hessian_share) -> Result {
  const T one(1), none(0);
  const Mask nowhere = one < none;
  Mask running = none < one;
  Result result{none, none, nowhere, nowhere, {}};
  begin_moving();
  measure();
  for (int n = 0; n < std::min(options.iterations, most_iterations) && any(running) && !options.stops(); ++n) {
    Pass pass;
    for (;;) {
      pass = factorise(hessian_share);
      const Mask indefinite = running & ~pass.is_definite & (hessian_share > none);
      if (!any(indefinite)) break;
      hessian_share = select(indefinite, NewtonRules::share_after_indefinite(hessian_share), hessian_share);
    }
    result.iterations += select(running, one, none);
    running = running & pass.is_definite;
    if (!any(running)) break;
    solve_touching();
    running = running & (step_size() < T(forever));
    const Mask touches = is_pressed();
    const T shift = max(step_size(), shift_size());
    const T share = select(shift > T(small), T(share_of_step(n)), one);
    const Mask settled = follow(share), touched = touches | is_pressed();
    const T size = select(touched, shift, step_size());
    result.step = select(running, size, result.step);
    const T tolerance =
        select(touched, T(options.contact_tolerance), T(NewtonRules::last_step(options.tolerance, n == 0)));
    const Mask last = running & settled & (size <= tolerance);
    const T fraction = select(last, one, share * NewtonRules::first_fraction(turn_size()));
    advance(fraction, running), measure();
    if (any(last)) keep_momentum(last & ~touched);
    if (options.residuals) result.steps.push_back(result.step);
    hessian_share = select(running & ~last, NewtonRules::share_after_search(hessian_share, fraction), hessian_share);
    result.converged = result.converged | last;
    result.touches = result.touches | (last & touched);
    running = running & ~last;
  }
  return result;
}

}  // namespace tendril::solvers::block
