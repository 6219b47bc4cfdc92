#pragma once

#include <algorithm>
#include <vector>

#include "math/thread_team.h"
#include "rod/model.h"
#include "rod/state.h"
#include "solvers/supports.h"

namespace tendril::solvers::stable {

using solvers::Role;

// one segment's energy: l/2 (R(q)ᵀ a/l - p)ᵀ diag(GA, GA, EA) (R(q)ᵀ a/l - p), a = x1 - x0.
// Internal damping eta adds the potential of the strain's rate, l eta/2h |gamma - gamma_old|²; the sum is again of this
// form with
//   GA (1 + eta/h), EA (1 + eta/h),   p = e3 + beta gamma_old,   beta = (eta/h) / (1 + eta/h)
struct StretchTerm {
  double length = 0;      // l [m]
  double GA = 0, EA = 0;  // [N]
  double beta = 0;        // [-]
  Vec3d p{0, 0, 1};       // [-]
};

// one bend's energy: 1/2 (rho - phi t)ᵀ diag(k) (rho - phi t), where q_b = q_a left rho right. At rest rho = 1 = t.
// left and right are half the rest rotation each, so that rho is seen from half-way and the two directions are alike;
// k[1..3] = 4 (EI1, EI2, GJ) / l and k[0], the weight of the real part, is the least of them. Internal damping eta: k
// (1 + eta/h) and t = (phi + (eta/h) rho_old) / (1 + eta/h).
struct BendTerm {
  Quatd left, right;
  double k[4] = {};  // [N m]
  double ratio = 0;  // eta/h [-]
  Quatd target;      // t
};

// a dynamic body's inertia: m/2h² |x - y|² + 2/h² |Im(q̄_y q)|²_J, where q_y is where it would turn to without moments
struct BodyTerm {
  double weight = 0;  // m/h² [N/m]
  Vec3d spin_weight;  // 4 J/h² [N m]
  Vec3d goal;         // y [m]
  Quatd turn_goal;    // q_y
  Vec3d moment;       // external [N m, world]
};

// the largest of what a worker met while it set the goals of some vertices
struct Extremes {
  double position = 0, inertia = 0, force_squared = 0;
  Vec3d low{forever, forever, forever}, high{-forever, -forever, -forever};

  void take(const Extremes& e) {
    position = std::max(position, e.position), inertia = std::max(inertia, e.inertia);
    force_squared = std::max(force_squared, e.force_squared);
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], e.low[k]), high[k] = std::max(high[k], e.high[k]);
  }
};

// all that the incremental potential of one step is made of, in double precision and in the Model's own numbering
class StepProblem {
 public:
  void reset(const Model& model);
  void begin_step(const Inputs& inputs, double step, const State& state);

  // the same in parts, from `begin`: first what is quick, then what workers share
  void begin_step(const Inputs& inputs, double step);
  void set_goals(const Inputs& inputs, Share vertices, Extremes& extremes);
  void set_edges(Share segments);
  void set_damping(Share damped_bends);
  void take(const Extremes& of_all);
  int damped_bend_count() const { return static_cast<int>(damped_bends_.size()); }

  // the external acceleration of a vertex [m/s²]
  Vec3d acceleration(int vertex) const;

  const Model* model = nullptr;
  double h = 0;
  State begin;                // at the start of the step
  double largest_force = 0;   // of the external ones [N]
  double largest_moment = 0;  // [N m]

  std::vector<Role> role;            // (vertex)
  std::vector<Vec3d> free_axes;      // 1 where the world axis is free, 0 where it is held (vertex)
  std::vector<double> weight;        // effective mass / h²: m (1 + c h) + d h [N/m] (vertex)
  std::vector<Vec3d> goal;           // y - x at the start [m] (vertex)
  std::vector<Vec3d> prescribed_x;   // position at the end of the step, along held axes [m] (vertex)
  std::vector<Vec3d> prescribed_v;   // velocity at the end of the step, along held axes [m/s] (vertex)
  std::vector<Vec3d> edge;           // x1 - x0 at the start [m] (segment)
  std::vector<StretchTerm> stretch;  // (segment)
  std::vector<Vec3d> moment;         // external [N m, world] (segment); empty: none
  std::vector<BendTerm> bends;       // (bend)
  std::vector<BodyTerm> bodies;      // (body); of kinematic ones the goal is their pose
  std::vector<Twist> twists;         // prescribed, at the end of the step (body)

  // for the size of round-off: the largest sums of stiffnesses at a vertex and at a segment, of positions and inertial
  // forces
  struct Sizes {
    double EA = 0;             // [N]
    double EA_per_length = 0;  // or a body's m/h² [N/m]
    double torque = 0;         // or a body's 4 J/h² [N m]
    double position = 0;       // of the vertices [m]
    double extent = 0;         // diagonal of the box around them [m]
    double inertia = 0;        // [N]
  } sizes;

 private:
  void set_stiffness();  // what depends on the Model and h only
  void set_sizes();
  void set_bodies(const Inputs& inputs);

  std::vector<double> damped_mass_;            // c m, from the segments [kg/s] (vertex)
  const std::vector<Vec3d>* force_ = nullptr;  // external, of the step's Inputs (vertex)
  std::vector<int> damped_bends_;
};

// rho of a bend, see BendTerm
Quatd relative_turn(const BendTerm& term, const Quatd& q_a, const Quatd& q_b);

// the same bend as seen from its other frame
BendTerm reversed(const BendTerm& term);

// the frame of a bend in a state
inline const Quatd& frame_of(const State& state, FrameId frame) {
  return frame.is_body ? state.body_q[frame.index] : state.q[frame.index];
}

}  // namespace tendril::solvers::stable
