#include "sim/sag_free.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/program.h"
#include "io/csv.h"
#include "recorded_run.h"
#include "render/coloring.h"
#include "rod/energy.h"
#include "rod/momentum.h"
#include "run_scene.h"
#include "scratch.h"
#include "verbs.h"

namespace tendril::app {
namespace {

// gravity and loads are carried by the chosen rest shape: nothing moves
TEST(SagFree, start_is_the_equilibrium) {
  const std::string text = R"(
[simulation]
time_step = 0.01
duration = 1
settle = "rest"
[material.m]
young_modulus = 1e7
poisson_ratio = 0.3
density = 1100
section = { shape = "circle", radius = 0.004 }
damping = 1
[[rod]]
name = "hair"
material = "m"
segments = 20
curve = { type = "arc", center = [0, 0, 0], from = [0.2, 0, 0], axis = [0, 1, 0], angle = 1.5 }
clamp = ["start"]
[[load]]
rod = "hair"
at = "end"
force = [0, 0.02, 0]
)";
  const LoadedScene loaded = load_scene_text(text, "sag_free");
  const auto simulation = make_simulation(loaded);
  const State start = simulation->whole_state();
  double sag = 0;
  for (int n = 0; n < 100; ++n) simulation->step();
  for (std::size_t i = 0; i < start.x.size(); ++i) sag = std::max(sag, norm(simulation->state().x[i] - start.x[i]));
  // the solver's own bend law differs by theta²/24 of the rotation per bend, here 1e-3 of the load's deflection
  EXPECT_LT(sag, 2e-4);

  LoadedScene plain = load_scene_text(text, "sagging", {"simulation.settle=false"});
  const auto sagging = make_simulation(plain);
  for (int n = 0; n < 100; ++n) sagging->step();
  EXPECT_GT(norm(sagging->state().x.back() - start.x.back()), 0.01) << "the loads must matter";
}

struct Material {
  double EA = 1e4, EI = 1, GJ = EI, linear_density = 0.1;
};

std::string scene_of(const Material& m, const std::string& rods) {
  return fmt::format(R"(
[simulation]
time_step = 0.01
duration = 0.1
settle = "rest"
[contact]
enabled = false
[material.m]
stiffness = {{ EA = {0}, GA = {0}, EI1 = {1}, EI2 = {1}, GJ = {2} }}
linear_density = {3}
radius = 0.001
{4})",
                     m.EA, m.EI, m.GJ, m.linear_density, rods);
}

std::string rod(const std::string& name, int segments, const Vec3d& from, const Vec3d& to,
                const std::string& held = "") {
  return fmt::format(R"(
[[rod]]
name = "{}"
material = "m"
segments = {}
curve = {{ type = "line", from = [{}, {}, {}], to = [{}, {}, {}] }}
{})",
                     name, segments, from.x, from.y, from.z, to.x, to.y, to.z, held);
}

