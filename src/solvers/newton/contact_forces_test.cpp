#include "solvers/newton/contact_forces.h"

#include <gtest/gtest.h>

#include "math/random.h"

namespace tendril::solvers::newton {
namespace {

constexpr Barrier barrier{1e-3, 1e5};

// what pushes has the gap of its force, what does not is out of reach
void expect_balance(const Eigen::MatrixXd& N, const Eigen::VectorXd& c, const Eigen::VectorXd& force) {
  const Eigen::VectorXd gap = c + N * force;
  for (long i = 0; i < c.size(); ++i) {
    EXPECT_GE(force[i], 0);
    const double wanted = barrier.gap_of(force[i]);
    if (force[i] > 0)
      EXPECT_NEAR(gap[i], wanted, 1e-4 * wanted) << i;
    else
      EXPECT_GE(gap[i], (1 - 1e-4) * barrier.reach) << i;
  }
}

Eigen::VectorXd forces(const Eigen::MatrixXd& N, const Eigen::VectorXd& c) {
  const std::vector<Barrier> barriers(c.size(), barrier);
  Eigen::VectorXd force = Eigen::VectorXd::Zero(c.size());
  EXPECT_TRUE(find_forces(N, c, barriers, force));
  return force;
}

// one that would be far inside, and one that would stay outside
TEST(ContactForces, OfOnePair) {
  const Eigen::MatrixXd N = Eigen::MatrixXd::Constant(1, 1, 1e-2);
  for (double c : {-1.0, -1e-3, 5e-4, 2e-3}) {
    const Eigen::VectorXd gap = Eigen::VectorXd::Constant(1, c), force = forces(N, gap);
    EXPECT_EQ(force[0] > 0, c < barrier.reach) << c;
    expect_balance(N, gap, force);
  }
}

// Pairs that are nearly one, as where two rods lie along each other: the forces share what one of them would bear.
TEST(ContactForces, OfPairsThatAreNearlyOne) {
  const Eigen::MatrixXd N = Eigen::MatrixXd::Constant(5, 5, 1e-2);
  const Eigen::VectorXd c = Eigen::VectorXd::Constant(5, -0.1), force = forces(N, c);
  expect_balance(N, c, force);
  EXPECT_NEAR(force.maxCoeff(), force.minCoeff(), 1e-6 * force.maxCoeff());
}

// any number of pairs, more than their parts have ways to move
TEST(ContactForces, OfManyPairs) {
  Random random(5);
  for (int n = 0; n < 50; ++n) {
    const long pairs = 3 + n, ways = 8;
    Eigen::MatrixXd J(pairs, ways);
    Eigen::VectorXd u(ways);
    for (long k = 0; k < ways; ++k) {
      u[k] = random.uniform(-1, 1);
      for (long i = 0; i < pairs; ++i) J(i, k) = 0.1 * random.uniform(-1, 1);
    }
    const Eigen::MatrixXd N = 1e-2 * J * J.transpose();
    // there is a place where every gap is open
    Eigen::VectorXd c = J * u;
    for (long i = 0; i < pairs; ++i) c[i] = -c[i] + std::abs(random.uniform(0, 0.01));
    expect_balance(N, c, forces(N, c));
  }
}

// a pair that would press another together pushes it less
TEST(ContactForces, LeaveOutWhatWouldPull) {
  Eigen::MatrixXd N(2, 2);
  N << 1e-2, 9e-3, 9e-3, 1e-2;
  Eigen::VectorXd c(2);
  c << -0.1, -0.02;
  const Eigen::VectorXd force = forces(N, c);
  EXPECT_EQ(force[1], 0);
  expect_balance(N, c, force);
}

}  // namespace
}  // namespace tendril::solvers::newton
