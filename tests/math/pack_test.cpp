#include "math/pack.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace tendril::math {
namespace {

template <class P>
class Packs : public ::testing::Test {};
using Widths = ::testing::Types<Pack<double>, Pack<double, widest_register>>;
TYPED_TEST_SUITE(Packs, Widths);

TYPED_TEST(Packs, ReciprocalsAreRightButForTheLastDigit) {
  using P = TypeParam;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> digits(-300, 300);
  for (int n = 0; n < 1000; ++n) {
    P a;
    for (int lane = 0; lane < P::lanes; ++lane) a.v[lane] = std::pow(10.0, digits(random));
    const P one = reciprocal(a) * a, root = reciprocal_root(a) * sqrt(a), opposite = reciprocal(-a) * a;
    const double close = 4 * std::numeric_limits<double>::epsilon();
    for (int lane = 0; lane < P::lanes; ++lane) {
      EXPECT_NEAR(one[lane], 1, close) << a[lane];
      EXPECT_NEAR(root[lane], 1, close) << a[lane];
      EXPECT_NEAR(opposite[lane], -1, close) << a[lane];
    }
  }
}

}  // namespace
}  // namespace tendril::math
