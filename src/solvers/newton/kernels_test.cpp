#include "solvers/newton/kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "solvers/random_vectors.h"

namespace tendril::solvers::newton {
namespace {

using solvers::testing::RandomVectors;

// an energy of increments, three numbers for each unknown
using Energy = std::function<double(const std::vector<Vec3d>&)>;

double component(std::vector<Vec3d>& at, int k, const Energy& energy, double step) {
  at[k / 3][k % 3] += step;
  const double value = energy(at);
  at[k / 3][k % 3] -= step;
  return value;
}

Vec3d gradient(const Energy& energy, int unknowns, int of) {
  std::vector<Vec3d> zero(unknowns);
  Vec3d g;
  for (int k = 0; k < 3; ++k)
    g[k] = (component(zero, 3 * of + k, energy, 1e-5) - component(zero, 3 * of + k, energy, -1e-5)) / 2e-5;
  return g;
}

// symmetrised second derivatives along pairs of increments
Mat3d second(const Energy& energy, int unknowns, int a, int b) {
  Mat3d m;
  const double d = 1e-3;
  for (int col = 0; col < 3; ++col)
    for (int row = 0; row < 3; ++row) {
      double sum = 0;
      for (int i : {-1, 1})
        for (int j : {-1, 1}) {
          std::vector<Vec3d> at(unknowns);
          at[a][row] += i * d, at[b][col] += j * d;
          sum += i * j * energy(at);
        }
      (col == 0 ? m.c0 : col == 1 ? m.c1 : m.c2)[row] = sum / (4 * d * d);
    }
  return m;
}

double distance(const Mat3d& a, const Mat3d& b) {
  const Mat3d d = a + (-1.0) * b;
  return norm(d.c0) + norm(d.c1) + norm(d.c2);
}
double size(const Mat3d& a) { return norm(a.c0) + norm(a.c1) + norm(a.c2); }

class Derivatives : public ::testing::TestWithParam<int> {};

TEST_P(Derivatives, OfStretch) {
  RandomVectors random(GetParam());
  const Stretch<double> s{0.7, 3, 11, Vec3d{0, 0, 1} + random.vector(0.05)};
  const Vec3d x0 = random.vector(1), x1 = x0 + s.length * random.vector(1);
  const Quatd q = random.frame();
  const auto at = [&](const std::vector<Vec3d>& u) {
    return StretchState<double>{(x1 + u[1] - x0 - u[0]) / s.length, quaternion_exp(u[2]) * q};
  };
  const Energy energy = [&](const std::vector<Vec3d>& u) { return stretch_energy(s, strain(s, at(u))); };
  const StretchState<double> here = at(std::vector<Vec3d>(3));
  const Vec3d gamma = strain(s, here);
  const StretchDerivatives<double> d = derivatives(s, here, gamma, gamma, 1.0);
  EXPECT_LT(norm(gradient(energy, 3, 1) - d.force), 1e-7);
  EXPECT_LT(norm(gradient(energy, 3, 0) + d.force), 1e-7);
  EXPECT_LT(norm(gradient(energy, 3, 2) - d.torque), 1e-7);
  EXPECT_LT(distance(second(energy, 3, 1, 1), full(d.xx)), 1e-4);
  EXPECT_LT(distance(second(energy, 3, 1, 2), d.x_theta), 1e-4);
  EXPECT_LT(distance(second(energy, 3, 2, 2), full(d.theta_theta)), 2e-4);

  // the strain after a step
  const std::vector<Vec3d> u = {random.vector(1e-4), random.vector(1e-4), random.vector(1e-4)};
  const Vec3d after = strain(s, at(u)), predicted = predicted_strain(here, gamma, (u[1] - u[0]) / s.length, u[2]);
  EXPECT_LT(norm(after - predicted), 1e-2 * norm(after - gamma));
}

TEST_P(Derivatives, OfBend) {
  RandomVectors random(GetParam() + 100);
  const Vec3d rest = random.vector(0.3);
  const Bend<double> b = make_bend({2, 3, 1.5}, rest);
  const double bent = GetParam() < 4 ? 0.05 : 0.8;
  const Quatd q_a = random.frame(), q_b = q_a * quaternion_exp(rest + random.vector(bent));
  const Energy energy = [&](const std::vector<Vec3d>& u) {
    return bend_energy(b, bend_angle(b, quaternion_exp(u[0]) * q_a, quaternion_exp(u[1]) * q_b));
  };
  const BendDerivatives<double> d = derivatives(b, q_a, bend_angle(b, q_a, q_b), 1.0);
  EXPECT_LT(norm(gradient(energy, 2, 1) - d.moment), 1e-7);
  EXPECT_LT(norm(gradient(energy, 2, 0) + d.moment), 1e-7);
  EXPECT_LT(distance(second(energy, 2, 0, 0), full(d.S)), 1e-4);
  EXPECT_LT(distance(second(energy, 2, 1, 1), full(d.S)), 1e-4);
  EXPECT_LT(distance(second(energy, 2, 0, 1), (-1.0) * full(d.S) + skew(d.half_moment)), 1e-4);
}

// on both sides of pi, and beyond a whole turn: hardly anything holds it against twisting
TEST_P(Derivatives, OfBendThatIsSoftInTwist) {
  RandomVectors random(GetParam() + 150);
  const double twists[] = {2.8, 3.0, 3.3, 3.8, 4.5, 7.5, 8, 10};
  const Bend<double> b = make_bend({2, 3, 2e-4}, random.vector(0.3));
  const Quatd q_a = random.frame();
  // about the axis u it is cheapest at an angle a_0, uᵀ K (a_0 u - rest) = 0, which is near the one that we want
  const double want = twists[GetParam()];
  const Vec3d across{b.rest.x, b.rest.y, 0}, u = normalized(across / want + Vec3d{0, 0, 1});
  const Vec3d phi = want * u + random.vector(0.01);
  const Quatd q_b = q_a * quaternion_exp(phi);
  const Vec3d angle = bend_angle(b, q_a, q_b);
  EXPECT_LT(norm(angle - phi), 1e-12) << "another turn is cheaper than that of the test";
  const Energy energy = [&](const std::vector<Vec3d>& u) {
    return bend_energy(b, bend_angle(b, quaternion_exp(u[0]) * q_a, quaternion_exp(u[1]) * q_b));
  };
  const BendDerivatives<double> d = derivatives(b, q_a, angle, 1.0);
  EXPECT_LT(norm(gradient(energy, 2, 1) - d.moment), 1e-7);
  EXPECT_LT(norm(gradient(energy, 2, 0) + d.moment), 1e-7);
  EXPECT_LT(distance(second(energy, 2, 0, 0), full(d.S)), 1e-4 * size(full(d.S)));
  EXPECT_LT(distance(second(energy, 2, 0, 1), (-1.0) * full(d.S) + skew(d.half_moment)), 1e-4 * size(full(d.S)));
}

TEST_P(Derivatives, OfSpin) {
  RandomVectors random(GetParam() + 200);
  const Spin<double> s{{2, 3, 1.5}, random.frame()};
  const Quatd q = quaternion_exp(random.vector(1e-3)) * s.goal;
  const Energy energy = [&](const std::vector<Vec3d>& u) {
    return spin_energy(s, half_turn(s, quaternion_exp(u[0]) * q));
  };
  const SpinDerivatives<double> d = derivatives(s, half_turn(s, q));
  EXPECT_LT(norm(gradient(energy, 1, 0) - d.torque), 1e-7);
  EXPECT_LT(distance(second(energy, 1, 0, 0), full(d.theta_theta)),
            1e-2 * size(full(d.theta_theta)));  // but for those of v
}

// from the frame itself, as from that of the goal
TEST_P(Derivatives, OfSpinInItsOwnFrame) {
  RandomVectors random(GetParam() + 250);
  for (const Vec3d weight : {Vec3d{2, 3, 1.5}, Vec3d{2, 2, 3.5}}) {
    const Spin<double> s{weight, random.frame()};
    const Quatd q = (GetParam() % 2 ? -1.0 : 1.0) * (quaternion_exp(random.vector(1)) * s.goal);
    const Vec3d half = half_turn(s, q);
    const SpinDerivatives<double> d = derivatives(s, half);
    const Mat3d R = rotation_matrix(q);
    const SpinTerms<double> terms = spin_terms(s.weight, R, spin_turn(s.goal, q));
    EXPECT_LT(norm(terms.torque - d.torque), 1e-13);
    EXPECT_LT(distance(full(terms.theta_theta), full(d.theta_theta)), 1e-13);
    EXPECT_NEAR(terms.energy, spin_energy(s, half), 1e-13);
    if (weight.x != weight.y) continue;
    const SpinTerms<double> round = spin_terms<true>(s.weight, R, spin_turn(s.goal, q));
    EXPECT_LT(norm(round.torque - d.torque), 1e-13);
    EXPECT_LT(distance(full(round.theta_theta), full(d.theta_theta)), 1e-13);
    EXPECT_NEAR(round.energy, spin_energy(s, half), 1e-13);
  }
}

TEST_P(Derivatives, AreShorterWhereStiffnessIsIsotropic) {
  RandomVectors random(GetParam() + 270);
  const Quatd q = random.frame();
  const Mat3d R = rotation_matrix(q);
  const Vec3d e = random.vector(1), predicted = random.vector(0.1), rest = random.vector(0.3);
  const double hessian_share = 0.1 * GetParam();
  const Stretch<double> s{0.7, 3, 3, Vec3d{0, 0, 1} + random.vector(0.05)};
  const Vec3d gamma = strain(s, e, R);
  EXPECT_LT(norm(gamma - strain(s, StretchState<double>{e, q})), 1e-14);
  const StretchDerivatives<double> d = derivatives(s, e, R, gamma, predicted, hessian_share);
  const StretchTerms<double> terms = isotropic_stretch_terms(s, e, R, e - R * s.p, predicted, hessian_share);
  EXPECT_LT(norm(terms.force - d.force) + norm(terms.torque - d.torque), 1e-13);
  EXPECT_LT(distance(full(terms.theta_theta), full(d.theta_theta)) + distance(skew(terms.arm), d.x_theta), 1e-13);
  const Bend<double> b = make_bend({2, 2, 2}, rest);
  const Vec3d angle = rest + random.vector(0.2);
  const BendDerivatives<double> whole = derivatives(b, R, angle, hessian_share),
                                shorter = derivatives<true>(b, R, angle, hessian_share);
  EXPECT_LT(distance(full(shorter.S), full(whole.S)) + norm(shorter.moment - whole.moment), 1e-13);
}

TEST_P(Derivatives, AreShorterStillWhereTheRestIsStraight) {
  RandomVectors random(GetParam() + 280);
  const double K = 2, hessian_share = 0.1 * GetParam();
  const Quatd q_a = random.frame(), q_b = (GetParam() % 2 ? -1.0 : 1.0) * (q_a * quaternion_exp(random.vector(1)));
  const Bend<double> b = make_bend({K, K, K}, Vec3d{});
  const Vec3d angle = bend_angle(b, q_a, q_b), phi = straight_bend_angle(q_a, q_b);
  EXPECT_LT(norm(phi - rotate(q_a, angle)), 1e-13);
  for (const bool all : {false, true}) {
    const BendDerivatives<double> whole = derivatives(b, q_a, angle, all ? 1 : hessian_share);
    const BendDerivatives<double> straight =
        all ? straight_derivatives<true>(K, phi, 1.0) : straight_derivatives<false>(K, phi, hessian_share);
    EXPECT_LT(norm(straight.moment - whole.moment) + norm(straight.half_moment - whole.half_moment), 1e-13);
    EXPECT_LT(distance(full(straight.S), full(whole.S)), 1e-13);
  }
}

TEST_P(Derivatives, AreShorterStillWhereASegmentWouldTurnToByItself) {
  RandomVectors random(GetParam() + 290);
  const Mat3d R = rotation_matrix(random.frame());
  const Vec3d e = random.vector(1), predicted = random.vector(0.1), weight{2, 2, 3.5}, gamma = e - R.c2;
  const Stretch<double> s{0.7, 3, 3, {0, 0, 1}};
  const StretchTerms<double> stretch = isotropic_stretch_terms(s, e, R, gamma, predicted, 1.0);
  const StretchTerms<double> both = isotropic_terms_at_goal(s, weight, e, R.c2, gamma, predicted.z, R * predicted);
  EXPECT_LT(norm(both.force - stretch.force) + norm(both.torque - stretch.torque) + norm(both.arm - stretch.arm),
            1e-13);
  EXPECT_LT(distance(full(both.theta_theta), full(stretch.theta_theta + spin_terms_at_goal<true>(weight, R))), 1e-13);
  // with a spring apart from them
  for (const double hessian_share : {1.0, 0.3}) {
    const StretchTerms<double> whole = isotropic_stretch_terms(s, e, R, gamma, predicted, hessian_share);
    const StretchTerms<double> apart = isotropic_stretch_terms<true>(s, e, R, gamma, predicted, hessian_share);
    Sym3<double> spring = square(-s.length / s.GA, whole.arm);
    spring += s.length / s.GA * dot(whole.arm, whole.arm);
    EXPECT_LT(distance(full(apart.theta_theta + spring), full(whole.theta_theta)), 1e-13);
    if (hessian_share < 1) continue;
    const StretchTerms<double> at_goal =
        isotropic_terms_at_goal<true>(s, weight, e, R.c2, gamma, predicted.z, R * predicted);
    EXPECT_LT(distance(full(at_goal.theta_theta + spring), full(both.theta_theta)), 1e-13);
  }
}

TEST_P(Derivatives, AreASpringAndLittleElse) {
  RandomVectors random(GetParam() + 295);
  const Mat3d R = rotation_matrix(random.frame());
  const Vec3d e = random.vector(1), predicted = random.vector(0.1);
  const double hessian_share = 0.1 * GetParam();
  const Stretch<double> s{0.7, 2, 3, Vec3d{0, 0, 1} + random.vector(0.05)};
  const Vec3d gamma = strain(s, e, R);
  const StretchDerivatives<double> whole = derivatives(s, e, R, gamma, predicted, hessian_share);
  const StretchTerms<double> rest = stretch_terms<true>(s, e, R, gamma, predicted, hessian_share);
  const Mat3d Q = skew(-s.length * rest.e), SQ = full(whole.xx) * Q;
  EXPECT_LT(norm(rest.force - whole.force) + norm(rest.torque - whole.torque), 1e-13);
  EXPECT_LT(distance(skew(rest.arm) + (-1.0) * SQ, whole.x_theta), 1e-13);
  EXPECT_LT(distance(full(rest.theta_theta) + transpose(Q) * SQ, full(whole.theta_theta)), 1e-13);
}

// the series of floats end earlier
TEST(Series, AreExactInFloat) {
  using P = Pack<float>;
  for (float sine2 = 0; sine2 < 1; sine2 += 0.003f) {
    const float w = std::sqrt(1 - sine2);
    const double expected = log_factor(double(w), double(sine2)), found = log_factor(P(w), P(sine2))[0];
    EXPECT_NEAR(found, expected, 2e-6 * expected) << sine2;
  }
  for (float a2 = 0; a2 < 9; a2 += 0.003f) {
    const JacobianFactor<double> expected = jacobian_factor(double(a2));
    const JacobianFactor<P> found = jacobian_factor(P(a2));
    EXPECT_NEAR(found.c[0], expected.c, 1e-6 * expected.c) << a2;
    EXPECT_NEAR(found.slope[0], expected.slope, 1e-4 * expected.slope) << a2;
  }
}

TEST_P(Derivatives, AreTheSameInLanes) {
  using P = Pack<double>;
  RandomVectors random(GetParam() + 300);
  Quatd a[4], b[4];
  Vec3d rest[4];
  Quat<P> wide_a, wide_b;
  Vec3<P> wide_rest;
  for (int lane = 0; lane < 4; ++lane) {
    rest[lane] = random.vector(0.2), a[lane] = random.frame();
    b[lane] = a[lane] * quaternion_exp(random.vector(lane == 3 ? 1 : 0.03));
    const auto put = [&](P& to, double value) { to.v[lane] = value; };
    put(wide_a.w, a[lane].w), put(wide_a.x, a[lane].x), put(wide_a.y, a[lane].y), put(wide_a.z, a[lane].z);
    put(wide_b.w, b[lane].w), put(wide_b.x, b[lane].x), put(wide_b.y, b[lane].y), put(wide_b.z, b[lane].z);
    put(wide_rest.x, rest[lane].x), put(wide_rest.y, rest[lane].y), put(wide_rest.z, rest[lane].z);
  }
  const double GJ = GetParam() < 4 ? 1.5 : 1.5e-4;
  const Bend<P> wide = make_bend({P(2.0), P(3.0), P(GJ)}, wide_rest);
  const Vec3<P> phi = bend_angle(wide, wide_a, wide_b);
  const BendDerivatives<P> d = derivatives(wide, wide_a, phi, P(1.0));
  for (int lane = 0; lane < 4; ++lane) {
    const Bend<double> one = make_bend({2, 3, GJ}, rest[lane]);
    const Vec3d angle = bend_angle(one, a[lane], b[lane]);
    const BendDerivatives<double> e = derivatives(one, a[lane], angle, 1.0);
    EXPECT_NEAR(phi.x[lane], angle.x, 1e-14);
    EXPECT_NEAR(d.moment.y[lane], e.moment.y, 1e-13 * (1 + norm(e.moment)));
    EXPECT_NEAR(d.S.zx[lane], e.S.zx, 1e-12 * (1 + size(full(e.S))));
  }
}
INSTANTIATE_TEST_SUITE_P(Block, Derivatives, ::testing::Range(0, 8));

TEST(BlockKernels, TheSemiDefinitePartHasNoNegativeCurvature) {
  RandomVectors random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const Stretch<double> s{0.5, 3, trial % 2 ? 11.0 : 0.2, {0, 0, 1}};
    const StretchState<double> at{random.vector(1), random.frame()};
    const StretchDerivatives<double> d = derivatives(s, at, strain(s, at), random.vector(1), 0.0);
    const Vec3d u = random.vector(1), theta = random.vector(1);
    EXPECT_GT(dot(u, full(d.xx) * u) + 2 * dot(u, d.x_theta * theta) + dot(theta, full(d.theta_theta) * theta), -1e-9);
  }
}

// of turns up to nearly a whole one, side by side and one by one
TEST(RotationVector, FactorsOfPacksAreThoseOfNumbers) {
  using P = Pack<double>;
  for (double angle = 1e-6; angle < 6.2; angle *= 1.37) {
    const double w = std::cos(angle / 2), sine = std::sin(angle / 2);
    const P by_lanes =
        log_factor(P(P::Vector{w, 1, 0.99, w}), P(P::Vector{sine * sine, 0, 1 - 0.99 * 0.99, sine * sine}));
    EXPECT_NEAR(by_lanes[0], angle / sine, 4e-15 * angle / sine) << angle;
    EXPECT_NEAR(by_lanes[1], 2, 1e-15);
    EXPECT_NEAR(by_lanes[2], log_factor(0.99, 1 - 0.99 * 0.99), 1e-14);
    const double a2 = angle * angle, d = 1e-4 * a2;
    const double half = angle / 2;
    const auto exact = [](double b2) {
      const long double b = std::sqrt(static_cast<long double>(b2));
      return (1 - b / 2 * std::cos(b / 2) / std::sin(b / 2)) / (b * b);
    };
    const JacobianFactor<P> by_pack = jacobian_factor(P(a2));
    if (half > 0.05) {
      EXPECT_NEAR(by_pack.c[0], double(exact(a2)), 1e-13);
      EXPECT_NEAR(by_pack.slope[0], double((exact(a2 + d) - exact(a2 - d)) / (2 * d)), 1e-5 * by_pack.slope[0]);
    }
    EXPECT_NEAR(by_pack.c[0], jacobian_factor(a2).c, 1e-14);
  }
}

}  // namespace
}  // namespace tendril::solvers::newton
