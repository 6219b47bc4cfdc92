// strands that meet nothing but driven obstacles go through a step alone, side by side: they end where others end

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "groom.h"
#include "physics/real_rods.h"
#include "run_scene.h"
#include "scratch.h"

namespace tendril::app {
namespace {

constexpr int strands = 20, segments = 12;
constexpr double seconds = 0.07;

enum class Ball { sphere, mesh };
enum class Bar { none, capsule, box };  // a box is one of the obstacles that strands do not meet alone
struct Obstacles {
  Ball ball = Ball::sphere;
  Bar bar = Bar::none;
};

std::string ball(Ball ball, const Scratch& folder) {
  const std::string shape = ball == Ball::mesh ? fmt::format("shape = \"mesh\"\npath = \"{}\"\n",
                                                             folder.write("ball.obj", head_obj(0.05, {0, 0, 0.05})))
                                               : "shape = \"sphere\"\ncenter = [0, 0, 0.05]\nradius = 0.05\n";
  return "[[obstacle]]\nname = \"ball\"\nfriction = 0.3\n" + shape +
         "[[drive]]\nobstacle = \"ball\"\ntranslate = { keys = [[0, 0, 0, 0], [0.1, 0, 0, 0.002]] }\n"
         "rotate = { axis = [0, 0, 1], keys = [[0, 0], [0.1, 0.3]] }\n";
}

std::string bar(Bar bar) {
  if (bar == Bar::none) return "";
  return std::string("[[obstacle]]\nname = \"bar\"\nfriction = 0.3\n") +
         (bar == Bar::capsule
              ? "shape = \"capsule\"\nfrom = [-0.1, 0.05, 0.09]\nto = [0.1, 0.05, 0.09]\nradius = 0.005\n"
              : "shape = \"box\"\ncenter = [0, 0.05, 0.09]\nsize = [0.2, 0.01, 0.01]\n");
}

// hair that is held at one end falls on a ball that rises and turns, some of it on a bar, too, if there is one
std::string scene(double h, int threads, Obstacles obstacles, const Scratch& folder) {
  std::string text =
      fmt::format("[simulation]\ntime_step = {}\nduration = 1\nthreads = {}\n[contact]\nrods = false\n", h, threads) +
      physics::toml(physics::hair(), 0.3) + ball(obstacles.ball, folder) + bar(obstacles.bar) +
      "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nfriction = 0.3\n";
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
Result run(const char* solver, double h, int threads, Obstacles obstacles) {
  const Scratch folder;
  const auto sim = make_simulation(load_scene_text(scene(h, threads, obstacles, folder), "strands.toml", {}, solver));
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

// how far apart they are at most, of each strand; the farthest last
std::vector<double> distances(const State& a, const State& b) {
  std::vector<double> most(strands, 0);
  for (std::size_t i = 0; i < a.x.size(); ++i) {
    double& of_strand = most[i / (segments + 1)];
    of_strand = std::max(of_strand, norm(a.x[i] - b.x[i]));
  }
  std::sort(most.begin(), most.end());
  return most;
}

class StrandsOnObstacles : public ::testing::TestWithParam<Obstacles> {};
INSTANTIATE_TEST_SUITE_P(Kinds, StrandsOnObstacles,
                         ::testing::Values(Obstacles{}, Obstacles{Ball::mesh}, Obstacles{Ball::sphere, Bar::capsule},
                                           Obstacles{Ball::mesh, Bar::box}));

TEST_P(StrandsOnObstacles, EndWhereOthersEnd) {
  const Result block = run("block", 2e-3, 1, GetParam()), direct = run("direct", 2e-3, 1, GetParam());
  EXPECT_EQ(block.unsolved, 0);
  EXPECT_GT(block.contacts, 10);
  EXPECT_GT(block.smallest_gap, 0);
  EXPECT_GT(block.friction_work, 0);
  EXPECT_NEAR(block.friction_work, direct.friction_work, 0.01 * direct.friction_work);
  // Over an edge between facets a strand slides or holds by its last digits: one may end elsewhere, by less than what
  // the time step is wrong by, 0.3 to 1.1 mm.
  const std::vector<double> apart = distances(block.state, direct.state);
  EXPECT_LT(apart[GetParam().ball == Ball::mesh ? strands - 2 : strands - 1], 2e-5);
  EXPECT_LT(apart.back(), 3e-4);
}

// Where strands that meet more find no way to their first guess, those that have gone alone stay where they are.
TEST_P(StrandsOnObstacles, StayOutOfThemBesideThoseThatFindNoWay) {
  const Result result = run("block", 3e-3, 1, GetParam());
  EXPECT_EQ(result.unsolved, 0);
  EXPECT_GT(result.smallest_gap, 0);
}

TEST_P(StrandsOnObstacles, HaveTheSameBitsOnAnyNumberOfThreads) {
  const Result one = run("block", 4e-3, 1, GetParam()), three = run("block", 4e-3, 3, GetParam());
  EXPECT_TRUE(one.state.x == three.state.x && one.state.q == three.state.q && one.state.v == three.state.v);
}

}  // namespace
}  // namespace tendril::app
