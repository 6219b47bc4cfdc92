#include "physics/iterations_to_converge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "physics/real_rods.h"
#include "physics/rod_scene.h"

// 3.7: a solver that takes a number of iterations and leaves the rest. Half a second of a hair: how many of them a step
// takes until its tip is where solved steps take it, and that ten times as many change nothing more.

namespace tendril::app::physics {

namespace {

constexpr double length = 0.2, time_step = 8e-3;  // [m, s]
constexpr int steps = 62;
constexpr double near = 1e-3, same = 0.1 * near;  // of the length [-]

struct Strand {
  std::string name, tables;
};

Vec3d tip(const Strand& strand, const std::string& options, const SolverInfo& solver) {
  const std::string text =
      toml(World{time_step, {0, 0, -standard_gravity}, false}) + toml(hair(), 0) +
      toml(RodText{"hair", hair().name, 30, line({0, 0, 0}, {0, length, 0.02}), "clamp = \"start\""}) + strand.tables +
      fmt::format("[solver.{}]\n{}\n", solver.name, options);
  const LoadedScene loaded = load_scene_text(text, "validate", {}, solver.name);
  Simulation sim = simulation(loaded, loaded.baked.state);
  for (int n = 0; n < steps; ++n) sim.step();
  return sim.state().x.back();
}

void measure(const Strand& strand, const Subject& subject, Findings& findings) {
  const Vec3d solved = tip(strand, "tolerance = 1e-7\niterations = 10000", subject.solver);
  const auto error = [&](int iterations) {
    return norm(tip(strand, fmt::format("iterations = {}", iterations), subject.solver) - solved) / length;
  };
  int needed = 1;
  while (needed < 1000 && error(needed) > near) needed = std::max(needed + 1, needed * 5 / 4);
  findings.compare({fmt::format("{}: iterations until the tip is within {:g} of the length", strand.name, near), "-",
                    fmt::format("h = {:g} ms, at most 100; {:.2g} after 10", 1e3 * time_step, error(10))},
                   needed, 0, 100);
  findings.compare({fmt::format("{}: what ten times as many change, over the length", strand.name), "-", ""},
                   error(10 * needed), 0, same);
}

}  // namespace

void iterations_to_converge(const Subject& subject, Findings& findings) {
  if (!takes_a_number_of_iterations(subject.solver) || !settles_at_once(subject.solver))
    return findings.not_measured("iterations", "its steps are solved, or sweeps");
  const std::vector<Strand> strands{{"a hair that falls", ""},
                                    {"a hair whose clamp turns",
                                     "[[drive]]\nrod = \"hair\"\nat = \"start\"\nabout = [0, -0.08, 0]\n"
                                     "rotate = { axis = [0, 0, 1], keys = [[0, 0], [0.5, 1], [1.5, -1]] }\n"}};
  for (const Strand& strand : strands) findings.part(strand.name, [&] { measure(strand, subject, findings); });
}

}  // namespace tendril::app::physics
