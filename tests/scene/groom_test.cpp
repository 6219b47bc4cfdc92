#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "bake_text.h"
#include "io/formats.h"
#include "math/random.h"
#include "scene/grooms/guides.h"
#include "scene/grooms/roots.h"
#include "scene/grooms/surface.h"
#include "scene/segment_colors.h"
#include "scratch.h"

namespace tendril::scene {
namespace {

using std::numbers::pi;

const char* const ball = "[[obstacle]]\nname = \"head\"\nshape = \"sphere\"\nradius = 0.1\ncenter = [0, 0, 1]\n";

std::string groom(const std::string& more, const std::string& mesh = "head") {
  return "[[groom]]\nname = \"hair\"\nmesh = \"" + mesh + "\"\nmaterial = \"hair/straight\"\n" + more;
}
const std::string few = "count = 50\nlength = 0.1\nsegments = 10\n";

BakedScene on_ball(const std::string& more) { return baked(groom(more) + ball); }

// a scene in a folder with a mesh: a square of 1 m in two triangles of two groups, and a second square above
class OnAMesh : public testing::Test {
 protected:
  OnAMesh() {
    std::ofstream(scratch_ / "square.obj") << "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
                                              "g low\nf 1 2 3\ng high\nf 1 3 4\n";
  }
  BakedScene bake_scene(const std::string& text) const {
    std::ofstream(scratch_ / "scene.toml") << "simulation = { time_step = 0.01, duration = 1.0 }\n" << text;
    return bake(read_scene((scratch_ / "scene.toml").string(), {}, {}));
  }
  std::string error(const std::string& text) const {
    try {
      bake_scene(text);
    } catch (const SceneError& e) {
      return e.what();
    }
    return "no error";
  }
  Scratch scratch_;
};

TEST(Groom, IsARodOfManyStrandsOnItsMesh) {
  const BakedScene scene = on_ball(few);
  ASSERT_EQ(scene.model.rods.size(), 1u);
  EXPECT_EQ(scene.model.vertices.size(), 50u * 11);
  EXPECT_EQ(scene.model.segments.size(), 50u * 10);
  ASSERT_EQ(scene.model.ties.size(), 50u);
  for (int k = 0; k < 50; ++k) {
    const Vec3d root = scene.state.x[11 * k], tip = scene.state.x[11 * k + 10], out = root - Vec3d{0, 0, 1};
    EXPECT_EQ(scene.model.ties[k].vertex, 11 * k);
    EXPECT_EQ(scene.model.ties[k].body, 0);
    EXPECT_NEAR(norm(out), 0.1 + 2.5 * 3.85e-5, 1e-9);
    expect_near(tip, root + 0.1 * normalized(out), 1e-9);  // straight along the normal
  }
}

// each root by a clamp: the section's frame is held by half a bend to the obstacle's own body
TEST(Groom, HoldsItsRootsByTheObstacle) {
  const BakedScene scene = on_ball(few);
  int held = 0;
  for (const Bend& bend : scene.model.bends)
    if (bend.b.is_body) {
      ++held;
      EXPECT_EQ(bend.b.index, 0);
      EXPECT_LT(norm(strain_of(scene, bend)), 1e-9);
    }
  EXPECT_EQ(held, 50);
}

TEST(Groom, IsFoundByTheNameOfARod) {
  const BakedScene scene = on_ball(few + "[[load]]\nrod = \"hair\"\nat = \"roots\"\nforce = [0, 0, 1]\n");
  EXPECT_EQ(scene.model.loads[0].indices.size(), 50u);
  EXPECT_EQ(scene.model.loads[0].indices[1], 11);
}

TEST(Groom, HasAsManyStrandsAsItsDensityGives) {
  const BakedScene scene = on_ball("density = 1000.0\nlength = 0.1\nsegments = 4\n");
  EXPECT_NEAR(double(scene.model.ties.size()), 1000 * 4 * pi * 0.01, 1);
}

// lengths by quantiles: half of them below the middle
TEST(Groom, DrawsLengths) {
  const BakedScene scene = on_ball("count = 400\nlength = [[0, 0.1], [1, 0.2]]\nsegments = 5\n");
  double low = 1, high = 0, sum = 0;
  for (int k = 0; k < 400; ++k) {
    double length = 0;
    for (int s = 0; s < 5; ++s) length += scene.model.segments[5 * k + s].rest_length;
    low = std::min(low, length), high = std::max(high, length), sum += length;
  }
  EXPECT_GE(low, 0.1 - 1e-12);
  EXPECT_LE(high, 0.2 + 1e-12);
  EXPECT_NEAR(sum / 400, 0.15, 4 * 0.1 / std::sqrt(12 * 400));  // four standard deviations
}

TEST(Groom, IsTheSameForASeedAndAnotherForAnother) {
  const BakedScene a = on_ball(few + "seed = 1\n"), b = on_ball(few + "seed = 1\n"), c = on_ball(few + "seed = 2\n");
  EXPECT_EQ(a.state.x, b.state.x);
  EXPECT_NE(a.state.x, c.state.x);
}

// away from its first turn a curl is the helix: the curvature of three neighbouring points is r / (r² + (p / 2 pi)²)
TEST(Groom, WindsAsItsCurl) {
  const double r = 0.01, p = 0.04, c = p / (2 * pi), curvature = r / (r * r + c * c);
  const BakedScene scene = on_ball("count = 5\nlength = 0.3\nsegments = 300\ncurl = { radius = 0.01, pitch = 0.04 }\n");
  for (int k = 0; k < 5; ++k)
    for (int n : {150, 200, 250}) {
      const Vec3d* x = &scene.state.x[301 * k + n];
      const Vec3d a = x[0] - x[-1], b = x[1] - x[0];
      EXPECT_NEAR(norm(cross(a, b)) / (norm(a) * norm(b) * 0.5 * norm(a + b)), curvature, 0.01 * curvature);
    }
}

TEST(Groom, TakesTheCurlOfItsMaterialAndNeedsSegmentsForIt) {
  const std::string curly =
      "[[groom]]\nname = \"hair\"\nmesh = \"head\"\nmaterial = \"hair/curly\"\ncount = 5\n"
      "length = 0.2\nsegments = ";
  EXPECT_NO_THROW(baked(curly + "40\n" + ball));
  expect_message(error_of(curly + "10\n" + ball), {"groom.hair.segments", "is 10", "at least 29"});
}

// no vertex but the roots is nearer to the head than the clearance, though strands are combed along it
TEST(Groom, GrowsAlongItsMeshAndNotThroughIt) {
  const BakedScene scene = on_ball("count = 100\nlength = 0.3\nsegments = 30\ndirection = [0, 0, -3]\n");
  for (int k = 0; k < 100; ++k)
    for (int n = 1; n <= 30; ++n) EXPECT_GT(norm(scene.state.x[31 * k + n] - Vec3d{0, 0, 1}), 0.1 + 0.9 * 0.05 * 0.01);
}

TEST(Groom, ClumpsAtItsTips) {
  const auto tip_spacing = [](const BakedScene& scene) {
    double sum = 0;
    for (int k = 0; k < 50; ++k) {
      double nearest = 1;
      for (int j = 0; j < 50; ++j)
        if (j != k) nearest = std::min(nearest, norm(scene.state.x[11 * k + 10] - scene.state.x[11 * j + 10]));
      sum += nearest / 50;
    }
    return sum;
  };
  EXPECT_LT(tip_spacing(on_ball(few + "clump = { count = 10, strength = 0.9 }\n")), 0.4 * tip_spacing(on_ball(few)));
}

TEST(Groom, Tapers) {
  const BakedScene scene = on_ball(few + "radius = [[0, 4e-5], [1, 2e-5]]\n");
  for (int k : {0, 7})
    for (int n : {0, 9}) EXPECT_NEAR(scene.model.segments[10 * k + n].radius, 4e-5 - 2e-5 * (n + 0.5) / 10, 1e-12);
}

// ---- followers

TEST(Groom, FollowersStandWhereTheyGrewAndGoWithTheirGuides) {
  BakedScene scene = on_ball(few + "followers = 300\n");
  ASSERT_EQ(scene.followers.strands.size(), 300u);
  EXPECT_EQ(scene.followers.strands[7].name, "hair/7");
  EXPECT_EQ(scene.model.rods.size(), 1u);
  const std::vector<Vec3d> x = follower_positions(scene.followers, scene.state);
  const Vec3d center{0, 0, 1};
  for (int k = 0; k < 300; ++k) {
    const Vec3d root = x[11 * k], out = normalized(root - center);
    EXPECT_NEAR(norm(root - center), 0.1 + 2.5 * 3.85e-5, 1e-9);
    expect_near(x[11 * k + 10], root + 0.1 * out, 1e-9);
  }
  // all turned and moved as one: so are they
  const Quatd turn = quaternion_exp({0.3, -0.5, 0.8});
  const Vec3d shift{1, 2, 3};
  for (Vec3d& p : scene.state.x) p = rotate(turn, p) + shift;
  for (Quatd& q : scene.state.q) q = turn * q;
  const std::vector<Vec3d> moved = follower_positions(scene.followers, scene.state);
  for (std::size_t p = 0; p < x.size(); ++p) expect_near(moved[p], rotate(turn, x[p]) + shift, 1e-12);
}

TEST(Groom, FollowersWeighTheNearestGuidesMost) {
  const Guides guides({{0, 0, 0}, {1, 0, 0}, {0, 3, 0}, {10, 10, 0}});
  const auto near = guides.near({0.25, 0, 0}, 3);
  ASSERT_EQ(near.size(), 3u);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(near[k].guide, k);
  EXPECT_NEAR(near[0].weight / near[1].weight, 9, 0.5);
  EXPECT_NEAR(near[0].weight + near[1].weight + near[2].weight, 1, 1e-15);
  EXPECT_NEAR(guides.near({1, 0, 0}, 3)[0].weight, 1, 1e-4);
}

// ---- meshes

TEST_F(OnAMesh, GrowsOnAGroup) {
  const std::string mesh = "[[obstacle]]\nname = \"skin\"\nshape = \"mesh\"\npath = \"square.obj\"\n";
  const BakedScene scene = bake_scene(groom(few + "group = \"high\"\n", "skin") + mesh);
  for (int k = 0; k < 50; ++k) EXPECT_GE(scene.state.x[11 * k].y, scene.state.x[11 * k].x - 1e-12);
  expect_message(error(groom(few + "group = \"hihg\"\n", "skin") + mesh),
                 {"scene.toml:", "groom.hair.group", "did you mean \"high\""});
}

// weights 0 on the left, 1 on the right: the mean of x is that of the density 2 x
TEST_F(OnAMesh, GrowsByAMapOfWeights) {
  std::ofstream(scratch_ / "weights.txt") << "0 1\n1 0\n";
  const BakedScene scene =
      bake_scene(groom("count = 2000\nlength = 0.01\nsegments = 1\nweights = \"weights.txt\"\n", "square.obj"));
  double mean = 0;
  for (int k = 0; k < 2000; ++k) mean += scene.state.x[2 * k].x / 2000;
  EXPECT_NEAR(mean, 2.0 / 3, 4 * std::sqrt(1.0 / 18 / 2000));
  expect_message(error(groom(few + "weights = \"none.txt\"\n", "square.obj")), {"groom.hair.weights", "cannot open"});
  std::ofstream(scratch_ / "short.txt") << "0 1 1\n";
  expect_message(error(groom(few + "weights = \"short.txt\"\n", "square.obj")), {"found 3 numbers", "expected 4"});
}

// on a path nothing collides, and the roots are clamped where they are: they can be driven
TEST_F(OnAMesh, IsClampedOnAPath) {
  const BakedScene scene = bake_scene(groom(few, "square.obj") +
                                      "[[drive]]\nrod = \"hair\"\nat = \"roots\"\ntranslate.velocity = [1, 0, 0]\n");
  EXPECT_EQ(scene.model.bodies.size(), 50u);
  for (const Body& body : scene.model.bodies) EXPECT_EQ(body.motions.size(), 1u);
}

TEST_F(OnAMesh, ReadsStrandsAndLiftsThemOutOfTheSkin) {
  Take take;
  take.strands.strands = {{"", {0, 1, 2}}, {"", {3, 4}}};
  take.strands.points = {{0.5, 0.25, -0.01}, {0.5, 0.25, 0.1}, {0.5, 0.35, 0.2}, {0.2, 0.7, 0.3}, {0.2, 0.7, 0.5}};
  take.times = {0};
  take.moment = [x = take.strands.points](int) { return Moment{0, x, {}, {}}; };
  const double height = 2.5 * 3.85e-5;
  for (const char* file : {"strands.hair", "strands.usda", "strands.abc", "strands.npz"}) {
    SCOPED_TRACE(file);
    write_rods(take, scratch_ / file);
    const BakedScene scene =
        bake_scene(groom("file.path = \"" + std::string(file) + "\"\nfollowers = 20\n", "square.obj"));
    ASSERT_EQ(scene.model.vertices.size(), 5u);
    ASSERT_EQ(scene.model.ties.size(), 2u);
    EXPECT_EQ(scene.model.ties[1].vertex, 3);
    expect_near(scene.state.x[0], {0.5, 0.25, height}, 1e-7);
    expect_near(scene.state.x[2], {0.5, 0.35, 0.21 + height}, 1e-7);
    expect_near(scene.state.x[3], {0.2, 0.7, 0.3}, 1e-7);
    EXPECT_EQ(scene.followers.strands.size(), 20u);
  }
}

// an edge is the colour of its strand, unless the groom has one
TEST_F(OnAMesh, HasTheColorsOfItsFile) {
  Take take;
  take.strands.strands = {{"", {0, 1, 2}, false, {0.5, 0.25, 0}}, {"", {3, 4}, false, {0, 0.75, 1}}};
  take.strands.points = {{0, 0, 1}, {0, 0, 2}, {0, 0, 3}, {1, 0, 1}, {1, 0, 2}};
  take.times = {0};
  take.moment = [x = take.strands.points](int) { return Moment{0, x, {}, {}}; };
  write_rods(take, scratch_ / "strands.hair");
  const auto colors = [&](const std::string& more) {
    std::ofstream(scratch_ / "scene.toml") << "simulation = { time_step = 0.01, duration = 1.0 }\n"
                                           << groom("file.path = \"strands.hair\"\n" + more, "square.obj");
    return segment_colors(read_scene((scratch_ / "scene.toml").string(), {}, {}));
  };
  const auto own = colors("");
  ASSERT_EQ(own.size(), 3u);
  EXPECT_EQ(*own[1], (Vec3f{0.5f, 0.25f, 0}));
  EXPECT_EQ(*own[2], (Vec3f{0, 0.75f, 1}));
  EXPECT_TRUE(colors("color = [1, 0, 0]\n").empty());
}

TEST_F(OnAMesh, SaysWhatItCannotDo) {
  expect_message(error(groom(few, "haed") + ball),
                 {"scene.toml:4", "groom.hair.mesh", "there is no obstacle \"haed\"", "did you mean \"head\""});
  expect_message(error(groom("length = 0.1\nsegments = 3\n") + ball), {"groom.hair", "exactly one of count, density"});
  expect_message(error(groom("count = 3\nsegments = 3\n") + ball), {"groom.hair.length", "is missing"});
  expect_message(error(groom("file.path = \"a.hair\"\ncount = 3\n") + ball),
                 {"groom.hair.count", "stands beside file"});
  expect_message(error(groom(few) + ball + "[[drive]]\nrod = \"hair\"\nat = \"roots\"\ntranslate.velocity = [1,0,0]\n"),
                 {"drive.0.at", "go with the obstacle \"head\""});
  expect_message(error(groom(few, "floor") + "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\n"),
                 {"groom.hair.mesh", "is a plane", "expected a mesh or a sphere"});
  expect_message(error("[material.m]\npreset = \"hair/straight\"\n"), {"at least one [[rod]] or [[groom]]"});
  expect_message(error(groom(few + "lenght = 1\n") + ball), {"groom.hair.lenght", "did you mean \"length\""});
}

TEST_F(OnAMesh, IsTheSameWhenItsResolvedSceneIsRead) {
  std::ofstream(scratch_ / "weights.txt") << "1 1\n1 1\n";
  const std::string text =
      "simulation = { time_step = 0.01, duration = 1.0 }\n" + groom(few + "weights = \"weights.txt\"\n", "square.obj");
  std::ofstream(scratch_ / "scene.toml") << text;
  const Scene scene = read_scene((scratch_ / "scene.toml").string(), {}, {});
  const Scratch elsewhere;
  std::ofstream(elsewhere / "again.toml") << resolved_toml(scene);
  EXPECT_EQ(bake(read_scene((elsewhere / "again.toml").string(), {}, {})).state.x, bake(scene).state.x);
}

// ---- the surface itself

TEST(GroomSurface, FindsTheNearestPointOfAll) {
  std::vector<Vec3d> x;
  std::vector<std::array<int, 3>> triangles;
  Random random(3);
  for (int t = 0; t < 60; ++t) {
    const Vec3d at{random.uniform(), random.uniform(), random.uniform()};
    for (int k = 0; k < 3; ++k) x.push_back(at + 0.2 * Vec3d{random.uniform(), random.uniform(), random.uniform()});
    triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  const GroomSurface surface(x, triangles);
  for (int n = 0; n < 200; ++n) {
    const Vec3d p{random.uniform(-0.5, 1.5), random.uniform(-0.5, 1.5), random.uniform(-0.5, 1.5)};
    const double found = norm(surface.nearest(p).x - p);
    double least = 10;  // over a fine net of points of each triangle
    for (int t = 0; t < 60; ++t)
      for (int i = 0; i <= 20; ++i)
        for (int j = 0; i + j <= 20; ++j)
          least = std::min(least, norm(surface.at(t, {1 - (i + j) / 20.0, i / 20.0, j / 20.0}).x - p));
    EXPECT_LE(found, least + 1e-12);
    EXPECT_GE(found, least - 0.01);  // the net is as coarse
  }
}

TEST(GroomSurface, RootsKeepApart) {
  const GroomSurface square({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{{0, 1, 2}}, {{0, 2, 3}}});
  const auto roots = sample_roots(square, {{1, 1, 1, 1}, {1, 1}}, 400, 5);
  double nearest = 1;
  for (std::size_t a = 0; a < roots.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) nearest = std::min(nearest, norm(roots[a].x - roots[b].x));
  EXPECT_GT(nearest, 0.3 / 20);  // of 400 thrown at random the nearest two lie a fiftieth of the spacing apart
}

}  // namespace
}  // namespace tendril::scene
