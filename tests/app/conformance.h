#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "conformance_scene.h"
#include "sim/simulation.h"
#include "solvers/solver.h"

// What every solver of the registry must do. A property is checked with each solver that has the capabilities for it,
// so a new solver inherits all of them by its line in the registry.
namespace tendril::app::conformance {

struct Property {
  std::string name;  // of its tests: Conformance/NAME.SOLVER
  std::function<void(const SolverInfo& solver)> check;
  std::vector<bool Capabilities::*> needs = {};  // what a solver must have to be asked
};

std::vector<Property> motion_properties();          // rest, free fall, momentum
std::vector<Property> symmetry_properties();        // placement, direction, units, cuts
std::vector<Property> support_properties();         // clamps, drives, holds that begin and end, breaking
std::vector<Property> statics_properties();         // deflections against closed forms
std::vector<Property> order_properties();           // convergence in space and time
std::vector<Property> repeat_properties();          // the same bits again
std::vector<Property> resting_properties();         // what lies on something, by material
std::vector<Property> friction_properties();        // threshold and ratio, by material
std::vector<Property> collision_properties();       // rods, bodies and obstacles that meet, by material
std::vector<Property> contact_repeat_properties();  // the same bits again, and none where nothing is near

// A baseline (solvers/baselines.h) is kept as its paper describes it, with what is wrong about that. Whatever it
// cannot hold for that reason is listed with the reason, and skipped; it is asked all else.
struct Excuse {
  std::string solver, property, why;
};
const std::vector<Excuse>& excuses();

// A solver that iterates to a tolerance is asked for a tight one where a property is exact: its option `tolerance`, if
// it has it. Otherwise it runs as it comes; one that takes a number of iterations by default is asked for what it calls
// solved.
struct Precision {
  bool tight = true;
};

// the scene under the solver; throws when the scene or the solver refuses
std::unique_ptr<Simulation> start(const SolverInfo& solver, const std::string& scene, Precision precision = {},
                                  int threads = 1);

// steps that must all converge
void advance(Simulation& simulation, int steps);

// goes to equilibrium, which must be found
void settle(Simulation& simulation);

// the share of the forces at work that a step may leave unsolved [-]
double unsolved_share(const SolverInfo& solver, Precision precision = {});

// How far a vertex may be from where an exact solution of the same steps would be [m]: the unsolved share e of the
// largest force F, in the worst case always along one direction, moves a mass m by e F/m t²/2. On top comes the
// rounding of positions.
double drift(const SolverInfo& solver, const Simulation& simulation, double largest_force, Precision precision = {});

// vertices of a rod by its name, from its start
std::vector<Vec3d> positions(const Simulation& simulation, const std::string& rod);
Vec3d end_of(const Simulation& simulation, const std::string& rod);

// the largest distance between two lists of points [m]
double largest_distance(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b);

}  // namespace tendril::app::conformance
