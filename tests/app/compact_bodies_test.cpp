// bodies on rods that cannot stretch, beside the same under `block`, whose rods stretch a little

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loaded_scene.h"
#include "run_scene.h"
#include "sim/simulation.h"

namespace tendril::app {
namespace {

const std::string rod = R"(
[simulation]
time_step = 0.005
duration = 1.0
threads = 1
[material.wire]
stiffness = { EA = 1e9, GA = 1e9, EI1 = 2e-2, EI2 = 2e-2, GJ = 1.5e-2 }
linear_density = 0.05
radius = 0.004
friction = 0.3
[[rod]]
name = "rod"
material = "wire"
segments = 20
curve = { type = "line", from = [0, 0, 0], to = [1, 0, 0] }
)";

constexpr const char* bob = R"(
[[body]]
name = "{0}"
rod = "rod"
at = {1}
offset = {2}
mass = 0.1
inertia = [2e-4, 1e-4, 3e-4]
)";

// the largest way between the two runs, of vertices and bodies [m]
double apart(const std::string& scene, int steps = 100, const std::string& of_compact = "") {
  const auto run = [&](const char* solver, const std::string& more) {
    const std::string exactly = fmt::format("[solver.{}]\ntolerance = 1e-10\n", solver);
    return make_simulation(load_scene_text(scene + exactly + more, "bodies.toml", {}, solver));
  };
  const auto one = run("compact", of_compact), other = run("block", "");
  double most = 0;
  for (int n = 0; n < steps; ++n) {
    EXPECT_TRUE(one->step().converged);
    other->step();
    const State &a = one->state(), &b = other->state();
    for (std::size_t i = 0; i < a.x.size(); ++i) most = std::max(most, norm(a.x[i] - b.x[i]));
    for (std::size_t k = 0; k < a.body_x.size(); ++k) {
      most = std::max(most, norm(a.body_x[k] - b.body_x[k]));
      most = std::max(most, norm(turn_between(a.body_q[k], b.body_q[k])));
    }
  }
  return most;
}

std::string bob_at(const char* at, const char* offset = "[0, 0, 0]", const char* name = "bob") {
  return fmt::format(fmt::runtime(bob), name, at, offset);
}

constexpr double alike = 2e-6;  // EA = 1e9 N stretches by 1e-9, which swings and impacts enlarge

TEST(CompactBodies, HangFromAnEnd) { EXPECT_LT(apart(rod + "clamp = [\"start\"]\n" + bob_at("\"end\"")), alike); }

TEST(CompactBodies, HangFromAnArm) {
  EXPECT_LT(apart(rod + "pin = [\"start\"]\n" + bob_at("\"end\"", "[0.05, 0.03, -0.1]")), alike);
}

TEST(CompactBodies, HangOnTheWay) {
  const std::string held = "pin = [\"start\"]\n[[hold]]\nrod = \"rod\"\nat = \"end\"\nposition = \"yz\"\n";
  EXPECT_LT(apart(rod + held + bob_at("10")), 10 * alike) << "the end that slides is thrown";
}

TEST(CompactBodies, FlyAtBothEnds) {
  const std::string flying = "velocity = [0, 1, 0]\n[[load]]\nrod = \"rod\"\nat = 7\nforce = [0, 0.2, 1]\n";
  EXPECT_LT(apart(rod + flying + bob_at("\"start\"", "[-0.05, 0, 0.02]") + bob_at("\"end\"", "[0, 0, 0]", "other")),
            alike);
}

// a ball between two rods falls on another one that lies on the floor
constexpr const char* balls = R"(clamp = ["start"]
[[rod]]
name = "tail"
material = "wire"
segments = 10
curve = { type = "line", from = [1.12, 0, 0], to = [1.6, 0, 0] }
[[body]]
name = "between"
shape = { shape = "sphere", center = [1.06, 0, 0], radius = 0.05 }
mass = 0.1
[[body]]
name = "ball"
shape = { shape = "sphere", center = [0.5, 0.01, -0.2097], radius = 0.08 }
mass = 0.2
[[joint]]
a = { rod = "rod", at = "end" }
b = { body = "between" }
[[joint]]
a = { rod = "tail", at = "start" }
b = { body = "between" }
[[obstacle]]
name = "floor"
shape = "plane"
point = [0, 0, -0.29]
)";
// Newton's method ends when nothing turns any more, which leaves a ball by itself anywhere in some hundredths of the
// reach of its barrier, 0.5 % of its size.
TEST(CompactBodies, JoinRodsAndCollide) {
  const auto simulation = make_simulation(load_scene_text(rod + balls, "bodies.toml", {}, "compact"));
  int first = 0;  // step in which the balls touch, beside the one that lies
  while (simulation->step().contacts < 2) ++first;
  for (int n = 0; n < 20; ++n) {
    const StepReport report = simulation->step();
    EXPECT_TRUE(report.converged);
    EXPECT_GT(report.smallest_gap, 0);
  }
  EXPECT_LT(apart(rod + balls, first), 0.05 * 0.005 * 0.08);
}

TEST(CompactBodies, WithConjugateGradients) {
  EXPECT_LT(
      apart(rod + "clamp = [\"start\"]\n" + bob_at("\"end\"", "[0.05, 0.03, -0.1]"), 100, "linear_solver = \"pcg\"\n"),
      alike);
}

TEST(CompactBodies, WithThreeRodsAreRefused) {
  const std::string third = R"([[rod]]
name = "third"
material = "wire"
segments = 5
curve = { type = "line", from = [1.06, 0.06, 0], to = [1.06, 0.5, 0] }
[[joint]]
a = { rod = "third", at = "start" }
b = { body = "between" }
)";
  EXPECT_THROW(load_scene_text(rod + balls + third, "bodies.toml", {}, "compact"), SceneError);
  EXPECT_NO_THROW(load_scene_text(rod + balls + third, "bodies.toml", {}, "block"));
}

}  // namespace
}  // namespace tendril::app
