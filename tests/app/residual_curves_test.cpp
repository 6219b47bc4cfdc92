#include <gtest/gtest.h>

#include "benchmark.h"

namespace tendril::app {
namespace {

// Fig. 11 [hsu2025]: "Both our approximate and exact variants performed nearly identically." By one residual, in a step
// that has something to solve, they do; single precision follows until its digits end.
TEST(ResidualCurves, both_lambdas_converge_alike) {
  if (TENDRIL_SANITIZED) GTEST_SKIP() << "physics";
  BenchOptions options;
  options.quiet = true;
  const BenchResults results = bench_stable_residual(options);
  ASSERT_EQ(results.size(), 4u);
  const auto residual = [&](int variant, std::size_t point) {
    return results[variant]["curve"][point]["residual"].get<double>();
  };
  const std::size_t points = results[0]["curve"].size();
  ASSERT_EQ(points, 11u);  // before the first sweep, and after 1, 2, 4, … 512
  for (std::size_t p = 0; p < points; ++p) {
    SCOPED_TRACE(p);
    EXPECT_NEAR(residual(2, p), residual(3, p), 0.01 * residual(3, p));
    for (int in_float : {0, 1}) EXPECT_NEAR(residual(in_float, p), residual(3, p), 0.01 * residual(3, p) + 2e-6);
    if (p > 0) EXPECT_LT(residual(3, p), residual(3, p - 1));
  }
  EXPECT_LT(residual(3, 3), 3e-5 / 2e-3);  // after 4 sweeps, of what there was: the paper's own share
}

}  // namespace
}  // namespace tendril::app
