#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "physics/case.h"
#include "physics/real_rods.h"
#include "rod/momentum.h"

// 4.7: a hold that begins in a fall, settling without an equilibrium, a driven obstacle among rods, and a moment that
// no step can follow. The first two have no reason to fail; the third may, but not slowly; the last must leave the
// weight.

namespace tendril::app::physics {

namespace {

struct Progress {
  double reached = 0;        // simulated [s]
  double slowest = 0;        // step, a failing one included [s of one core]
  double early = 0;          // mean of the first 50 steps [s of one core]
  std::string failure = {};  // why it ended early
};

Progress advance(Simulation& sim, double seconds) {
  constexpr int early_steps = 50;
  Progress out;
  const long steps = std::lround(seconds / sim.time_step());
  for (long n = 0; n < steps && out.failure.empty(); ++n) {
    const Stopwatch stopwatch;
    try {
      sim.step();
    } catch (const SimulationFailed& failed) {
      out.failure = failed.what();
    }
    out.slowest = std::max(out.slowest, stopwatch.seconds());
    if (n < early_steps) out.early += stopwatch.seconds() / early_steps;
  }
  out.reached = sim.time();
  return out;
}

// a thin rod falls beside another one, out of its reach, until a hold catches its start
constexpr const char* hold_in_fall = R"([simulation]
time_step = 3.69e-4
duration = 1
threads = 1
[material.thin]
young_modulus = 5.6e9
poisson_ratio = 0.5
density = 118
section = { shape = "circle", radius = 1e-5 }
[material.thick]
stiffness = { EA = 2.2e5, GA = 7.8e4, EI1 = 4.5e-5, EI2 = 4.5e-5, GJ = 3.2e-5 }
linear_density = 0.03
radius = 5.6e-5
[[rod]]
name = "bystander"
material = "thin"
curve = { type = "polyline", points = [[4.07e-3, 17.19e-3, 45.83e-3], [14.53e-3, 16.49e-3, 44.8e-3], [24.99e-3, 13.26e-3, 44.39e-3]] }
[[rod]]
name = "falling"
material = [[0.0, "thick"], [0.59, "thin"]]
curve = { type = "line", from = [36.53e-3, 12.64e-3, 48.27e-3], to = [50.63e-3, 16.42e-3, 38.89e-3] }
segments = 13
[[hold]]
rod = "falling"
at = "start"
from = 8.86e-3
)";

void late_hold(const Subject& subject, Findings& findings) {
  const LoadedScene loaded = load_scene_text(hold_in_fall, "validate", {}, subject.solver.name);
  Simulation sim = simulation(loaded, loaded.baked.state);
  const double seconds = 120 * sim.time_step();
  const Progress r = advance(sim, seconds);
  findings.compare({"hold that begins in a fall: simulated", "s", r.failure}, r.reached, seconds, 1e-6);
}

// two arcs of a thin tube, one bent at rest, one under a load that follows it; nothing holds them
constexpr const char* loose_arcs = R"([simulation]
time_step = 2.41e-3
duration = 1
threads = 1
[material.tube]
young_modulus = 5.1e9
poisson_ratio = 0.3
density = 36
section = { shape = "tube", radius = 3.2e-4, inner = 1.46e-4 }
[[rod]]
name = "loaded"
material = "tube"
curve = { type = "arc", center = [0.12, 0.12, 0.2], from = [0.152, 0.12, 0.2], axis = [0, 1, 1], angle = -1.32 }
segments = 14
[[rod]]
name = "bent"
material = "tube"
curve = { type = "arc", center = [0.12, 0.12, 0.12], from = [0.152, 0.12, 0.12], axis = [0, 1, 1], angle = -3.91 }
segments = 11
natural_curvature = [0.38, -25.7, 47.2]
[[load]]
rod = "loaded"
per_length = [1.96e-6, 5.33e-6, -1.04e-7]
frame = "material"
)";

// The scene has no equilibrium, so settling fails; the time steps after it must run all the same.
void settling(const Subject& subject, Findings& findings) {
  const LoadedScene loaded = load_scene_text(loose_arcs, "validate", {}, subject.solver.name);
  Simulation sim = simulation(loaded, loaded.baked.state);
  const double seconds = 30 * sim.time_step();
  std::string failure;
  try {
    sim.settle({.max_steps = 2000});
    failure = advance(sim, seconds).failure;
  } catch (const std::runtime_error& refused) {
    failure = refused.what();
  }
  findings.compare({"loose arcs, settled first: simulated", "s", failure}, sim.time(), seconds, 1e-6);
}

