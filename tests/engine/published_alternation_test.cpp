// mode = "paper" of direct: collisions and loops by Gauss-Seidel in turn with the rods [deul2018]

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/engine.h"
#include "rod/momentum.h"

namespace tendril::engine {
namespace {

constexpr double radius = 0.005, reach = 0.1 * radius;

// the paper's step and iterations
std::string world(const std::string& gravity, int iterations = 3, const std::string& more = "") {
  return fmt::format(R"(
[simulation]
solver = "direct"
time_step = 0.01
duration = 10
gravity = {}
threads = 1
[solver.direct]
mode = "paper"
iterations = {}
{}
[material.m]
young_modulus = 1e7
poisson_ratio = 0.4
density = 1100
section = {{ shape = "circle", radius = {} }}
friction = 0.4
)",
                     gravity, iterations, more, radius);
}
std::string rod(const std::string& name, const std::string& curve, const std::string& more = "") {
  return fmt::format("[[rod]]\nname = \"{}\"\nmaterial = \"m\"\nsegments = 10\ncurve = {{ {} }}\n{}\n", name, curve,
                     more);
}
const std::string floor_below = "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\n";

std::string line(double height) {
  return fmt::format("type = \"line\", from = [0, 0, {0}], to = [0.3, 0, {0}]", height);
}

// every step is judged by the exact test, too
struct Outcome {
  std::unique_ptr<Simulation> sim;
  double smallest_gap = forever;
  int unsolved = 0;
};
Outcome run(const std::string& scene, int steps) {
  Outcome out{make_simulation(open_scene_text(scene, "published.toml"), true)};
  for (int n = 0; n < steps; ++n) {
    const StepReport report = out.sim->step();
    out.smallest_gap = std::min(out.smallest_gap, report.smallest_gap);
    out.unsolved += !report.converged;
  }
  return out;
}

// Two rods fall, 3 cm per step and six radii, onto the floor, and one across the other. They come to rest, the first
// three quarters of the reach above the floor.
TEST(PublishedAlternation, RodsThatFallLieOnWhatIsBelow) {
  const Outcome end = run(
      world("[0, 0, -9.81]") + floor_below + rod("low", line(0.5)) +
          rod("across", "type = \"line\", from = [0.15, -0.15, 0.6], to = [0.15, 0.15, 0.6]", "velocity = [0, 0, -3]"),
      150);
  EXPECT_GT(end.smallest_gap, 0);
  const State& state = end.sim->state();
  for (int i = 0; i <= 10; ++i) EXPECT_NEAR(state.x[i].z, radius + 0.75 * reach, 0.25 * reach) << i;
  EXPECT_NEAR(state.x[16].z, 3 * radius + 2.25 * reach, 0.1 * radius) << "the middle of what lies across";
  for (const Vec3d& v : state.v) EXPECT_LT(norm(v), 0.02);
}

// a rod on a floor that is tilted in place of gravity: friction 0.4 holds it at an angle of 0.35, and lets it slide at
// 0.5 with g (sin - 0.4 cos)
TEST(PublishedAlternation, FrictionHoldsUpToItsLimit) {
  const auto slid = [&](double angle, double time) {
    const double z = radius + 0.75 * reach;
    const std::string gravity = fmt::format("[0, {}, {}]", 9.81 * std::sin(angle), -9.81 * std::cos(angle));
    const Outcome end = run(world(gravity) + floor_below + rod("rod", line(z)), static_cast<int>(time / 0.01));
    return end.sim->state().x[5].y;
  };
  EXPECT_LT(slid(0.35, 1), 0.01 * radius);  // sweeps leave a thousandth in each of 100 steps
  const double way = 0.5 * 9.81 * (std::sin(0.5) - 0.4 * std::cos(0.5));
  EXPECT_NEAR(slid(0.5, 1), way, 0.02 * way);
}

// what collides in the air keeps its momentum, as long as nothing has to be cut off
TEST(PublishedAlternation, CollisionsKeepTheMomentum) {
  const std::string scene =
      world("[0, 0, 0]", 20) + rod("still", line(0.5)) +
      rod("comes", "type = \"line\", from = [0.15, -0.15, 0.52], to = [0.15, 0.15, 0.52]", "velocity = [0, 0, -0.5]");
  const Vec3d before = linear_momentum(open_scene_text(scene, "").baked.model, run(scene, 0).sim->state());
  const Outcome end = run(scene, 20);
  EXPECT_LT(end.sim->state().v[5].z, -0.1) << "they have met";
  EXPECT_GT(end.smallest_gap, 0);
  EXPECT_LT(norm(linear_momentum(end.sim->model(), end.sim->state()) - before), 1e-12 * norm(before));
}

// A ring is a rod whose last constraint closes a loop, a bridge one whose second support does: these are solved one by
// one in turn with the rest, and lead to where the rest leads with them in more iterations.
TEST(PublishedAlternation, LoopsCloseInTheEnd) {
  const std::string ring = rod("ring", "type = \"circle\", center = [0, 0, 0], axis = [0, 1, 0], radius = 0.1",
                               "pin = [0]"),
                    bridge = rod("bridge", line(0), "clamp = [\"start\", \"end\"]");
  for (const std::string& rods : {ring, bridge}) {
    State start;
    const auto state_after = [&](const std::string& mode) {
      const auto sim = make_simulation(open_scene_text(mode + rods, "loop.toml"));
      start = sim->state();
      int iterations = 0;
      for (int n = 0; n < 5; ++n) iterations += sim->step().iterations;
      return std::pair(sim->state(), iterations);
    };
    const std::string no_contact = "tolerance = 1e-10\n[contact]\nenabled = false\n";
    const auto [published, many] = state_after(world("[0, 0, -9.81]", 100000, no_contact));
    // the published direction of forces is that of the last iteration: a step differs in the second order
    std::string exact = world("[0, 0, -9.81]", 100, no_contact);
    exact.replace(exact.find("mode = \"paper\""), 14, "");
    const auto [whole, few] = state_after(exact);
    double way = 0, apart = 0;
    for (std::size_t i = 0; i < whole.x.size(); ++i) {
      apart = std::max(apart, norm(published.x[i] - whole.x[i]));
      way = std::max(way, norm(whole.x[i] - start.x[i]));
    }
    EXPECT_GT(many, 2 * few) << "one by one";
    EXPECT_GT(way, 1e-4);
    EXPECT_LT(apart, 0.05 * way);
  }
}

// three iterations leave something, and say so
TEST(PublishedAlternation, SaysWhatIsUnsolved) {
  EXPECT_GT(run(world("[0, 0, -9.81]") + floor_below + rod("rod", line(0.5)), 40).unsolved, 0);
}

}  // namespace
}  // namespace tendril::engine
