#include "solvers/block/solver.h"

#include "solvers/block/system.h"

namespace tendril::block {

void BlockSolver::reset(const Model& model, const State& state) {
  NewtonSolver::reset(model, state);
  bundles_ = make_bundles(problem_, parts_), bundles_version_ = -1;
  cuts_.clear();
  for (int part : bundles_.long_strands) cuts_.push_back(cut_strand(problem_, parts_, part));
  trees_.clear();
  std::erase_if(bundles_.singles, [&](int part) {
    std::optional<TreePlan> tree = plan_tree(problem_, parts_, part);
    if (tree) trees_.push_back(*std::move(tree));
    return tree.has_value();
  });
  tree_constants_.assign(trees_.size(), {});
  trees_in_lanes_.assign(team_->size(), TreeInLanes(problem_, parts_));
  strands_.assign(team_->size(), Strands(problem_, parts_));
  cut_strands_.assign(team_->size(), CutStrand(problem_, parts_));
}

std::unique_ptr<newton::System> BlockSolver::make_system(bool) { return std::make_unique<System>(problem_, parts_); }

void BlockSolver::solve_parts(StepReport& report) {
  outcomes_.assign(parts_.count(), {});
  const int bundles = static_cast<int>(bundles_.bundles.size()), singles = static_cast<int>(bundles_.singles.size());
  if (bundles_version_ != problem_.version) {
    for_all(bundles, [&](int n, int) { load_constants(problem_, parts_, bundles_.bundles[n]); });
    share_constants(bundles_.bundles);
    bundles_version_ = problem_.version;
  }
  for_all(bundles, [&](int n, int worker) { solve_bundle(n, worker); });
  if (!cuts_.empty()) for_all(static_cast<int>(cuts_.size()), [&](int n, int worker) { solve_cut(n, worker); });
  for_all(static_cast<int>(trees_.size()), [&](int n, int worker) { solve_tree(n, worker); });
  for_all(singles, [&](int n, int worker) { solve_part(bundles_.singles[n], worker); });
  take_outcomes(report);
}

void BlockSolver::solve_bundle(int n, int worker) {
  Bundle& bundle = bundles_.bundles[n];
  const std::array<int, strand_lanes>& parts = bundle.parts;
  Strands& strands = strands_[worker];
  strands.load(bundle, at_, trial_, prediction_);
  if (n + 1 < static_cast<int>(bundles_.bundles.size()))
    strands.expect(bundles_.bundles[n + 1].lineup, at_, prediction_);
  Strands::Number exact;
  for (int lane = 0; lane < strand_lanes; ++lane) exact.v[lane] = exact_[parts[lane]];
  const auto result = Newton<Strands>::solve(strands, options_, exact);
  strands.store();
  for (int lane = 0; lane < strand_lanes; ++lane) {
    exact_[parts[lane]] = exact[lane];
    outcomes_[parts[lane]] = {static_cast<int>(result.iterations[lane]), result.step[lane],
                              result.converged[lane] != 0};
  }
}

void BlockSolver::solve_cut(int n, int worker) {
  Cut& cut = cuts_[n];
  CutStrand& strand = cut_strands_[worker];
  if (cut.pieces.constants->version != problem_.version) load_constants(problem_, parts_, cut);
  strand.load(cut, at_, trial_, prediction_);
  const auto result = Newton<CutStrand>::solve(strand, options_, exact_[cut.part]);
  strand.store();
  outcomes_[cut.part] = {static_cast<int>(result.iterations), result.step, result.converged};
}

void BlockSolver::solve_tree(int n, int worker) {
  const int part = trees_[n].part;
  TreeInLanes& tree = trees_in_lanes_[worker];
  if (tree_constants_[n].version != problem_.version) load_constants(problem_, trees_[n], tree_constants_[n]);
  tree.load(trees_[n], tree_constants_[n], at_, trial_, prediction_);
  const auto result = Newton<TreeInLanes>::solve(tree, options_, exact_[part]);
  outcomes_[part] = {static_cast<int>(result.iterations), result.step, result.converged};
}

}  // namespace tendril::block