// rods rain on a floor where a box is driven to and fro; a ball swings on a rope nearby
constexpr const char* driven_box = R"([simulation]
time_step = 4e-3
duration = 1
threads = 1
[material.rubber]
young_modulus = 2e6
poisson_ratio = 0.45
density = 1100
section = { shape = "circle", radius = 0.01 }
damping = 0.2
internal_damping = 1e-3
friction = 0.4
strain_limit = 0.05
[[rod]]
name = "rods"
material = "rubber"
segments = 6
curve = { type = "line", from = [-0.15, 0, 0], to = [0.15, 0, 0] }
copies = { count = 14, low = [-0.1, -0.1, 0.25], high = [0.1, 0.1, 0.7], turn = "any", seed = 3 }
velocity = [0, 0, -2]
[[rod]]
name = "rope"
material = "rubber"
segments = 12
curve = { type = "line", from = [0.5, 0, 0.9], to = [0.9, 0, 0.9] }
pin = ["start"]
[[body]]
name = "ball"
rod = "rope"
at = "end"
mass = 2
offset = [0.06, 0, 0]
shape = { shape = "sphere", radius = 0.05 }
[[obstacle]]
name = "floor"
shape = "plane"
friction = 0.4
[[obstacle]]
name = "box"
shape = "box"
center = [0, 0, 0.02]
size = [0.04, 0.04, 0.02]
[[drive]]
obstacle = "box"
translate = { sine = { amplitude = [0.1, 0, 0.01], frequency = 2 } }
[[field]]
type = "wind"
velocity = [3, 1, 0]
gust = { amplitude = 2, frequency = 2, scale = 0.3 }
)";

void crowded_floor(const Subject& subject, Findings& findings) {
  const LoadedScene loaded = load_scene_text(driven_box, "validate", {}, subject.solver.name);
  Simulation sim = simulation(loaded, loaded.baked.state);
  const Progress r = advance(sim, 0.4);
  findings.compare({"rods under a driven box: slowest step / mean of the first 50", "-",
                    fmt::format("reached {:g} s of 0.4; slowest step {:.2g} s{}{}", r.reached, r.slowest,
                                r.failure.empty() ? "" : "; ", r.failure)},
                   r.slowest / r.early, 0, 50);
}

// A free rod whose end moment no time step can resolve: its end would turn by 1e5 rad in one. Its momentum must be
// m g t all the same, also in steps that are not solved.
constexpr const char* twirled_rod = R"([simulation]
time_step = 0.01
duration = 1
threads = 1
[contact]
enabled = false
[material.rubber]
young_modulus = 1e6
poisson_ratio = 0.4
density = 1000
section = { shape = "circle", radius = 1e-3 }
[[rod]]
name = "rod"
material = "rubber"
segments = 8
curve = { type = "line", from = [0, 0, 0], to = [0.5, 0, 0] }
[[load]]
rod = "rod"
at = "end"
moment = [0.1, 0, 0]
)";

void fall_of_twirled_rod(const Subject& subject, Findings& findings) {
  const LoadedScene loaded = load_scene_text(twirled_rod, "validate", {}, subject.solver.name);
  Simulation sim = simulation(loaded, loaded.baked.state);
  const Progress r = advance(sim, 0.6);
  double mass = 0;
  for (const Vertex& vertex : sim.model().vertices) mass += vertex.mass;
  findings.compare({"free rod with a large moment: momentum / weight t", "-", r.failure},
                   linear_momentum(sim.model(), sim.state()).z / (mass * sim.model().gravity.z * 0.6), 1, 1e-6);
}

}  // namespace

void robustness(const Subject& subject, Findings& findings) {
  if (!subject.solver.capabilities.contact)
    return findings.not_measured("", fmt::format("the solver \"{}\" has no contact", subject.solver.name));
  findings.part("hold that begins in a fall", [&] { late_hold(subject, findings); });
  findings.part("loose arcs, settled first", [&] { settling(subject, findings); });
  findings.part("rods under a driven box", [&] { crowded_floor(subject, findings); });
  findings.part("free rod with a large moment", [&] { fall_of_twirled_rod(subject, findings); });
}

}  // namespace tendril::app::physics
