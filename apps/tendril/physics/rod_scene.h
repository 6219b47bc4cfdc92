#pragma once

#include <ctime>
#include <string>
#include <vector>

#include "loaded_scene.h"
#include "sim/simulation.h"

namespace tendril::app::physics {

// A scene of one rod named "rod" with a probe "tip" at its end, as a user would write it.
struct RodScene {
  double time_step = 0.01;    // [s]
  Vec3d gravity;              // [m/s²]
  double EA = 0, GA = 0;      // [N]
  double EI = 0, GJ = 0;      // [N m²]
  double linear_density = 1;  // [kg/m]
  double radius = 1e-3;       // [m]
  bool contact = false;
  double friction = 0;
  int segments = 0;
  std::string curve;      // the value of `curve`
  std::string material;   // further lines of the material: linear_inertia, damping
  std::string support;    // further lines of the rod: clamp, pin, rest
  std::string tables;     // further tables: loads, holds, options
  double unsolved = 0.1;  // what an iterative solver may leave, of the tolerance within which the rod is to settle [-]
};

std::string toml(const RodScene& scene);
std::string toml(const Vec3d& v);                      // [x, y, z]
std::string line(const Vec3d& from, const Vec3d& to);  // a curve
std::string tip_force(const Vec3d& force);             // a table
std::string tip_moment(const Vec3d& moment);           // a table

// a table with the options that make an iterative solver leave no more than this of its equations, and with its order
// in time where that is an option (0: its default); empty for direct ones
std::string solved_to(const SolverInfo& solver, double tolerance, int iterations, int order = 0);

// a further line of that table: a scheme of second order is not to damp the vibrations that its step cannot follow
std::string undamped(const SolverInfo& solver, int order);

// the orders in time that it can be asked for, the least first
std::vector<int> orders_in_time(const SolverInfo& solver);

// it finds an equilibrium in a few long steps, so that fine and stiff rods are measured in no time
bool settles_at_once(const SolverInfo& solver);

// by default its steps end after so many iterations, solved or not
bool takes_a_number_of_iterations(const SolverInfo& solver);

// rods that cannot stretch or shear get stiffnesses with which others would hardly
LoadedScene load(const RodScene& scene, const SolverInfo& solver);

// 1, or 0 where a solver has no stretching, and so none of what it adds to a reference
double share_of_stretch(const SolverInfo& solver);
Simulation simulation(const LoadedScene& loaded, State start);

// seconds of one core that this program has used since; what else runs on the machine does not count
class Stopwatch {
 public:
  double seconds() const { return double(std::clock() - start_) / CLOCKS_PER_SEC; }

 private:
  std::clock_t start_ = std::clock();
};

// where a rod comes to rest, and what it took to find out
struct Equilibrium {
  Model model;
  State state;
  SettleReport report;
  double seconds = 0;
  std::vector<Vec3d> carried;  // by constraints, see Solver::constraint_forces [N, world] (segment); empty: nothing

  Vec3d tip() const;         // [m]
  Quatd tip_frame() const;   // of the section at the end vertex
  Vec3d force(int s) const;  // in a segment [N, world]
  std::string cost() const;  // "2100 steps, 0.3 s"
};

// throws SimulationFailed when it does not come to rest; `tolerance`: unbalanced force over the largest force carried
// [-]
Equilibrium settled(const RodScene& scene, const SolverInfo& solver, double tolerance = 1e-8);

}  // namespace tendril::app::physics
