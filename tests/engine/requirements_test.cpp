#include "engine/requirements.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/engine.h"
#include "engine/solver_keys.h"
#include "scratch.h"

namespace tendril::engine {
namespace {

// a thin wire that hangs from a pin: whatever a test asks for besides stands behind it
std::string wire(const std::string& material = "", const std::string& rod = "", const std::string& tables = "",
                 double EA = 1e6) {
  return fmt::format(R"(
[simulation]
time_step = 0.01
duration = 0.5
[material.wire]
stiffness = {{ EA = {0:g}, GA = {0:g}, EI1 = 1e-3, EI2 = 1e-3, GJ = 1e-3 }}
linear_density = 0.01
radius = 0.001
{1}
[[rod]]
name = "wire"
material = "wire"
segments = 4
curve = {{ type = "line", from = [0, 0, 0], to = [0, 0, -1] }}
{2}
{3})",
                     EA, material, rod.empty() ? "pin = [\"start\"]" : rod, tables);
}

// a solver that does nothing but chains
SolverInfo poor_solver() {
  SolverInfo info;
  info.name = "poor";
  return info;
}

std::string refusal(const std::string& text, const SolverInfo& solver) {
  const Scene scene = parse_scene(text, "scene.toml", {}, solver_option_keys());
  try {
    refuse_what_is_lacking(scene, bake(scene).model, solver);
  } catch (const SceneError& error) {
    return error.what();
  }
  return {};
}

struct Case {
  const char* name;
  bool Capabilities::*capability;
  std::string scene;
  std::vector<std::string> parts;  // of the message
};

const std::string second_rod = R"(
[[rod]]
name = "branch"
material = "wire"
segments = 2
curve = { type = "line", from = [0, 0, -0.5], to = [0.5, 0, -0.5] }
[[joint]]
a = { rod = "wire", at = 2 }
b = { rod = "branch", at = "start" }
type = "weld"
)";

std::vector<Case> cases() {
  return {
      {"branches", &Capabilities::branches, wire("", "", second_rod), {"scene.toml:", "curve", "branches"}},
      {"loops",
       &Capabilities::loops,
       wire("", "", R"(
[[rod]]
name = "ring"
material = "wire"
segments = 6
curve = { type = "circle", center = [0, 0, 1], axis = [0, 0, 1], radius = 0.2 }
)"),
       {"scene.toml:21:", "rod.ring.curve", "closed loops"}},
      {"bodies",
       &Capabilities::bodies,
       wire("", "",
            "[[body]]\nname = \"bob\"\nrod = \"wire\"\nat = \"end\"\nmass = 0.01\ninertia = [1e-6, 1e-6, 1e-6]\n"),
       {"scene.toml:16:", "rigid bodies"}},
      {"partial_holds",
       &Capabilities::partial_holds,
       wire("", " ", "[[hold]]\nrod = \"wire\"\nat = \"start\"\nposition = \"xz\"\n"),
       {"scene.toml:16:", "holds with free axes"}},
      {"extensible", &Capabilities::extensible, wire("", "", "", 10), {"scene.toml:12:", "rods that stretch"}},
      {"shearable", &Capabilities::shearable, wire("", "", "", 0.1), {"scene.toml:12:", "rods that shear"}},
      {"anisotropic",
       &Capabilities::anisotropic,
       wire("[material.flat]\nstiffness = { EA = 1e6, GA = 1e6, EI1 = 1e-3, EI2 = 2e-3, GJ = 1e-3 }\n"
            "linear_density = 0.01\nradius = 0.001\n"
            "[[rod]]\nname = \"flat\"\nmaterial = \"flat\"\nsegments = 2\n"
            "curve = { type = \"line\", from = [1, 0, 0], to = [1, 0, -1] }\n"),
       {"scene.toml:15:", "rod.flat.material", "EI1 ≠ EI2"}},
      {"rotational_inertia",
       &Capabilities::rotational_inertia,
       wire("linear_inertia = [1e-3, 1e-3, 2e-3]"),
       {"scene.toml:12:", "rotational inertia"}},
      {"friction", &Capabilities::friction, wire("friction = 0.3"), {"scene.toml:12:", "friction"}},
      {"breaking", &Capabilities::breaking, wire("strain_limit = 0.1"), {"scene.toml:12:", "breaking"}},
      {"internal_damping",
       &Capabilities::internal_damping,
       wire("internal_damping = 0.01"),
       {"scene.toml:12:", "internal damping"}},
  };
}

