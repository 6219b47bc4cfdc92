#include "solvers/projective/solver.h"

#include <algorithm>
#include <map>

#include "solvers/projective/touched_strand.h"

namespace tendril::solvers::projective {
namespace {

// where strands touch something
newton::Options newton_options(const Options& options) {
  newton::Options out;
  if (options.tolerance > 0) {
    out.tolerance = std::min(out.tolerance, options.tolerance);
    out.contact_tolerance = std::min(out.contact_tolerance, options.tolerance);
    out.iterations = std::max(out.iterations, options.iterations);
  }
  out.residuals = options.residuals;
  return out;
}

}  // namespace

ProjectiveSolver::ProjectiveSolver(const Options& options)
    : NewtonSolver(newton_options(options)), options_of_strands_(options) {}

// strands of one shape, in their order, as many as there are lanes
int ProjectiveSolver::prepare_parts() {
  strands_ = find_strands(problem_);
  std::map<std::vector<int>, std::vector<const Strand*>> shapes;
  for (const Strand& strand : strands_) shapes[shape_of(strand, problem_)].push_back(&strand);
  bundles_.clear();
  for (const auto& [shape, alike] : shapes)
    for (std::size_t first = 0; first < alike.size(); first += P::lanes) {
      const int used = static_cast<int>(std::min<std::size_t>(P::lanes, alike.size() - first));
      std::array<const Strand*, P::lanes> chosen;
      for (int lane = 0; lane < P::lanes; ++lane) chosen[lane] = alike[first + std::min(lane, used - 1)];
      bundles_.push_back(make_bundle(chosen, used, problem_));
    }
  lone_vertices_.clear();
  for (int p = 0; p < parts_.count(); ++p)
    if (parts_[p].stretches.empty()) lone_vertices_.push_back(p);
  factored_h_ = 0, workers_.clear();
  return static_cast<int>(bundles_.size());
}

std::unique_ptr<newton::System> ProjectiveSolver::make_system(bool) {
  return std::make_unique<TouchedStrand>(problem_, parts_);
}

// What touches nothing is as far from converged as its iterations left it; what touches something is solved.
StepReport ProjectiveSolver::step(const Inputs& inputs, Contact& contact, double h, State& state) {
  StepReport report = NewtonSolver::step(inputs, contact, h, state);
  const std::vector<char> touches = vertices_that_touch(contact);
  double left = 0;
  for (std::size_t n = 0; n < bundles_.size(); ++n)
    for (int lane = 0; lane < bundles_[n].used; ++lane) {
      const Strand& strand = *bundles_[n].strands[lane];
      const auto touches_one = [&](int i) { return touches[i] != 0; };
      if (!touches.empty() && std::any_of(strand.vertices.begin(), strand.vertices.end(), touches_one)) continue;
      left = std::max(left, results_[n].residuals_of_strands[lane]);
      if (results_[n].residuals_of_strands[lane] > options_of_strands_.solved_below())
        slow_down(strand, results_[n], lane, state);
    }
  report.residual = std::max(report.residual, left);
  report.converged &= left <= options_of_strands_.solved_below();
  return report;
}

// Of what is not held, and of what nothing holds about its mean velocity: momentum stays. Strands that are not where
// their iterations led have touched something.
void ProjectiveSolver::slow_down(const Strand& strand, const StrandStep::Result& result, int lane, State& state) const {
  const double kept = result.kept_speed[lane];
  if (!(kept < 1) || !(state.x[strand.vertices.back()] == result.ends[lane])) return;
  Vec3d momentum;
  double mass = 0;
  bool is_free = true;
  for (int i : strand.vertices) {
    mass += problem_.model->vertices[i].mass, momentum += problem_.model->vertices[i].mass * state.v[i];
    is_free &= problem_.role[i] == newton::Role::free;
  }
  const Vec3d mean = is_free && mass > 0 ? momentum / mass : Vec3d{};
  for (int i : strand.vertices)
    if (problem_.role[i] == newton::Role::free) state.v[i] = mean + kept * (state.v[i] - mean);
  for (int s : strand.segments) state.omega[s] *= kept;
}

// at the end of the step; empty: none (vertex)
std::vector<char> ProjectiveSolver::vertices_that_touch(const Contact& contact) const {
  if (!contact.is_enabled() || contact.touching() == 0) return {};
  std::vector<char> touches(problem_.model->vertices.size(), false);
  for (const Pair& pair : contact.pairs())
    if (pair.gap < pair.barrier.reach)
      for (int i : pair.vertex)
        if (i >= 0) touches[i] = true;
  return touches;
}

// Algorithm 1 [strauss2020], strand by strand. What it leaves is the user's choice: no step is refused for it.
void ProjectiveSolver::solve_parts(StepReport& report) {
  prepare_systems();
  workers_.resize(team_->size());
  outcomes_.assign(parts_.count(), {});
  results_.assign(bundles_.size(), {});
  for_all(static_cast<int>(bundles_.size()), [&](int n, int worker) {
    if (step_options_.stops()) return;
    const StrandStep::Result& result = results_[n] =
        workers_[worker].solve(bundles_[n], problem_, *start_, options_of_strands_, at_);
    for (int lane = 0; lane < bundles_[n].used; ++lane) {
      newton::Outcome& outcome = outcomes_[parts_.part_of_vertex(bundles_[n].strands[lane]->vertices[0])];
      outcome.iterations = result.iterations, outcome.converged = true;
      outcome.steps = result.residuals;
    }
  });
  for (int p : lone_vertices_) solve_part(p, 0);
  take_outcomes(report);
}

// strands that touch something begin with the strain that they have
void ProjectiveSolver::put_predictions(newton::Prediction& into) const {
  if (!start_) return;  // no step has been taken
  const Model& model = *problem_.model;
  for (std::size_t s = 0; s < into.size(); ++s) {
    const auto& [i, j] = model.segments[s].vertex;
    const auto [edge, q] = newton::stretch_state(problem_, static_cast<int>(s), i, j, *start_);
    into[s] = rotate(conjugate(q), edge) - Vec3d{0, 0, 1};
  }
}

void ProjectiveSolver::prepare_systems() {
  if (problem_.rest_moves())
    for_all(static_cast<int>(bundles_.size()), [&](int n, int) { load_elements(problem_, bundles_[n]); });
  const double h = problem_.scheme.h;
  const bool has_drag = !problem_.inputs->end.drag.empty();  // which changes from step to step
  if (h != factored_h_ || has_drag || had_drag_) factor_systems(!has_drag);
  factored_h_ = h, had_drag_ = has_drag;
}

// Once for a length of steps. Strands that would have the same matrix but for a thousandth share one.
void ProjectiveSolver::factor_systems(bool may_share) {
  const int count = static_cast<int>(bundles_.size());
  std::vector<std::vector<int>> keys(count);
  if (may_share) for_all(count, [&](int n, int) { keys[n] = likeness(bundles_[n], problem_); });
  std::map<std::vector<int>, int> first;  // bundle of a likeness
  std::vector<int> source(count);
  for (int n = 0; n < count; ++n)
    source[n] = keys[n].empty() ? n : first.try_emplace(std::move(keys[n]), n).first->second;
  for_all(count, [&](int n, int) {
    if (source[n] == n) bundles_[n].system = factored(bundles_[n], problem_);
  });
  for (int n = 0; n < count; ++n) bundles_[n].system = bundles_[source[n]].system;
}

}  // namespace tendril::solvers::projective
