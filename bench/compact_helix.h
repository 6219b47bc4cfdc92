#pragma once

#include <memory>
#include <string>
#include <vector>

#include "benchmark.h"
#include "sim/simulation.h"

namespace tendril::app {

// The helix that hangs from one end and falls, Fig. 6 [zhao2022], of scenes/compact_helix.toml. The paper gives its 200
// segments and nothing else.
struct Helix {
  int segments = 200;
  double time_step = 0.01;  // [s]
  double stiffness = 1;     // in bending and twisting, over that of the scene
  double gravity = 9.81;    // [m/s²]
  double damping = 0;       // [1/s]
};

// a solver with what it is set to, as in `tendril run --solver NAME --set solver.NAME.OPTION=VALUE`
struct Way {
  std::string solver;
  std::vector<std::string> sets;  // OPTION=VALUE
};
bool is_there(const Way& way);  // in the registry
std::unique_ptr<Simulation> start_helix(const Helix& helix, const Way& way);

// how far a rod is from what an inextensible one keeps: the paper's two metrics (Sec. 4.1 [zhao2022])
struct Violation {
  double length;     // sum |p1 - p0| / sum l - 1 [-]
  double alignment;  // sum |t - d3| [-]
};
Violation violation(const Model& model, const State& state);

double cpu_seconds();  // that this thread has taken: others on the machine hardly add to it
// the fastest of what was run several times
double fastest(const std::vector<double>& seconds);

BenchResults compact_entry(const std::string& what, const std::string& solver, double measured, const char* unit);

void compare_linear_solvers(const BenchOptions& options, BenchResults& results);  // Fig. 3 to 5 [zhao2022]
void compare_baselines(const BenchOptions& options, BenchResults& results);       // Fig. 7 to 10 [zhao2022]
void compare_stability(const BenchOptions& options, BenchResults& results);       // Fig. 12

}  // namespace tendril::app
