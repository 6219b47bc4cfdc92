#include "solvers/stable/regions/plane_gap.h"

#include <gtest/gtest.h>

#include <random>

#include "math/thread_team.h"
#include "rod/chain.h"

namespace tendril::solvers::stable {
namespace {

constexpr double radius = 0.02;

// two segments of length one, the second about `gap` above the first, turned and tilted a little
Chain two_segments(double gap, double turn, double tilt) {
  Chain c = make_chain({.segments = 1, .length = 1, .radius = radius});
  c.model.vertices.resize(4, c.model.vertices[0]);
  Segment other = c.model.segments[0];
  other.vertex[0] = 2, other.vertex[1] = 3, other.rod = 1;
  c.model.segments.push_back(other);
  const Vec3d middle{0.5, 0, 2 * radius + gap}, half = 0.5 * normalized(Vec3d{std::cos(turn), std::sin(turn), tilt});
  c.state.x.insert(c.state.x.end(), {middle - half, middle + half});
  c.state.v.resize(4);
  c.state.q.resize(2), c.state.omega.resize(2);
  return c;
}

// The normal of the smooth gap separates the two by at least half of the true gap, however they lie; and the numbers
// are what they say.
TEST(plane_gap, separates_what_is_apart) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1, 1);
  ThreadTeam alone(1);
  int near = 0;
  for (int n = 0; n < 500; ++n) {
    const Chain c = two_segments(2e-3 * (1.1 + any(random)), std::pow(any(random), 3), 1e-3 * any(random));
    Contact contact({}, c.state);
    contact.reset(c.model);
    contact.find_candidates(c.model, c.state, {}, 0.01, alone);
    for (const Pair& pair : contact.pairs()) {
      if (pair.true_gap <= 0) continue;
      ++near;
      const PlaneGap gap = plane_gap_at_waypoint(contact, pair);
      ASSERT_GE(gap.between, 0.5 * pair.true_gap);
      ASSERT_LE(gap.between, pair.true_gap * (1 + 1e-9));
      EXPECT_GT(gap.kept, 0);
      EXPECT_LT(gap.kept, gap.between);
      for (int i = 0; i < 2; ++i)
        for (int j = 2; j < 4; ++j) {
          const Vec3d apart = contact.waypoint(pair.vertex[i]) - contact.waypoint(pair.vertex[j]);
          EXPECT_NEAR(dot(gap.normal, apart) - pair.radius, gap.between + gap.beyond[i] + gap.beyond[j], 1e-12);
        }
      EXPECT_EQ(std::min(gap.beyond[0], gap.beyond[1]), 0);
      EXPECT_EQ(std::min(gap.beyond[2], gap.beyond[3]), 0);
    }
  }
  EXPECT_GT(near, 300);
}

// Two sides of a plane: if each vertex goes as far as its half space lets it, `kept` is left between them.
TEST(plane_gap, sides_of_a_plane_leave_what_is_kept) {
  const PlaneGap gap{{0, 0, 1}, 0.1, {0, 0.02, 0.03, 0}, 0.01};
  const HalfSpace above = side_of_plane(gap, 0, 0.04), below = side_of_plane(gap, 3, 0.04);
  const double lowest = 0.1 + above.bound, highest = -below.bound;  // of the surfaces, from b's at the waypoint
  EXPECT_NEAR(lowest - highest, gap.kept, 1e-15);
  EXPECT_NEAR(side_of_plane(gap, 1, 0.04).bound, above.bound - 0.02, 1e-15) << "it is farther away";
  EXPECT_NEAR(side_of_plane(gap, 2, 0.04).bound, below.bound - 0.03, 1e-15);
}

// what both want the plane does, too; what they want to come nearer beyond the clearance each gets in proportion
TEST(plane_gap, a_plane_goes_along) {
  EXPECT_DOUBLE_EQ(plane_between(0.1, 0, 0), 0.05);
  EXPECT_DOUBLE_EQ(plane_between(0.1, -1, -1), -1 + 0.05);
  EXPECT_DOUBLE_EQ(plane_between(0.1, -0.3, 0.1), 0.025);
  EXPECT_DOUBLE_EQ(plane_between(0.1, -1.3, -1), -1 + 0);
}

}  // namespace
}  // namespace tendril::solvers::stable
