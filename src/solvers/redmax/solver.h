#pragma once

#include "solvers/redmax/options.h"
#include "solvers/redmax/reduced.h"

namespace tendril::solvers::redmax {

// RedMax [wang2019] with spherical joints for rods that neither stretch nor shear (App. C [zhao2022]): a step is linear
// in the rates of the joints, implicit in their elastic moments, explicit in all else.
class RedMaxSolver final : public Solver {
 public:
  explicit RedMaxSolver(const Options& options) : options_(options) {}
  Capabilities capabilities() const override { return redmax::capabilities(); }
  void reset(const Model& model, const State& state, ThreadTeam& team) override;
  StepReport step(const Inputs& inputs, Contact& contact, double h, State& state) override;
  void save(Writer&) const override {}  // a step starts from the State alone
  void load(Reader&) override {}

 private:
  struct Equations;
  struct Root;
  void advance(const Chain& chain, const Inputs& inputs, double h, State& state, StepReport& report);
  Root root_of(const Chain& chain, const Instant& end) const;
  Equations equations_of(const Configuration& at, const Instant& end, double h) const;
  Rates right_side(const Equations& equations, const Root& root, const Instant& end) const;
  Rates solve(const Equations& equations, const Rates& right, const Inputs& inputs, StepReport& report) const;
  void go(const Configuration& from, const Rates& rates, const Root& root, double h, State& state) const;

  Options options_;
  const Model* model_ = nullptr;
  Chains chains_;
  std::vector<double> damped_mass_;  // c m [kg/s] (vertex)
  State start_;                      // of the step
};

}  // namespace tendril::solvers::redmax
