#include "solvers/compact/kernels.h"

#include <gtest/gtest.h>

#include <functional>

#include "solvers/random_vectors.h"

namespace tendril::solvers::compact {
namespace {

using solvers::testing::RandomVectors;

using Energy = std::function<double(const Vec3d& theta_a, const Vec3d& theta_b)>;

Vec3d unit(int k) { return {k == 0 ? 1. : 0., k == 1 ? 1. : 0., k == 2 ? 1. : 0.}; }

// by central differences, of the second turn
Vec3d gradient(const Energy& energy) {
  Vec3d g;
  const double d = 1e-5;
  for (int k = 0; k < 3; ++k) g[k] = (energy({}, d * unit(k)) - energy({}, -d * unit(k))) / (2 * d);
  return g;
}

// d² E / d theta_i d theta_j of the turns i and j (0: a, 1: b), by differences of fourth order
Mat3d second(const Energy& energy, int i, int j) {
  Mat3d m;
  const auto value = [&](double s, int row, double t, int column) {
    Vec3d of[2];
    of[i] += s * unit(row), of[j] += t * unit(column);
    return energy(of[0], of[1]);
  };
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column) {
      const auto coarse = [&](double d) {
        return (value(d, row, d, column) - value(d, row, -d, column) - value(-d, row, d, column) +
                value(-d, row, -d, column)) /
               (4 * d * d);
      };
      (column == 0 ? m.c0 : column == 1 ? m.c1 : m.c2)[row] = (4 * coarse(1e-3) - coarse(2e-3)) / 3;
    }
  return m;
}

double distance(const Mat3d& a, const Mat3d& b) {
  const Mat3d d = a + (-1.0) * b;
  return norm(d.c0) + norm(d.c1) + norm(d.c2);
}
double size(const Mat3d& a) { return norm(a.c0) + norm(a.c1) + norm(a.c2); }

// turned must agree with exp(theta) q to the second order, or these are not the second derivatives that Newton needs
double turn_energy(const Vec3d& b, const Vec3d& f, const Vec3d& theta) {
  const Quatd turn = turned(theta, Quatd{});
  return dot(f, rotate(turn, b));
}

class Kernels : public ::testing::TestWithParam<int> {};

TEST_P(Kernels, SecondOrderOfAnArm) {
  RandomVectors random(GetParam());
  const Vec3d b = random.vector(0.3), f = random.vector(2);
  const Mat3d found = second([&](const Vec3d&, const Vec3d& theta) { return turn_energy(b, f, theta); }, 1, 1);
  const Mat3d expected = full(arm_stiffness(b, f, 1));
  EXPECT_GT(size(expected), 1e-2);
  EXPECT_LT(distance(found, expected), 1e-7 * size(expected));
}

TEST_P(Kernels, AnArmUnderTensionIsStiffWithoutItsIndefinitePart) {
  RandomVectors random(GetParam());
  const Vec3d b = random.vector(0.3);
  const Mat3d pulled = full(arm_stiffness(b, -3.0 * b, 0)), pressed = full(arm_stiffness(b, 3.0 * b, 0));
  EXPECT_LT(distance(pulled, full(arm_stiffness(b, -3.0 * b, 1))), 1e-12);
  EXPECT_EQ(size(pressed), 0);
}

TEST_P(Kernels, SpinAndItsDerivatives) {
  RandomVectors random(GetParam() + 100);
  const Spin<double> spin{{2, 3, 1.5}, random.frame()};
  const Quatd q = quaternion_exp(random.vector(0.3)) * spin.goal;
  const Energy energy = [&](const Vec3d&, const Vec3d& theta) {
    return spin_energy(spin, half_turn(spin, quaternion_exp(theta) * q));
  };
  const SpinBlock block = spin_block(spin, q, 1);
  EXPECT_NEAR(block.energy, energy({}, {}), 1e-12);
  EXPECT_GT(norm(block.torque), 1e-2);
  EXPECT_LT(norm(gradient(energy) - block.torque), 1e-7);
  EXPECT_LT(distance(second(energy, 1, 1), full(block.theta)), 1e-6 * size(full(block.theta)));
}

TEST_P(Kernels, PublishedBendAndItsDerivatives) {
  RandomVectors random(GetParam() + 200);
  const Vec3d rest = random.vector(0.2);
  const Bend<double> b = make_bend({2, 3, 1.5}, rest);
  const Quatd q_a = random.frame(), q_b = q_a * quaternion_exp(random.vector(0.5));
  const Energy energy = [&](const Vec3d& theta_a, const Vec3d& theta_b) {
    Quatd p = conjugate(quaternion_exp(theta_a) * q_a) * (quaternion_exp(theta_b) * q_b);
    if (p.w < 0) p = -p;
    const Vec3d left = 2.0 * p.imaginary() - rest;
    return 0.5 * dot(left, scale(b.K, left));
  };
  double found = 0;
  const BendDerivatives<double> d = quaternion_bend(b, q_a, q_b, 1, found);
  EXPECT_NEAR(found, energy({}, {}), 1e-12);
  EXPECT_LT(norm(gradient(energy) - d.moment), 1e-7);
  EXPECT_LT(distance(second(energy, 1, 1), full(d.S)), 1e-6 * size(full(d.S)));
  EXPECT_LT(distance(second(energy, 0, 0), full(d.S)), 1e-6 * size(full(d.S)));
  EXPECT_LT(distance(second(energy, 0, 1), (-1.0) * full(d.S) + skew(d.half_moment)), 1e-6 * size(full(d.S)));
}

INSTANTIATE_TEST_SUITE_P(Random, Kernels, ::testing::Range(0, 6));

}  // namespace
}  // namespace tendril::solvers::compact
