#include "solvers/stable/momentum.h"

#include <gtest/gtest.h>

#include <vector>

namespace tendril::solvers::stable {
namespace {

Remainder forces(double size) { return {.force = size, .force_scale = 1}; }

// beta after each of these sizes of what is left
std::vector<double> betas(const std::vector<double>& sizes) {
  Momentum momentum;
  std::vector<double> result;
  for (double size : sizes) result.push_back(momentum.next(forces(size)));
  return result;
}

// sizes that change by the same factor from sweep to sweep
std::vector<double> series(double first, double factor, int count) {
  std::vector<double> sizes;
  for (int n = 0; n < count; ++n, first *= factor) sizes.push_back(first);
  return sizes;
}

// t_1 = 1, t_next = (1 + sqrt(1 + 4 t²)) / 2, beta = (t - 1) / t_next [nesterov1983]; it tends to 1 - 3/n
TEST(StableMomentum, GrowsWhileForcesFall) {
  const std::vector<double> beta = betas(series(1, 0.9, 300));
  EXPECT_EQ(beta[0], 0);
  EXPECT_NEAR(beta[1], 0.2817535, 1e-7);  // 0.6180340 / 2.1935270
  EXPECT_NEAR(beta[2], 0.4340427, 1e-7);  // 1.1935270 / 2.7497913
  for (std::size_t n = 1; n < beta.size(); ++n) EXPECT_GT(beta[n], beta[n - 1]);
  EXPECT_NEAR(beta.back(), 1 - 3.0 / 300, 2e-3);
}

TEST(StableMomentum, StartsAnewWhenForcesJump) {
  std::vector<double> sizes = series(1, 0.9, 20);
  sizes.push_back(1.05 * sizes.back());
  EXPECT_EQ(betas(sizes).back(), 0);
}

// 1 % from one sweep to the next passes for the order in which the sweeps see things; ten times 1 % does not
TEST(StableMomentum, StartsAnewBeforeSlowGrowthAddsUp) {
  std::vector<double> sizes = series(1, 0.9, 20);
  for (double size : series(1.01 * sizes.back(), 1.01, 40)) sizes.push_back(size);
  const std::vector<double> beta = betas(sizes);
  int restarts = 0;
  for (std::size_t n = 20; n < beta.size(); ++n) restarts += beta[n] == 0;
  EXPECT_EQ(restarts, 4);        // 1.01^10 = 1.105: after every tenth sweep
  EXPECT_GT(beta[20 + 8], 0.8);  // 1.01^9 = 1.094 is borne
  EXPECT_EQ(beta[20 + 9], 0);
}

// where forces stay larger than they once were, momentum still has to gather: from a restart on only what came since
// counts
TEST(StableMomentum, GathersAgainAfterARestart) {
  std::vector<double> sizes = series(1, 0.5, 10);
  for (double size : series(1, 0.999, 40)) sizes.push_back(size);
  const std::vector<double> beta = betas(sizes);
  EXPECT_EQ(beta[10], 0);
  for (std::size_t n = 11; n < beta.size(); ++n) EXPECT_GT(beta[n], beta[n - 1]) << n;
  EXPECT_GT(beta.back(), 0.9);
}

TEST(StableMomentum, SeesTorquesBesideForces) {
  Momentum momentum;
  for (int n = 0; n < 10; ++n) momentum.next({.force = 1, .force_scale = 10, .torque = 1e-3, .torque_scale = 1e-2});
  EXPECT_EQ(momentum.next({.force = 1, .force_scale = 10, .torque = 2e-3, .torque_scale = 1e-2}), 0);
}

// a scale that falls with what is left must not make it look constant, nor a falling force like growth
TEST(StableMomentum, MeasuresByTheFirstScales) {
  Momentum momentum;
  momentum.next({.force = 1, .force_scale = 1});
  double beta = 0;
  for (double size : series(0.5, 0.5, 10)) beta = momentum.next({.force = size, .force_scale = size * size});
  EXPECT_GT(beta, 0.5);
}

}  // namespace
}  // namespace tendril::solvers::stable
