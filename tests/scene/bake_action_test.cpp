// what acts on rods: holds, drives, loads, fields; and what the scene says when they cannot be

#include "scene/bake_text.h"

namespace tendril::scene {
namespace {

const std::string beam = std::string(wire) + R"(
[[rod]]
name = "beam"
material = "wire"
segments = 4
clamp = "start"
curve = { type = "line", from = [0, 0, 0], to = [2, 0, 0] }
)";  // the text after it starts in line 14

TEST(BakeAction, APinHoldsThePositionOnly) {
  const BakedScene scene = baked_wire(R"(
[[rod]]
name = "beam"
material = "wire"
segments = 4
pin = ["start", "end"]
curve = { type = "line", from = [0, 0, 0], to = [2, 0, 0] }
)");
  EXPECT_EQ(scene.model.ties.size(), 2u);
  EXPECT_EQ(scene.model.bends.size(), 3u);
  for (const Tie& tie : scene.model.ties) EXPECT_TRUE(tie.held[0] && tie.held[1] && tie.held[2]);
}

TEST(BakeAction, AHoldTakesTheAxesItNames) {
  const BakedScene scene = baked(beam + R"(
[[hold]]
rod = "beam"
at = "end"
position = "yz"
from = 0.5
until = 1.5
)");
  const Tie& tie = scene.model.ties.at(1);
  EXPECT_FALSE(tie.held[0]);
  EXPECT_TRUE(tie.held[1] && tie.held[2]);
  EXPECT_EQ(scene.model.holds.at(tie.hold).from, 0.5);
  EXPECT_EQ(scene.model.holds[tie.hold].until, 1.5);
}

TEST(BakeAction, AHeldFrameMayLeaveThePositionFree) {
  const BakedScene scene = baked(beam + R"(
[[hold]]
rod = "beam"
at = "end"
position = "none"
frame = "all"
)");
  for (const Tie& tie : scene.model.ties) EXPECT_EQ(tie.held[0] || tie.held[1] || tie.held[2], tie.vertex == 0);
  int halves = 0;
  for (const Bend& bend : scene.model.bends) halves += bend.b.is_body;
  EXPECT_EQ(halves, 2);
}

TEST(BakeAction, AHeldAxisLeavesTheSpinFree) {
  BakedScene scene = baked(beam + R"(
[[hold]]
rod = "beam"
at = "end"
frame = "axis"
)");
  const Bend& half = scene.model.bends.back();
  EXPECT_TRUE(half.b.is_body);
  EXPECT_EQ(half.GJ, 0);
  EXPECT_EQ(half.EI1, 2.5);  // no direction across is singled out
  EXPECT_EQ(half.EI2, 2.5);
  const double before = bend_energy(scene.model, scene.state);
  for (Quatd& q : scene.state.q) q = quaternion_exp({0.7, 0, 0}) * q;  // about the rod's own axis
  const Bend& clamp = scene.model.bends[3];
  EXPECT_NEAR(bend_energy(scene.model, scene.state) - before, 0.5 / clamp.length * 1.5 * 0.49, 1e-12);
}

// Through an inner vertex only the twist goes on: each side bends against the held axis by itself.
TEST(BakeAction, AnAxisHeldInsideKeepsBothSidesApart) {
  BakedScene scene = baked(beam + R"(
[[hold]]
rod = "beam"
at = 2
frame = "axis"
)");
  const auto energy = [&](const Vec3d& turn) {
    BakedScene moved = scene;
    Model& model = moved.model;
    std::vector<Bend> active;
    for (std::size_t b = 0; b < model.bends.size(); ++b) {
      bool replaced = false;
      for (const Hold& hold : model.holds)
        for (int r : hold.replaced_bends) replaced = replaced || r == int(b);
      if (!replaced) active.push_back(model.bends[b]);
    }
    model.bends = active;
    for (int s = 2; s < 4; ++s) moved.state.q[s] = quaternion_exp(turn) * moved.state.q[s];
    return bend_energy(model, moved.state);
  };
  EXPECT_NEAR(energy({0, 0.1, 0}), 0.5 * 2.5 / 0.25 * 0.01, 1e-12);  // half a segment bends
  EXPECT_NEAR(energy({0.1, 0, 0}), 0.5 * 1.5 / 0.5 * 0.01, 1e-12);   // a whole one twists
}

TEST(BakeAction, WhatIsHeldTwiceIsRefused) {
  expect_message(error_of(beam + R"([[hold]]
rod = "beam"
at = ["end", "start"]
)"),
                 {"test.toml:16:", "already held", "hold it once"});
  // one after the other is fine, and so are different axes
  EXPECT_EQ(error_of(beam + R"(
[[hold]]
rod = "beam"
at = "end"
until = 1.0
[[hold]]
rod = "beam"
at = "end"
from = 1.0
[[hold]]
rod = "beam"
at = 2
position = "x"
[[hold]]
rod = "beam"
at = 2
position = "z"
)"),
            "no error");
}

TEST(BakeAction, ADriveMovesTheBodyOfItsHold) {
  const BakedScene scene = baked(beam + R"(
[[drive]]
rod = "beam"
at = "start"
translate = { sine = { amplitude = [0, 0, 0.1], frequency = 2.0, phase = 0.5 } }
from = 0.25
[[drive]]
rod = "beam"
at = "start"
rotate = { axis = [0, 2, 0], keys = [[0, 0], [1, 3.0]] }
about = [1, 0, 0]
frame = "material"
until = 4.0
)");
  const Body& body = scene.model.bodies.at(scene.model.ties.at(0).body);
  ASSERT_EQ(body.motions.size(), 2u);
  expect_near(body.motions[0].sine_amplitude, {0, 0, 0.1}, 0);
  EXPECT_EQ(body.motions[0].sine_frequency, 2.0);
  EXPECT_EQ(body.motions[0].sine_phase, 0.5);
  EXPECT_EQ(body.motions[0].from, 0.25);
  EXPECT_FALSE(body.motions[0].about_is_set);
  expect_near(body.motions[1].axis, {0, 1, 0}, 0);
  EXPECT_EQ(body.motions[1].angle_keys.at(1).value.x, 3.0);
  EXPECT_TRUE(body.motions[1].about_is_set && body.motions[1].in_material_frame);
  EXPECT_EQ(body.motions[1].until, 4.0);
}

TEST(BakeAction, WhatIsNotHeldCannotBeDriven) {
  expect_message(error_of(beam + R"([[drive]]
rod = "beam"
at = "end"
translate = { velocity = [1, 0, 0] }
)"),
                 {"test.toml:16:", "vertex 4 is not held", "[[hold]]"});
}

TEST(BakeAction, LoadsActOnVerticesLinesAndBodies) {
  const BakedScene scene = baked(beam + R"(
[[body]]
name = "bob"
rod = "beam"
at = "end"
mass = 1.0
[[load]]
rod = "beam"
at = [1, 2]
force = [1, 2, 3]
moment = [4, 5, 6]
from = 1.0
until = 2.0
ramp = 0.5
keys = [[0, 1], [1, 2]]
[[load]]
rod = "beam"
per_length = [0, 0, -2]
[[load]]
rod = "beam"
at = [1, 2, 3]
per_length = [0, 0, -2]
[[load]]
body = "bob"
moment = [0, 1, 0]
frame = "material"
)");
  const auto& loads = scene.model.loads;
  ASSERT_EQ(loads.size(), 4u);
  EXPECT_EQ(loads[0].target, LoadTarget::vertex);
  EXPECT_EQ(loads[0].indices, (std::vector<int>{1, 2}));
  expect_near(loads[0].force, {1, 2, 3}, 0);
  expect_near(loads[0].moment, {4, 5, 6}, 0);
  EXPECT_EQ(loads[0].from, 1.0);
  EXPECT_EQ(loads[0].until, 2.0);
  EXPECT_EQ(loads[0].ramp, 0.5);
  EXPECT_EQ(loads[0].factor_keys.size(), 2u);
  EXPECT_EQ(loads[1].target, LoadTarget::segment_line);
  EXPECT_EQ(loads[1].indices, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(loads[2].indices, (std::vector<int>{1, 2}));  // the segments between the vertices
  EXPECT_EQ(loads[3].target, LoadTarget::body);
  EXPECT_TRUE(loads[3].in_material_frame);
}

TEST(BakeAction, ALineLoadNeedsALine) {
  expect_message(error_of(beam + R"([[load]]
rod = "beam"
at = [0, 2, 4]
per_length = [0, 0, -1]
)"),
                 {"test.toml:16:", "neighbouring"});
}

TEST(BakeAction, FieldsKeepTheirKeys) {
  const BakedScene scene = baked(beam + R"(
[[field]]
type = "wind"
velocity = [3, 0, 0]
drag = 0.9
gust = { amplitude = 0.5, frequency = 2.0, scale = 0.3 }
keys = [[0, 0], [1, 1]]
[[field]]
type = "drag"
coefficient = 0.7
)");
  ASSERT_EQ(scene.model.fields.size(), 2u);
  expect_near(scene.model.fields[0].velocity, {3, 0, 0}, 0);
  EXPECT_EQ(scene.model.fields[0].drag, 0.9);
  EXPECT_EQ(scene.model.fields[0].gust_scale, 0.3);
  EXPECT_EQ(scene.model.fields[0].factor_keys.size(), 2u);
  EXPECT_EQ(scene.model.fields[1].kind, FieldKind::drag);
  EXPECT_EQ(scene.model.fields[1].coefficient, 0.7);
}

TEST(BakeAction, ErrorsPointAtTheirLine) {
  expect_message(error_of(beam + "[[load]]\nrod = \"beem\"\nat = \"end\"\nforce = [0, 0, 1]\n"),
                 {"test.toml:15:", "beem", "beam"});
  expect_message(
      error_of(beam + "[[joint]]\na = { rod = \"beam\", at = \"all\" }\nb = { rod = \"beam\", at = \"end\" }\n"),
      {"test.toml:15:", "one vertex"});
  expect_message(error_of(beam + "[output]\nprobe = [{ rod = \"beam\", at = [0, 1], name = \"two\" }]\n"),
                 {"test.toml:15:", "one vertex"});
  expect_message(error_of(std::string(wire) + R"([[rod]]
name = "beam"
material = "wire"
segments = 4
normal = [1, 0, 0]
curve = { type = "line", from = [0, 0, 0], to = [2, 0, 0] }
)"),
                 {"test.toml:11:", "normal", "across"});
}

}  // namespace
}  // namespace tendril::scene
