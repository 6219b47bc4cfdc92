// how things move at time 0

#include "scene/bake_text.h"

namespace tendril::scene {
namespace {

// a rod along x from the origin; the text goes on in its table
BakedScene stick(const std::string& more) {
  return baked_wire(R"(
[[rod]]
name = "stick"
material = "wire"
segments = 4
curve = { type = "line", from = [0, 0, 0], to = [2, 0, 0] }
)" + more);
}

const std::string bob = "[[body]]\nname = \"bob\"\nrod = \"stick\"\nat = \"end\"\nmass = 3.0\n";

// v + omega x (x - centre), omega: a rod with its body flies as one rigid thing
TEST(BakeMotion, ABodyMovesWithItsRod) {
  const BakedScene scene =
      stick("velocity = [1, 2, 3]\nangular_velocity = [0, 0, 2]\n" + bob + "offset = [0.5, 0.1, 0]\n");
  const Vec3d omega{0, 0, 2}, from_centre{1.5, 0.1, 0};
  expect_near(scene.state.body_v[0], Vec3d{1, 2, 3} + cross(omega, from_centre), 1e-14);
  expect_near(scene.state.body_omega[0], omega, 0);
  expect_near(scene.state.v[4], {1, 4, 3}, 1e-14);
}

TEST(BakeMotion, ABodyThatIsJoinedMovesToo) {
  const BakedScene scene = stick(
      "velocity = [0, 1, 0]\n[[body]]\nname = \"bead\"\nmass = 1.0\nshape = { shape = \"sphere\", center = [2.1, 0, "
      "0], "
      "radius = 0.1 }\n[[joint]]\na = { body = \"bead\" }\nb = { rod = \"stick\", at = \"end\" }\ntype = \"tie\"\n");
  expect_near(scene.state.body_v[0], {0, 1, 0}, 0);
}

// what the scene says of the body counts, and the vertex that hangs on it follows
TEST(BakeMotion, ABodyMayHaveAMotionOfItsOwn) {
  const BakedScene own = stick("velocity = [1, 0, 0]\n" + bob +
                               "offset = [0.5, 0, 0]\nvelocity = [0, 0, 1]\nangular_velocity = [0, 4, 0]\n");
  expect_near(own.state.body_v[0], {0, 0, 1}, 0);
  expect_near(own.state.body_omega[0], {0, 4, 0}, 0);
  expect_near(own.state.v[4], {0, 0, 1 + 4 * 0.5}, 1e-14);  // omega x (-0.5, 0, 0)
  expect_near(own.state.v[3], {1, 0, 0}, 0);

  const BakedScene still = stick("velocity = [1, 0, 0]\n" + bob + "velocity = [0, 0, 0]\n");
  expect_near(still.state.body_v[0], {}, 0);

  const BakedScene spinning =
      stick("velocity = [1, 0, 0]\n" + bob + "offset = [0.5, 0, 0]\nangular_velocity = [0, 0, 2]\n");
  expect_near(spinning.state.v[4], {1, 0, 0}, 1e-14);
  expect_near(spinning.state.body_v[0], {1, 1, 0}, 1e-14);
}

// what is written out in full is the same scene: an unset velocity must not come back as zero
TEST(BakeMotion, AResolvedSceneStartsAlike) {
  const Scene scene =
      parse_scene("simulation = { time_step = 0.01, duration = 1.0 }\n" + std::string(wire) +
                      "[[rod]]\nname = \"stick\"\nmaterial = \"wire\"\nsegments = 4\nvelocity = [1, 2, 3]\n"
                      "curve = { type = \"line\", from = [0, 0, 0], to = [2, 0, 0] }\n" +
                      bob,
                  "test.toml");
  const State start = bake(scene).state, again = bake(parse_scene(resolved_toml(scene), "scene.toml")).state;
  expect_near(start.body_v[0], {1, 2, 3}, 0);
  expect_near(again.body_v[0], start.body_v[0], 0);
}

TEST(BakeMotion, WhatIsHeldStandsStill) {
  const BakedScene scene =
      stick("velocity = [1, 2, 3]\n[[hold]]\nrod = \"stick\"\nat = \"start\"\nposition = \"xz\"\n");
  expect_near(scene.state.v[0], {0, 2, 0}, 0);
  expect_near(scene.state.v[1], {1, 2, 3}, 0);
}

// a drive that begins at time 0 has its velocity there; d/dt of amplitude sin(2 pi f t + phase) is 2 pi f amplitude
// cos(phase)
TEST(BakeMotion, ADrivenVertexStartsWithItsDrive) {
  const std::string clamp = "clamp = \"start\"\n[[drive]]\nrod = \"stick\"\nat = \"start\"\n";
  const BakedScene pulled = stick(clamp + "translate = { velocity = [0, 0, 2] }\n");
  expect_near(pulled.state.v[0], {0, 0, 2}, 0);
  expect_near(pulled.state.body_v[0], {0, 0, 2}, 0);
  expect_near(pulled.state.v[1], {}, 0);

  const BakedScene shaken =
      stick(clamp + "translate = { sine = { amplitude = [0.1, 0, 0], frequency = 2.0, phase = 0.5 } }\n");
  expect_near(shaken.state.v[0], {2 * M_PI * 2 * 0.1 * std::cos(0.5), 0, 0}, 1e-14);

  const BakedScene keyed = stick(clamp + "translate = { keys = [[0, 0, 0, 0], [0.5, 0, 1, 0], [1, 0, 0, 0]] }\n");
  expect_near(keyed.state.v[0], {0, 2, 0}, 1e-14);
}

TEST(BakeMotion, ATurnedVertexStartsWithItsTurn) {
  const BakedScene scene = stick(
      "clamp = \"start\"\n[[drive]]\nrod = \"stick\"\nat = \"start\"\nrotate = { axis = [0, 0, 1], rate = 3.0 }\nabout "
      "= "
      "[0, -2, 0]\n");
  expect_near(scene.state.body_omega[0], {0, 0, 3}, 1e-14);
  expect_near(scene.state.v[0], {-6, 0, 0}, 1e-13);  // omega x (0, 2, 0)
}

TEST(BakeMotion, ADriveOrHoldThatBeginsLaterDoesNotMoveYet) {
  const BakedScene late_drive = stick(
      "clamp = \"start\"\n[[drive]]\nrod = \"stick\"\nat = \"start\"\nfrom = 0.5\ntranslate = { velocity = [0, 0, 2] "
      "}\n");
  expect_near(late_drive.state.v[0], {}, 0);
  const BakedScene late_hold = stick(
      "velocity = [1, 0, 0]\n[[hold]]\nrod = \"stick\"\nat = \"start\"\nfrom = 0.5\n[[drive]]\nrod = \"stick\"\nat = "
      "\"start\"\ntranslate = { velocity = [0, 0, 2] }\n");
  expect_near(late_hold.state.v[0], {1, 0, 0}, 0);
  expect_near(late_hold.state.body_v[0], {}, 0);
}

}  // namespace
}  // namespace tendril::scene
