#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "loaded_scene.h"
#include "run_scene.h"
#include "sim/simulation.h"
#include "sim/untangle.h"

namespace tendril::app {
namespace {

// Random piles and tangles of short rods: radii over a decade, steps from 0.1 to 10 ms, rods that fly fast, a floor and
// an obstacle that is driven through them. Nothing may cross by the exact test, and no gap may close. The number of
// scenes is TENDRIL_TANGLES, a few when it is not set.

int tangle_count() {
  const char* wish = std::getenv("TENDRIL_TANGLES");
  return wish ? std::atoi(wish) : 24;
}

class Dice {
 public:
  explicit Dice(int seed) : engine_(seed) {}
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  double decades(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }
  bool coin() { return between(0, 1) < 0.5; }

 private:
  std::mt19937 engine_;
};

std::string tangle(const std::string& solver, int seed) {
  Dice dice(seed);
  const double h = dice.decades(1e-4, 1e-2);
  std::string text = fmt::format(
      "[simulation]\nsolver = \"{}\"\ntime_step = {}\nduration = {}\nthreads = 1\n"
      "[solver.stable]\niterations = {}\n{}",
      solver, h, 40 * h, dice.coin() ? 4 : 30, dice.coin() ? "precision = \"float\"\n" : "");
  const int kinds = 3;
  for (int kind = 0; kind < kinds; ++kind) {
    const double radius = dice.decades(1e-3, 1e-2), length = dice.between(6, 40) * radius;
    const double speed = dice.decades(0.1, 100);
    text += fmt::format(
        "[material.m{0}]\nyoung_modulus = {1}\npoisson_ratio = 0.4\ndensity = {2}\nsection = {{ shape = \"circle\", "
        "radius = {3} }}\nfriction = {4}\n"
        "[[rod]]\nname = \"rod{0}\"\nmaterial = \"m{0}\"\nsegments = {5}\ncurve = {{ type = \"line\", from = [{6}, 0, "
        "0], "
        "to = [{7}, 0, 0] }}\nvelocity = [{8}, {9}, {10}]\n"
        "copies = {{ count = {11}, low = [-0.15, -0.15, {12}], high = [0.15, 0.15, {13}], turn = \"any\", seed = {14} "
        "}}\n",
        kind, dice.decades(1e5, 1e9), dice.between(500, 8000), radius, dice.coin() ? 0.0 : dice.between(0, 1),
        int(dice.between(1, 12)), -0.5 * length, 0.5 * length, dice.between(-0.3, 0.3) * speed,
        dice.between(-0.3, 0.3) * speed, -speed, int(dice.between(3, 10)), 0.3 + 0.5 * kind, 0.7 + 0.5 * kind,
        int(dice.between(0, 1000)));
  }
  text += "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\nfriction = 0.5\n";
  text += fmt::format(
      "[[obstacle]]\nname = \"ball\"\nshape = \"sphere\"\ncenter = [{}, 0, 0.5]\nradius = 0.05\n"
      "[[drive]]\nobstacle = \"ball\"\ntranslate = {{ velocity = [{}, 0, 0] }}\n",
      -0.4, dice.decades(0.1, 20));
  return text;
}

// balls, boxes, capsules and cylinders that fly and spin among rods
std::string flying_bodies(const std::string& solver, int seed) {
  Dice dice(seed);
  const double h = dice.decades(1e-4, 1e-2);
  std::string text = fmt::format(
      "[simulation]\nsolver = \"{}\"\ntime_step = {}\nduration = {}\nthreads = 1\n[solver.stable]\niterations = "
      "{}\n{}"
      "[material.m]\nyoung_modulus = {}\npoisson_ratio = 0.4\ndensity = 1000\nfriction = {}\n"
      "section = {{ shape = \"circle\", radius = 0.005 }}\n"
      "[[rod]]\nname = \"rod\"\nmaterial = \"m\"\nsegments = 6\ncurve = {{ type = \"line\", from = [-0.06, 0, 0], to = "
      "[0.06, 0, 0] }}\nvelocity = [0, 0, {}]\n"
      "copies = {{ count = 12, low = [-0.2, -0.2, 0.5], high = [0.2, 0.2, 0.8], turn = \"any\", seed = {} }}\n",
      solver, h, 40 * h, dice.coin() ? 4 : 60, dice.coin() ? "precision = \"float\"\n" : "", dice.decades(1e5, 1e8),
      dice.coin() ? 0.0 : 0.5, -dice.decades(0.1, 50), seed);
  for (int k = 0; k < 9; ++k) {
    const double x = 0.14 * (k % 3 - 1), y = 0.14 * (k / 3 - 1), z = dice.between(0.2, 0.25);
    const std::string ends = fmt::format("from = [{}, {}, {}], to = [{}, {}, {}], radius = 0.03", x - 0.02, y, z - 0.02,
                                         x + 0.02, y, z + 0.02);
    const std::string shapes[] = {
        fmt::format("\"sphere\", center = [{}, {}, {}], radius = 0.05", x, y, z), "\"capsule\", " + ends,
        "\"cylinder\", " + ends,
        fmt::format("\"box\", center = [{}, {}, {}], size = [0.08, 0.06, 0.05], rotation = [{}, {}, 0]", x, y, z,
                    dice.between(-1, 1), dice.between(-1, 1))};
    text += fmt::format(
        "[[body]]\nmass = {}\nshape = {{ shape = {} }}\nvelocity = [{}, {}, {}]\nangular_velocity = [{}, {}, 0]\n",
        dice.decades(0.01, 3), shapes[int(dice.between(0, 4))], dice.between(-5, 5), dice.between(-5, 5),
        dice.between(-10, 10), dice.between(-20, 20), dice.between(-20, 20));
  }
  text += "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\nfriction = 0.5\n";
  if (dice.coin()) text += "[[obstacle]]\nshape = \"box\"\ncenter = [0, 0, 0.04]\nsize = [0.3, 0.3, 0.08]\n";
  return text + fmt::format(
                    "[[obstacle]]\nname = \"ball\"\nshape = \"sphere\"\ncenter = [-0.5, 0, 0.25]\nradius = 0.08\n"
                    "[[drive]]\nobstacle = \"ball\"\ntranslate = {{ velocity = [{}, 0, 0] }}\n",
                    dice.decades(0.1, 20));
}

// forty steps; the smallest gap
double run_tangle(const std::string& text) {
  LoadedScene loaded = load_scene_text(text, "tangle.toml");
  EXPECT_TRUE(untangle(loaded.baked.model, {}, loaded.baked.state).is_done);
  const std::unique_ptr<Simulation> simulation = make_simulation(loaded, true);
  double smallest = forever;
  for (int step = 0; step < 40; ++step)  // throws where something crosses
    smallest = std::min(smallest, simulation->step().smallest_gap);
  return smallest;
}

struct Tangle {
  std::string solver;
  int seed;
};

std::ostream& operator<<(std::ostream& out, const Tangle& t) { return out << t.solver << ", seed " << t.seed; }

std::vector<Tangle> all_tangles() {
  std::vector<Tangle> all;
  for (const char* solver : {"block", "direct", "stable"})
    for (int seed = 0; seed < tangle_count(); ++seed) all.push_back({solver, seed});
  return all;
}

class Tangles : public testing::TestWithParam<Tangle> {};

TEST_P(Tangles, NothingCrosses) { EXPECT_GT(run_tangle(tangle(GetParam().solver, GetParam().seed)), 0); }

TEST_P(Tangles, NoBodyPassesThroughAnything) {
  EXPECT_GT(run_tangle(flying_bodies(GetParam().solver, GetParam().seed)), 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Tangles, testing::ValuesIn(all_tangles()),
                         [](const auto& info) { return info.param.solver + std::to_string(info.param.seed); });

// a driven obstacle presses a body against others, and it must still get through in some substeps
INSTANTIATE_TEST_SUITE_P(Jam, Tangles,
                         testing::Values(Tangle{"stable", 872}, Tangle{"stable", 932}, Tangle{"block", 620},
                                         Tangle{"block", 935}, Tangle{"direct", 935}));

// a metre in a step, a thousand times the thickness of what stands in the way
class Tunnelling : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Tunnelling, testing::Values("block", "direct", "stable"));

TEST_P(Tunnelling, AFastRodDoesNotPassThroughAThinOne) {
  LoadedScene loaded = load_scene_text(fmt::format("[simulation]\nsolver = \"{}\"\n", GetParam()) + R"(
time_step = 0.01
duration = 0.1
gravity = [0, 0, 0]
[solver.stable]
iterations = 30
[material.nylon]
young_modulus = 1e8
poisson_ratio = 0.4
density = 1140
section = { shape = "circle", radius = 0.0005 }
[[rod]]
name = "wire"
material = "nylon"
segments = 20
curve = { type = "line", from = [0, -0.1, 0], to = [0, 0.1, 0] }
clamp = ["start", "end"]
[[rod]]
name = "arrow"
material = "nylon"
segments = 5
curve = { type = "line", from = [-0.3, 0.003, -0.02], to = [-0.31, 0.003, 0.02] }
velocity = [100, 0, 0]
)",
                                       "tunnel.toml");
  const std::unique_ptr<Simulation> simulation = make_simulation(loaded, true);
  double smallest = forever;
  for (int step = 0; step < 5; ++step) smallest = std::min(smallest, simulation->step().smallest_gap);
  EXPECT_GT(smallest, 0);
  EXPECT_LT(smallest, 1e-3);  // they have met
}

}  // namespace
}  // namespace tendril::app
