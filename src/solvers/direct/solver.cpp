#include "solvers/direct/solver.h"

#include <algorithm>
#include <cmath>

#include "solvers/direct/residual.h"

namespace tendril::direct {
namespace {

constexpr double longest_turn = 1;    // an iteration that turns more than this is cut [rad]
constexpr double least_share = 1e-7;  // of an iteration that is tried
constexpr double far_away = 0.3;      // a first step of this size asks whether to start from rest

// where rods touch Newton's method stops by the size of its steps, which is about the root of what they leave
newton::Options newton_options(const Options& options) {
  newton::Options out;
  out.iterations = options.iterations;
  out.tolerance = std::sqrt(options.tolerance);
  return out;
}

}  // namespace

DirectSolver::DirectSolver(const Options& options, int threads)
    : NewtonSolver(newton_options(options), threads), options_(options) {}

void DirectSolver::reset(const Model& model, const State& state) {
  NewtonSolver::reset(model, state);
  structures_.clear();
  for (const Part& part : parts_.all()) structures_.push_back(make_structure(part, problem_, parts_));
}

std::unique_ptr<newton::System> DirectSolver::make_system() const {
  return std::make_unique<System>(problem_, parts_, structures_);
}

// Algorithm 1 [deul2018], lines 5 to 9, with the equation of motion kept in the linear equations: it converges to
// implicit Euler, not only to constraints that are met.
void DirectSolver::solve_part(int p, int worker) {
  const Part& part = parts_[p];
  System& system = static_cast<System&>(*part_systems_[worker]);
  OnePart ends(part, problem_, system, at_, trial_, prediction_);
  Outcome& outcome = outcomes_[p];
  outcome.step = forever;
  while (outcome.step > options_.tolerance && outcome.iterations < options_.iterations) {
    double energy = 0;
    if (!factorise(part, system, exact_[p], energy)) return;
    system.solve();  // Eq. 22
    if (!std::isfinite(system.step_size())) return;
    if (++outcome.iterations == 1 && system.step_size() > far_away && newton::energy(part, problem_, trial_) < energy) {
      copy(part, trial_, at_);
      continue;
    }
    const double most = energy + ends.round_off(energy), work = system.moment_work();
    double share = std::min(1.0, longest_turn / system.turn_size());
    for (;; share *= 0.5) {
      if (share < least_share) break;
      system.advance(share, at_, trial_);  // x <- x + dx
      const Look found = look(part, problem_, at_, system.direction(), share, trial_, prediction_);
      if (!(found.energy - share * work <= most)) continue;
      outcome.step = share == 1 ? found.residual : forever;
      break;
    }
    if (share < least_share && exact_[p] == 0) return;
    exact_[p] = share < least_share ? 0 : std::min(1.0, 0.1 + 1.4 * exact_[p]);
    if (share >= least_share) copy(part, trial_, at_);
  }
  outcome.converged = outcome.step <= options_.tolerance;
  if (outcome.converged) ends.keep_momentum(true);
}

// less of the second derivatives that may be indefinite until the matrix is definite
bool DirectSolver::factorise(const Part& part, System& system, double& exact, double& energy) {
  for (;;) {
    system.begin(part);
    const System::Pass pass = system.factorise(at_, prediction_, exact);
    energy = pass.energy;
    if (pass.is_definite || !(exact > 0)) return pass.is_definite;
    exact = exact > 0.05 ? 0.6 * exact : 0;
  }
}

}  // namespace tendril::direct
