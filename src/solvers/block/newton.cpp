#include "solvers/block/newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendril::block {
namespace {

// a step that turns more than this is cut [rad]
constexpr double longest_step = 1;

// the shortest share of a step that is tried
constexpr double least_share = 1e-7;

// of the second derivatives that may be indefinite: less after a failure, more after a success
double less(double exact) { return exact > 0.1 ? 0.25 * exact : 0; }
double more(double exact) { return std::min(1.0, 0.25 + 2 * exact); }

}  // namespace

Outcome Newton::solve(const Part& part, Iterate& at, Iterate& trial, Prediction& prediction, double& exact) {
  Outcome outcome;
  while (outcome.iterations < options_.iterations) {
    const System::Pass pass = factorise(part, at, prediction, exact);
    ++outcome.iterations;
    if (!(pass.pivot > 0)) return outcome;  // not a number, or no inertia
    system_.solve();
    outcome.step = system_.step_size();
    if (!std::isfinite(outcome.step)) return outcome;
    system_.predict(at, prediction);
    if (outcome.step <= options_.tolerance) {
      system_.advance(1, at, at);
      outcome.converged = true;
      return outcome;
    }
    const bool falls = advance(part, pass.energy, outcome.step, at, trial);
    if (!falls && exact == 0) return outcome;
    exact = falls ? more(exact) : 0;
  }
  return outcome;
}

System::Pass Newton::factorise(const Part& part, const Iterate& at, const Prediction& prediction, double& exact) {
  for (;;) {
    system_.begin(part);
    const System::Pass pass = system_.factorise(at, prediction, exact);
    if (pass.pivot > 0 || exact == 0) return pass;
    exact = less(exact);
  }
}

// along the direction until the energy falls
bool Newton::advance(const Part& part, double energy_before, double size, Iterate& at, Iterate& trial) {
  const double noise = round_off(part, at, energy_before), work = system_.moment_work();
  for (double share = std::min(1.0, longest_step / size); share > least_share; share *= 0.5) {
    system_.advance(share, at, trial);
    if (energy(part, problem_, trial) - share * work > energy_before + noise) continue;
    system_.advance(share, at, at);
    return true;
  }
  return false;
}

// what is uncertain in the energy: positions have a last digit
double Newton::round_off(const Part& part, const Iterate& at, double energy_now) const {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  double farthest = 0;
  for (const StretchElement& e : part.stretches) {
    const Vec3d& x = at.x[e.vertex[1]];
    farthest = std::max(farthest, (std::abs(x.x) + std::abs(x.y) + std::abs(x.z)) / problem_.stretch[e.segment].length);
  }
  const double strain = 2 * epsilon * (1 + farthest);
  return strain * std::sqrt(2 * energy_now * part.stiffness) + strain * strain * part.stiffness +
         8 * epsilon * energy_now;
}

}  // namespace tendril::block
