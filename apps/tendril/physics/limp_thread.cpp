#include <fmt/format.h>

#include <cmath>

#include "physics/case.h"
#include "physics/real_rods.h"

// 3.5: Newton steps of a limp thread of six segments, a zigzag pinned at its end, in time steps of 56 ms, in which it
// swings through a large angle.

namespace tendril::app::physics {

namespace {

constexpr double time_step = 0.056;  // [s]

std::string scene() {
  const RealMaterial thread{"thread", 3.9e9, 0.3, 4200, 54e-6};
  const char* zigzag =
      "{ type = \"polyline\", points = [[7.2e-3, 28.7e-3, 79.2e-3], [13.4e-3, 32.4e-3, 82.9e-3], "
      "[19.6e-3, 17.7e-3, 70.8e-3], [25.8e-3, 27.1e-3, 79.6e-3], [32.0e-3, 18.2e-3, 78.5e-3], "
      "[38.1e-3, 30.2e-3, 71.8e-3], [44.3e-3, 29.1e-3, 77.9e-3]] }";
  return toml(World{time_step}) + toml(thread, 0) +
         fmt::format("[[rod]]\nname = \"thread\"\nmaterial = \"thread\"\ncurve = {}\npin = [\"end\"]\n", zigzag);
}

}  // namespace

void limp_thread(const Subject& subject, Findings& findings) {
  if (!settles_at_once(subject.solver) || takes_a_number_of_iterations(subject.solver))
    return findings.not_measured("", fmt::format("the solver \"{}\" takes no Newton steps", subject.solver.name));
  const LoadedScene loaded = load_scene_text(scene(), "validate", {}, subject.solver.name);
  Simulation sim = simulation(loaded, loaded.baked.state);
  StepTally tally;
  while (tally.steps < 60) tally.take(sim.step());
  findings.compare({"pinned zigzag, h = 56 ms: Newton steps", "-", fmt::format("at most {}", tally.most_iterations)},
                   tally.mean_iterations(), 0, 8);
  findings.compare({"pinned zigzag, h = 56 ms: unsolved steps", "-", fmt::format("of {}", tally.steps)}, tally.unsolved,
                   0, 0);
}

}  // namespace tendril::app::physics
