// what a rod is made of: sections, taper, several materials, masses

#include <fmt/format.h>

#include <numbers>

#include "scene/bake_text.h"

namespace tendril::scene {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double E = 2e9, G = 8e8, density = 1200;

Segment segment_with_section(const std::string& section) {
  return baked(fmt::format(R"(
[material.m]
young_modulus = 2e9
shear_modulus = 8e8
density = 1200
section = {{ {} }}
[[rod]]
name = "rod"
material = "m"
segments = 4
curve = {{ type = "line", from = [0, 0, 0], to = [2, 0, 0] }}
)",
                           section))
      .model.segments[0];
}

struct Expected {
  double A, I1, I2, J;
};

void expect_section(const Segment& s, const Expected& e) {
  EXPECT_NEAR(s.EA, E * e.A, 1e-12 * E * e.A);
  EXPECT_NEAR(s.EI1, E * e.I1, 1e-12 * E * e.I1);
  EXPECT_NEAR(s.EI2, E * e.I2, 1e-12 * E * e.I2);
  EXPECT_NEAR(s.GJ, G * e.J, 1e-9 * G * e.J);
  EXPECT_NEAR(s.linear_density, density * e.A, 1e-12 * density * e.A);
  // the section turns with its second moments, also about d3, where torsion has another constant
  expect_near(s.linear_inertia, density * Vec3d{e.I1, e.I2, e.I1 + e.I2}, 1e-12 * density * (e.I1 + e.I2));
}

TEST(BakeMaterial, CircleHasItsClosedForms) {
  const double r = 0.03, I = pi * std::pow(r, 4) / 4;
  const Segment s = segment_with_section("shape = \"circle\", radius = 0.03");
  expect_section(s, {pi * r * r, I, I, 2 * I});
  EXPECT_EQ(s.radius, r);
  // Cowper (1966): 6 (1 + nu) / (7 + 6 nu), nu = E/2G - 1 = 1/4
  EXPECT_NEAR(s.GA, 7.5 / 8.5 * G * pi * r * r, 1e-6);
}

TEST(BakeMaterial, EllipseBendsHarderAboutItsShortAxis) {
  // width 2a along d1, height 2b along d2: I1 = pi a b³/4, I2 = pi a³ b/4, J = pi a³ b³ / (a² + b²)
  const double a = 0.05, b = 0.02;
  expect_section(
      segment_with_section("shape = \"ellipse\", width = 0.1, height = 0.04"),
      {pi * a * b, pi * a * b * b * b / 4, pi * a * a * a * b / 4, pi * std::pow(a * b, 3) / (a * a + b * b)});
}

TEST(BakeMaterial, RectangleHasSaintVenantsTorsion) {
  // J of a square is 0.140577 w⁴; a thin strip has w t³/3 (1 - 0.63 t/w)
  const double w = 0.04;
  expect_section(segment_with_section("shape = \"rectangle\", width = 0.04, height = 0.04"),
                 {w * w, std::pow(w, 4) / 12, std::pow(w, 4) / 12, 0.1405770149 * std::pow(w, 4)});
  const Segment strip = segment_with_section("shape = \"rectangle\", width = 0.1, height = 0.001");
  EXPECT_NEAR(strip.GJ / (G * 0.1 * 1e-9 / 3), 1 - 0.6302 * 0.01, 1e-5);
  EXPECT_NEAR(strip.EI1, E * 0.1 * 1e-9 / 12, 1e-12 * E);
  EXPECT_NEAR(strip.EI2, E * 1e-3 * 1e-3 / 12, 1e-12 * E);
}

TEST(BakeMaterial, TubeIsACircleLessItsHole) {
  const double R = 0.03, r = 0.02, I = pi * (std::pow(R, 4) - std::pow(r, 4)) / 4;
  expect_section(segment_with_section("shape = \"tube\", radius = 0.03, inner = 0.02"),
                 {pi * (R * R - r * r), I, I, 2 * I});
}

