#include "render/survey.h"

#include <gtest/gtest.h>

#include "render/rods.h"

namespace tendril::render {
namespace {

TEST(Survey, OneFrameAfterTheOtherGivesTheCameraOfAll) {
  Drawing drawing = red_bar();
  State moved = drawing.state;
  for (Vec3d& x : moved.x) x += Vec3d{1, 2, -3};
  const std::vector<State> states{drawing.state, moved};
  Survey survey;
  for (const State& state : states) survey.add(drawing.model, state);
  const Camera all = frame_camera(drawing.model, states);
  EXPECT_EQ(survey.camera().eye, all.eye);
  for (const State& state : states)
    for (const Vec3d& x : state.x) {
      const Projection p = project(survey.camera(), 16.0 / 9, x);
      EXPECT_TRUE(p.x > 0.14 && p.x < 16.0 / 9 - 0.14 && p.y > 0.08 && p.y < 0.92);
    }
}

TEST(Survey, GroundAndColorScaleServeEveryFrame) {
  Drawing drawing = red_bar(0.1);
  Survey survey({}, Coloring::speed);
  for (const double fall : {0.0, 1.5, 0.5}) {
    State state = drawing.state;
    for (Vec3d& x : state.x) x.z -= fall;
    for (Vec3d& v : state.v) v = {0, 0, -fall};
    survey.add(drawing.model, state);
  }
  EXPECT_NEAR(survey.lowest(), -1.6, 1e-12);
  EXPECT_NEAR(survey.scale_end(), 1.5, 1e-6);
  EXPECT_NEAR(survey.bounds().high.z, 0.1, 1e-12);
}

// one in a hundred may lie above
TEST(Coloring, ALonePeakDoesNotSetTheScale) {
  std::vector<float> values(200, 1.0f);
  values[17] = 50;
  EXPECT_EQ(scale_end(values), 1);
  EXPECT_EQ(scale_end({1, 2, 3}), 3);
  EXPECT_EQ(scale_end({}), 0);
}

// a ring of n straight pieces turns by 2π/n at each vertex: 2π/n over the length l is 1/R
TEST(Coloring, CurvatureOfARingAndStrainAgainstARestThatIsTurned) {
  constexpr int n = 24;
  constexpr double radius = 2, step = 2 * 3.14159265358979 / n, l = step * radius;
  Drawing drawing = red_bar();
  drawing.model.segments.resize(8);
  const Quatd turn = quaternion_exp({0, 0, 0.7});  // b's frame is fixed at another angle
  for (int s = 0; s < 8; ++s) drawing.state.q[s] = quaternion_exp({0, step * s, 0}) * quaternion_exp({0, 0, -0.7 * s});
  for (int s = 0; s + 1 < 8; ++s) {
    Bend bend;
    bend.a.index = s, bend.b.index = s + 1, bend.length = l;
    bend.turn = turn;
    bend.rest = conjugate(drawing.state.q[s]) * drawing.state.q[s + 1] * turn;
    drawing.model.bends.push_back(bend);
  }
  for (const float value : segment_values(drawing.model, drawing.state, Coloring::curvature))
    EXPECT_NEAR(value, 1 / radius, 1e-6);
  for (const float value : segment_values(drawing.model, drawing.state, Coloring::twist)) EXPECT_NEAR(value, 0, 1e-6);
  for (const float value : segment_values(drawing.model, drawing.state, Coloring::contact)) EXPECT_EQ(value, 0);
  std::vector<float> contacts(drawing.model.segments.size(), 3);
  EXPECT_EQ(segment_values(drawing.model, drawing.state, Coloring::contact, contacts), contacts);
  Survey survey({}, Coloring::contact);
  survey.add(drawing.model, drawing.state, contacts);
  EXPECT_EQ(survey.scale_end(), 3);
}

}  // namespace
}  // namespace tendril::render