// four rods each way that cross at vertices, held at the corners
std::string net(double spacing) {
  std::string text;
  for (int k = 0; k < 4; ++k) {
    text += rod(fmt::format("u{}", k), 6, {0, k * spacing, 0}, {3 * spacing, k * spacing, 0});
    text += rod(fmt::format("v{}", k), 6, {k * spacing, 0, 0}, {k * spacing, 3 * spacing, 0});
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      text += fmt::format(
          "\n[[joint]]\na = {{ rod = \"u{}\", at = {} }}\nb = {{ rod = \"v{}\", at = {} }}\ntype = \"tie\"\n", i, 2 * j,
          j, 2 * i);
  for (const char* name : {"u0", "u3"})
    for (const char* end : {"start", "end"}) text += fmt::format("\n[[hold]]\nrod = \"{}\"\nat = \"{}\"\n", name, end);
  return text;
}

// the largest kinetic energy of the first steps, over the elastic energy
double unrest(const std::string& text) {
  const auto simulation = make_simulation(load_scene_text(text, "held"));
  const double elastic = elastic_energy(simulation->model(), simulation->state());
  double kinetic = 0;
  for (int n = 0; n < 3; ++n) {
    simulation->step();
    kinetic = std::max(kinetic, kinetic_energy(simulation->model(), simulation->state()));
  }
  EXPECT_GT(elastic, 0);
  return kinetic / elastic;
}

std::string refusal(const std::string& text) {
  try {
    make_simulation(load_scene_text(text, "scene.toml"));
  } catch (const SceneError& error) {
    return error.what();
  }
  return {};
}

void expect_refusal(const std::string& text, const std::vector<std::string>& parts) {
  const std::string error = refusal(text);
  for (const std::string& part : parts) EXPECT_NE(error.find(part), std::string::npos) << part << "\nin: " << error;
}

const Vec3d along{1, 0, 0}, down{0, 0, -1};

// stiffnesses and lengths far apart leave the least stiff motions 1e-16 of the stiffest
TEST(SagFree, holds_what_is_fine_and_soft) {
  EXPECT_LT(unrest(scene_of({}, rod("a", 5000, {}, along, "clamp = [\"start\"]"))), 1e-20);
  EXPECT_LT(unrest(scene_of({.EI = 1e-3, .linear_density = 1e-4}, rod("a", 5000, {}, along, "clamp = [\"start\"]"))),
            1e-20);
  EXPECT_LT(unrest(scene_of({}, rod("a", 5000, {}, along, "clamp = [\"start\", \"end\"]"))), 1e-20);
}

// rods that can turn about themselves, and segments that nothing turns, carry what does not turn them
TEST(SagFree, holds_what_can_turn_freely) {
  EXPECT_LT(unrest(scene_of({.EI = 10}, net(0.5))), 1e-12);
  EXPECT_LT(unrest(scene_of({.EI = 0}, rod("a", 100, {}, down, "pin = [\"start\"]"))), 1e-20);
}

TEST(SagFree, refuses_what_nothing_holds_by_its_name) {
  const std::string held = rod("held", 20, {}, along, "clamp = [\"start\"]");
  expect_refusal(scene_of({}, held + rod("loose", 20, {0, 1, 0}, {1, 1, 0})),
                 {"scene.toml:5:10: simulation.settle", "nothing holds rod \"loose\" vertex"});
  // also when it is light against the others
  expect_refusal(scene_of({}, rod("held", 2000, {}, {100, 0, 0}, "clamp = [\"start\", \"end\"]") +
                                  rod("loose", 2, {0, 1, 0}, {1e-4, 1, 0})),
                 {"nothing holds rod \"loose\" vertex"});
  expect_refusal(scene_of({}, rod("door", 20, {}, along, "pin = [\"start\"]")), {"nothing holds rod \"door\" vertex"});
  expect_refusal(scene_of({.EI = 0}, rod("chain", 20, {}, along, "pin = [\"start\", \"end\"]")),
                 {"nothing holds rod \"chain\" vertex"});
  // the weight of the branch twists the trunk, which has nothing against it
  const std::string branch =
      rod("branch", 20, along, {1, 1, 0}) +
      "\n[[joint]]\na = { rod = \"held\", at = \"end\" }\nb = { rod = \"branch\", at = \"start\" }\ntype = \"weld\"\n";
  EXPECT_EQ(refusal(scene_of({}, held + branch)), "");
  expect_refusal(scene_of({.GJ = 0}, held + branch), {"nothing holds rod \"branch\" vertex"});
}

TEST(SagFree, refuses_what_is_too_soft_for_its_load) {
  expect_refusal(
      scene_of({.EA = 0.01, .EI = 1e-5, .linear_density = 0.05}, rod("a", 100, {}, along, "clamp = [\"start\"]")),
      {"scene.toml:5:10: simulation.settle", "rod \"a\" segment 0", "0.488 N", "EA = 0.01 N", "stiffer"});
  // pressed to less than nothing
  expect_refusal(scene_of({.EA = 0.1}, rod("a", 10, {}, -down, "clamp = [\"start\"]")),
                 {"rod \"a\" segment 0", "0.932 N"});
  expect_refusal(scene_of({.EI = 1e-3}, net(1)), {"rod \"u0\" segment", "N m", "EI1 = 0.001"});
}

// metrics, model.npz and pictures read one Model: a soft rod that hangs is stretched by 43 % in all of them
TEST(SagFree, pictures_show_the_strain_of_the_run) {
  const Scratch scratch;
  const std::string scene =
      scratch.write("hanging.toml", scene_of({.EA = 2, .EI = 1e-3}, rod("cord", 4, {}, down, "clamp = [\"start\"]")));
  const Program program(scratch, {"run", scene, "--out", (scratch / "run").string()});
  ASSERT_EQ(program.exit_code(), exit_good) << program.output();
  const RecordedFrame start = read_recorded_frame(open_run(scratch / "run"), 0);
  const double stretch = 7.0 / 8 * 0.1 * 9.81 / 2;  // the top segment carries all below its middle
  EXPECT_NEAR(largest_stretch(start.model, start.state), stretch, 1e-6);
  const CsvTable metrics = read_csv(scratch / "run/metrics.csv");
  EXPECT_NEAR(metrics.columns[metrics.find("max_stretch")][0], stretch, 1e-6);
  EXPECT_NEAR(segment_values(start.model, start.state, Coloring::strain, {})[0], stretch, 1e-6);
}

TEST(SagFree, a_refused_scene_leaves_no_folder) {
  const Scratch scratch;
  const std::string scene = scratch.write("loose.toml", scene_of({}, rod("loose", 20, {}, along)));
  const Program program(scratch, {"run", scene, "--out", (scratch / "run").string()});
  EXPECT_EQ(program.exit_code(), exit_bad_scene);
  EXPECT_TRUE(program.says("nothing holds rod \"loose\"")) << program.output();
  EXPECT_FALSE(std::filesystem::exists(scratch / "run"));
}

}  // namespace
}  // namespace tendril::app