TEST(BakeMaterial, ModuliAndDirectStiffnessAreTheSameRod) {
  const Segment by_moduli = segment_with_section("shape = \"circle\", radius = 0.03");
  const Segment directly = baked(fmt::format(R"(
[material.m]
stiffness = {{ EA = {:.17g}, GA = {:.17g}, EI1 = {:.17g}, EI2 = {:.17g}, GJ = {:.17g} }}
linear_density = {:.17g}
radius = 0.03
[[rod]]
name = "rod"
material = "m"
segments = 4
curve = {{ type = "line", from = [0, 0, 0], to = [2, 0, 0] }}
)",
                                             by_moduli.EA, by_moduli.GA, by_moduli.EI1, by_moduli.EI2, by_moduli.GJ,
                                             by_moduli.linear_density))
                               .model.segments[0];
  EXPECT_EQ(directly.EA, by_moduli.EA);
  EXPECT_EQ(directly.GA, by_moduli.GA);
  EXPECT_EQ(directly.GJ, by_moduli.GJ);
  expect_near(directly.linear_inertia, by_moduli.linear_inertia, 1e-12 * by_moduli.linear_inertia.z);
}

TEST(BakeMaterial, PoissonRatioGivesTheShearModulus) {
  const Segment s = baked(R"(
[material.m]
young_modulus = 2e9
poisson_ratio = 0.25
density = 1200
section = { shape = "circle", radius = 0.03 }
[[rod]]
name = "rod"
material = "m"
segments = 1
curve = { type = "line", from = [0, 0, 0], to = [1, 0, 0] }
)")
                        .model.segments[0];
  EXPECT_NEAR(s.GJ / s.EI1, 2 * 8e8 / 2e9, 1e-12);  // J = 2 I
}

TEST(BakeMaterial, TaperScalesWithTheRadiusAtEachSegmentsMiddle) {
  const BakedScene scene = baked_wire(R"(
[[rod]]
name = "horn"
material = "wire"
segments = 4
radius = [[0, 0.04], [1, 0.02]]
curve = { type = "line", from = [0, 0, 0], to = [4, 0, 0] }
)");
  for (int s = 0; s < 4; ++s) {
    const double r = 0.04 - 0.02 * (s + 0.5) / 4, ratio = r / 0.02;
    const Segment& segment = scene.model.segments[s];
    EXPECT_NEAR(segment.radius, r, 1e-15);
    EXPECT_NEAR(segment.EA, 1e3 * ratio * ratio, 1e-9);
    EXPECT_NEAR(segment.GA, 8e2 * ratio * ratio, 1e-9);
    EXPECT_NEAR(segment.EI1, 2 * std::pow(ratio, 4), 1e-12);
    EXPECT_NEAR(segment.GJ, 1.5 * std::pow(ratio, 4), 1e-12);
    EXPECT_NEAR(segment.linear_density, 0.5 * ratio * ratio, 1e-12);
  }
}

TEST(BakeMaterial, OneNumberIsTheRadiusOfTheWholeRod) {
  const BakedScene scene = baked_wire(R"(
[[rod]]
name = "thick"
material = "wire"
segments = 2
radius = 0.04
curve = { type = "line", from = [0, 0, 0], to = [4, 0, 0] }
)");
  for (const Segment& segment : scene.model.segments) EXPECT_NEAR(segment.EI2, 3.0 * 16, 1e-12);
}

