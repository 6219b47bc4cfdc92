#pragma once

#include <functional>
#include <string>

#include "contact/contact.h"
#include "rod/model.h"
#include "solvers/solver.h"

namespace tendril::sim {

// where settling is
struct SettlePoint {
  int steps = 0;
  double residual = 0;   // as in SettleReport [-]
  double tolerance = 0;  // at which it ends [-]
};

struct SettleOptions {
  double tolerance = 1e-8;  // unbalanced force over the largest force carried [-]
  double exactness = 0;     // what the solver leaves unsolved itself: more cannot be asked of it [-]
  int max_steps = 200'000;
  std::function<bool(const SettlePoint&)> go_on = {};  // asked before every step, when set: false ends it
};

struct SettleReport {
  bool settled = false;
  bool interrupted = false;  // ended from outside, on the way
  int steps = 0;
  double residual = 0;      // unbalanced force by the solver's own law, over the largest force carried [-]
  double law_residual = 0;  // the same by the law of rod/energy.h [-]
  std::string message;      // why it did not settle
};

// what acts on a state at rest: loads that follow the shape, and winds, are those of this shape
using LoadsOf = std::function<Instant(const State&)>;

// Goes to the equilibrium of a Model under the loads of its shape, by steps of any solver: long ones where it takes
// them (Capabilities::long_steps; long_steps.h), else by dynamic relaxation.
//
// The masses are false ones, proportional to the stiffness around each vertex, so that all of the rod moves alike and
// the solver's sweeps converge fast; nothing is damped, but whenever the forces work against the motion the velocities
// start again from zero, and they are zero at the end. The pseudo-steps grow while the solver finds them easy.
//
// A step obeys m (v_new - v_old) / h = F, so m |v_new - v_old| / h is the force that the solver itself left unbalanced,
// and m |v| / h what the motion still carries. Both small against the largest force carried is equilibrium by the
// solver's own law, which may differ from that of rod/energy.h (a paper's bend energy): `law_residual` shows the
// difference. A solver that is content with little may not obey the balance in a long step; short ones, where m / h²
// exceeds the stiffness and one sweep moves a vertex by about its unbalanced force, have the last word.
struct SettleMeans {
  Solver& solver;
  Contact& contact;
  ThreadTeam& team;
};
SettleReport settle(const Model& model, const LoadsOf& loads_of, double h, const SettleOptions& options,
                    const SettleMeans& means, State& state);

}  // namespace tendril::sim
