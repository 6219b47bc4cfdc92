// grooms that are simulated

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "engine/engine.h"
#include "scratch.h"
#include "sim/simulation.h"

namespace tendril::engine {
namespace {

std::string hair_on_ball(const std::string& simulation, const std::string& groom) {
  return "[simulation]\nduration = 1.0\n" + simulation +
         "[[groom]]\nname = \"hair\"\nmesh = \"head\"\nlength = 0.1\nsegments = 20\ndirection = [0, 0.5, 0]\n" + groom +
         "[[obstacle]]\nname = \"head\"\nshape = \"sphere\"\nradius = 0.09\n[contact]\nrods = false\n";
}

// The rest shape is chosen so that the start is an equilibrium: hair that sagged by centimetres without it stays where
// it is. Every strand, its tip included, in every step of a second.
TEST(GroomAtRest, DriftsByLessThanAHundredthOfItsLengthInASecond) {
  for (const char* material : {"hair/straight", "hair/curly"}) {
    SCOPED_TRACE(material);
    const std::string groom = "count = 40\nmaterial = \"" + std::string(material) + "\"\n";
    const auto farthest = [&](const std::string& simulation) {
      Engine engine = Engine::open_text(hair_on_ball(simulation, groom), "hair.toml");
      const std::vector<Vec3d> start = engine.state().x;
      double most = 0;
      while (engine.state().time < 1 - 1e-9) {
        engine.step();
        for (std::size_t i = 0; i < start.size(); ++i) most = std::max(most, norm(engine.state().x[i] - start[i]));
      }
      return most;
    };
    EXPECT_LT(farthest("time_step = 0.01\nsettle = \"rest\"\n"), 0.01 * 0.1);
    EXPECT_GT(farthest("time_step = 0.01\n"), 0.1 * 0.1);
  }
}

// any solver that can do what a groom asks for
TEST(Groom, GoesWithItsHeadWithEverySolver) {
  const std::string text = hair_on_ball("time_step = 0.005\n", "count = 12\nmaterial = \"hair/straight\"\n") +
                           "enabled = false\n[[drive]]\nobstacle = \"head\"\nabout = [0, 0, 0]\n"
                           "rotate = { axis = [0, 0, 1], rate = 2.0 }\n";
  int ran = 0;
  for (const SolverInfo& solver : registered_solvers()) {
    SCOPED_TRACE(solver.name);
    std::unique_ptr<Engine> engine;
    try {
      engine = std::make_unique<Engine>(Engine::open_text(text, "hair.toml", {.solver = solver.name}));
    } catch (const SceneError& error) {
      EXPECT_NE(std::string(error.what()).find("has no"), std::string::npos) << error.what();
      continue;
    }
    const std::vector<Vec3d> start = engine->state().x;
    for (int n = 0; n < 10; ++n) engine->step();
    const Quatd turn = quaternion_exp({0, 0, 2.0 * engine->state().time});
    for (int k = 0; k < 12; ++k) EXPECT_LT(norm(engine->state().x[21 * k] - rotate(turn, start[21 * k])), 1e-6 * 0.09);
    ++ran;
  }
  EXPECT_GE(ran, 3);
}

// a floor of four faces rises to a pyramid beneath a stick, which it lifts and never lets through
TEST(DeformingMesh, PushesWhatLiesOnIt) {
  const Scratch scratch;
  for (int k = 0; k <= 20; ++k) {
    std::ofstream out(scratch / ("floor_" + std::string(k < 10 ? "0" : "") + std::to_string(k) + ".obj"));
    out << "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nv 0 0 " << 0.02 * k << "\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";
  }
  std::ofstream(scratch / "scene.toml") << R"(
[simulation]
time_step = 0.01
duration = 1.0
[[rod]]
name = "stick"
material = "wood/beech"
segments = 6
curve = { type = "line", from = [-0.3, 0.02, 0.02], to = [0.3, 0.02, 0.02] }
[[obstacle]]
name = "floor"
shape = "mesh"
path = "floor_00.obj"
frames = "floor_*.obj"
frame_rate = 20
friction = 0.5
)";
  Engine engine = Engine::open((scratch / "scene.toml").string());
  double smallest = 1;
  while (engine.state().time < 1 - 1e-9) smallest = std::min(smallest, engine.step().smallest_gap);
  EXPECT_GT(smallest, 0);
  double highest = 0;
  for (const Vec3d& x : engine.state().x) highest = std::max(highest, x.z);
  EXPECT_GT(highest, 0.3);  // the top of the pyramid is at 0.4 m
}

// A square of four faces sinks to a valley, so that each face comes up beside the roots of its neighbours; all of them
// stay fastened, and none of the strands goes through it.
TEST(DeformingMesh, CarriesItsHairIntoAFold) {
  const Scratch scratch;
  for (int k = 0; k <= 20; ++k) {
    std::ofstream out(scratch / ("skin_" + std::string(k < 10 ? "0" : "") + std::to_string(k) + ".obj"));
    out << "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nv 0 0 " << -0.03 * k << "\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";
  }
  std::ofstream(scratch / "scene.toml") << R"(
[simulation]
time_step = 0.01
duration = 0.5
[[groom]]
name = "fur"
mesh = "skin"
material = "wire/steel"
count = 200
length = 0.1
segments = 5
[[obstacle]]
name = "skin"
shape = "mesh"
path = "skin_00.obj"
frames = "skin_*.obj"
frame_rate = 40
[contact]
rods = false
)";
  Engine engine = Engine::open((scratch / "scene.toml").string());
  while (engine.state().time < 0.5 - 1e-9) engine.step();
  const double depth = 0.6;
  for (int k = 0; k < 200; ++k) {
    const Vec3d& x = engine.state().x[6 * k];
    EXPECT_NEAR(x.z, -depth * (1 - std::max(std::abs(x.x), std::abs(x.y))), 0.02) << "roots are on the skin";
  }
}

}  // namespace
}  // namespace tendril::engine
