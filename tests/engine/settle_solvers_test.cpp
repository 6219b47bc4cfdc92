#include <gtest/gtest.h>

#include "engine/engine.h"

// Who settles a scene: the solver that runs it, if it settles what it runs, and another where that finds no
// equilibrium.

namespace tendril::engine {
namespace {

// a wire that sags from a clamp
std::string wire(const std::string& solver, const std::string& more = "") {
  return "[simulation]\nsolver = \"" + solver + R"("
time_step = 0.01
duration = 0.5
settle = true
[material.wire]
stiffness = { EA = 1e4, GA = 1e4, EI1 = 0.02, EI2 = 0.02, GJ = 0.016 }
linear_density = 0.02
radius = 0.003
[[rod]]
name = "wire"
material = "wire"
segments = 16
curve = { type = "line", from = [0, 0, 0], to = [1, 0, 0] }
clamp = "start"
)" + more;
}

const std::string bob =
    "[[body]]\nname = \"bob\"\nrod = \"wire\"\nat = \"end\"\nmass = 0.02\noffset = [0.05, 0, 0.02]\n";

std::vector<bool> settling(const std::string& solver) {
  std::vector<bool> out;
  for (const auto& s : Engine::open_text(wire(solver), "wire.toml").run_options().settle_solvers)
    out.push_back(s->capabilities().settles);
  return out;
}

TEST(SettleSolvers, TheSceneIsSettledByItsSolverIfThatDoes) {
  EXPECT_EQ(settling("alpha"), (std::vector<bool>{true, false}));
  EXPECT_EQ(settling("block"), std::vector<bool>{false});
}

TEST(SettleSolvers, AnEquilibriumIsTheSameForAll) {
  for (const std::string& more : {std::string(), bob}) {
    State found[2];
    for (const char* solver : {"alpha", "block"}) {
      Engine engine = Engine::open_text(wire(solver, more), "wire.toml");
      const std::optional<SettleReport> report = engine.settle();
      ASSERT_TRUE(report && report->settled) << solver << ": " << report->message;
      EXPECT_LT(report->steps, 20) << solver;
      found[solver == std::string("block")] = engine.simulation().state();
    }
    EXPECT_LT(found[0].x.back().z, -0.2);
    for (std::size_t i = 0; i < found[0].x.size(); ++i) EXPECT_LT(norm(found[0].x[i] - found[1].x[i]), 1e-7);
  }
}

// alpha knows nothing of the floor that it sags through
TEST(SettleSolvers, WhatOneDoesNotFindIsLeftToTheNext) {
  const std::string floor =
      "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\npoint = [0, 0, -0.1]\nnormal = [0, 0, 1]\n";
  State found[2];
  for (const char* solver : {"alpha", "block"}) {
    Engine engine = Engine::open_text(wire(solver, floor), "wire.toml");
    const std::optional<SettleReport> report = engine.settle();
    ASSERT_TRUE(report && report->settled) << solver << ": " << report->message;
    found[solver == std::string("block")] = engine.simulation().state();
  }
  EXPECT_NEAR(found[0].x.back().z, -0.097, 1e-3);
  for (std::size_t i = 0; i < found[0].x.size(); ++i)
    EXPECT_EQ(found[0].x[i], found[1].x[i]) << "it begins where the first did";
}

// finds nothing, and moves everything meanwhile
struct Lost : Solver {
  void reset(const Model&, const State&, ThreadTeam&) override {}
  StepReport step(const Inputs&, Contact&, double, State& state) override {
    for (Vec3d& x : state.x) x.y += 0.1;
    StepReport report;
    report.failure = "it is lost";
    return report;
  }
  Capabilities capabilities() const override {
    Capabilities c;
    c.long_steps = true;
    return c;
  }
  void save(Writer&) const override {}
  void load(Reader&) override {}
};

// is not asked
struct Idle : Lost {
  void reset(const Model&, const State&, ThreadTeam&) override { FAIL() << "the equilibrium was found before"; }
};

TEST(SettleSolvers, TheFirstThatFindsItIsTheLast) {
  Engine engine = Engine::open_text(wire("block"), "wire.toml");
  const std::vector<std::shared_ptr<Solver>> solvers{
      std::make_shared<Lost>(), find_solver("block")->make({{"tolerance", 1e-10}}), std::make_shared<Idle>()};
  EXPECT_TRUE(engine.simulation().settle({}, solvers).settled);
  EXPECT_NEAR(engine.simulation().state().x.back().y, 0, 1e-12);
  const std::vector<std::shared_ptr<Solver>> lost{solvers.front()};
  EXPECT_FALSE(Engine::open_text(wire("block"), "wire.toml").simulation().settle({}, lost).settled);
}

}  // namespace
}  // namespace tendril::engine
