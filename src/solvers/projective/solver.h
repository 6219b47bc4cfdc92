#pragma once

#include <memory>

#include "contact/contact.h"
#include "math/thread_team.h"
#include "solvers/projective/options.h"
#include "solvers/projective/strand_step.h"
#include "solvers/solver.h"

namespace tendril::projective {

// Cosserat rods by projective dynamics [strauss2020, soler2018], see README.md
class ProjectiveSolver final : public Solver {
 public:
  explicit ProjectiveSolver(const Options& options) : options_(options) {}

  void reset(const Model& model, const State& state, ThreadTeam& team) override;
  StepReport step(const Inputs& inputs, Contact& contact, double h, State& state) override;
  Capabilities capabilities() const override { return projective::capabilities(); }
  void save(Writer&) const override {}  // a step reads nothing but the State
  void load(Reader&) override {}

 private:
  void make_bundles();
  void prepare(const Inputs& inputs, double h);
  void factor_systems(bool may_share);
  void solve_strands(const Inputs& inputs, StepReport& report, State& state);
  void finish(const Inputs& inputs, State& state) const;

  const Options options_;
  ThreadTeam* team_ = nullptr;  // of the Simulation, set by reset()
  newton::Problem problem_;     // what draws vertices and frames in this step
  const State* start_ = nullptr;
  State before_;                      // a copy of the start, where nobody else has one
  std::vector<Strand> strands_;
  std::vector<Bundle> bundles_;
  std::vector<StrandStep> workers_;   // (worker)
  std::vector<StrandStep::Result> results_;  // of the step (bundle)
  double factored_h_ = 0;  // of steps that the global systems are made for; 0: none [s]
  bool had_drag_ = false;  // that they are made for, too
};

}  // namespace tendril::projective
