// how a rod's unloaded shape and its start are made: half bends, natural curvature, twist

#include <numbers>

#include "scene/bake_text.h"

namespace tendril::scene {
namespace {

constexpr double pi = std::numbers::pi;

TEST(BakeRest, AClampJoinsItsSegmentsByHalfBends) {
  const BakedScene scene = baked_wire(R"(
[[rod]]
name = "beam"
material = "wire"
segments = 4
curve = { type = "line", from = [0, 0, 0], to = [2, 0, 0] }
clamp = ["start", 2]
)");
  std::vector<Bend> halves;
  for (const Bend& bend : scene.model.bends)
    if (bend.b.is_body) halves.push_back(bend);
  ASSERT_EQ(halves.size(), 3u);  // one at the start, one on each side of vertex 2
  for (const Bend& bend : halves) {
    EXPECT_NEAR(bend.length, 0.25, 1e-15);
    EXPECT_EQ(bend.EI1, 2.0);
    EXPECT_EQ(bend.EI2, 3.0);
    EXPECT_EQ(bend.GJ, 1.5);
    EXPECT_NEAR(norm(strain_of(scene, bend)), 0, 1e-14);
  }
  // the bend through vertex 2 gives way to the two halves
  ASSERT_EQ(scene.model.holds.size(), 1u);
  EXPECT_EQ(scene.model.holds[0].replaced_bends, std::vector<int>{1});
  for (const Tie& tie : scene.model.ties) expect_near(scene.state.body_x[tie.body], scene.state.x[tie.vertex], 0);
}

TEST(BakeRest, RestOnTheCurveHasNoStrain) {
  const BakedScene scene = baked_wire(R"(
[[rod]]
name = "spring"
material = "wire"
segments = 24
normal = [1, 0, 0]
curve = { type = "helix", center = [0, 0, 0], axis = [0, 0, 1], radius = 0.3, pitch = 0.2, turns = 2 }
clamp = ["start", "end", 7]
)");
  EXPECT_NEAR(elastic_energy(scene.model, scene.state), 0, 1e-26);
}

TEST(BakeRest, StraightRestHasTheCurvesOwnCurvature) {
  // chords of an arc of radius R turn by L / (n R) from one to the next
  const BakedScene scene = baked_wire(R"(
[[rod]]
name = "arc"
material = "wire"
segments = 10
rest = "straight"
normal = [0, 0, 1]
curve = { type = "arc", center = [0, 0, 0], from = [2, 0, 0], axis = [0, 0, 1], angle = 1.0 }
clamp = ["start", "end"]
)");
  for (const Bend& bend : scene.model.bends) {
    if (bend.hold >= 0 && !bend.b.is_body) continue;
    const double turn = (bend.b.is_body ? 0.5 : 1.0) * 0.1;
    const Vec3d angle = bend.length * strain_of(scene, bend);
    EXPECT_NEAR(std::abs(angle.x), turn, 1e-12);  // about d1, the arc's own axis
    EXPECT_NEAR(angle.y, 0, 1e-12);
    EXPECT_NEAR(angle.z, 0, 1e-12);
  }
}

// the yarns of a cloth are open chains, so they may be straight without load; a tube's are not
TEST(BakeRest, StraightRestGoesWithSeveralOpenChains) {
  const auto cloth = [](const std::string& keys) {
    return baked_wire("[[rod]]\nname = \"cloth\"\nmaterial = \"wire\"\nrest = \"straight\"\n" +
                      ("curve = { type = \"knit\", rows = 3, columns = 6, yarn_radius = 0.02" + keys + " }\n"));
  };
  const BakedScene several = cloth(", threaded = \"top\""), one = cloth(", yarns = 1");
  double of_several = 0, of_one = 0;
  for (const Bend& bend : several.model.bends) {
    expect_near(rest_curvature(bend), {}, 1e-14);
    of_several = std::max(of_several, norm(strain_of(several, bend)));
  }
  for (const Bend& bend : one.model.bends) of_one = std::max(of_one, norm(strain_of(one, bend)));
  EXPECT_EQ(several.model.bends.size(), several.model.segments.size() - 4);
  EXPECT_NEAR(of_several, of_one, 0.05 * of_one);  // the same loops, cut elsewhere
  EXPECT_THROW(cloth(", closed = true"), SceneError);
}

TEST(BakeRest, NaturalCurvatureStandsInEveryBend) {
  const BakedScene scene = baked_wire(R"(
[[rod]]
name = "curl"
material = "wire"
segments = 8
natural_curvature = [0.3, -0.2, 0.5]
curve = { type = "line", from = [0, 0, 0], to = [2, 0, 0] }
clamp = ["start", "end"]
)");
  for (const Bend& bend : scene.model.bends) {
    const double side = bend.b.is_body && bend.a.index == 0 ? -1 : 1;  // from a segment back to the section before it
    expect_near(rest_curvature(bend), side * Vec3d{0.3, -0.2, 0.5}, 1e-12);
    expect_near(strain_of(scene, bend), -side * Vec3d{0.3, -0.2, 0.5}, 1e-12);  // it starts on the line
  }
}

TEST(BakeRest, CurvatureBendsAboutTheFirstDirector) {
  // kappa1 > 0 turns d3 towards -d2: the unloaded rod is an arc in the plane of d2 and d3
  const BakedScene scene = baked_wire(R"(
[[rod]]
name = "curl"
material = "wire"
segments = 4
normal = [0, 1, 0]
natural_curvature = [0.3, 0, 0]
curve = { type = "line", from = [0, 0, 0], to = [4, 0, 0] }
)");
  const Quatd first = scene.state.q[0];
  expect_near(director1(first), {0, 1, 0}, 1e-15);
  expect_near(director2(first), {0, 0, 1}, 1e-15);
  const Vec3d tangent = director3(first * scene.model.bends[0].rest);
  expect_near(tangent, {std::cos(0.3), 0, -std::sin(0.3)}, 1e-12);
}

void expect_even_twist(const BakedScene& scene, double twist_per_length) {
  for (const Bend& bend : scene.model.bends) {
    const double side =
        bend.b.is_body && scene.model.segments[bend.a.index].vertex[0] == scene.model.ties.at(0).vertex &&
                scene.state.body_x[bend.b.index] == scene.state.x[scene.model.segments[bend.a.index].vertex[0]]
            ? -1
            : 1;
    EXPECT_NEAR(strain_of(scene, bend).z, side * twist_per_length, 1e-10);
  }
}

TEST(BakeRest, TwistIsSpreadEvenly) {
  const BakedScene scene = baked_wire(R"(
[[rod]]
name = "cord"
material = "wire"
segments = 10
twist = 7.0
curve = { type = "line", from = [0, 0, 0], to = [2, 0, 0] }
clamp = ["start", "end"]
)");
  double total = 0;
  for (const Bend& bend : scene.model.bends) total += std::abs(strain_of(scene, bend).z) * bend.length;
  EXPECT_NEAR(total, 7.0, 1e-10);
  expect_even_twist(scene, 3.5);
}

// ten segments have nine joints of a tenth of the twist each: up to half a turn is known, more would be lost
TEST(BakeRest, HalfATurnPerJointIsRefused) {
  const auto cord = [](const std::string& turned) {
    return baked_wire("[[rod]]\nname = \"cord\"\nmaterial = \"wire\"\nsegments = 10\n" + turned +
                      "\ncurve = { type = \"line\", from = [0, 0, 0], to = [2, 0, 0] }\n");
  };
  EXPECT_NO_THROW(cord("twist = 31.3"));
  EXPECT_THROW(cord("twist = 31.5"), SceneError);
  EXPECT_THROW(cord("twist = -40.0"), SceneError);
  EXPECT_NO_THROW(cord("natural_curvature = [0, 0, 15.6]"));
  EXPECT_THROW(cord("natural_curvature = [0, 0, 15.8]"), SceneError);
}

// a closed rod is cut, turned and glued: all bends are alike, the one through the seam too
TEST(BakeRest, AClosedRodIsTwistedEvenlyForAnyNumberOfTurns) {
  for (const std::string twist : {"0.0", "3.0", "6.283185307179586", "6.4", "12.566370614359172", "-20.0"})
    for (const std::string rest : {"curve", "straight"}) {
      SCOPED_TRACE("twist " + twist + ", rest " + rest);
      const BakedScene scene = baked_wire(R"(
[[rod]]
name = "ring"
material = "wire"
segments = 40
curve = { type = "circle", center = [0, 0, 0], axis = [0, 0, 1], radius = 1 }
twist = )" + twist + "\nrest = \"" + rest +
                                          "\"\n");
      ASSERT_EQ(scene.model.bends.size(), 40u);
      double length = 0;
      for (const Segment& s : scene.model.segments) length += s.rest_length;
      const double each = std::stod(twist) / length;
      for (const Bend& bend : scene.model.bends) {
        EXPECT_NEAR(strain_of(scene, bend).z, each, 0.01 * std::abs(each) + 1e-10);
        EXPECT_NEAR(strain_of(scene, bend).z, strain_of(scene, scene.model.bends[0]).z, 1e-9);
      }
    }
}

// The frame that is carried round a loop in space comes back turned. That turn is no twist: the loop is glued as it
// closes.
TEST(BakeRest, ALoopInSpaceIsClosedWithoutTwist) {
  for (const std::string rest : {"rest = \"straight\"", "natural_curvature = [0, 0, 0]", "rest = \"curve\""})
    for (const std::string clamp : {"", "clamp = \"start\""}) {
      SCOPED_TRACE(rest + clamp);
      const BakedScene scene = baked_wire(R"(
[[rod]]
name = "loop"
material = "wire"
segments = 60
curve = { type = "polyline", closed = true, points = [[1, 0, 0.5], [0.7, 0.7, -0.5], [0, 1, 0.5], [-0.7, 0.7, -0.5],
  [-1, 0, 0.2], [-0.7, -0.7, 0.9], [0, -1, 0], [0.7, -0.7, 1]] }
)" + rest + "\n" + clamp + "\n");
      for (const Bend& bend : scene.model.bends)
        EXPECT_NEAR(bend.length * strain_of(scene, bend).z, 0, 1e-9) << "bend of segment " << bend.a.index;
    }
}

TEST(BakeRest, TheNormalIsTheFirstDirectorAtTheStart) {
  const BakedScene scene = baked_wire(R"(
[[rod]]
name = "arc"
material = "wire"
segments = 20
normal = [1, 0, 3]
curve = { type = "arc", center = [0, 0, 0], from = [1, 0, 0], axis = [0, 0, 1], angle = 1.5707963267948966 }
clamp = ["start", "end"]
)");
  // the tangent at the start is y, so d1 is the normal itself; it is carried round without twist
  const Vec3d start = normalized(Vec3d{1, 0, 3}), end = normalized(Vec3d{0, 1, 3});
  expect_near(director1(scene.state.body_q.at(0)), start, 1e-12);
  expect_near(director3(scene.state.body_q[0]), {0, 1, 0}, 1e-12);
  expect_near(director1(scene.state.body_q.at(1)), end, 1e-12);
  expect_near(director3(scene.state.body_q[1]), {-1, 0, 0}, 1e-12);
}

TEST(BakeRest, WithoutANormalTheLeastAlignedAxisIsTaken) {
  const BakedScene scene = baked_wire(R"(
[[rod]]
name = "line"
material = "wire"
segments = 2
curve = { type = "line", from = [0, 0, 0], to = [3, 2, 1] }
)");
  const Vec3d t = normalized(Vec3d{3, 2, 1});
  expect_near(director1(scene.state.q[0]), normalized(Vec3d{0, 0, 1} - t.z * t), 1e-14);
}

TEST(BakeRest, InitialVelocityIsARigidMotionAboutTheCentreOfMass) {
  const BakedScene scene = baked_wire(R"(
[[rod]]
name = "stick"
material = "wire"
segments = 4
velocity = [1, 2, 3]
angular_velocity = [0, 0, 2]
curve = { type = "line", from = [0, 0, 0], to = [2, 0, 0] }
)");
  for (int i = 0; i <= 4; ++i) expect_near(scene.state.v[i], {1, 2 + 2 * (0.5 * i - 1), 3}, 1e-14);
  for (const Vec3d& omega : scene.state.omega) expect_near(omega, {0, 0, 2}, 0);
}

TEST(BakeRest, PerturbationMovesFreeVerticesByAtMostItsAmplitude) {
  const std::string text = R"(
[[rod]]
name = "stick"
material = "wire"
segments = 20
pin = "start"
perturb = { amplitude = 1e-3, seed = 5 }
curve = { type = "line", from = [0, 0, 0], to = [2, 0, 0] }
)";
  const BakedScene scene = baked_wire(text), again = baked_wire(text);
  EXPECT_EQ(scene.state.x[0], (Vec3d{}));
  for (int i = 1; i <= 20; ++i) {
    const double moved = norm(scene.state.x[i] - Vec3d{0.1 * i, 0, 0});
    EXPECT_GT(moved, 0);
    EXPECT_LE(moved, 1e-3);
    EXPECT_EQ(scene.state.x[i], again.state.x[i]);
  }
  for (int s = 0; s < 20; ++s)  // frames follow their segments
    expect_near(director3(scene.state.q[s]), normalized(scene.state.x[s + 1] - scene.state.x[s]), 1e-14);
}

}  // namespace
}  // namespace tendril::scene
