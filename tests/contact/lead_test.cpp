#include "contact/lead.h"

#include <gtest/gtest.h>

#include <random>

#include "contact/search_range.h"

namespace tendril::contact {
namespace {

struct Dice {
  std::mt19937 random{5};
  std::uniform_real_distribution<double> any{-1, 1};

  Vec3d point(double size) { return size * Vec3d{any(random), any(random), any(random)}; }
  MovingSegment segment(const Vec3d& middle) {
    MovingSegment a;
    for (int k = 0; k < 2; ++k) a.x0[k] = middle + point(0.5), a.x1[k] = a.x0[k] + point(0.3);
    return a;
  }
};

template <class Two>
bool is_sure(const Two& two, const Vec3d& n, const Vec3d& m) {
  return two.lead(n, 0) > 0 && two.middle(n, 0, m, 1) >= 0 && two.lead(m, 1) > 0;
}

// whatever the coefficients promise holds at every instant
TEST(lead, segments_that_are_apart_along_a_turning_normal_are_apart) {
  Dice dice;
  int sure = 0;
  for (int n = 0; n < 2000; ++n) {
    const TwoSegments two{dice.segment({0, 0, 0.5}), dice.segment({}), 0.05};
    if (!is_sure(two, two.nearest_normal(0), normalized(two.nearest_normal(1) + dice.point(0.1)))) continue;
    ++sure;
    for (double t = 0; t <= 1; t += 0.01) ASSERT_GT(two.lead(two.nearest_normal(t), t), 0) << n;
  }
  EXPECT_GT(sure, 300);
}

TEST(lead, solids_that_turn_as_well) {
  Dice dice;
  int sure = 0;
  for (int n = 0; n < 2000; ++n) {
    Solid box;
    box.core = Solid::Core::box, box.breadth = {0.2, 0.1, 0.3};
    const Quatd start = quaternion_exp(dice.point(3));
    const Pose from{{}, start}, to{dice.point(0.3), quaternion_exp(dice.point(0.5)) * start};
    const double angle = angle_between(from.q, to.q);
    const SegmentAndSolid two{dice.segment({0, 0, 0.6}), box, from, to, 0.05, angle * angle * norm(box.breadth) / 8};
    if (!is_sure(two, two.nearest_normal(0), normalized(two.nearest_normal(1) + dice.point(0.1)))) continue;
    ++sure;
    for (double t = 0; t <= 1; t += 0.01) ASSERT_GT(two.lead(two.nearest_normal(t), t), 0) << n;
  }
  EXPECT_GT(sure, 300);
}

}  // namespace
}  // namespace tendril::contact
