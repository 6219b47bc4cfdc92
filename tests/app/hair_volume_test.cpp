// hair as a volume, under every solver: what it does to motion, that it keeps momentum, and that runs resume

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "loaded_scene.h"
#include "rod/momentum.h"
#include "rod/stream.h"
#include "run_scene.h"
#include "sim/simulation.h"
#include "solvers/baselines.h"

namespace tendril::app {
namespace {

// A brush of 6 x 6 strands, one of two pulled to the left and the other to the right; free, they have a velocity
// instead.
std::string brush(const std::string& contact, bool is_free) {
  std::string text = "[simulation]\nduration = 1\ntime_step = 0.001\ngravity = [0, 0, 0]\nthreads = 2\n" + contact +
                     "[material.hair]\nyoung_modulus = 1e7\npoisson_ratio = 0.3\ndensity = 1300\nsection = { shape = "
                     "\"circle\", radius "
                     "= 2e-4 }\n";
  for (int k = 0; k < 36; ++k) {
    const double x = 0.002 * (k % 6), y = 0.002 * (k / 6), sign = k % 2 ? 1 : -1;
    text += fmt::format(
        "[[rod]]\nname = \"{0}\"\nmaterial = \"hair\"\nsegments = 8\n"
        "curve = {{ type = \"line\", from = [{1}, {2}, 0], to = [{1}, {2}, 0.03] }}\n",
        k, x, y);
    text += is_free ? fmt::format("velocity = [{}, 0.1, {}]\n", 0.3 * sign, 0.01 * k)
                    : fmt::format("clamp = \"start\"\n[[load]]\nrod = \"{}\"\nat = \"end\"\nforce = [{}, 0, 0]\n", k,
                                  1e-6 * sign);
  }
  return text;
}

const std::string grid = "[contact]\nmodel = \"grid\"\nmixing = 1000\n", off = "[contact]\nenabled = false\n";

class HairVolumeUnder : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Simulation> start(const std::string& contact, bool is_free) const {
    return make_simulation(load_scene_text(brush(contact, is_free), "brush.toml", {}, GetParam()));
  }
  static void advance(Simulation& simulation, int steps) {
    for (int n = 0; n < steps; ++n) simulation.step();
  }
  // mean of the tips' ways to the sides
  static double parted(const Simulation& simulation, const State& before) {
    double sum = 0;
    for (int k = 0; k < 36; ++k) sum += std::abs(simulation.state().x[9 * k + 8].x - before.x[9 * k + 8].x) / 36;
    return sum;
  }
};

// The tips start off by F t² / 2 m; where each strand keeps to its neighbours, they creep by F t / m mixing.
TEST_P(HairVolumeUnder, hair_moves_with_its_neighbours) {
  const auto alone = start(off, false), together = start(grid, false);
  const State before = alone->state();
  advance(*alone, 20), advance(*together, 20);
  const double with = parted(*together, before), without = parted(*alone, before);
  EXPECT_GT(with, 0);
  EXPECT_LT(with, 0.4 * without);
}

TEST_P(HairVolumeUnder, a_saved_state_goes_on_with_the_same_bits) {
  const auto one = start(grid, false), other = start(grid, false);
  advance(*one, 5);
  Writer saved;
  one->save(saved);
  Reader in(saved.bytes());
  other->load(in);
  advance(*one, 5), advance(*other, 5);
  EXPECT_EQ(one->state().x, other->state().x);
  EXPECT_EQ(one->state().v, other->state().v);
}

std::string solver_name(const testing::TestParamInfo<std::string>& info) { return info.param; }

std::vector<std::string> solvers_of_papers() {
  std::vector<std::string> names;
  for (const SolverInfo& solver : registered_solvers())
    if (!is_baseline(solver)) names.push_back(solver.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Solvers, HairVolumeUnder, testing::ValuesIn(solvers_of_papers()), solver_name);

// Nothing from outside acts: both sums stay as they are, as far as the solver keeps them, while strands mix.
class FreeHair : public HairVolumeUnder {};
TEST_P(FreeHair, keeps_momentum_and_angular_momentum) {
  const auto simulation = start(grid, true), alone = start(off, true);
  const Vec3d p = linear_momentum(simulation->model(), simulation->state()),
              l = angular_momentum(simulation->model(), simulation->state());
  const double energy = kinetic_energy(simulation->model(), simulation->state());
  advance(*simulation, 20), advance(*alone, 20);
  const auto lost = [&](const Simulation& of) { return norm(angular_momentum(of.model(), of.state()) - l) / norm(l); };
  EXPECT_LT(kinetic_energy(simulation->model(), simulation->state()), 0.5 * energy) << "they have mixed";
  EXPECT_LT(norm(linear_momentum(simulation->model(), simulation->state()) - p), 1e-9 * norm(p));
  EXPECT_LT(lost(*simulation), 1e-3 + lost(*alone));
  RecordProperty("angular momentum lost", fmt::format("{:.2g}", lost(*simulation)));
  fmt::print("lost {:.3g} alone {:.3g}\n", lost(*simulation), lost(*alone));
}
INSTANTIATE_TEST_SUITE_P(Solvers, FreeHair, testing::Values("block"), solver_name);

TEST(HairVolume, MeetsObstaclesByPairs) {
  const std::string floor = "[[obstacle]]\nshape = \"plane\"\npoint = [0, 0, -0.001]\n";
  const auto simulation = make_simulation(
      load_scene_text(brush(grid, true) + floor, "brush.toml", {"simulation.gravity=[0, 0, -9.81]"}, "block"));
  int contacts = 0;
  for (int n = 0; n < 100; ++n) contacts = std::max(contacts, simulation->step().contacts);
  EXPECT_GT(contacts, 0);
  for (const Vec3d& x : simulation->state().x) EXPECT_GT(x.z, -0.001);
  EXPECT_FALSE(simulation->contact().options().rods);
}

}  // namespace
}  // namespace tendril::app
