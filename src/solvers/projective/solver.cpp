#include "solvers/projective/solver.h"

#include <algorithm>
#include <map>

#include "math/stopwatch.h"

namespace tendril::projective {
namespace {

// fewer segments per worker than this are done sooner than shared
constexpr int least_share = 500;

}  // namespace

void ProjectiveSolver::reset(const Model& model, const State&, ThreadTeam& team) {
  team_ = &team;
  problem_.reset(model);
  strands_ = find_strands(problem_);
  make_bundles();
  factored_h_ = 0;
  team.employ(std::min<int>(bundles_.size(), static_cast<int>(model.segments.size()) / least_share));
  workers_ = std::vector<StrandStep>(team.size());
  approach_.reset(model);
}

// strands of one shape, in their order, as many as there are lanes
void ProjectiveSolver::make_bundles() {
  std::map<std::vector<int>, std::vector<const Strand*>> shapes;
  for (const Strand& strand : strands_) shapes[shape_of(strand, problem_)].push_back(&strand);
  bundles_.clear();
  places_.assign(problem_.model->vertices.size(), {});
  for (const auto& [shape, alike] : shapes)
    for (std::size_t first = 0; first < alike.size(); first += P::lanes) {
      const int used = static_cast<int>(std::min<std::size_t>(P::lanes, alike.size() - first));
      std::array<const Strand*, P::lanes> chosen;
      for (int lane = 0; lane < P::lanes; ++lane) chosen[lane] = alike[first + std::min(lane, used - 1)];
      for (int lane = 0; lane < used; ++lane)
        for (int k = 0; k <= chosen[lane]->count(); ++k)
          places_[chosen[lane]->vertices[k]] = {static_cast<int>(bundles_.size()), lane, k};
      bundles_.push_back(make_bundle(chosen, used, problem_));
    }
}

// Algorithm 1 [strauss2020], strand by strand
StepReport ProjectiveSolver::step(const Inputs& inputs, Contact& contact, double h, State& state) {
  StepReport report;
  Stopwatch whole, solving, colliding;
  whole.start();
  start_ = inputs.start ? inputs.start : &(before_ = state);
  prepare(inputs, h);                                           // s_x, s_u
  solving.time([&] { solve_strands(inputs, report, state); });  // iterations; v and omega
  finish(inputs, state);
  if (contact.is_enabled() && !report.is_stopped)
    colliding.time([&] { solve_with_contact(inputs, contact, report, state); });
  const double rest = whole.stop() - solving.seconds() - colliding.seconds();
  report.stages = {{"strands", solving.seconds()}, {"contact", colliding.seconds()}, {"rest", rest}};
  return report;
}

void ProjectiveSolver::prepare(const Inputs& inputs, double h) {
  const newton::Accelerations none{
      {}, std::vector<Vec3d>(problem_.model->bodies.size()), {}, std::vector<Vec3d>(problem_.model->bodies.size())};
  problem_.begin_step(inputs, newton::Scheme::implicit_euler(h), *start_, none);
  const int chunks = team_->size();
  team_->run(chunks, [&](int chunk, int) {
    const auto share = [&](std::size_t count) { return share_of(static_cast<int>(count), chunk, chunks); };
    problem_.set_vertices(inputs, *start_, none, share(start_->x.size()));
    problem_.set_segments(*start_, none, share(newton::Problem::pack_count(start_->q.size())));
    problem_.set_bends(*start_, share(problem_.bends.size()));
  });
  if (problem_.rest_moves())
    team_->for_each(static_cast<int>(bundles_.size()), [&](int n, int) { load_elements(problem_, bundles_[n]); });
  const bool has_drag = !inputs.end.drag.empty();  // which changes from step to step
  if (h != factored_h_ || has_drag || had_drag_) factor_systems(!has_drag);
  factored_h_ = h, had_drag_ = has_drag;
}

// Once for a length of steps. Strands that would have the same matrix but for a thousandth share one.
void ProjectiveSolver::factor_systems(bool may_share) {
  const int count = static_cast<int>(bundles_.size());
  std::vector<std::vector<int>> keys(count);
  if (may_share) team_->for_each(count, [&](int n, int) { keys[n] = likeness(bundles_[n], problem_); });
  std::map<std::vector<int>, int> first;  // bundle of a likeness
  std::vector<int> source(count);
  for (int n = 0; n < count; ++n)
    source[n] = keys[n].empty() ? n : first.try_emplace(std::move(keys[n]), n).first->second;
  team_->for_each(count, [&](int n, int) {
    if (source[n] == n) bundles_[n].system = factored(bundles_[n], problem_);
  });
  for (int n = 0; n < count; ++n) bundles_[n].system = bundles_[source[n]].system;
}

void ProjectiveSolver::solve_strands(const Inputs& inputs, StepReport& report, State& state) {
  results_.assign(bundles_.size(), {});
  team_->for_each(static_cast<int>(bundles_.size()), [&](int n, int worker) {
    if (!inputs.stops()) results_[n] = workers_[worker].solve(bundles_[n], problem_, {*start_}, options_, state);
  });
  report.is_stopped = inputs.stops();
  for (const StrandStep::Result& result : results_) {
    report.iterations = std::max(report.iterations, result.iterations);
    report.residual = std::max(report.residual, result.residual);
  }
  report.converged = report.residual <= options_.solved_below();
}

// what is held moves as it must
void ProjectiveSolver::finish(const Inputs& inputs, State& state) const {
  for (const newton::HeldAxis& axis : problem_.held)
    state.x[axis.vertex][axis.k] = axis.end, state.v[axis.vertex][axis.k] = axis.v;
  for (std::size_t b = 0; b < state.body_x.size(); ++b) {
    state.body_x[b] = inputs.end.body_pose[b].x, state.body_q[b] = inputs.end.body_pose[b].q;
    state.body_v[b] = inputs.end.body_twist[b].v, state.body_omega[b] = inputs.end.body_twist[b].omega;
  }
}

}  // namespace tendril::projective
