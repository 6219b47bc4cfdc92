// strands that meet nothing but driven obstacles go through a step alone, side by side: they end where others end

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "physics/real_rods.h"
#include "run_scene.h"

namespace tendril {
namespace {

constexpr int strands = 20, segments = 12;
constexpr double seconds = 0.07;

// hair that is held at one end falls on a ball that rises and turns, some of it on a bar, too, if there is one
std::string scene(double h, int threads, bool has_bar) {
  std::string text =
      fmt::format("[simulation]\ntime_step = {}\nduration = 1\nthreads = {}\n[contact]\nrods = false\n", h, threads) +
      physics::toml(physics::hair(), 0.3) +
      "[[obstacle]]\nname = \"ball\"\nshape = \"sphere\"\ncenter = [0, 0, 0.05]\nradius = 0.05\nfriction = 0.3\n"
      "[[drive]]\nobstacle = \"ball\"\ntranslate = { keys = [[0, 0, 0, 0], [0.1, 0, 0, 0.002]] }\n"
      "rotate = { axis = [0, 0, 1], keys = [[0, 0], [0.1, 0.3]] }\n"
      "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nfriction = 0.3\n";
  if (has_bar)
    text +=
        "[[obstacle]]\nname = \"bar\"\nshape = \"capsule\"\nfrom = [-0.1, 0.05, 0.09]\nto = [0.1, 0.05, 0.09]\n"
        "radius = 0.005\nfriction = 0.3\n";
  for (int k = 0; k < strands; ++k) {
    const double y = -0.06 + 0.006 * k;
    text += fmt::format(
        "[[rod]]\nname = \"s{}\"\nmaterial = \"{}\"\nsegments = {}\n"
        "curve = {{ type = \"line\", from = [-0.06, {}, 0.102], to = [0.04, {}, 0.102] }}\nclamp = [\"start\"]\n",
        k, physics::hair().name, segments, y, y);
  }
  return text;
}

struct Result {
  State state;
  int unsolved = 0, contacts = 0;
  double smallest_gap = forever, friction_work = 0;
};
Result run(const char* solver, double h, int threads, bool has_bar) {
  const auto sim = make_simulation(load_scene_text(scene(h, threads, has_bar), "strands.toml", {}, solver));
  Result out;
  while (sim->time() < seconds) {
    const StepReport report = sim->step();
    out.unsolved += !report.converged;
    out.contacts = std::max(out.contacts, report.contacts);
    out.smallest_gap = std::min(out.smallest_gap, report.smallest_gap);
  }
  out.state = sim->state(), out.friction_work = sim->contact().friction_work();
  return out;
}

double farthest(const State& a, const State& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.x.size(); ++i) most = std::max(most, norm(a.x[i] - b.x[i]));
  return most;
}

void ends_as_with_direct(bool has_bar) {
  const Result block = run("block", 2e-3, 1, has_bar), direct = run("direct", 2e-3, 1, has_bar);
  EXPECT_EQ(block.unsolved, 0);
  EXPECT_GT(block.contacts, 10);
  EXPECT_GT(block.smallest_gap, 0);
  EXPECT_GT(block.friction_work, 0);
  EXPECT_NEAR(block.friction_work, direct.friction_work, 0.01 * direct.friction_work);
  EXPECT_LT(farthest(block.state, direct.state), 2e-5);
}

TEST(StrandsOnObstacles, EndWhereOthersEnd) { ends_as_with_direct(false); }

// some go alone, the others do not
TEST(StrandsOnObstacles, EndWhereOthersEndBesideThoseThatMeetMore) { ends_as_with_direct(true); }

TEST(StrandsOnObstacles, HaveTheSameBitsOnAnyNumberOfThreads) {
  for (bool has_bar : {false, true}) {
    const Result one = run("block", 4e-3, 1, has_bar), three = run("block", 4e-3, 3, has_bar);
    EXPECT_TRUE(one.state.x == three.state.x && one.state.q == three.state.q && one.state.v == three.state.v);
  }
}

}  // namespace
}  // namespace tendril
