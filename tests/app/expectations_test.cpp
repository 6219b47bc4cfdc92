#include "engine/expectations.h"

#include <gtest/gtest.h>

#include "loaded_scene.h"

namespace tendril::app {
namespace {

const std::string beam = R"(
[simulation]
time_step = 0.01
duration = 1.0
[material.wood]
stiffness = { EA = 1e9, GA = 1e9, EI1 = 4.9e7, EI2 = 4.9e7, GJ = 3.9e7 }
linear_density = 785.4
radius = 0.5
[[rod]]
name = "beam"
material = "wood"
segments = 5
curve = { type = "line", from = [0, 0, 0], to = [10, 0, 0] }
clamp = ["start"]
)";

std::vector<Expected> read(const std::string& lines, const std::string& solver = "stable") {
  return read_expectations(parse_scene(beam + "[expect]\n" + lines, "beam.toml", {}, solver_option_keys()).root,
                           solver);
}

TEST(Expectations, AreReadInTheirOrder) {
  const std::vector<Expected> all = read(
      "\"tip.z\" = { value = -6.8006e-3, tolerance = 2e-3 }\n"
      "min_gap = { value = 1, tolerance = 0.5, absolute = true, at = \"min\" }\n"
      "elastic = { value = 3, tolerance = 0.5, at = \"max\" }\n"
      "kinetic = { value = -2, tolerance = 0.25, at = 1.5 }\n");
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].column, "tip.z");
  EXPECT_EQ(all[0].value, -6.8006e-3);
  EXPECT_EQ(all[0].tolerance, 2e-3);
  EXPECT_FALSE(all[0].absolute);
  EXPECT_EQ(all[0].at, ExpectedAt::end);
  EXPECT_EQ(all[1].column, "min_gap");
  EXPECT_TRUE(all[1].absolute);
  EXPECT_EQ(all[1].at, ExpectedAt::min);
  EXPECT_EQ(all[2].at, ExpectedAt::max);
  EXPECT_EQ(all[3].at, ExpectedAt::time);
  EXPECT_EQ(all[3].time, 1.5);
}

TEST(Expectations, ApplyToTheSolversThatTheyName) {
  const std::string lines =
      "kinetic = { value = 1, tolerance = 0.5, solvers = [\"stable\"] }\nelastic = { value = 1, tolerance = 0.5 }\n";
  EXPECT_EQ(read(lines, "stable").size(), 2u);
  ASSERT_EQ(read(lines, "block").size(), 1u);
  EXPECT_EQ(read(lines, "block")[0].column, "elastic");
}

// the message of the scene's error, empty when there is none
std::string error_of(const std::string& lines) {
  try {
    load_scene_text(beam + "[output]\nprobe = [{ rod = \"beam\", at = \"end\", name = \"tip\" }]\n[expect]\n" + lines,
                    "beam.toml");
  } catch (const SceneError& error) {
    return error.what();
  }
  return {};
}

TEST(Expectations, AskForColumnsThatThereAre) {
  EXPECT_EQ(error_of("\"tip.z\" = { value = 0, tolerance = 1 }\nkinetic = { value = 0, tolerance = 1 }\n"), "");
  const std::string error =
      error_of("kinetic = { value = 0, tolerance = 1 }\n\"tip.zz\" = { value = 0, tolerance = 1 }\n");
  for (const char* part : {"beam.toml:19:", "expect.\"tip.zz\"", "no such column", "\"time\"", "did you mean \"tip."})
    EXPECT_NE(error.find(part), std::string::npos) << part << "\nin: " << error;
  EXPECT_EQ(error_of("height = { value = 0, tolerance = 1, solvers = [\"direct\"] }\n").find("did you mean"),
            std::string::npos)
      << "nothing is near";
  EXPECT_NE(error_of("height = { value = 0, tolerance = 1, solvers = [\"direct\"] }\n"), "");
}

}  // namespace
}  // namespace tendril::app
