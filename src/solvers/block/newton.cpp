#include "solvers/block/newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendril::block {
namespace {

// a step that turns more than this is cut [rad]
constexpr double longest_turn = 1;

// the shortest share of a step that is tried
constexpr double least_share = 1e-7;

// of the second derivatives that may be indefinite: less after a failure, more after a success
double less(double exact) { return exact > 0.05 ? 0.6 * exact : 0; }
double more(double exact) { return std::min(1.0, 0.1 + 1.4 * exact); }

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
    if (outcome.step <= options_.tolerance) {
      system_.predict(at, 1, prediction);
      system_.advance(1, at, at);
      if (part.is_free) keep_momentum(part, at);
      outcome.converged = true;
      return outcome;
    }
    if (outcome.iterations == 1 && outcome.step > 0.3 && energy(part, problem_, trial) < pass.energy) {
      copy(part, trial, at);
      continue;
    }
    const double share = falling_share(part, pass.energy, at, trial);
    if (share == 0 && exact == 0) return outcome;
    system_.predict(at, share, prediction);
    system_.advance(share, at, at);
    exact = share > 0 ? more(exact) : 0;
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

// how far along the direction the energy falls; 0: nowhere
double Newton::falling_share(const Part& part, double energy_before, const Iterate& at, Iterate& trial) {
  const double noise = round_off(part, at, energy_before), work = system_.moment_work();
  for (double share = std::min(1.0, longest_turn / system_.turn_size()); share > least_share; share *= 0.5) {
    system_.advance(share, at, trial);
    if (energy(part, problem_, trial) - share * work <= energy_before + noise) return share;
  }
  return 0;
}

// A part that nothing holds has its centre where the external forces put it: what rounding changed is put right, so
// that it does not add up over many steps.
void Newton::keep_momentum(const Part& part, Iterate& at) const {
  const Problem& p = problem_;
  double weight = 0;
  Vec3d away;
  const auto add = [&](double w, const Vec3d& x, const Vec3d& goal) { weight += w, away += w * (x - goal); };
  const auto for_all = [&](auto visit_vertex, auto visit_body) {
    for (const Unknown& u : part.unknowns) {
      if (u.kind == Kind::vertex) visit_vertex(u.index);
      if (u.kind == Kind::body_place) visit_body(u.index);
    }
    for (int i : part.slaved_vertices) visit_vertex(i);
  };
  for_all([&](int i) { add(p.weight[i], at.x[i], p.goal[i]); },
          [&](int b) { add(p.bodies[b].weight, at.body_x[b], p.bodies[b].goal); });
  if (!(weight > 0)) return;
  const Vec3d shift = (1 / weight) * away;
  for_all([&](int i) { at.x[i] -= shift; }, [&](int b) { at.body_x[b] -= shift; });
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
