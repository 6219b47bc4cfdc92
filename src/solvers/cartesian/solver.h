#pragma once

#include <memory>
#include <span>

#include "math/stopwatch.h"
#include "solvers/cartesian/kernels.h"
#include "solvers/cartesian/options.h"
#include "solvers/cartesian/potential.h"

namespace tendril::solvers::cartesian {

// Implicit Euler in Cartesian coordinates, as the minimum of E over positions and frames by Newton's method with a line
// search [zhao2022]. What keeps segments inextensible and frames along them is up to the two baselines below.
class CartesianSolver : public Solver {
 public:
  CartesianSolver(const Options& options, bool has_multipliers)
      : options_(options), has_multipliers_(has_multipliers) {}
  Capabilities capabilities() const override { return cartesian::capabilities(); }
  void reset(const Model& model, const State& state, ThreadTeam& team) override;
  StepReport step(const Inputs& inputs, Contact& contact, double h, State& state) override;
  void save(Writer&) const override {}  // a step starts from the State alone
  void load(Reader&) override {}

 protected:
  virtual void begin_iterations() {}
  virtual void add_segments(System& system, const Iterate& at, bool exact) const = 0;  // to the linear equations
  virtual void take_solution(const System&) {}
  virtual void end_iterations(const Iterate& /*at*/) {}
  virtual bool is_balanced(double /*force*/) const { return false; }  // by |dE/dx|₂ before the iteration
  virtual double segment_merit(const Iterate& at) const = 0;          // what the line search weighs besides E [J]

  // second derivatives, and minus the gradient, to the linear equations
  void add_segment(System& system, int s, const Terms& terms) const;

  const Potential& potential() const { return potential_; }
  const Model& model() const { return *potential_.problem().model; }
  Vec3d edge(int s, const Iterate& at) const {
    return at.x[model().segments[s].vertex[1]] - at.x[model().segments[s].vertex[0]];
  }

 private:
  void begin(const Inputs& inputs, double h, const State& state);
  void iterate(const Inputs& inputs, StepReport& report);
  void linearise();
  double step_size() const;
  double searched_fraction();
  void go(double fraction, Iterate& to) const;
  double merit(const Iterate& at) const { return potential_.energy(at) + segment_merit(at); }
  void finish(const Inputs& inputs, double h, State& state) const;

  Options options_;
  bool has_multipliers_;
  Potential potential_;
  System system_;
  std::vector<Vec3d> free_axes_;  // (vertex)
  State start_;                   // of the step
  Iterate at_, trial_;
  double force_ = 0;  // |dE/dx|₂ at at_ [N, N m]
  Stopwatch evaluating_, solving_;
};

// E with w/2 (|e| - l)² + w/2 |t - d3|² of each segment
class PenaltySolver final : public CartesianSolver {
 public:
  explicit PenaltySolver(const PenaltyOptions& options)
      : CartesianSolver(options, false), weight_(options.weight), force_tolerance_(options.force_tolerance) {}

 private:
  void add_segments(System& system, const Iterate& at, bool exact) const override;
  double segment_merit(const Iterate& at) const override;

  bool is_balanced(double force) const override { return force < force_tolerance_; }

  double weight_, force_tolerance_;
};

// E subject to C = 0, the rows of Constraint: one KKT system per iteration
class KktSolver final : public CartesianSolver {
 public:
  explicit KktSolver(const Options& options) : CartesianSolver(options, true) {}
  std::span<const Vec3d> constraint_forces() const override { return carried_; }

 private:
  void begin_iterations() override;
  void add_segments(System& system, const Iterate& at, bool exact) const override;
  void take_solution(const System& system) override;
  void end_iterations(const Iterate& at) override;
  double segment_merit(const Iterate& at) const override;

  std::vector<Vec3d> lambda_;   // multipliers [N] (segment)
  std::vector<Vec3d> carried_;  // with these, by each segment on its first vertex [N] (segment)
  double largest_lambda_ = 0;   // of the solution, 1/mu of Eq. 11 [N]
};

}  // namespace tendril::solvers::cartesian
