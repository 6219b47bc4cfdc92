#pragma once

#include "solvers/direct/options.h"
#include "solvers/direct/system.h"
#include "solvers/newton/solver.h"

namespace tendril::direct {

// the direct position-based solver for stiff rods [deul2018]
class DirectSolver final : public NewtonSolver {
 public:
  DirectSolver(const Options& options, int threads);

  void reset(const Model& model, const State& state) override;

 private:
  std::unique_ptr<newton::System> make_system() const override;
  void solve_part(int part, int worker) override;
  bool factorise(const Part& part, System& system, double& exact, double& energy);

  Options options_;
  std::vector<Structure> structures_;  // (part)
};

}  // namespace tendril::direct
