#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <vector>

#include "benchmark.h"
#include "loaded_scene.h"
#include "sim/simulation.h"

// `alpha` beside the talk it is from [sobottka2008]: Newton steps and time of a time step of 1/30 s. And beside `block`
// with order = 2, a method that has nothing in common with it but the grid: on motions where both are of second order,
// their difference falls with h².

namespace tendril::app {
namespace {

constexpr const char* steel_wire =
    "stiffness = { EA = 2e5, GA = 8e4, EI1 = 0.02, EI2 = 0.02, GJ = 0.016 }\nlinear_density = 0.05\nradius = 2e-3\n";
constexpr const char* damped_wire =
    "stiffness = { EA = 2e5, GA = 8e4, EI1 = 0.02, EI2 = 0.02, GJ = 0.016 }\nlinear_density = 0.05\nradius = 2e-3\n"
    "damping = 5\n";
constexpr const char* spring_curve =
    "{ type = \"helix\", center = [0, 0, 0], axis = [0, 0, -1], radius = 0.05, pitch = 0.04, turns = 4 }";

struct Motion {
  const char* name;
  const char* material;
  const char* curve;
  const char* more;    // further lines of the rod
  const char* tables;  // further tables
};

std::string text(const Motion& m, int segments, double time_step, const std::string& solver = "") {
  return fmt::format(
      "[simulation]\ntime_step = {:.17g}\nduration = 100\nthreads = 1\n[contact]\nenabled = false\n[material.m]\n{}"
      "[[rod]]\nname = \"rod\"\nmaterial = \"m\"\nsegments = {}\ncurve = {}\n{}\n{}\n{}",
      time_step, m.material, segments, m.curve, m.more, m.tables, solver);
}

std::unique_ptr<Simulation> start(const std::string& scene, const std::string& solver) {
  const LoadedScene loaded = load_scene_text(scene, "bench", {}, solver);
  return std::make_unique<Simulation>(loaded.baked.model, loaded.baked.state,
                                      SimulationOptions{.time_step = loaded.baked.settings.time_step},
                                      loaded.solver->make(loaded.options));
}

double seconds_of_this_program() { return double(std::clock()) / CLOCKS_PER_SEC; }

struct Cost {
  double milliseconds = forever;  // of the fastest step that takes the mean number of Newton steps
  double iterations = 0;          // mean
  int most = 0, unsolved = 0, steps = 0;
  double per_segment = forever;  // and Newton step [us]
};

Cost cost_of(const std::string& scene, int segments, int steps) {
  const auto simulation = start(scene, "alpha");
  Cost cost;
  double least_per_iteration = forever;
  for (; cost.steps < steps; ++cost.steps) {
    const double before = seconds_of_this_program();
    const StepReport report = simulation->step();
    const double seconds = seconds_of_this_program() - before;
    least_per_iteration = std::min(least_per_iteration, seconds / report.iterations);
    cost.iterations += report.iterations, cost.most = std::max(cost.most, report.iterations);
    cost.unsolved += !report.converged;
  }
  cost.iterations /= steps;
  cost.milliseconds = 1e3 * least_per_iteration * cost.iterations;
  cost.per_segment = 1e6 * least_per_iteration / segments;
  return cost;
}

constexpr int talk_iterations = 14;        // "on the average"
constexpr double talk_milliseconds = 135;  // 100 segments, Pentium M of 1.86 GHz

std::vector<Motion> talk_motions() {
  return {{"naturally curved rod under gravity", steel_wire, "{ type = \"line\", from = [0, 0, 0], to = [1, 0, 0] }",
           "natural_curvature = [0, 6, 0]\nclamp = \"start\"", ""},
          {"helical rod, high damping, end load", damped_wire, spring_curve, "clamp = \"start\"",
           "[[load]]\nrod = \"rod\"\nat = \"end\"\nforce = [0, 0, -1]\n"},
          {"straight rod, end torque", damped_wire, "{ type = \"line\", from = [0, 0, 0], to = [1, 0, 0] }",
           "clamp = \"start\"", "[[load]]\nrod = \"rod\"\nat = \"end\"\nmoment = [0, 0.1, 0.02]\nramp = 1\n"},
          {"coil spring, load released", steel_wire, spring_curve, "clamp = \"start\"",
           "[[load]]\nrod = \"rod\"\nat = \"end\"\nforce = [0, 0, -2]\nuntil = 0.1\n"},
          {"swinging rope of 1 m",
           "stiffness = { EA = 1e5, GA = 4e4, EI1 = 1e-3, EI2 = 1e-3, GJ = 8e-4 }\n"
           "linear_density = 0.05\nradius = 4e-3\n",
           "{ type = \"line\", from = [0, 0, 0], to = [1, 0, 0] }", "clamp = \"start\"", ""}};
}

void push(BenchResults& results, const std::string& name, double measured, const BenchResults& reference,
          const char* unit, const BenchResults& more) {
  BenchResults row = {{"name", "alpha"},      {"solver", "alpha"},      {"case", name},
                      {"measured", measured}, {"reference", reference}, {"unit", unit},
                      {"error", nullptr},     {"tolerance", nullptr},   {"passed", nullptr}};
  row.update(more);
  results.push_back(row);
}

void table_of_the_talk(const BenchOptions& options, BenchResults& results) {
  if (!options.quiet)
    fmt::print(
        "Time steps of 1/30 s, 100 segments; the talk: {} Newton steps on the average, {} ms\n\n{:<36} {:>12} "
        "{:>6} {:>10} {:>10}\n",
        talk_iterations, talk_milliseconds, "motion", "Newton steps", "most", "unsolved", "ms");
  for (const Motion& motion : talk_motions()) {
    const Cost cost = cost_of(text(motion, 100, 1.0 / 30), 100, 90);
    if (!options.quiet)
      fmt::print("{:<36} {:>12.2f} {:>6} {:>4} of {:<2} {:>10.3f}\n", motion.name, cost.iterations, cost.most,
                 cost.unsolved, cost.steps, cost.milliseconds);
    push(results, motion.name, cost.milliseconds, talk_milliseconds, "ms",
         {{"ms_per_frame", cost.milliseconds},
          {"threads", 1},
          {"newton_steps", cost.iterations},
          {"paper_newton_steps", talk_iterations},
          {"unsolved", cost.unsolved}});
  }
}

void table_of_sizes(const BenchOptions& options, BenchResults& results) {
  if (!options.quiet) fmt::print("\n{:>9} {:>34}\n", "segments", "us per segment and Newton step");
  for (const int segments : {100, 1000, 10000, 100000}) {
    const std::string line = fmt::format("{{ type = \"line\", from = [0, 0, 0], to = [{}, 0, 0] }}", segments / 100.0);
    const Motion cable{"cable", steel_wire, line.c_str(), "clamp = \"start\"", ""};
    const Cost cost = cost_of(text(cable, segments, 1e-3), segments, segments > 10000 ? 4 : 20);
    if (!options.quiet) fmt::print("{:>9} {:>34.3f}\n", segments, cost.per_segment);
    push(results, fmt::format("{} segments", segments), cost.per_segment, nullptr, "us per segment and Newton step",
         {{"us_per_segment_iteration", cost.per_segment}, {"threads", 1}});
  }
}

// the vertices of a coarser rod among those of a finer one along the same curve
double difference_of_shared(const State& coarse, const State& fine) {
  const std::size_t times = (fine.x.size() - 1) / (coarse.x.size() - 1);
  double most = 0;
  for (std::size_t i = 0; i < coarse.x.size(); ++i) most = std::max(most, norm(coarse.x[i] - fine.x[times * i]));
  return most;
}

// The talk's spring, pulled for 0.1 s, in ever more segments: what doubling them changes falls with their length
// squared. The scene is scenes/alpha_spring.toml.
void table_of_the_spring(const BenchOptions& options, BenchResults& results) {
  constexpr double time_step = 1.0 / 30;
  constexpr int steps = 6;
  const std::string wire = std::string(steel_wire) + "damping = 0.3\n";
  const Motion spring{"spring", wire.c_str(), spring_curve, "normal = [1, 0, 0]\nclamp = \"start\"",
                      "[[load]]\nrod = \"rod\"\nat = \"end\"\nforce = [0, 0, -0.4]\nuntil = 0.1\n"};
  if (!options.quiet)
    fmt::print(
        "\nCoil spring, load released after 0.1 s, steps of 1/30 s: its tip after {:.1f} s, and the largest distance\n"
        "of its vertices from those with half the segments\n\n{:>9} {:>12} {:>12} {:>7}\n",
        steps * time_step, "segments", "tip z, m", "distance, m", "slope");
  State coarse;
  double last = 0;
  for (const int segments : {25, 50, 100, 200}) {
    const auto simulation = start(text(spring, segments, time_step), "alpha");
    for (int n = 0; n < steps; ++n) simulation->step();
    const State& state = simulation->state();
    const double apart = coarse.x.empty() ? 0 : difference_of_shared(coarse, state);
    const double slope = last > 0 ? std::log2(last / apart) : 0;
    if (!options.quiet)
      fmt::print("{:>9} {:>12.6f} {:>12} {:>7}\n", segments, state.x.back().z,
                 apart > 0 ? fmt::format("{:.3e}", apart) : "", slope != 0 ? fmt::format("{:.2f}", slope) : "");
    BenchResults more = {{"tip_z", state.x.back().z}};
    if (slope != 0) more["slope"] = slope;
    if (apart > 0)
      push(results, fmt::format("coil spring, {} segments, from {}", segments, segments / 2), apart, nullptr, "m",
           more);
    coarse = state, last = apart;
  }
}

// stretch and shear that the step can follow, so that both methods are of their order in all motions
constexpr const char* soft_wire =
    "stiffness = { EA = 200, GA = 100, EI1 = 0.02, EI2 = 0.02, GJ = 0.016 }\nlinear_density = 0.05\nradius = 0.02\n";

struct Compared {
  Motion motion;
  int segments;
  double duration;  // [s]
};

// Loads grow and fall steadily: what jumps excites vibrations that no step follows, and where a load jumps `block` goes
// on with the acceleration from before, which costs it an order.
std::vector<Compared> compared() {
  return {{{"released coil spring", soft_wire, spring_curve, "clamp = \"start\"",
            "[[load]]\nrod = \"rod\"\nat = \"end\"\nforce = [0, 0, -0.4]\nkeys = [[0, 0], [0.05, 1], [0.1, 0]]\n"},
           24,
           0.2},
          {{"swinging cantilever", soft_wire, "{ type = \"line\", from = [0, 0, 0], to = [0.5, 0, 0] }",
            "clamp = \"start\"", ""},
           10,
           0.2},
          {{"spun free rod", soft_wire,
            "{ type = \"arc\", center = [0, 0, 0], from = [0.3, 0, 0], axis = [0, 0, 1], angle = 1.5 }",
            "velocity = [0.2, 0, 1]\nangular_velocity = [1, 2, 5]", ""},
           10,
           0.2}};
}

State end_of(const Compared& of, double h, const std::string& solver, const std::string& options) {
  const auto simulation =
      start(text(of.motion, of.segments, h, fmt::format("[solver.{}]\n{}", solver, options)), solver);
  for (long n = std::lround(of.duration / h); n > 0; --n) simulation->step();
  return simulation->state();
}

double difference(const State& a, const State& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.x.size(); ++i) most = std::max(most, norm(a.x[i] - b.x[i]));
  return most;
}

void table_beside_block(const BenchOptions& options, BenchResults& results) {
  if (!options.quiet)
    fmt::print(
        "\nLargest distance [m] of a vertex from where `block` with order = 2 and the same step has it\n\n"
        "{:<24} {:>10} {:>12} {:>7} {:>22} {:>7}\n",
        "motion", "h, ms", "distance", "slope", "of alpha's own error", "slope");
  for (const Compared& of : compared()) {
    const double finest = 1.0 / 12800;
    const State best = end_of(of, finest / 2, "alpha", "tolerance = 1e-12\n");
    double last = 0, last_own = 0;
    for (double h = 1.0 / 800; h > 0.9 * finest; h /= 2) {
      const State own = end_of(of, h, "alpha", "tolerance = 1e-12\n");
      const State block = end_of(of, h, "block", "order = 2\nrho_infinity = 0.9\ntolerance = 1e-10\n");
      const double apart = difference(own, block), error = difference(own, best);
      const double slope = last > 0 ? std::log2(last / apart) : 0,
                   own_slope = last > 0 ? std::log2(last_own / error) : 0;
      last = apart, last_own = error;
      if (!options.quiet)
        fmt::print("{:<24} {:>10.4f} {:>12.3e} {:>7.2f} {:>22.3e} {:>7.2f}\n", of.motion.name, 1e3 * h, apart, slope,
                   error, own_slope);
      push(results, fmt::format("{}, h = {:.4f} ms, beside block", of.motion.name, 1e3 * h), apart, nullptr, "m",
           {{"slope", slope}, {"own_error", error}});
    }
  }
}

}  // namespace

BenchResults bench_alpha(const BenchOptions& options) {
  BenchResults results = BenchResults::array();
  table_of_the_talk(options, results);
  table_of_sizes(options, results);
  table_of_the_spring(options, results);
  table_beside_block(options, results);
  return results;
}

}  // namespace tendril::app
