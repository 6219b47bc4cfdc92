#pragma once

#include <memory>
#include <vector>

#include "math/thread_team.h"
#include "solvers/block/newton.h"

namespace tendril::block {

// whole rods at once: Newton's method on the incremental potential, with a factorisation in linear time
class BlockSolver : public Solver {
 public:
  BlockSolver(const Options& options, int threads);

  void reset(const Model& model, const State& state) override;
  StepReport step(const Inputs& inputs, Contact& contact, double h, State& state) override;
  bool takes_long_steps() const override { return true; }
  ThreadTeam& team() override { return *team_; }
  void save(Writer& out) const override;
  void load(Reader& in) override;

 private:
  void prepare(const Inputs& inputs, double h, const State& state);
  void first_guess(const State& state);
  void solve_parts(StepReport& report);
  void finish(State& state);

  Options options_;
  int threads_;
  std::unique_ptr<ThreadTeam> team_;
  Problem problem_;
  Parts parts_;
  Iterate at_, trial_;
  Prediction prediction_;          // (segment)
  std::vector<double> exact_;      // see kernels.h (part)
  std::vector<Newton> newton_;     // (worker)
  std::vector<Outcome> outcomes_;  // (part)
};

}  // namespace tendril::block
