#pragma once

#include "solvers/projective/bundle.h"
#include "solvers/projective/options.h"

namespace tendril::solvers::projective {

// Positions and frames of the strands of a bundle, what pulls at them there, and where the global step leads.
struct Point {
  std::vector<Vec3<P>> x;       // (vertex)
  std::vector<Quat<P>> q;       // (segment)
  std::vector<Vec3<P>> pull;    // dE/dx [N] (vertex)
  std::vector<Vec3<P>> torque;  // dE/dtheta [N m, world] (segment)
  std::vector<P> tension;       // times length [N m] (segment)
  std::vector<Vec3<P>> way;     // of the global step (vertex)
  std::vector<Vec3<P>> turn;    // likewise [rad, world] (segment)
  P energy, energy_size;        // of the step's potential, and the sum of its parts' sizes [J]
  P elastic;                    // what of it are stretch and bends [J]
  P decrement;                  // - gradient · step [J]
  P moment_work;                // of external moments on the way of a whole step, which have no energy [J]
  P force;                      // the largest at work [N]

  void resize(int count);
};

// Algorithm 1 [strauss2020] for the strands of one bundle. Memory of one worker, used for bundle after bundle.
class StrandStep {
 public:
  struct Result {
    int iterations = 0;
    std::array<double, P::lanes> residuals_of_strands{};  // (lane)
    std::array<double, P::lanes> kept_speed{};            // see kept_speed() (lane)
    std::array<Vec3d, P::lanes> ends{};                   // where their last vertices are (lane)
    std::vector<double> residuals = {};                   // after each iteration, when asked for
  };
  Result solve(const Bundle& bundle, const newton::Problem& problem, const State& start, const Options& options,
               State& end);

 private:
  void load(const State& start);
  void evaluate(Point& at) const;
  void add_inertia(Point& at) const;
  void add_segments(Point& at) const;
  void add_bends(Point& at) const;
  void add(const BendPull<P>& bend, Point& at) const;
  void add_roots(Point& at) const;
  void add_scalar_root(const ScalarRoot& root, int lane, Point& at) const;
  void solve_linear(Point& at);
  void try_step(const Point& from, P fraction, Point& to);
  void put_positions(Point& at);
  P next_fraction(P fraction) const;
  void take(Flags where, Point& from, Point& to) const;
  P residual(P left) const;
  P inertia_of(const Point& at, bool of_goal) const;
  P kept_speed(P energy_at_start) const;
  P unbalanced(const Point& at) const;
  void stiffen();
  void store(State& end) const;

  const Bundle* bundle_ = nullptr;
  const newton::Problem* problem_ = nullptr;
  StepTerms terms_;
  Point here_, trial_;
  const GlobalSystem<P>* system_ = nullptr;  // shared, or
  GlobalSystem<P> own_;                      // of these strands alone
  GlobalSystem<Mat3<P>> blocks_;             // likewise, where components of vectors have different matrices
  bool uses_blocks_ = false;
  Flags has_own_;                  // else it is the shared one in there, too (lane)
  std::vector<P> tension_;         // that they are made for (segment)
  std::vector<Vec3<P>> from_;      // x^t (vertex)
  P rounding_, external_;          // forces by rounding of positions; largest one from outside [N]
  P size_;                         // largest coordinate [m]
  P per_length_;                   // of the whole strand [1/m]
  std::vector<Vec3<P>> unknowns_;  // x0, d0, x1, d1, …, xn
  std::vector<P> twists_;          // (segment)
};

}  // namespace tendril::solvers::projective
