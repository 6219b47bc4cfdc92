#pragma once

#include "solvers/compact/chain.h"
#include "solvers/compact/options.h"
#include "solvers/newton/solver.h"

namespace tendril::solvers::compact {

class System;

// inextensible rods by the position of their root and one turn per segment [zhao2022]
class CompactSolver final : public NewtonSolver {
 public:
  explicit CompactSolver(const Options& options);
  Capabilities capabilities() const override { return compact::capabilities(); }
  void reset(const Model& model, const State& state, ThreadTeam& team) override;
  StepReport step(const Inputs& inputs, Contact& contact, double h, State& state) override;
  std::span<const Vec3d> constraint_forces() const override { return carried_; }
  void save(Writer& out) const override;
  void load(Reader& in) override;

 private:
  int prepare_parts() override;
  bool plans_rows() const override { return false; }
  std::unique_ptr<newton::System> make_system(bool solves_again) override;
  void solve_parts(StepReport& report) override;
  void solve_part(int part, int worker) override;
  void solve_from_here(int part, int worker) override;
  Outcome solve_rod(int part, int worker);
  bool is_straight(int part) const;
  bool stay(int part);
  void buckle(int part);
  void note_what_is_carried(const Contact& contact, const State& state);
  void note_stages(StepReport& report);
  void place_guess(int part, Iterate& at) override;
  void keep_lengths(int part, Iterate& at) const override { place(chains_[part], at); }

  Options options_of_rods_;
  std::vector<Chain> chains_;           // (part)
  std::vector<Vec3d> reactions_;        // of what is held, in the last Newton step [N] (vertex)
  std::vector<Vec3d> carried_;          // see constraint_forces (segment)
  std::vector<int> linear_iterations_;  // of this step (part)
  std::vector<System*> systems_made_;   // since the last reset
};

}  // namespace tendril::solvers::compact
