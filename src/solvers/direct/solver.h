#pragma once

#include "solvers/direct/approach.h"
#include "solvers/direct/collisions.h"
#include "solvers/direct/options.h"
#include "solvers/direct/position_based.h"
#include "solvers/newton/solver.h"

namespace tendril::solvers::direct {

// the direct position-based solver for stiff rods [deul2018]
class DirectSolver final : public NewtonSolver {
 public:
  explicit DirectSolver(const Options& options);
  Capabilities capabilities() const override { return direct::capabilities(); }

 private:
  int prepare_parts() override;
  std::unique_ptr<newton::System> make_system(bool solves_again) override;
  bool plans_rows() const override { return false; }
  void solve_parts(StepReport& report) override;
  void solve_part(int part, int worker) override;
  void solve_from_here(int part, int worker) override;
  void correct_positions(int part, int worker);
  void solve_with_contact(const State& state, Contact& contact, StepReport& report) override;
  double correct(int part, int worker);
  double rod_residual() const;
  void alternate(Contact& contact, StepReport& report);

  Options options_;
  std::vector<Structure> structures_;  // (part)
  PositionBased position_based_{parts_, structures_};
  Collisions collisions_{problem_};
  Approach approach_;
};

}  // namespace tendril::solvers::direct
