#pragma once

#include <memory>

#include "contact/contact.h"
#include "math/thread_team.h"
#include "solvers/solver.h"
#include "solvers/stable/first_guess.h"
#include "solvers/stable/momentum.h"
#include "solvers/stable/options.h"
#include "solvers/stable/regions/regions.h"
#include "solvers/stable/rod_correction.h"
#include "solvers/stable/sweeps.h"

namespace tendril::solvers::stable {

// Stable Cosserat rods [hsu2025]: alternating sweeps over positions and orientations, see README.md
class StableSolver final : public Solver {
 public:
  explicit StableSolver(const Options& options);

  void reset(const Model& model, const State& state, ThreadTeam& team) override;
  StepReport step(const Inputs& inputs, Contact& contact, double h, State& state) override;
  Capabilities capabilities() const override { return stable::capabilities(); }
  void save(Writer& out) const override;
  void load(Reader& in) override;

  int thread_count() const { return team_->size(); }
  const StepProblem& problem() const { return problem_; }  // of the last step
  const Layout& layout() const { return sweeps_->layout(); }

 private:
  // job(worker) for all workers of a phase; what their threads are does not matter
  template <class Job>
  void in_parallel(Job job) {
    const int count = team_->size();
    team_->run(count, [&](int index, int) { job(Worker{index, count}); });
  }
  void prepare(const Inputs& inputs, double h, const State& state);
  void remember(const State& state);
  void first_guess(const Inputs& inputs);
  void load_sweeps();
  void sweep_substep(const Inputs& inputs, StepReport& report);
  StartRule start_rule() const { return options_.paper ? StartRule::published : StartRule::s_curve; }
  bool is_measured(int iteration) const;
  void sweep(bool measured);
  Remainder met_by_all() const;
  bool is_over(int iteration, int of_substep, bool measured);
  bool is_done(const Contact& contact, StepReport& report);

  void approach(Contact& contact, StepReport& report);  // substeps.cpp
  void aim_at_iterate();
  void begin_substep(Contact& contact, StepReport& report);
  void go_towards_target(const Contact& contact, double share);
  bool take_targets();
  bool end_substep(Contact& contact, StepReport& report);
  bool corrects_rods(const Contact& contact) const;
  void go_on(Contact& contact, StepReport& report);

  void finish(State& state, Worker worker);
  void finish_bodies(State& state);

  const Options options_;
  ThreadTeam* team_ = nullptr;  // of the Simulation, set by reset()
  std::unique_ptr<Sweeps> sweeps_;
  Regions regions_;  // of the substep, where things collide
  RodCorrection rod_correction_;
  StepProblem problem_;
  State iterate_;  // x and q: the first guess, and what is looked at; bodies: the iterate itself
  struct alignas(64) Met : Remainder {};
  std::vector<Met> met_;  // (worker)
  struct alignas(64) WorkerExtremes : Extremes {};
  std::vector<WorkerExtremes> extremes_;  // (worker)
  History history_;
  Momentum momentum_;
  bool looks_done_ = false;
  bool is_balanced_ = true;  // what moves freely is where forces put it, see free_motion.h
  int unbalanced_legs_ = 0;  // that ended without
  int substep_count_ = 0;
  std::vector<Vec3d> leg_start_;  // (vertex) [m]
  State target_;                  // where everything wants to be at the end of a substep
  double loaded_h_ = 0;           // the time step that the sweeps were laid out for; 0: none
};

}  // namespace tendril::solvers::stable