// each is refused by its feature, with the line of the scene and who has it, and by nothing else
TEST(Requirements, WhatTheSolverLacksIsRefused) {
  SolverInfo rich = poor_solver();
  rich.capabilities = find_solver("block")->capabilities;
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(refusal(c.scene, rich), "");
    SolverInfo lacking = rich;
    lacking.capabilities.*c.capability = false;
    const std::string error = refusal(c.scene, lacking);
    for (const std::string& part : c.parts) EXPECT_NE(error.find(part), std::string::npos) << part << " in " << error;
    EXPECT_NE(error.find("the solver \"poor\" has no"), std::string::npos) << error;
    EXPECT_NE(error.find("solvers that have it: block"), std::string::npos) << error;
  }
}

TEST(Requirements, AThinStiffChainNeedsNothing) { EXPECT_EQ(refusal(wire(), poor_solver()), ""); }

// the order in time is an option of the solvers that have several: others know no such key
TEST(Requirements, AnOrderThatTheSolverLacksIsAnUnknownKey) {
  EXPECT_THROW(parse_scene(wire("", "", "[solver.stable]\norder = 2\n"), "scene.toml", {}, solver_option_keys()),
               SceneError);
  EXPECT_NO_THROW(parse_scene(wire("", "", "[solver.block]\norder = 2\n"), "scene.toml", {}, solver_option_keys()));
}

// everything falls, and nothing knows of anything else
struct Falling : Solver {
  void reset(const Model&, const State&, ThreadTeam&) override {}
  StepReport step(const Inputs& inputs, Contact&, double h, State& state) override {
    for (std::size_t i = 0; i < state.x.size(); ++i) {
      state.v[i] += h * Vec3d{0, 0, -9.81};
      state.x[i] += h * state.v[i];
    }
    for (std::size_t b = 0; b < state.body_x.size(); ++b) state.body_x[b] = inputs.end.body_pose[b].x;
    return {};
  }
  void save(Writer&) const override {}
  void load(Reader&) override {}
};

// a solver without contact runs a scene with contact until the first pair touches: check warns, and the run fails
TEST(Requirements, WithoutContactARunEndsAtTheFirstTouch) {
  const LoadedScene scene = open_scene_text(
      wire("", " ", "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\npoint = [0, 0, -1.2]\nnormal = [0, 0, 1]\n"),
      "falling.toml");
  EXPECT_EQ(refusal(wire("friction = 0.3"), poor_solver()), "");
  EXPECT_NE(contact_warning(scene.baked.settings, poor_solver()).find("\"poor\" has no contact"), std::string::npos);
  EXPECT_EQ(contact_warning(scene.baked.settings, *find_solver("block")), "");

  Simulation simulation(scene.baked.model, scene.baked.state, {.time_step = 0.01, .contact = {}},
                        std::make_unique<Falling>());
  const Scratch scratch;
  Recorder recorder(scratch / "run", {"", {}}, simulation.whole_model(), RunStart::fresh);
  Progress quiet(stderr, Progress::Style::none);
  RunOptions options;
  options.schedule = {0.01, 0.5, 30};
  const RunResult result = run(simulation, options, recorder, quiet);
  EXPECT_EQ(result.end, RunEnd::failed) << "which ends the program with exit code 4";
  for (const char* part : {"rod \"wire\" segment 3 and obstacle \"floor\" touch", "has no contact"})
    EXPECT_NE(result.message.find(part), std::string::npos) << result.message;
  EXPECT_NEAR(simulation.time(), std::sqrt(2 * 0.199 / 9.81), 0.02) << "until then it went on";
}

}  // namespace
}  // namespace tendril::engine
