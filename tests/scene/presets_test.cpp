#include "scene/presets.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bake_text.h"

namespace tendril::scene {
namespace {

using std::numbers::pi;

std::string rod_of(const std::string& material) {
  return "[[rod]]\nname = \"rod\"\nmaterial = " + material +
         "\nsegments = 4\ncurve = { type = \"line\", from = [0, 0, 0], to = [0.1, 0, 0] }\n";
}

const Segment& first_segment(const BakedScene& scene) { return scene.model.segments[0]; }

TEST(Presets, AreNamedByARodAndNeedNoTable) {
  const Segment s = first_segment(baked(rod_of("\"hair/straight\"")));
  const double r = 3.85e-5, area = pi * r * r;
  EXPECT_NEAR(s.EA, 3.5e9 * area, 1e-12 * s.EA);
  EXPECT_NEAR(s.EI1, 3.5e9 * area * r * r / 4, 1e-12 * s.EI1);
  EXPECT_NEAR(s.linear_density, 1320 * area, 1e-12 * s.linear_density);
  EXPECT_DOUBLE_EQ(s.radius, r);
  EXPECT_DOUBLE_EQ(s.friction, 0.3);
}

TEST(Presets, AreNamedInLists) {
  const BakedScene scene = baked(rod_of("[[0.0, \"wood/beech\"], [0.5, \"rubber/silicone\"]]"));
  EXPECT_DOUBLE_EQ(scene.model.segments[0].radius, 5e-3);
  EXPECT_DOUBLE_EQ(scene.model.segments[3].radius, 2e-3);
}

TEST(Presets, FillWhatAMaterialDoesNotSay) {
  const Segment s = first_segment(
      baked("[material.thick]\npreset = \"hair/straight\"\nsection.radius = 5e-5\npoisson_ratio = 0.25\n" +
            rod_of("\"thick\"")));
  EXPECT_DOUBLE_EQ(s.radius, 5e-5);
  EXPECT_NEAR(s.EA, 3.5e9 * pi * 25e-10, 1e-12 * s.EA);
  EXPECT_NEAR(s.GJ, 1.4e9 * pi / 2 * std::pow(5e-5, 4), 1e-12 * s.GJ);  // its own ν took the place of G
}

TEST(Presets, GiveWayToAnotherSectionAndToAMaterialOfTheSameName) {
  const Segment other =
      first_segment(baked("[material.flat]\npreset = \"hair/straight\"\nsection = { shape = \"rectangle\", width = "
                          "2e-4, height = 1e-4 }\n" +
                          rod_of("\"flat\"")));
  EXPECT_NEAR(other.EA, 3.5e9 * 2e-8, 1e-12 * other.EA);
  const Segment own = first_segment(
      baked("[material.\"hair/straight\"]\nstiffness = { EA = 1.0, GA = 1.0, EI1 = 1.0, EI2 = 1.0, GJ = 1.0 }\n"
            "linear_density = 1.0\nradius = 0.01\n" +
            rod_of("\"hair/straight\"")));
  EXPECT_EQ(own.EA, 1);
}

TEST(Presets, AreSuggestedForAMisspeltName) {
  expect_message(error_of(rod_of("\"hair/curley\"")), {"test.toml:4", "material", "did you mean \"hair/curly\""});
  expect_message(error_of("[material.x]\npreset = \"wire/steal\"\n" + rod_of("\"x\"")),
                 {"test.toml:3", "material.x.preset", "did you mean \"wire/steel\""});
}

// the values that are not derived from moduli are those of bundles: far softer in bending than a solid rod of that EA
TEST(Presets, AreWhatTheySay) {
  for (const MaterialPreset& preset : material_presets()) {
    SCOPED_TRACE(preset.name);
    const Material m = preset_material(preset);
    const RodProperties& p = m.properties;
    EXPECT_GT(p.linear_density / (pi * p.radius * p.radius), 200);  // [kg/m³]
    EXPECT_LT(p.linear_density / (pi * p.radius * p.radius), 8000);
    EXPECT_LE(p.EI1, 1.8 * p.EA * p.radius * p.radius / 4);  // 1.75 across a flat section
    EXPECT_GE(p.GJ, 0.1 * std::min(p.EI1, p.EI2));           // wood is soft in shear
    EXPECT_LE(p.GJ, p.EI1 + p.EI2);
    EXPECT_EQ(m.curl.has_value(), preset.name.starts_with("hair/") && preset.name != "hair/straight");
  }
}

TEST(Presets, AreWrittenOutWithTheResolvedScene) {
  const std::string scene = "simulation = { time_step = 0.01, duration = 1.0 }\n" + rod_of("\"hair/curly\"");
  const std::string resolved = resolved_toml(parse_scene(scene, "test.toml"));
  EXPECT_NE(resolved.find("[material.\"hair/curly\"]"), std::string::npos) << resolved;
  const BakedScene again = bake(parse_scene(resolved, "again.toml"));
  EXPECT_EQ(first_segment(again).EI1, first_segment(bake(parse_scene(scene, "test.toml"))).EI1);
}

}  // namespace
}  // namespace tendril::scene
