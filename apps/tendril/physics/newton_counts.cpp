#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/case.h"
#include "physics/real_rods.h"

// 3.5: mean number of Newton steps per time step of one hair without contact. Stretching is stiffer than bending by
// EA L² / EI = 1e8, so an update that turns a segment must not stretch it.

namespace tendril::app::physics {

namespace {

constexpr double length = 0.2;  // [m]
const char* const wind = "[[field]]\ntype = \"wind\"\nvelocity = [3, 0, 0]\ngust = { amplitude = 1 }\n";

struct Strand {
  std::string name;
  double most = 0;  // Newton steps per time step, in the mean
  std::string curve, support, tables;
};

std::vector<Strand> strands() {
  const std::string level = line({0, 0, 0}, {0, length, 0.02}), held = "clamp = \"start\"";
  const double pi = std::numbers::pi;
  const std::string bow = fmt::format(
      "{{ type = \"arc\", center = [0, 0, 0], from = [0, {}, 0], axis = [1, 0, 0], angle = -2 }}", length / 2);
  const std::string ring = fmt::format("{{ type = \"circle\", axis = [1, 1, 1], radius = {} }}", length / (2 * pi));
  const std::string turning =
      "[[drive]]\nrod = \"hair\"\nat = \"start\"\nabout = [0, -0.08, 0]\n"
      "rotate = { axis = [0, 0, 1], keys = [[0, 0], [0.5, 1], [1.5, -1], [2.5, 1], [3.5, -1]] }\n";
  return {{"calm", 4, level, held, ""},
          {"in wind", 4, level, held, wind},
          {"turning clamp", 4, level, held, turning},
          {"free, in wind", 8, level, "", wind},
          {"held at both ends, in wind", 8, bow, "clamp = [\"start\", \"end\"]", wind},
          {"ring, in wind", 8, ring, "", wind}};
}

StepTally count(const Strand& strand, int segments, double time_step, const SolverInfo& solver) {
  const std::string text = toml(World{time_step, {0, 0, -standard_gravity}, false}) + toml(hair(), 0) +
                           toml(RodText{"hair", hair().name, segments, strand.curve, strand.support}) + strand.tables;
  const LoadedScene loaded = load_scene_text(text, "validate", {}, solver.name);
  Simulation sim = simulation(loaded, loaded.baked.state);
  StepTally tally;
  const double seconds = std::max(0.5, 100 * time_step);
  for (long n = std::lround(seconds / time_step); n > 0; --n) tally.take(sim.step());
  return tally;
}

// What is of second order only solves to round-off by default, 1e-8, where the others stop at 2e-3 or 1e-4: two steps
// more.
double most_steps(const Strand& strand, const SolverInfo& solver) {
  return strand.most + (solver.capabilities.order_in_time == 1 ? 0 : 2);
}

void measure(const Strand& strand, int segments, const Subject& subject, Findings& findings) {
  const std::string what = fmt::format("{}, {} segments", strand.name, segments);
  findings.part(what, [&] {
    int steps = 0, unsolved = 0;
    for (double time_step : {1e-3, 4e-3, 8e-3, 16e-3, 32e-3}) {
      if (subject.quick() && time_step != 8e-3) continue;
      const StepTally tally = count(strand, segments, time_step, subject.solver);
      findings.compare(
          {fmt::format("{}, h = {:g} ms: Newton steps", what, 1e3 * time_step), "-",
           fmt::format("at most {}, {} of {} steps unsolved", tally.most_iterations, tally.unsolved, tally.steps)},
          tally.mean_iterations(), 0, most_steps(strand, subject.solver));
      steps += tally.steps, unsolved += tally.unsolved;
    }
    findings.compare({what + ": unsolved steps", "-", fmt::format("of {}", steps)}, unsolved, 0, 0);
  });
}

}  // namespace

void newton_counts(const Subject& subject, Findings& findings) {
  if (!settles_at_once(subject.solver) || takes_a_number_of_iterations(subject.solver))
    return findings.not_measured("", fmt::format("the solver \"{}\" takes no Newton steps", subject.solver.name));
  for (const Strand& strand : strands())
    for (int segments : {20, 128})
      if (!subject.quick() || segments == 20) measure(strand, segments, subject, findings);
}

}  // namespace tendril::app::physics
