#pragma once

#include "solvers/projective/bundle.h"
#include "solvers/projective/options.h"

namespace tendril::solvers::projective {

// Algorithm 1 [strauss2020] for the strands of one bundle. Memory of one worker, used for bundle after bundle.
class StrandStep {
 public:
  struct Result {
    int iterations = 0;
    std::array<double, P::lanes> residuals_of_strands{};  // (lane)
    std::array<double, P::lanes> allowed{};               // see allowed_motion() [J] (lane)
    std::array<Vec3d, P::lanes> ends{};                   // where their last vertices are (lane)
    std::vector<double> residuals = {};                   // after each iteration, when asked for
  };
  Result solve(const Bundle& bundle, const newton::Problem& problem, const State& start, const Options& options,
               State& end);

 private:
  struct Vertex {
    Vec3<P> here, trial, from, goal;  // x, where the last global step led, x^t, s_x
    Vec3<P> v;                        // at the start of the step [m/s]
    Vec3<P> way;                      // of the last global step [m]
    Vec3<P> right;                    // of x in the global system, eliminated from the root [N]
    Vec3<P> place;                    // of its place alone, eliminated from the tip [N]
  };
  struct Link {                       // a segment
    Quat<P> here, trial, from, goal;  // u, where the last global step led, u^t, s_u
    Vec3<P> turn;                     // the direction of the last global step [rad, world]
    Vec3<P> right;                    // of d3 in the global system, eliminated from the root [N m]
    P right_twist;                    // likewise of its turn about d3
    Vec3<P> moment;                   // external, with that of scalar roots [N m, world]
    P tension;                        // times length [N m]
  };
  // of all constraints at one place
  struct Sums {
    P energy = 0.0, energy_size = 0.0;  // of the step's potential, and the sum of its parts' sizes [J]
    P elastic = 0.0;                    // what of it are stretch and bends [J]
    P decrement = 0.0;                  // - gradient · step of the global system [J]
    P slope = 0.0;                      // gradient · the direction that led here [J]
    P moment_work = 0.0;                // of external moments on that way, which have no energy [J]
    P force = 0.0, left = 0.0;          // squares of the largest force at work, and of what is left [N²]
    Flags outgrown = P(0.0) > P(1.0);   // pulled by more than the matrix is made for

    void take(Flags where, const Sums& other);
  };
  struct Carried {  // by elimination from the root, to the next vertex and segment
    Vec3<P> x, d;
    P twist;
  };
  struct SegmentPull {
    Vec3<P> pull;    // dE/dx of its first vertex, where that is free [N]
    Vec3<P> along;   // of its later vertex by itself [N]
    Vec3<P> torque;  // dE/dtheta [N m, world]
    Vec3<P> d3;
  };

  template <class B>
  const GlobalSystem<B>& system() const;
  template <class B>
  void iterate(Result& result);
  template <class B>
  Sums begin(const Sums& at_start);
  template <class B>
  Sums local_step();
  template <class B>
  void global_step(Flags taken, Flags open, P fraction, bool begins = false);

  static Vec3<P> go(Vertex& vertex, Flags taken, P fraction, const Vec3<P>& way);

  // the pulls of constraints
  Vec3<P> inertia(int k, const Vec3<P>& x, Sums& sums) const;
  SegmentPull segment(int k, const Vec3<P>& x, const Vec3<P>& next, const Quat<P>& q, Sums& sums);
  Vec3<P> bend(int k, const Quat<P>& before, const Quat<P>& q, Sums& sums) const;
  Vec3<P> roots(int k, const Quat<P>& q, Sums& sums) const;
  Vec3d scalar_root(const ScalarRoot& root, int lane, const Quatd& q, double& energy) const;
  void add(const BendPull<P>& bend, Sums& sums) const;
  template <class B>
  void eliminate(int k, const SegmentPull& at, Carried& carried, Sums& sums);

  void load(const State& start);
  void load_roots();
  Vec3<P> external_force(int k, P per_step) const;
  Sums at_start();
  static P residual_scale(const Sums& sums);
  P residual(const Sums& sums) const;
  static P next_fraction(P fraction, const Sums& here, const Sums& trial);
  P allowed_motion(const Sums& at_start, const Sums& here) const;
  void stiffen(Flags outgrown);
  void take(Flags taken);
  void store(State& end) const;

  const Bundle* bundle_ = nullptr;
  const newton::Problem* problem_ = nullptr;
  const Options* options_ = nullptr;
  std::vector<Vertex> vertices_;
  std::vector<Link> links_;
  std::vector<RootDirection<P>> roots_;      // with what holds them
  const GlobalSystem<P>* system_ = nullptr;  // shared, or
  GlobalSystem<P> own_;                      // of these strands alone
  GlobalSystem<Vec3<P>> own_by_axes_;        // likewise, where some vertex is held along some axes
  Flags has_own_;                            // else it is the shared one in there, too (lane)
  std::vector<P> tension_;                   // that they are made for (segment)
  P rounding_, external_;                    // forces by rounding of positions; largest one from outside [N]
  P size_;                                   // largest coordinate [m]
  P per_length_;                             // of the whole strand [1/m]
};

}  // namespace tendril::solvers::projective
