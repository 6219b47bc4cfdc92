#include "solvers/direct/solver.h"

#include <algorithm>
#include <cmath>

#include "solvers/direct/structure_block.h"

namespace tendril::solvers::direct {
namespace {

newton::Options newton_options(const Options& options) {
  newton::Options out;
  out.iterations = options.iterations, out.tolerance = options.tolerance;
  out.contact_tolerance = options.contact_tolerance;
  out.residuals = options.residuals;
  out.takes_unsolved = options.is_position_based();
  return out;
}

}  // namespace

DirectSolver::DirectSolver(const Options& options) : NewtonSolver(newton_options(options)), options_(options) {
  problem_.has_quaternion_strain = options.quaternion_strain;
}

int DirectSolver::prepare_parts() {
  structures_.clear();
  for (int p = 0; p < parts_.count(); ++p) {
    structures_.push_back(make_structure(parts_[p], problem_, parts_));
    parts_.arrange(p, take_order(structures_.back(), parts_[p]));
  }
  std::size_t pieces = structures_.size();
  for (const Structure& structure : structures_) pieces = std::max(pieces, structure.branches.size());
  if (options_.is_position_based()) position_based_.reset(problem_), approach_.reset(*problem_.model);
  return static_cast<int>(pieces);
}

std::unique_ptr<newton::System> DirectSolver::make_system(bool solves_again) {
  return std::make_unique<System>(problem_, parts_, structures_, solves_again);
}

void DirectSolver::solve_parts(StepReport& report) {
  if (options_.is_position_based()) position_based_.begin_step(problem_, team_->size());
  outcomes_.assign(parts_.count(), {});
  std::vector<int> whole, divided;
  for (int p = 0; p < parts_.count(); ++p) (structures_[p].branches.size() > 1 ? divided : whole).push_back(p);
  for_all(static_cast<int>(whole.size()), [&](int n, int worker) { solve_part(whole[n], worker); });
  System& system = static_cast<System&>(*part_systems_[0]);
  system.use(team_);
  for (int p : divided) solve_part(p, 0);  // all workers on each
  system.use(nullptr);
  take_outcomes(report);
}

void DirectSolver::solve_part(int p, int worker) {
  options_.is_position_based() ? correct_positions(p, worker) : NewtonSolver::solve_part(p, worker);
}

// Algorithm 1 [deul2018], lines 5 to 9, with the equation of motion kept in the linear equations: it converges to
// implicit Euler, not only to constraints that are met.
void DirectSolver::solve_from_here(int p, int worker) {
  StructureBlock block(parts_[p], problem_, static_cast<System&>(*part_systems_[worker]),
                       {at_, trial_, parts_.count() == 1}, prediction_);
  newton::Options options = step_options_;
  options.tolerance = NewtonSolver::options_.tolerance;  // of the residual, from rest as well
  const auto result = newton::Newton<StructureBlock>::solve(block, options, hessian_share_[p]);
  outcomes_[p] = newton::outcome_of(result);
}

// the same as published
void DirectSolver::correct_positions(int p, int worker) {
  Outcome& outcome = outcomes_[p];
  position_based_.start(parts_[p], at_);
  while (!outcome.converged && outcome.iterations < options_.iterations && !step_options_.stops()) {
    ++outcome.iterations;
    const double residual = correct(p, worker);
    outcome.step = residual, outcome.converged = residual <= options_.tolerance;
    if (options_.residuals) outcome.steps.push_back(residual);
    if (!std::isfinite(residual)) return;
  }
}

// lines 6 to 9, or all constraints one by one
double DirectSolver::correct(int p, int worker) {
  const bool one_by_one = options_.gauss_seidel && parts_[p].slaved_vertices.empty();
  return one_by_one ? position_based_.sweep(parts_[p], at_) : position_based_.iterate(parts_[p], worker, at_, trial_);
}

// Algorithm 1 [deul2018] with lines 10 to 14. It ends where it ends; from there on nothing passes through anything, and
// what that leaves undone is unsolved.
void DirectSolver::solve_with_contact(const State& state, Contact& contact, StepReport& report) {
  if (!options_.is_position_based()) return NewtonSolver::solve_with_contact(state, contact, report);
  alternate(contact, report);
  if (step_options_.stops()) return;
  const double without_solution = std::isfinite(report.residual) ? 0 : forever;
  std::swap(at_, trial_);
  report.failure = approach_.go(trial_, contact, at_);
  report.smallest_gap = std::min(report.smallest_gap, approach_.smallest_gap());
  report.residual =
      std::max({without_solution, rod_residual(), collisions_.residual(contact, at_), approach_.cut_off()});
  report.converged = report.residual <= options_.tolerance;
}

void DirectSolver::alternate(Contact& contact, StepReport& report) {
  position_based_.begin_step(problem_, team_->size());
  collisions_.begin_step();
  for (int p = 0; p < parts_.count(); ++p) position_based_.start(parts_[p], at_);
  contact.drive(std::vector<double>(at_.body_x.size(), 1));
  std::vector<double> left(parts_.count());
  do {
    ++report.iterations;
    for_all(parts_.count(), [&](int p, int worker) { left[p] = correct(p, worker); });
    report.residual = *std::max_element(left.begin(), left.end());
    if (!std::isfinite(report.residual)) return;
    contact.cover(at_);
    collisions_.solve(contact, at_);
    report.residual = std::max(rod_residual(), collisions_.residual(contact, at_));
    if (options_.residuals) report.residuals.push_back(report.residual);
  } while (report.iterations < options_.iterations && report.residual > options_.tolerance && !step_options_.stops());
}

double DirectSolver::rod_residual() const {
  double largest = 0;
  for (const Part& part : parts_.all()) largest = std::max(largest, position_based_.residual(part, at_));
  return largest;
}

}  // namespace tendril::solvers::direct
