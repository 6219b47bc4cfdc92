#include "rod/motion.h"

#include <gtest/gtest.h>

#include <numbers>

namespace tendril::rod {
namespace {

using std::numbers::pi;

const Pose start{{1, 2, 3}, quaternion_exp({0.3, -0.2, 0.5})};

// the twist is the difference quotient of the pose
void expect_rates(const std::vector<Motion>& motions, double time) {
  const double step = 1e-6;
  const Pose plus = moved(motions, start, time + step), minus = moved(motions, start, time - step);
  const Twist twist = motion_rate(motions, start, time);
  const Vec3d v = (plus.x - minus.x) / (2 * step);
  const Vec3d omega = quaternion_log(plus.q * conjugate(minus.q)) / (2 * step);
  EXPECT_LT(norm(twist.v - v), 1e-7 * (1 + norm(v)));
  EXPECT_LT(norm(twist.omega - omega), 1e-7 * (1 + norm(omega)));
  EXPECT_GT(norm(v) + norm(omega), 0.1) << "nothing moves at " << time;
}

Motion sweeping() {
  Motion m;
  m.velocity = {1, 0, 0.5};
  m.translation_keys = {{0, {}}, {1, {0, 1, 0}}, {2, {0, 0, 0}}};
  m.sine_amplitude = {0, 0, 0.2}, m.sine_frequency = 2, m.sine_phase = 0.3;
  m.rate = 2, m.axis = {0, 1, 1};
  m.from = 0.25, m.until = 3;
  return m;
}

TEST(motion, rates_are_differences_of_poses) {
  for (bool material : {false, true})
    for (bool pivot : {false, true}) {
      Motion m = sweeping();
      m.in_material_frame = material, m.about_is_set = pivot, m.about = {0, 1, 0};
      Motion spin;
      spin.rate = -1.5, spin.axis = {1, 0, 0}, spin.in_material_frame = material;
      for (double t : {0.4, 1.3, 2.6}) {
        expect_rates({m}, t);
        expect_rates({m, spin}, t);
        expect_rates({spin, m}, t);
      }
    }
}

TEST(motion, stands_before_it_begins_and_after_it_ends) {
  const Motion m = sweeping();
  EXPECT_EQ(moved(m, start, 0.25).x, start.x);
  EXPECT_EQ(norm(motion_rate(m, start, 0.2).v), 0);
  EXPECT_EQ(moved(m, start, 5).x, moved(m, start, 3).x);
  EXPECT_EQ(norm(motion_rate(m, start, 3.1).v), 0);
  EXPECT_GT(norm(motion_rate(m, start, 3).v), 1) << "a step that ends there saw it move";
}

TEST(motion, sine_counts_from_its_beginning) {
  Motion m;
  m.sine_amplitude = {0.1, 0, 0}, m.sine_frequency = 4, m.from = 1;
  EXPECT_NEAR(moved(m, start, 1 + 1.0 / 16).x.x, start.x.x + 0.1, 1e-15);
}

TEST(motion, turns_about_the_driven_point_or_a_pivot) {
  Motion m;
  m.rate = pi / 2, m.axis = {0, 0, 2};
  EXPECT_EQ(moved(m, start, 1).x, start.x);
  EXPECT_LT(norm(rotate(moved(m, start, 1).q, {1, 0, 0}) - cross({0, 0, 1}, rotate(start.q, {1, 0, 0})) -
                 Vec3d{0, 0, rotate(start.q, {1, 0, 0}).z}),
            1e-14);
  m.about_is_set = true, m.about = {0, 0, 0};
  EXPECT_LT(norm(moved(m, start, 1).x - Vec3d{-2, 1, 3}), 1e-14);
}

// a body that travels and spins about itself by two drives turns about where it is, in either order
TEST(motion, several_motions_compose) {
  Motion travel, spin;
  travel.velocity = {3, 0, 0};
  spin.rate = 1, spin.axis = {0, 0, 1};
  for (const std::vector<Motion>& both : {std::vector{travel, spin}, std::vector{spin, travel}}) {
    const Pose pose = moved(both, start, 2);
    EXPECT_LT(norm(pose.x - start.x - Vec3d{6, 0, 0}), 1e-14);
    EXPECT_LT(norm(pose.q - quaternion_exp({0, 0, 2}) * start.q), 1e-14);
    EXPECT_LT(norm(motion_rate(both, start, 2).v - Vec3d{3, 0, 0}), 1e-14);
  }
}

// the material frame is the one that the thing has when the motion begins
TEST(motion, material_frame_is_that_of_the_beginning) {
  Motion turn, push;
  turn.rate = pi / 2, turn.axis = {0, 0, 1}, turn.until = 1;
  push.velocity = {1, 0, 0}, push.in_material_frame = true, push.from = 1;
  const Pose unit;
  EXPECT_LT(norm(moved(std::vector{turn, push}, unit, 3).x - Vec3d{0, 2, 0}), 1e-14);
}

TEST(motion, keys_are_linear_and_their_slope_is_the_left_one) {
  const Keys keys{{1, {0, 0, 0}}, {2, {10, 0, 0}}, {4, {0, 0, 0}}};
  EXPECT_EQ(interpolate(keys, 0).x, 0);
  EXPECT_DOUBLE_EQ(interpolate(keys, 1.5).x, 5);
  EXPECT_DOUBLE_EQ(interpolate(keys, 3).x, 5);
  EXPECT_EQ(interpolate(keys, 9).x, 0);
  EXPECT_EQ(interpolated_rate(keys, 1).x, 0);
  EXPECT_EQ(interpolated_rate(keys, 2).x, 10);
  EXPECT_EQ(interpolated_rate(keys, 4).x, -5);
  EXPECT_EQ(interpolated_rate(keys, 4.1).x, 0);
  EXPECT_EQ(interpolate({}, 1).x, 0);
}

// 3 * 0.1 is more than 0.3 by rounding only
TEST(motion, rounding_is_not_later) {
  EXPECT_GT(3 * 0.1, 0.3);
  EXPECT_FALSE(later(3 * 0.1, 0.3));
  EXPECT_TRUE(later(0.3 + 1e-12, 0.3));
  EXPECT_FALSE(later(1e300, forever));
  EXPECT_TRUE(later(1e-9, 0));
}

}  // namespace
}  // namespace tendril::rod
