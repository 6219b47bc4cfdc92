#pragma once

#include <memory>
#include <vector>

#include "math/thread_team.h"
#include "solvers/block/coupling.h"
#include "solvers/block/energy_guard.h"
#include "solvers/block/free_momentum.h"
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
  StepReport step(const Scheme& scheme, const Inputs& inputs, Contact& contact, State& state);
  Scheme scheme_of(const Contact& contact, double h) const;
  void prepare(const Inputs& inputs, const Scheme& scheme, const State& state);
  void first_guess(const State& state);
  void solve_parts(StepReport& report);
  void solve_part(int part, int worker);
  void solve_bundle(int bundle, int worker);
  void finish(State& state);
  void lay_down_momenta(const Inputs& inputs, const State& state);
  void keep_momenta(State& state);

  // legs.cpp
  void solve_with_contact(const State& state, Contact& contact, StepReport& report);
  void approach(const State& state, Contact& contact, StepReport& report);
  void begin_leg(Contact& contact, StepReport& report);
  double newton_direction(StepReport& report);
  bool take_step(Contact& contact, double energy_before, bool last, StepReport& report);
  void set_target(const std::vector<double>& shares);
  bool begin_leg_along(double share, Contact& contact, StepReport& report);
  std::vector<double> reached_shares() const;
  bool target_is_met() const;
  double trial_energy(double share, const Contact& contact);

  // work(n, worker) for n from 0 on
  template <class Work>
  void for_all(int count, Work work) {
    team_->run([&](int worker) {
      const Share mine = share_of(count, worker, team_->size());
      for (int n = mine.begin; n < mine.end; ++n) work(n, worker);
    });
  }
  template <class Work>
  void for_parts(Work work) {
    for_all(parts_.count(), work);
  }

  Options options_;
  int threads_;
  std::unique_ptr<ThreadTeam> team_;
  Problem problem_;
  Parts parts_;
  Bundles bundles_;
  Iterate at_, trial_;
  Accelerations accelerations_;
  EnergyGuard guard_;
  State before_;
  std::vector<Pose> body_end_;         // of kinematic bodies (body)
  Prediction prediction_;              // (segment)
  std::vector<double> exact_;          // see kernels.h (part)
  std::vector<System> part_systems_;   // (worker)
  std::vector<Strands> strands_;       // (worker)
  std::vector<Outcome> outcomes_;      // (part)
  std::vector<FreeMomentum> momenta_;  // (part)

  // with contact
  std::vector<System> systems_;  // (part)
  Touching touching_;
  Coupling coupling_{problem_, parts_};
  std::vector<double> energies_, sizes_;  // (part)
  double share_ = 0;                      // of the last Newton step that was taken
  Iterate target_;                        // of a leg
};

}  // namespace tendril::block
