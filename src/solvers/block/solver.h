#pragma once

#include "math/stopwatch.h"
#include "solvers/block/cut_strand.h"
#include "solvers/block/obstacle_slots.h"
#include "solvers/block/options.h"
#include "solvers/block/strands_on_obstacles.h"
#include "solvers/block/tree_in_lanes.h"
#include "solvers/newton/solver.h"

namespace tendril::solvers::block {

// whole rods at once, each with a factorisation in linear time; equal strands side by side
class BlockSolver final : public NewtonSolver {
 public:
  explicit BlockSolver(const Options& options)
      : NewtonSolver(options.single_precision ? options.strict() : newton::Options(options)),
        single_precision_(options.single_precision) {}

  void reset(const Model& model, const State& state, ThreadTeam& team) override;
  Capabilities capabilities() const override { return block::capabilities(); }

 private:
  std::unique_ptr<newton::System> make_system(bool solves_again) override;
  void solve_parts(StepReport& report) override;
  bool find_alone(const Contact& contact) override;
  // equal strands, and who solves them
  template <class T>
  struct Grooms {
    std::vector<Bundle<T>> bundles;
    std::vector<Strands<T>> strands;  // (worker)
    std::vector<Stopwatch> beside;    // what is no solving (worker)
    long version = -1;                // of the Problem that their constants come from
  };
  template <class T>
  void take(Bundles<T> made, Grooms<T>& into);
  template <class T>
  void solve(Grooms<T>& grooms);
  template <class T>
  void solve_bundle(Grooms<T>& grooms, int bundle, int worker);
  void solve_on_obstacles(Bundle<WideLanes>& bundle, int number, int worker);
  void judge_alone(const Bundle<WideLanes>& bundle, int number);
  template <class Whole, class T>
  void bring_to_lanes(Whole& whole, Bundle<T>& bundle);
  void put_predictions(Prediction& into) const override;
  void solve_again_in_double(Bundle<FloatLanes>& bundle, int worker);
  double seconds_beside_solving() const override;
  Region all_but_bundles() const;
  void solve_cut(int cut, int worker);
  void solve_tree(int tree, int worker);

  bool single_precision_;
  Grooms<WideLanes> in_double_;
  Grooms<FloatLanes> in_float_;
  ObstacleSlots slots_;                           // of the bundles in double
  std::vector<StrandsOnObstacles> on_obstacles_;  // (worker)
  std::vector<Cut> cuts_;                         // of the long strands
  std::vector<TreePlan> trees_;
  std::vector<TreeConstants> tree_constants_;  // (tree)
  std::vector<CutStrand> cut_strands_;         // (worker)
  std::vector<TreeInLanes> trees_in_lanes_;    // (worker)
  std::vector<int> singles_;                   // parts that are none of these
};

}  // namespace tendril::solvers::block
