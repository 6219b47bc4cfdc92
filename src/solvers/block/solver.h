#pragma once

#include "solvers/block/cut_strand.h"
#include "solvers/block/options.h"
#include "solvers/block/tree_in_lanes.h"
#include "solvers/newton/solver.h"

namespace tendril::block {

// whole rods at once, each with a factorisation in linear time; equal strands side by side
class BlockSolver final : public NewtonSolver {
 public:
  using NewtonSolver::NewtonSolver;

  void reset(const Model& model, const State& state) override;

 private:
  std::unique_ptr<newton::System> make_system(bool solves_again) override;
  void solve_parts(StepReport& report) override;
  void solve_bundle(int bundle, int worker);
  void solve_cut(int cut, int worker);
  void solve_tree(int tree, int worker);

  Bundles bundles_;
  long bundles_version_ = -1;  // of the Problem that their constants come from
  std::vector<Cut> cuts_;      // of the long strands
  std::vector<TreePlan> trees_;
  std::vector<TreeConstants> tree_constants_;  // (tree)
  std::vector<Strands> strands_;               // (worker)
  std::vector<CutStrand> cut_strands_;         // (worker)
  std::vector<TreeInLanes> trees_in_lanes_;
};

}  // namespace tendril::block
