#include "solvers/compact/solver.h"

#include <algorithm>
#include <limits>

#include "contact/contact.h"
#include "rod/energy.h"
#include "rod/stream.h"
#include "solvers/compact/rod_block.h"

namespace tendril::compact {
namespace {

// rods keep their lengths to the last digits of positions [-]
double allowed_stretch(const Model& model, const State& state) {
  double size = 0, shortest = forever;
  for (const Vec3d& x : state.x) size = std::max({size, std::abs(x.x), std::abs(x.y), std::abs(x.z)});
  for (const Segment& s : model.segments) shortest = std::min(shortest, s.rest_length);
  return std::max(1e-12, 4 * std::numeric_limits<double>::epsilon() * size / shortest);
}

}  // namespace

CompactSolver::CompactSolver(const Options& options) : NewtonSolver(options), options_of_rods_(options) {
  problem_.has_quaternion_strain = options.quaternion_strain;
}

void CompactSolver::reset(const Model& model, const State& state, ThreadTeam& team) {
  reactions_.assign(model.vertices.size(), {});
  if (carried_.size() != model.segments.size()) carried_.clear();
  NewtonSolver::reset(model, state, team);
}

int CompactSolver::prepare_parts() {
  chains_.clear();
  for (const Part& part : parts_.all()) chains_.push_back(make_chain(part, problem_, parts_));
  return parts_.count();
}

std::unique_ptr<newton::System> CompactSolver::make_system(bool) {
  return std::make_unique<System>(problem_, parts_, chains_, options_of_rods_, reactions_);
}

StepReport CompactSolver::step(const Inputs& inputs, Contact& contact, double h, State& state) {
  StepReport report = NewtonSolver::step(inputs, contact, h, state);
  if (report.is_refused || report.is_stopped) return report;
  note_what_is_carried(contact, state);
  const double stretch = largest_stretch(*problem_.model, state);
  if (stretch <= allowed_stretch(*problem_.model, state)) return report;
  report.converged = false;
  report.is_refused = inputs.may_refuse;
  report.failure =
      "a rod that cannot stretch does not reach all that holds it; move the holds so that it can, or take a solver "
      "whose rods stretch";
  return report;
}

// All that hangs on a segment is accelerated by it alone: a sum from the free end, as of dJ/ds : dE/dx.
void CompactSolver::note_what_is_carried(const Contact& contact, const State& state) {
  Forces contacts = Forces::zero(*problem_.model);
  if (contact.is_enabled()) contact.add_forces(contacts);
  carried_.resize(problem_.model->segments.size());
  for (const Chain& chain : chains_) {
    Vec3d needed;  // by what hangs on the link
    for (int k = chain.count() - 1; k >= 0; --k) {
      const int i = chain.vertices[k + 1].vertex;
      needed += problem_.weight[i] * (state.x[i] - problem_.goal[i]) - contacts.force[i] - reactions_[i];
      carried_[chain.links[k].segment] = chain.links[k].length > 0 ? -needed : needed;
    }
  }
}

void CompactSolver::solve_parts(StepReport& report) {
  linear_iterations_.assign(parts_.count(), 0);
  NewtonSolver::solve_parts(report);
  for (int n : linear_iterations_) report.linear_iterations = std::max(report.linear_iterations, n);
}

// Algorithm 1 [zhao2022]
void CompactSolver::solve_part(int p, int worker) {
  place_guess(p, at_);  // s <- T⁻¹(x)
  solve_from_here(p, worker);
}

void CompactSolver::solve_from_here(int p, int worker) {
  RodBlock rod(parts_[p], chains_[p], problem_, static_cast<System&>(*part_systems_[worker]), {at_, trial_});
  outcomes_[p] = outcome_of(Newton<RodBlock>::solve(rod, step_options_, exact_[p]));
  linear_iterations_[p] += rod.linear_iterations();
}

void CompactSolver::place_guess(int p, Iterate& at) { place_near(chains_[p], problem_, at); }

void CompactSolver::save(Writer& out) const {
  NewtonSolver::save(out);
  out.put(reactions_);
}

void CompactSolver::load(Reader& in) {
  NewtonSolver::load(in);
  in.get(reactions_);
}

}  // namespace tendril::compact