TEST(BakeMaterial, TwoMaterialsMeetInSeries) {
  // a bend takes half of each segment: l / EI = (l_a/2) / EI_a + (l_b/2) / EI_b
  const BakedScene scene = baked(wire + std::string(R"(
[material.steel]
stiffness = { EA = 1e5, GA = 8e4, EI1 = 20.0, EI2 = 3.0, GJ = 6.0 }
linear_density = 2.0
radius = 0.03
[[rod]]
name = "mixed"
material = [[0, "wire"], [0.5, "steel"]]
segments = 4
curve = { type = "line", from = [0, 0, 0], to = [2, 0, 0] }
)"));
  ASSERT_EQ(scene.model.bends.size(), 3u);
  EXPECT_EQ(scene.model.segments[1].EI1, 2.0);
  EXPECT_EQ(scene.model.segments[2].EI1, 20.0);
  const Bend& joint = scene.model.bends[1];
  EXPECT_NEAR(joint.length, 0.5, 1e-15);
  EXPECT_NEAR(joint.EI1, 2 / (1 / 2.0 + 1 / 20.0), 1e-12);
  EXPECT_NEAR(joint.EI2, 3.0, 1e-12);
  EXPECT_NEAR(joint.GJ, 2 / (1 / 1.5 + 1 / 6.0), 1e-12);
  EXPECT_NEAR(scene.model.bends[0].EI1, 2.0, 1e-12);
  EXPECT_NEAR(scene.model.bends[2].EI1, 20.0, 1e-12);
}

TEST(BakeMaterial, UnequalSegmentsMeetInSeriesByTheirLengths) {
  // lengths 1 and 3 of one taper: EI 2 and 2 · 2⁴
  const BakedScene scene = baked_wire(R"(
[[rod]]
name = "kink"
material = "wire"
radius = [[0, 0.02], [0.125, 0.02], [0.625, 0.04], [1, 0.04]]
curve = { type = "polyline", points = [[0, 0, 0], [1, 0, 0], [4, 0, 0]] }
)");
  const Bend& bend = scene.model.bends.at(0);
  EXPECT_NEAR(bend.length, 2, 1e-15);
  EXPECT_NEAR(bend.length / bend.EI1, 0.5 / 2.0 + 1.5 / 32.0, 1e-12);
}

TEST(BakeMaterial, AStringWithoutBendingStiffnessIsFinite) {
  const BakedScene scene = baked(R"(
[material.string]
stiffness = { EA = 1e3, GA = 1e3, EI1 = 0, EI2 = 0, GJ = 0 }
linear_density = 0.1
radius = 0.01
[[rod]]
name = "string"
material = "string"
segments = 3
curve = { type = "line", from = [0, 0, 0], to = [1, 0, 0] }
clamp = ["start"]
)");
  for (const Bend& bend : scene.model.bends) EXPECT_EQ(bend.EI1 + bend.EI2 + bend.GJ, 0);
}

TEST(BakeMaterial, HalfASegmentsMassGoesToEachOfItsVertices) {
  const BakedScene scene = baked_wire(R"(
[[rod]]
name = "kink"
material = "wire"
curve = { type = "polyline", points = [[0, 0, 0], [1, 0, 0], [4, 0, 0]] }
)");
  EXPECT_NEAR(scene.model.vertices[0].mass, 0.25, 1e-15);
  EXPECT_NEAR(scene.model.vertices[1].mass, 0.25 + 0.75, 1e-15);
  EXPECT_NEAR(scene.model.vertices[2].mass, 0.75, 1e-15);
}

TEST(BakeMaterial, ParametersReachEverySegment) {
  const BakedScene scene = baked(R"(
[material.m]
stiffness = { EA = 1e3, GA = 8e2, EI1 = 2.0, EI2 = 3.0, GJ = 1.5 }
linear_density = 0.5
radius = 0.02
linear_inertia = [1e-4, 2e-4, 3e-4]
damping = 0.7
internal_damping = 0.03
friction = 0.4
strain_limit = 0.1
[[rod]]
name = "rod"
material = "m"
segments = 2
clamp = "start"
curve = { type = "line", from = [0, 0, 0], to = [1, 0, 0] }
)");
  for (const Segment& s : scene.model.segments) {
    EXPECT_EQ(s.damping, 0.7);
    EXPECT_EQ(s.internal_damping, 0.03);
    EXPECT_EQ(s.friction, 0.4);
    EXPECT_EQ(s.strain_limit, 0.1);
    EXPECT_EQ(s.linear_inertia, (Vec3d{1e-4, 2e-4, 3e-4}));
  }
  for (const Bend& b : scene.model.bends) EXPECT_EQ(b.internal_damping, 0.03);
}

}  // namespace
}  // namespace tendril::scene
