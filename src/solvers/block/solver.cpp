#include "solvers/block/solver.h"

#include <algorithm>

#include "solvers/block/system.h"
#include "solvers/newton/retraction.h"

namespace tendril::solvers::block {
namespace {

// where `is_in` is not zero
std::vector<Share> ranges_of(const std::vector<char>& is_in) {
  std::vector<Share> ranges;
  const int count = static_cast<int>(is_in.size());
  for (int begin = 0, end = 0; begin < count; begin = end) {
    while (end < count && is_in[end] == is_in[begin]) ++end;
    if (is_in[begin]) ranges.push_back({begin, end});
  }
  return ranges;
}

}  // namespace

void BlockSolver::reset(const Model& model, const State& state, ThreadTeam& team) {
  NewtonSolver::reset(model, state, team);
  cuts_.clear(), trees_.clear();
  in_double_ = {}, in_float_ = {};
  singles_.clear();
  std::vector<int> floats, doubles;  // parts
  for (int p = 0; p < parts_.count(); ++p)
    (single_precision_ && parts_[p].skeleton.is_open ? floats : doubles).push_back(p);
  take(make_bundles<FloatLanes>(problem_, parts_, floats), in_float_);
  take(make_bundles<WideLanes>(problem_, parts_, doubles), in_double_);
  std::erase_if(singles_, [&](int part) {
    std::optional<TreePlan> tree = plan_tree(problem_, parts_, part);
    if (tree) trees_.push_back(*std::move(tree));
    return tree.has_value();
  });
  tree_constants_.assign(trees_.size(), {});
  others_ = all_but_bundles();
  trees_in_lanes_.assign(team_->size(), TreeInLanes(problem_, parts_));
  cut_strands_.assign(team_->size(), CutStrand(problem_, parts_));
  slots_.reset(in_double_.bundles, parts_, *problem_.model);
  on_obstacles_.assign(team_->size(), StrandsOnObstacles(problem_, parts_));
}

bool BlockSolver::find_alone(const Contact& contact) { return slots_.look(contact, problem_, parts_, *team_); }

template <class T>
void BlockSolver::take(Bundles<T> made, Grooms<T>& into) {
  into.bundles = std::move(made.bundles);
  singles_.insert(singles_.end(), made.singles.begin(), made.singles.end());
  into.strands.assign(team_->size(), Strands<T>(problem_, parts_));
  for (int part : made.long_strands) cuts_.push_back(cut_strand(problem_, parts_, part));
}

// all vertices and segments but those that bundles load and store themselves
auto BlockSolver::all_but_bundles() const -> Region {
  std::vector<char> vertices(at_.x.size(), 1), packs(Problem::pack_count(at_.q.size()), 0), segments(at_.q.size(), 1);
  const auto leave_out = [&](const auto& grooms) {
    for (const auto& bundle : grooms.bundles)
      for (int part : bundle.parts)
        for (const Unknown& u : parts_[part].unknowns) (u.kind == Kind::vertex ? vertices : segments)[u.index] = 0;
  };
  leave_out(in_double_), leave_out(in_float_);
  for (std::size_t s = 0; s < segments.size(); ++s) packs[s / WideLanes::lanes] |= segments[s];
  std::vector<char> left_out(segments.size());
  std::transform(segments.begin(), segments.end(), left_out.begin(), [](char is_in) { return !is_in; });
  return {ranges_of(vertices), ranges_of(packs), std::move(left_out)};
}

std::unique_ptr<newton::System> BlockSolver::make_system(bool) { return std::make_unique<System>(problem_, parts_); }

void BlockSolver::solve_parts(StepReport& report) {
  outcomes_.assign(parts_.count(), {});
  solve(in_double_), solve(in_float_);
  if (!cuts_.empty()) for_all(static_cast<int>(cuts_.size()), [&](int n, int worker) { solve_cut(n, worker); });
  for_all(static_cast<int>(trees_.size()), [&](int n, int worker) { solve_tree(n, worker); });
  for_all(static_cast<int>(singles_.size()), [&](int n, int worker) { solve_part(singles_[n], worker); });
  take_outcomes(report);
}

template <class T>
void BlockSolver::solve(Grooms<T>& grooms) {
  const int count = static_cast<int>(grooms.bundles.size());
  if (count == 0) return;
  if (grooms.version != problem_.version) {
    for_all(count, [&](int n, int) { load_constants(problem_, parts_, grooms.bundles[n]); });
    share_constants(grooms.bundles);
    grooms.version = problem_.version;
  }
  grooms.beside.assign(team_->size(), {});
  for_all(count, [&](int n, int worker) { solve_bundle(grooms, n, worker); });
}

template <class T>
void BlockSolver::solve_bundle(Grooms<T>& grooms, int n, int worker) {
  Bundle<T>& bundle = grooms.bundles[n];
  if constexpr (is_exact<T>)
    if (goes_alone_ && !slots_.of_bundle(n).empty()) return solve_on_obstacles(bundle, n, worker);
  Strands<T>& strands = grooms.strands[worker];
  const typename Strands<T>::Motion motion{&end_->v, &end_->omega};
  Stopwatch beside = grooms.beside[worker];
  beside.start();
  bring_to_lanes(bundle, bundle);
  strands.begin(bundle, each_by_itself_ ? *end_ : at_, each_by_itself_ ? *start_ : trial_, *start_);
  each_by_itself_ ? strands.load_start(motion) : strands.load_guess();
  if (each_by_itself_ && n + 1 < static_cast<int>(grooms.bundles.size())) strands.expect(grooms.bundles[n + 1]);
  beside.stop();
  if constexpr (!is_exact<T>)
    if (bundle.loses_spin) return solve_again_in_double(bundle, worker);
  T hessian_share;
  for (int lane = 0; lane < T::lanes; ++lane) hessian_share.v[lane] = hessian_share_[bundle.parts[lane]];
  const auto result = Newton<Strands<T>>::solve(strands, step_options_, hessian_share);
  beside.start();
  each_by_itself_ ? strands.store(motion) : strands.store();
  beside.stop();
  grooms.beside[worker] = beside;
  for (int lane = 0; lane < T::lanes; ++lane) {
    const int part = bundle.parts[lane];
    hessian_share_[part] = hessian_share[lane];
    outcomes_[part] = newton::outcome_of(result, lane);
  }
  if constexpr (!is_exact<T>) solve_again_in_double(bundle, worker);
}

// of strands that may come near what is driven
void BlockSolver::solve_on_obstacles(Bundle<WideLanes>& bundle, int n, int worker) {
  StrandsOnObstacles& strands = on_obstacles_[worker];
  const StrandsOnObstacles::Motion motion{&end_->v, &end_->omega};
  bring_to_lanes(bundle, bundle);
  strands.begin(bundle, *end_, *start_, *start_);
  strands.load_start(motion);
  if (n + 1 < static_cast<int>(in_double_.bundles.size())) strands.expect(in_double_.bundles[n + 1]);
  WideLanes hessian_share;
  for (int lane = 0; lane < WideLanes::lanes; ++lane) hessian_share.v[lane] = hessian_share_[bundle.parts[lane]];
  const auto result = strands.solve(slots_.of_bundle(n), *contact_, step_options_, motion, hessian_share);
  strands.store(motion);
  for (int lane = 0; lane < WideLanes::lanes; ++lane) {
    const int part = bundle.parts[lane];
    hessian_share_[part] = hessian_share[lane];
    outcomes_[part] = newton::outcome_of(result, lane);
    rests_[part] = result.touches[lane] != 0;
  }
  judge_alone(bundle, n);
}

// Those that got there, and whose straight way is free, need no others.
void BlockSolver::judge_alone(const Bundle<WideLanes>& bundle, int n) {
  std::array<bool, WideLanes::lanes> is_free;
  is_free.fill(true);
  for (const ObstacleSlot& slot : slots_.of_bundle(n))
    for (int lane = 0; lane < WideLanes::lanes; ++lane)
      if (is_free[lane] && slot.pair[lane] >= 0 && outcomes_[bundle.parts[lane]].converged)
        is_free[lane] = contact_->keeps_apart_to_end(contact_->pairs()[slot.pair[lane]], *end_);
  for (int lane = 0; lane < WideLanes::lanes; ++lane) {
    const int part = bundle.parts[lane];
    if (!slots_.is_alone(part)) continue;
    outcomes_[part].converged &= is_free[lane];
    is_alone_[part] = outcomes_[part].converged;
  }
}

// of the team, as a mean: its workers go side by side
double BlockSolver::seconds_beside_solving() const {
  double seconds = 0;
  for (const auto* beside : {&in_double_.beside, &in_float_.beside})
    for (const Stopwatch& of_worker : *beside) seconds += of_worker.seconds() / team_->size();
  return seconds;
}

// weights and predictions, unless they are there; `whole` is a bundle, or a strand cut into one
template <class Whole, class T>
void BlockSolver::bring_to_lanes(Whole& whole, Bundle<T>& bundle) {
  if (bundle.weight_version != problem_.weight_version) load_weights(problem_, whole);
  if (bundle.prediction_version == prediction_version_) return;
  load_predictions(prediction_, bundle);
  bundle.prediction_version = prediction_version_;
}

void BlockSolver::put_predictions(Prediction& into) const {
  const auto put = [&](const auto& bundle) {
    if (bundle.prediction_version == prediction_version_) store_predictions(bundle, into);
  };
  for (const auto& bundle : in_double_.bundles) put(bundle);
  for (const auto& bundle : in_float_.bundles) put(bundle);
  for (const Cut& cut : cuts_) put(cut.pieces);
}

// what floats have not solved, from the first guess
void BlockSolver::solve_again_in_double(Bundle<FloatLanes>& bundle, int worker) {
  const auto is_solved = [&](int part) { return outcomes_[part].converged; };
  if (std::all_of(bundle.parts.begin(), bundle.parts.end(), is_solved)) return;
  store_predictions(bundle, prediction_);
  for (int lane = 0; lane < FloatLanes::lanes; ++lane) {
    const int part = bundle.parts[lane];
    if (is_solved(part)) continue;
    for (const StretchElement& e : parts_[part].stretches) {  // the strain at the start of the step
      const auto [edge, q] = stretch_state(problem_, e.segment, e.vertex[0], e.vertex[1], *start_);
      prediction_[e.segment] = rotate(conjugate(q), edge) - Vec3d{0, 0, 1};
    }
    hessian_share_[part] = 1;
    Outcome outcome = outcomes_[part];  // in float
    solve_again(part, worker);
    outcome.go_on_with(outcomes_[part]), outcomes_[part] = outcome;
  }
  load_predictions(prediction_, bundle);
}

void BlockSolver::solve_cut(int n, int worker) {
  Cut& cut = cuts_[n];
  CutStrand& strand = cut_strands_[worker];
  if (cut.pieces.constants->version != problem_.version) load_constants(problem_, parts_, cut);
  bring_to_lanes(cut, cut.pieces);
  strand.load(cut, at_, trial_, *start_);
  const auto result = Newton<CutStrand>::solve(strand, step_options_, hessian_share_[cut.part]);
  strand.store();
  outcomes_[cut.part] = newton::outcome_of(result);
}

void BlockSolver::solve_tree(int n, int worker) {
  const int part = trees_[n].part;
  TreeInLanes& tree = trees_in_lanes_[worker];
  if (tree_constants_[n].version != problem_.version) load_constants(problem_, trees_[n], tree_constants_[n]);
  place_by_guess(parts_[part], problem_, *start_, prediction_, at_);
  tree.load(trees_[n], tree_constants_[n], at_, trial_, prediction_);
  const auto result = Newton<TreeInLanes>::solve(tree, step_options_, hessian_share_[part]);
  outcomes_[part] = newton::outcome_of(result);
}

}  // namespace tendril::solvers::block
