#pragma once

#include "solvers/alpha/newton.h"
#include "solvers/alpha/options.h"

namespace tendril::solvers::alpha {

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
  // what a chain remembers besides memory_
  struct Course {
    bool is_known = false;  // its part of memory_, but for the forces
    double surplus = 0;     // of energy over all work, since the method began; see book_energy() [J]
  };

  void solve_chain(int chain, int worker, const Inputs& inputs, double h, State& state);
  bool solve(const Chain& chain, int worker, const Scheme& scheme, Equations::Guess guess, const Inputs& inputs,
             State& state);
  Scheme scheme_of(const Chain& chain, const Inputs& inputs, double h) const;
  bool has_jolt(const Chain& chain, const Inputs& inputs, double h) const;
  bool goes_on(const Chain& chain, const Instant& begin) const;
  double book_energy(const Chain& chain, const State& end);
  void refuse_what_is_unsolved(const Inputs& inputs, const State& state, StepReport& report) const;
  void take_outcomes(StepReport& report) const;

  Options options_;
  const Model* model_ = nullptr;
  ThreadTeam* team_ = nullptr;
  Equations equations_;
  std::vector<std::vector<int>> ties_;          // that hold it (chain)
  std::vector<ChainNewton> newton_;             // (worker)
  std::vector<Outcome> outcomes_;               // (chain)
  std::vector<Course> courses_, next_courses_;  // (chain)
  Trial at_;
  Memory memory_, next_;
  State before_;  // when the simulation keeps none
  const State* start_ = nullptr;
  // with which the last step ended; empty: not known
  std::vector<Vec3d> left_v_;                    // (vertex) [m/s]
  std::vector<Vec3d> left_force_, left_moment_;  // of the loads (vertex) [N], (segment) [N m]
};

}  // namespace tendril::solvers::alpha
