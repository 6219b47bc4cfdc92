#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "rod/model.h"
#include "rod/state.h"

namespace tendril::math {
class ThreadTeam;
}

namespace tendril::rod {
class Writer;
class Reader;
}  // namespace tendril::rod

namespace tendril::contact {
class Contact;
}

namespace tendril::solvers {

// what is prescribed at one instant
struct Instant {
  double time = 0;
  std::vector<Vec3d> force;  // external force, weight included [N] (vertex)
  std::vector<double>
      drag;  // -d force / d velocity of the fields: add -drag (v_end - v_begin) [kg/s] (vertex); empty: none
  std::vector<Vec3d> moment;       // external moment [N m, world] (segment); empty: none
  std::vector<Vec3d> body_force;   // weight included [N] (body)
  std::vector<Vec3d> body_moment;  // [N m, world] (body)
  std::vector<Pose> body_pose;     // of kinematic bodies (body)
  std::vector<Twist> body_twist;   // of kinematic bodies (body)
};

// what is prescribed, at both ends of the step
struct Inputs {
  Instant begin, end;
  // a copy of the State at the start of the step, which stays as it is while the solver writes the end; none: the
  // solver makes its own
  const State* start = nullptr;
  bool may_refuse = false;        // a step that cannot be solved may be refused, and is taken in two halves
  bool may_drop_moments = false;  // of what cannot be solved with them and would be left to hang in the air
  int most_iterations = std::numeric_limits<int>::max();  // where these are fewer than the solver's own limit
  // asked between iterations, by any thread: a step that is to stop ends at once and is not used; empty: never
  std::function<bool()> is_to_stop;

  bool stops() const { return is_to_stop && is_to_stop(); }
};

struct StageTime {
  std::string stage;
  double seconds = 0;
};

struct StepReport {
  int iterations = 0;
  int linear_iterations = 0;
  double residual = 0;  // relative, see the solver's README for its definition [-]
  bool converged = true;
  bool is_refused = false;  // see Inputs, or for its failure: the State is not to be used then
  bool is_stopped = false;  // likewise
  int divisions = 0;        // of refused steps into halves, set by Simulation
  std::string failure;      // why there is no way on, for the user; the State is not to be used then
  int contacts = 0;
  double smallest_gap = forever;  // [m]
  std::vector<StageTime> stages;
  std::vector<double> residuals;  // per iteration, when asked for
};

// what a solver can do; a scene that needs more is refused before its first step
struct Capabilities {
  bool branches = false, loops = false, bodies = false, partial_holds = false;
  bool extensible = false, shearable = false, anisotropic = false, rotational_inertia = false;
  bool contact = false, friction = false, breaking = false, internal_damping = false;
  bool long_steps = false;  // step() stays robust as h grows without bound: an equilibrium takes a few of them
  int order_in_time = 1;
  double exactness =
      1e-12;  // relative size of what the solver leaves unsolved at its default tolerance: round-off for direct methods
};

// advances a State by one time step; owns its scratch memory and history, nothing else
class Solver {
 public:
  virtual ~Solver() = default;

  // Drops warm starts, multipliers, accelerations. Model and team outlive the steps until the next reset; the team is
  // told how many of its threads are of use here.
  virtual void reset(const Model& model, const State& state, ThreadTeam& team) = 0;

  // The arrays of the State stay where they are: only their values change.
  virtual StepReport step(const Inputs& inputs, Contact& contact, double h, State& state) = 0;

  virtual Capabilities capabilities() const { return {}; }

  virtual void save(Writer& out) const = 0;  // all that the next step reads besides State
  virtual void load(Reader& in) = 0;

  // what segments carried at the end of the last step beside their stretch, where constraints keep their length: pulls
  // the first vertex, the opposite the second one [N] (segment); empty: nothing
  virtual std::span<const Vec3d> constraint_forces() const { return {}; }
};

// one option of a solver: its TOML key, default, unit and meaning
using OptionValue = std::variant<bool, int, double, std::string>;
struct OptionInfo {
  std::string name;
  OptionValue default_value;
  std::string unit, meaning;
  std::vector<std::string> choices;  // of a string option
  double minimum = -forever, maximum = forever;
};
using OptionValues = std::map<std::string, OptionValue>;  // only those that the user set

// an option that a solver does not have, or a value that it does not take; says which there are
struct OptionError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

struct SolverInfo {
  std::string name;
  std::string summary;  // one line
  std::string paper;    // key in docs/references.bib
  Capabilities capabilities;
  std::vector<OptionInfo> options;
  std::unique_ptr<Solver> (*make)(const OptionValues& options);  // throws OptionError
};

// every solver, in the order in which they are listed
const std::vector<SolverInfo>& registered_solvers();
const SolverInfo* find_solver(const std::string& name);  // nullptr when there is none of that name

}  // namespace tendril::solvers
