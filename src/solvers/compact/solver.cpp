#include "solvers/compact/solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "contact/contact.h"
#include "rod/energy.h"
#include "rod/stream.h"
#include "solvers/compact/rod_block.h"

namespace tendril::solvers::compact {
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
  reactions_.assign(model.vertices.size(), {}), systems_made_.clear();
  if (carried_.size() != model.segments.size()) carried_.clear();
  NewtonSolver::reset(model, state, team);
}

int CompactSolver::prepare_parts() {
  chains_.clear();
  for (const Part& part : parts_.all()) chains_.push_back(make_chain(part, problem_, parts_));
  return parts_.count();
}

std::unique_ptr<newton::System> CompactSolver::make_system(bool) {
  auto system = std::make_unique<System>(problem_, parts_, chains_, options_of_rods_, reactions_);
  systems_made_.push_back(system.get());
  return system;
}

StepReport CompactSolver::step(const Inputs& inputs, Contact& contact, double h, State& state) {
  StepReport report = NewtonSolver::step(inputs, contact, h, state);
  note_stages(report);
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

// of the linear equations; contact and line searches are of the rest
void CompactSolver::note_stages(StepReport& report) {
  double evaluation = 0, precomputation = 0, solving = 0, whole = 0;
  for (System* system : systems_made_) {
    const Stages stages = system->take_stages();
    evaluation += stages.evaluation.seconds(), precomputation += stages.precomputation.seconds();
    solving += stages.solving.seconds();
  }
  for (const StageTime& stage : report.stages) whole += stage.seconds;
  const double rest = std::max(0.0, whole - evaluation - precomputation - solving);
  report.stages = {{"evaluate", evaluation}, {"precompute", precomputation}, {"solve", solving}, {"rest", rest}};
}

// All that hangs on a segment is accelerated by it alone: a sum from the free end, as of dJ/ds : dE/dx.
void CompactSolver::note_what_is_carried(const Contact& contact, const State& state) {
  Forces contacts = Forces::zero(*problem_.model);
  if (contact.is_enabled()) contact.add_forces(contacts);
  carried_.resize(problem_.model->segments.size());
  for (const Chain& chain : chains_) {
    Vec3d needed;  // by what hangs on the link
    for (int k = chain.count() - 1; k >= 0; --k) {
      const Chain::Link& link = chain.links[k];
      if (const int i = chain.vertices[k + 1].vertex; i >= 0)
        needed += problem_.weight[i] * (state.x[i] - problem_.goal[i]) - contacts.force[i] - reactions_[i];
      if (const int b = link.body; b >= 0)
        needed += problem_.bodies[b].weight * (state.body_x[b] - problem_.bodies[b].goal) - contacts.body_force[b];
      else
        carried_[link.segment] = link.length > 0 ? -needed : needed;
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
  place_near(chains_[p], problem_, at_);  // s <- T⁻¹(x)
  solve_from_here(p, worker);
}

// A rod that is straight between two holds has no way to first order. Where they stay it stays; where they come nearer
// it buckles, to a side that nothing else chooses.
void CompactSolver::solve_from_here(int p, int worker) {
  outcomes_[p] = solve_rod(p, worker);
  if (outcomes_[p].converged || chains_[p].holds.empty() || !is_straight(p)) return;
  if (stay(p)) {
    outcomes_[p].converged = true;
    return;
  }
  buckle(p);
  outcomes_[p].go_on_with(solve_rod(p, worker));
}

Outcome CompactSolver::solve_rod(int p, int worker) {
  System& system = static_cast<System&>(*part_systems_[worker]);
  RodBlock rod(parts_[p], chains_[p], problem_, system, {at_, trial_});
  Outcome outcome = outcome_of(Newton<RodBlock>::solve(rod, step_options_, hessian_share_[p]));
  linear_iterations_[p] += rod.linear_iterations();
  outcome.converged &= system.holds_are_met();  // a last step is taken whatever it leads to
  return outcome;
}

// between its root and the last hold, at the start of the step
bool CompactSolver::is_straight(int p) const {
  constexpr double slack = 1e-9;
  const Chain& chain = chains_[p];
  if (!chain.centres.empty()) return false;
  const int count = chain.holds.back().place;
  double length = 0;
  for (int k = 0; k < count; ++k) length += std::abs(chain.links[k].length);
  return norm(start_->x[chain.vertices[count].vertex] - start_->x[chain.vertices[0].vertex]) > (1 - slack) * length;
}

// where it was, if nothing that holds it has moved
bool CompactSolver::stay(int p) {
  for (const auto& [i, row] : chains_[p].vertices) {
    const Vec3d& x = start_->x[i];
    if (!(norm(problem_.held_place(i, x) - x) <= 1e-13 * parts_[p].shortest)) return false;
  }
  for (const auto& [i, row] : chains_[p].vertices) at_.x[i] = problem_.held_place(i, start_->x[i]);
  for (const Chain::Link& link : chains_[p].links) at_.q[link.segment] = start_->q[link.segment];
  return true;
}

// The frames of the start, turned by A cos(pi s/L) about an axis across the rod, which shortens it by A² L / 4.
void CompactSolver::buckle(int p) {
  const Chain& chain = chains_[p];
  const int first = chain.vertices.front().vertex, last = chain.vertices[chain.holds.back().place].vertex;
  const int count = chain.holds.back().place;
  const Vec3d before = start_->x[last] - start_->x[first];
  const Vec3d after = problem_.held_place(last, start_->x[last]) - problem_.held_place(first, start_->x[first]);
  const double length = norm(before), shorter = length - norm(after);
  if (!(shorter > 0)) return;
  const Vec3d axis = any_perpendicular(before / length);
  const double turn = 2 * std::sqrt(shorter / length);
  for (int k = 0; k < chain.count(); ++k) {
    const double s = std::min(1.0, (k + 0.5) / count);
    const int segment = chain.links[k].segment;
    at_.q[segment] = quaternion_exp((turn * std::cos(std::numbers::pi * s)) * axis) * start_->q[segment];
  }
  at_.x[first] = problem_.held_place(first, start_->x[first]);
  place(chain, at_);
}

// Where rods may touch: those that go on by their inertia are looked for where it leads, but those that forces move,
// which weigh nothing beside them, where they were, with the contacts that they had. A knot that is pulled through
// itself would lose its contacts in the first guess: it takes 94 ms for a step so, and 6 ms from where it was.
void CompactSolver::place_guess(int p, Iterate& at) {
  const Chain& chain = chains_[p];
  double by_forces = 0, by_inertia = 0;
  const auto add = [&](double weight, const Vec3d& x, const Vec3d& v, const Vec3d& goal) {
    const Vec3d way = problem_.scheme.h * v;
    by_forces += weight * norm_squared(goal - x - way), by_inertia += weight * norm_squared(way);
  };
  for (const auto& [i, row] : chain.vertices)
    if (i >= 0) add(problem_.weight[i], start_->x[i], start_->v[i], problem_.goal[i]);
  for (const Chain::Centre& centre : chain.centres) {
    const int b = chain.body(centre);
    add(problem_.bodies[b].weight, start_->body_x[b], start_->body_v[b], problem_.bodies[b].goal);
  }
  if (by_forces > by_inertia) {
    for (const auto& [i, row] : chain.vertices)
      if (i >= 0) at.x[i] += scale(problem_.free_axes(i), start_->x[i] - at.x[i]);
    for (const Chain::Centre& centre : chain.centres)
      at.body_x[chain.body(centre)] = start_->body_x[chain.body(centre)];
    for (const Chain::Link& link : chain.links) frame(link, at) = frame(link, *start_);
  }
  place_near(chain, problem_, at);
}

void CompactSolver::save(Writer& out) const {
  NewtonSolver::save(out);
  out.put(reactions_);
}

void CompactSolver::load(Reader& in) {
  NewtonSolver::load(in);
  in.get(reactions_);
}

}  // namespace tendril::solvers::compact
