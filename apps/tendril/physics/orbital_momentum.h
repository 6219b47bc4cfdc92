#pragma once

#include "rod/model.h"
#include "rod/state.h"
#include "sim/simulation.h"

namespace tendril::app::physics {

// Σ m x × v: without the segments' own spin [kg m²/s]
Vec3d orbital_momentum(const Model& model, const State& state);

// What implicit Euler does to it in a step of length h. The internal forces have no moment where they are taken, at the
// end of the step:
//   Σ x_new × m (v_new - v_old) = 0,   x_new = x_old + h v_new   =>   L_new - L_old = h Σ m v_new × v_old
Vec3d implicit_euler_gain(const Model& model, const State& before, const State& after, double h);

// What it gains besides where segments resist turning: internal forces and torques balance, so what accelerates the
// vertices is taken from the spin, - h Σ of the torques by which each frame, at the end of the step, is behind where it
// would have turned by itself. As `solvers/newton` has these.
Vec3d gain_from_spin(const Model& model, const State& before, const State& after, double h);

// What contact changed of the orbital momentum in the last step of the simulation, beyond the two laws above: nothing,
// as the forces of a pair have one line. Zero if nothing touches at its end, since then a solver may give back what
// such a step takes. [kg m²/s]
Vec3d orbit_changed_by_contact(const Simulation& simulation, const StepReport& report);

// Σ m |v|: what a change of the linear momentum is small against [kg m/s]
double impetus(const Model& model, const State& state);

}  // namespace tendril::app::physics
