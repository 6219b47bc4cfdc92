#pragma once

#include <memory>

#include "solvers/newton/solver.h"
#include "solvers/projective/options.h"
#include "solvers/projective/strand_step.h"

namespace tendril::solvers::projective {

// Cosserat rods by projective dynamics [strauss2020, soler2018], see README.md. Strands that touch something go on from
// there as those of the other solvers do (newton/contact_newton.cpp), each with a matrix of its own.
class ProjectiveSolver final : public newton::NewtonSolver {
 public:
  explicit ProjectiveSolver(const Options& options);

  StepReport step(const Inputs& inputs, Contact& contact, double h, State& state) override;
  Capabilities capabilities() const override { return projective::capabilities(); }

 private:
  int prepare_parts() override;
  std::unique_ptr<newton::System> make_system(bool solves_again) override;
  void solve_parts(StepReport& report) override;
  void put_predictions(newton::Prediction& into) const override;
  void slow_down(const Strand& strand, const StrandStep::Result& result, int lane, State& state) const;
  std::vector<char> vertices_that_touch(const Contact& contact) const;
  void prepare_systems();
  void factor_systems(bool may_share);

  const Options options_of_strands_;
  std::vector<Strand> strands_;
  std::vector<Bundle> bundles_;
  std::vector<int> lone_vertices_;           // what breaking leaves (part)
  std::vector<StrandStep> workers_;          // (worker)
  std::vector<StrandStep::Result> results_;  // of the last solve_parts (bundle)
  double factored_h_ = 0;                    // of steps that the global systems are made for; 0: none [s]
  bool had_drag_ = false;                    // that they are made for, too
};

}  // namespace tendril::solvers::projective
