#include "sim/long_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/balance.h"
#include "sim/relaxation.h"

namespace tendril {
namespace {

constexpr double longer = 8, shorter = 1.0 / 8;   // steps, after one that was solved and one that was not
constexpr double longest = 1e8, shortest = 1e-8;  // in time steps of the scene
constexpr int patience = 12;                      // longest steps without a better balance

// forces below this are rounding of positions [N]
double rounding_force(const Model& model, double size) {
  double stiffest = 0;
  for (const Segment& s : model.segments) stiffest = std::max(stiffest, std::max(s.EA, s.GA) / s.rest_length);
  return 4 * std::numeric_limits<double>::epsilon() * stiffest * size;
}

bool is_finite(const State& state) {
  for (const Vec3d& x : state.x)
    if (!tendril::is_finite(x)) return false;
  for (const Quatd& q : state.q)
    if (!std::isfinite(dot(q, q))) return false;
  return true;
}

}  // namespace

SettleReport settle_in_long_steps(const Model& model, const Instant& loads, double h, const SettleOptions& options,
                                  Solver& solver, Contact& contact, State& state) {
  SettleReport report;
  const Inputs inputs = still_inputs(loads);
  const double size = extent(state), rounding = rounding_force(model, size);
  double length = h, best = forever;
  int waited = 0;
  State before;
  stop(state);
  solver.reset(model, state);
  while (!report.settled && report.message.empty()) {
    if (options.go_on && !options.go_on({report.steps, report.residual, options.tolerance})) {
      report.interrupted = true;
      report.message = fmt::format("interrupted after {} steps, the residual is {:.3g}", report.steps, report.residual);
      break;
    }
    before = state;
    contact.find_candidates(model, state, loads.body_pose, length, solver.team());
    const StepReport step = solver.step(inputs, contact, length, state);
    const bool usable = step.failure.empty() && is_finite(state), solved = usable && step.converged;
    if (step.failure.empty()) contact.end_path(state);
    if (contact.crossing()) return report;  // which its reader refuses
    contact.end_step();
    if (!usable) state = before, solver.reset(model, state);
    stop(state);
    ++report.steps;

    const Balance now = balance(model, state, loads, contact);
    report.residual = report.law_residual = now.scale > 0 ? now.unbalanced / now.scale : 0;
    const bool improves = report.residual < 0.5 * best;  // below the rounding, too, as long as inertia is in the way
    report.settled = now.unbalanced <= options.tolerance * now.scale || (now.unbalanced <= rounding && !improves);
    waited = improves ? 0 : waited + (length >= longest * h);
    best = std::min(best, report.residual);
    length *= solved ? longer : shorter;
    length = std::min(length, longest * h);
    if (report.settled) break;
    if (waited > patience) report.message = fmt::format("the residual stays at {:.3g}", report.residual);
    if (length < shortest * h) report.message = "the solver finds no step towards equilibrium";
    if (extent(state) > 1e3 * size) report.message = "there is no equilibrium: the motion does not end";
    if (report.steps == options.max_steps)
      report.message = fmt::format("not settled after {} steps, the residual is {:.3g}", report.steps, report.residual);
  }
  return report;
}

}  // namespace tendril
