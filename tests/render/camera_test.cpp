#include "render/camera.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "math/random.h"
#include "render/bounds.h"
#include "render/rods.h"

namespace tendril::render {
namespace {

// rods thrown at random, some far away in one direction
std::vector<State> random_states(Drawing& drawing, std::uint64_t seed) {
  Random random(seed);
  drawing.add_chain(30, 0.05, red, [&](double) {
    return Vec3d{random.uniform(-1, 1), random.uniform(-5, 5), random.uniform(2, 3)};
  });
  State moved = drawing.state;
  for (Vec3d& x : moved.x) x += Vec3d{3, 0, -1};
  return {drawing.state, moved};
}

TEST(Camera, FramesEveryVertexOfEveryStateAndNoMoreThanThat) {
  for (const double aspect : {16.0 / 9, 1.0, 0.5}) {
    Drawing drawing;
    const std::vector<State> states = random_states(drawing, 3);
    Framing framing;
    framing.aspect = aspect;
    const Camera camera = frame_camera(drawing.model, states, framing);
    double left = aspect, right = aspect, top = 1, bottom = 1;  // free at each edge, in picture heights
    for (const State& state : states)
      for (const Vec3d& x : state.x) {
        const Projection p = project(camera, aspect, x);
        EXPECT_GT(p.depth, 0);
        left = std::min(left, p.x), right = std::min(right, aspect - p.x);
        top = std::min(top, p.y), bottom = std::min(bottom, 1 - p.y);
      }
    EXPECT_GE(std::min(left, right), framing.margin * aspect);
    EXPECT_GE(std::min(top, bottom), framing.margin);
    // tight in one of the two directions, up to the radius of the rods
    EXPECT_TRUE(std::max(left, right) < (framing.margin + 0.03) * aspect ||
                std::max(top, bottom) < framing.margin + 0.03);
  }
}

TEST(Camera, IsTheSameWhenTheSceneIsScaledOrMoved) {
  Drawing drawing = red_bar();
  const Camera camera = frame_camera(drawing.model, {&drawing.state, 1});
  const Vec3d shift{5, -3, 2};
  for (Vec3d& x : drawing.state.x) x = 1000.0 * x + shift;
  for (Segment& segment : drawing.model.segments) segment.radius *= 1000;
  const Camera large = frame_camera(drawing.model, {&drawing.state, 1});
  EXPECT_LT(norm(large.eye - shift - 1000.0 * camera.eye), 1e-6);
  EXPECT_LT(norm(large.forward() - camera.forward()), 1e-12);
}

TEST(Camera, LeavesOutAnObstacleThatDwarfsTheRods) {
  Drawing drawing = red_bar();
  const Camera alone = frame_camera(drawing.model, {&drawing.state, 1});
  drawing.add_body(Plane{});
  drawing.add_body(Box{{0, 0, -50}, {100, 100, 100}, {}});
  EXPECT_EQ(alone.eye, frame_camera(drawing.model, {&drawing.state, 1}).eye);
  drawing.add_body(Sphere{{0, 0, 1}, 0.5});
  const Camera with_sphere = frame_camera(drawing.model, {&drawing.state, 1});
  EXPECT_GE(project(with_sphere, 16.0 / 9, {0, 0, 1.5}).y, 0.08);
}

// what the rods fall on or hang around belongs into the picture, also when it is somewhat larger than they are
TEST(Camera, FramesObstacles) {
  for (const Shape& shape : {Shape(Sphere{{0, 3, 0}, 1.5}), Shape(Box{{0, 0, -2}, {3, 3, 0.5}, {}}),
                             Shape(Cylinder{{-3, 0, 1}, {3, 0, 1}, 0.3})}) {
    Drawing drawing = red_bar();
    drawing.add_body(shape);
    Bounds bounds = bounds_of(drawing.model, {&drawing.state, 1});
    const Camera camera = frame_camera(drawing.model, {&drawing.state, 1});
    EXPECT_GT(bounds.radius(), 1.5);
    const auto expect_seen = [&](const Vec3d& x) {
      const Projection p = project(camera, 16.0 / 9, x);
      EXPECT_TRUE(p.x > 0.1 && p.x < 16.0 / 9 - 0.1 && p.y > 0.07 && p.y < 0.93) << x.x << " " << x.y << " " << x.z;
    };
    if (const auto* ball = std::get_if<Sphere>(&shape))
      for (const Vec3d& side : {Vec3d{0, 0, 1}, Vec3d{0, 0, -1}, Vec3d{1, 0, 0}, Vec3d{-1, 0, 0}})
        expect_seen(ball->center + ball->radius * side);
    if (const auto* rod = std::get_if<Cylinder>(&shape)) expect_seen(rod->from), expect_seen(rod->to);
    if (std::get_if<Box>(&shape))
      for (const Vec3d& corner : {Vec3d{1.5, 1.5, -2.25}, Vec3d{-1.5, 1.5, -2.25}, Vec3d{1.5, -1.5, -2.25}})
        expect_seen(corner);
  }
}

TEST(Camera, IsDefinedForNothingAndForAPoint) {
  const Camera nothing = frame_camera({}, {});
  EXPECT_TRUE(is_finite(nothing.eye) && is_finite(nothing.forward()));
  Drawing drawing;
  drawing.add_chain(1, 0.0, red, [](double) { return Vec3d{7, 7, 7}; });
  const Camera point = frame_camera(drawing.model, {&drawing.state, 1});
  EXPECT_TRUE(is_finite(point.eye) && is_finite(point.forward()));
  EXPECT_NEAR(project(point, 1, {7, 7, 7}).x, 0.5, 1e-9);
}

// looking straight down there is still a right and an up
TEST(Camera, LooksStraightDown) {
  Camera camera;
  camera.eye = {0, 0, 5};
  EXPECT_NEAR(dot(camera.right(), camera.forward()), 0, 1e-12);
  EXPECT_NEAR(norm(camera.upward()), 1, 1e-12);
}

// the ground of a standing rod lies at its flat end, of a lying one below its side
TEST(Bounds, LowestPointOfARod) {
  Drawing standing, lying;
  standing.add_chain(2, 0.1, red, [](double t) { return Vec3d{0, 0, t}; });
  lying.add_chain(2, 0.1, red, [](double t) { return Vec3d{t, 0, 0}; });
  EXPECT_NEAR(lowest_point(standing.model, {&standing.state, 1}), 0, 1e-12);
  EXPECT_NEAR(lowest_point(lying.model, {&lying.state, 1}), -0.1, 1e-12);
}

}  // namespace
}  // namespace tendril::render
