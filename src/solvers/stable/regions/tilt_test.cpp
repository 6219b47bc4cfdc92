#include "solvers/stable/regions/tilt.h"

#include <gtest/gtest.h>

namespace tendril::solvers::stable {
namespace {

// A point a lever away from a ball that rises past it: the tilt is the angle whose sine is the missing height over the
// lever, nearly.
TEST(tilt, is_the_least_that_does) {
  Solid ball;
  ball.radius = 0.1;
  const double gap = 1e-6, lever = 0.25, rise = 2e-3;
  const Vec3d held{-lever, 0, 0.1 + gap}, up{0, 0, 1};
  const SegmentAndSolid two{{{held, held}, {held, held}}, ball, {}, {{0, 0, rise}, {}}, 0, 0};
  EXPECT_LT(two.lead(up, 1), 0);
  const Vec3d m = tilted(two, up, two.nearest_normal(1), gap);
  EXPECT_GE(two.lead(m, 1), gap);
  EXPECT_GE(two.middle(up, 0, m, 1), 0);
  EXPECT_NEAR(-m.x, rise / lever, 0.05 * rise / lever);
}

}  // namespace
}  // namespace tendril::solvers::stable
