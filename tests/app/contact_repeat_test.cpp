#include <gtest/gtest.h>

#include "loaded_scene.h"
#include "rod/stream.h"
#include "run_scene.h"
#include "sim/simulation.h"

namespace tendril::app {
namespace {

// scenes with contact, shortened: the same bits on any number of threads and after any checkpoint

struct Shortened {
  const char* scene;
  std::vector<std::string> sets;
  int steps;
};

// enough sticks for three threads, close to each other and falling fast
Shortened pile() {
  return {"pile",
          {"rod.stick.copies.count=250", "rod.stick.copies.low=[-0.16, -0.16, 0.12]",
           "rod.stick.copies.high=[0.16, 0.16, 0.7]", "rod.stick.velocity=[0, 0, -8]", "solver.stable.iterations=8"},
          8};
}

Shortened capstan() { return {"capstan", {"solver.stable.iterations=12"}, 60}; }

std::unique_ptr<Simulation> start(const Shortened& s, int threads) {
  std::vector<std::string> sets = s.sets;
  sets.push_back("simulation.threads=" + std::to_string(threads));
  return make_simulation(load_scene(s.scene, sets));
}

// all that the next step depends on, friction's anchors included
std::vector<char> bits(const Simulation& simulation) {
  Writer out;
  simulation.save(out);
  return out.bytes();
}

class ContactRepeats : public testing::TestWithParam<Shortened (*)()> {};

TEST_P(ContactRepeats, on_any_number_of_threads) {
  std::vector<char> reference;
  for (int threads : {1, 2, 3}) {
    const Shortened shortened = GetParam()();
    const auto simulation = start(shortened, threads);
    StepReport last;
    for (int k = 0; k < shortened.steps; ++k) last = simulation->step();
    EXPECT_GT(last.contacts, 20) << "contact must matter";
    EXPECT_GT(simulation->contact().friction_work(), 0) << "friction must matter";
    if (threads == 1) reference = bits(*simulation);
    EXPECT_TRUE(bits(*simulation) == reference) << threads << " threads";
  }
}

TEST_P(ContactRepeats, over_an_interruption) {
  const Shortened shortened = GetParam()();
  const auto whole = start(shortened, 1);
  std::vector<std::vector<char>> saved;
  for (int k = 0; k <= shortened.steps; ++k) {
    saved.push_back(bits(*whole));
    if (k < shortened.steps) whole->step();
  }
  for (int from : {1, shortened.steps / 2, shortened.steps - 1}) {
    const auto resumed = start(shortened, 1);
    Reader in(saved[from]);
    resumed->load(in);
    ASSERT_TRUE(in.at_end());
    for (int k = from + 1; k <= std::min(from + 4, shortened.steps); ++k) {
      resumed->step();
      ASSERT_TRUE(bits(*resumed) == saved[k]) << "saved after " << from << " steps, now at " << k;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, ContactRepeats, testing::Values(pile, capstan),
                         [](const auto& info) { return std::string(info.param().scene); });

// A rod in the groove of two others, all parallel: the nearest points of such pairs are anywhere along them. It comes
// to rest, and steps at rest are solved in a few sweeps.
TEST(ParallelContact, comes_to_rest) {
  const LoadedScene loaded = load_scene_text(R"(
[simulation]
solver = "stable"
time_step = 0.002
duration = 1
[material.rubber]
young_modulus = 1e7
poisson_ratio = 0.4
density = 1100
section = { shape = "circle", radius = 0.01 }
damping = 2
friction = 0.3
[[rod]]
name = "left"
material = "rubber"
segments = 10
curve = { type = "line", from = [-0.2, -0.0105, 0], to = [0.2, -0.0105, 0] }
pin = "all"
[[rod]]
name = "right"
material = "rubber"
segments = 10
curve = { type = "line", from = [-0.2, 0.0105, 0], to = [0.2, 0.0105, 0] }
pin = "all"
[[rod]]
name = "upper"
material = "rubber"
segments = 8
curve = { type = "line", from = [-0.18, 0.001, 0.0185], to = [0.18, 0.001, 0.0185] }
)",
                                             "groove.toml");
  const auto simulation = make_simulation(loaded);
  const auto kinetic = [&] {
    double sum = 0;
    for (std::size_t i = 0; i < simulation->state().v.size(); ++i)
      sum += 0.5 * simulation->model().vertices[i].mass * norm_squared(simulation->state().v[i]);
    return sum;
  };
  double largest = 0;
  for (int k = 0; k < 200; ++k) simulation->step(), largest = std::max(largest, kinetic());
  int sweeps = 0;
  for (int k = 0; k < 50; ++k) {
    const StepReport report = simulation->step();
    EXPECT_GE(report.contacts, 16);
    sweeps = std::max(sweeps, report.iterations);
  }
  EXPECT_LT(kinetic(), 1e-8 * largest);
  EXPECT_LE(sweeps, 20);
}

}  // namespace
}  // namespace tendril::app
