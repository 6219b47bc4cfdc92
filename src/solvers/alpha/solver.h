#pragma once

#include "solvers/alpha/newton.h"
#include "solvers/alpha/options.h"

namespace tendril::alpha {

// the dynamic Cosserat equations by the generalised-alpha method [sobottka2008]
class AlphaSolver final : public Solver {
 public:
  explicit AlphaSolver(const Options& options) : options_(options) {}

  void reset(const Model& model, const State& state, ThreadTeam& team) override;
  StepReport step(const Inputs& inputs, Contact& contact, double h, State& state) override;
  Capabilities capabilities() const override { return alpha::capabilities(); }
  void save(Writer& out) const override;
  void load(Reader& in) override;

 private:
  Scheme scheme_of(const Inputs& inputs, double h) const;
  bool has_jolt(const Inputs& inputs, double h) const;
  bool goes_on(const Instant& begin) const;
  StepReport try_step(const Scheme& scheme, const Inputs& inputs, State& state);
  void take_outcomes(StepReport& report) const;

  Options options_;
  const Model* model_ = nullptr;
  ThreadTeam* team_ = nullptr;
  Equations equations_;
  std::vector<ChainNewton> newton_;  // (worker)
  std::vector<Outcome> outcomes_;    // (chain)
  Trial at_;
  Memory memory_, next_;
  bool is_known_ = false;  // memory_, but for the forces
  State before_;           // when the simulation keeps none
  const State* start_ = nullptr;
  // with which the last step ended; empty: not known
  std::vector<Vec3d> left_v_;                    // (vertex) [m/s]
  std::vector<Vec3d> left_force_, left_moment_;  // of the loads (vertex) [N], (segment) [N m]
};

}  // namespace tendril::alpha
