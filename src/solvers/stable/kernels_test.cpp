#include "solvers/stable/kernels.h"

#include <gtest/gtest.h>

#include <random>

#include "solvers/stable/frame_newton.h"
#include "solvers/stable/position_sweep.h"
#include "solvers/stable/published_contact.h"
#include "solvers/stable/secular.h"

namespace tendril::solvers::stable {
namespace {

class Kernels : public ::testing::Test {
 protected:
  double number() { return normal_(generator_); }
  Vec3d vector() { return {number(), number(), number()}; }
  Quatd quaternion() { return {number(), number(), number(), number()}; }
  Quatd frame() { return normalized(quaternion()); }

  std::mt19937 generator_{7};
  std::normal_distribution<double> normal_;
};

// -1/2 <v q e3, q> - <b, q>
double energy(const Vec3d& v, const Quatd& b, const Quatd& q) { return -0.5 * dot(stretch_pull(v, q), q) - dot(b, q); }

TEST_F(Kernels, StretchEnergyIsTheQuadraticForm) {
  for (int trial = 0; trial < 20; ++trial) {
    const Vec3d edge = vector();
    const Quatd q = frame();
    const double l = 0.3, GA = 5;
    const double direct = 0.5 * l * GA * norm_squared(edge / l - director3(q));
    const double constant = 0.5 * l * GA * (norm_squared(edge) / (l * l) + 1);
    EXPECT_NEAR(energy(-2 * GA * edge, {0, 0, 0, 0}, q) + constant, direct, 1e-12 * (1 + direct));
  }
}

TEST_F(Kernels, ExactClosedFormIsTheGlobalMinimum) {
  for (double ratio : {1e-4, 0.1, 1.0, 10.0, 1e4}) {
    for (int trial = 0; trial < 50; ++trial) {
      const Vec3d v = vector();
      const Quatd b = ratio * quaternion();
      const Quatd q = closed_form<Lambda::exact>(v, b);
      EXPECT_NEAR(norm(q), 1, 1e-14);
      // stationary: v q e3 + b is parallel to q
      const Vec3d torque = torque_of(stretch_pull(v, q) + b, q);
      EXPECT_LT(norm(torque), 1e-9 * (norm(v) + norm(b))) << "ratio " << ratio;
      const double least = energy(v, b, q);
      for (int sample = 0; sample < 300; ++sample)
        EXPECT_GE(energy(v, b, frame()), least - 1e-12 * (norm(v) + norm(b)));
    }
  }
}

TEST_F(Kernels, ExactShareSolvesItsEquation) {
  for (double g : {1e-6, 1e-3, 0.1, 0.5, 0.9, 0.999, 1 - 1e-7, 1.0}) {
    for (double s : {1e-6, 1e-2, 0.3, 1.0, 3.0, 1e2, 1e6}) {
      // g/y² + (1-g)/(y+s)² falls with y: bisection finds the one root in (0, 1]
      const auto excess = [&](double y) { return g / (y * y) + (1 - g) / ((y + s) * (y + s)) - 1; };
      double low = 1e-12, high = 1 + 1e-12;
      for (int step = 0; step < 200; ++step) (excess(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
      EXPECT_NEAR(exact_share(g, 0.5 * s, 1.0), low, 1e-6 * low) << "g " << g << " s " << s;
    }
  }
}

TEST_F(Kernels, ApproximateLambdaIsExactWithoutStrain) {
  const Quatd q = frame();
  const Vec3d v = -3.0 * director3(q);
  const Quatd b = 0.7 * q;
  EXPECT_LT(norm(closed_form<Lambda::approximate>(v, b) - q), 1e-15);
  EXPECT_LT(norm(closed_form<Lambda::exact>(v, b) - q), 1e-15);
}

// Algorithm 1 [hsu2025]: each sweep takes lambda nearer to the root of Eq. 19
TEST_F(Kernels, StoredLambdaBecomesExact) {
  for (double ratio : {0.1, 1.0, 10.0}) {
    for (int trial = 0; trial < 50; ++trial) {
      const Vec3d v = vector();
      const Quatd b = ratio * quaternion();
      double y = 1, last = 2;
      for (int sweep = 0; sweep < 2000; ++sweep, last = y) {
        closed_form<Lambda::stored>(v, b, y);
        EXPECT_LE(y, last + 1e-12);
      }
      EXPECT_LT(norm(closed_form<Lambda::stored>(v, b, y) - closed_form<Lambda::exact>(v, b)), 1e-5) << ratio;
    }
  }
}

// Eq. 34 [hsu2025]: in four free numbers q a segment of N bends has the energy
//   k_ss/2 |e/l - q e3 q̄|² + N k_bt/2 |q - q_rest|²,   k_ss = k̃_ss l, k_bt = 4 k̃_bt / l,
// whose Hessian, here by differences, is positive definite while |e| - l < 2 N k̃_bt / (k̃_ss l)
TEST_F(Kernels, HessianLosesItsSignAtTheStretchOfEq34) {
  const double l = 0.3, k_ss = 40, k_bt = 0.7;
  for (int bends : {1, 2, 5}) {
    const double most = 2 * bends * k_bt / (k_ss * l);
    const Quatd q = frame();
    for (double part : {0.9, 1.1}) {
      const Vec3d edge = (l + part * most) * director3(q);
      const auto at = [&](const Quatd& d) {
        const Quatd r = q + d;
        const Vec3d d3 = (r * Quatd{0, 0, 0, 1} * conjugate(r)).imaginary();
        return 0.5 * k_ss * l * norm_squared(edge / l - d3) + 0.5 * bends * 4 * k_bt / l * dot(d, d);
      };
      const double h = 1e-4;
      const Quatd axis[4] = {{h, 0, 0, 0}, {0, h, 0, 0}, {0, 0, h, 0}, {0, 0, 0, h}};
      const auto second = [&](int i, int j) {
        const Quatd sum = axis[i] + axis[j], difference = axis[i] - axis[j];
        return (at(sum) - at(difference) - at(-difference) + at(-sum)) / (4 * h * h);
      };
      const Sym4<double> hessian{second(0, 0), second(0, 1), second(0, 2), second(0, 3), second(1, 1),
                                 second(1, 2), second(1, 3), second(2, 2), second(2, 3), second(3, 3)};
      EXPECT_EQ(solve_shifted(hessian, {1, 0, 0, 0}, 0.0).smallest_pivot > 0, part < 1) << bends << " bends";
    }
  }
}

// Eq. 30: the force is the slope of the energy, the curvature that of the force; and it pushes only, up to d = 1
TEST(PublishedContact, BarrierIsItsOwnSlope) {
  const PublishedBarrier barrier{2e-3, 0.7};
  EXPECT_EQ(barrier.at(2e-3).slope, 0);
  for (double distance : {1e-4, 5e-4, 1e-3, 1.5e-3, 1.9e-3}) {
    const double d = 1e-8;
    const Barrier::Value below = barrier.at(distance - d), here = barrier.at(distance),
                         above = barrier.at(distance + d);
    EXPECT_NEAR(here.slope, (above.energy - below.energy) / (2 * d), 1e-6 * std::abs(here.slope));
    EXPECT_NEAR(here.curvature, (above.slope - below.slope) / (2 * d), 1e-6 * here.curvature);
    EXPECT_LT(here.slope, 0);
  }
}

// what touches is pushed as by our own barrier half-way, and friction is a spring from the start of the step up to mu N
TEST(PublishedContact, FrictionIsASpringUpToItsLimit) {
  Pair pair;
  pair.radius = 2e-3, pair.normal = {0, 0, 1}, pair.barrier = {2e-4, 50}, pair.spring = {10, 0.3, 0};
  const PairForce touching = published_force(pair, {0, 0, 0}, {0, 0, 0});
  EXPECT_NEAR(touching.force.z, -pair.barrier.at(1e-4).slope, 1e-12);
  for (double slip : {1e-5, 1e-2}) {
    const PairForce out = published_force(pair, {0, 0, 0}, {slip, 0, 0.1});
    EXPECT_NEAR(out.force.x, -std::min(10 * slip, 0.3 * touching.force.z), 1e-12);
  }
}

TEST_F(Kernels, ApproximateLambdaErrsByTheSquareOfTheMisalignment) {
  // it is another material: a relative angle error of the order of psi²
  for (double psi : {0.1, 0.2}) {
    const Vec3d v = {0, 0, -1.0};
    const Quatd b = quaternion_exp({psi, 0, 0});
    const double exact = 2 * std::asin(closed_form<Lambda::exact>(v, b).x);
    const double approximate = 2 * std::asin(closed_form<Lambda::approximate>(v, b).x);
    EXPECT_GT(std::abs(approximate / exact - 1), 1e-2 * psi * psi);
    EXPECT_LT(std::abs(approximate / exact - 1), psi * psi);
  }
}

TEST_F(Kernels, MomentPullsWithItsTorque) {
  const Vec3d moment = vector();
  const Quatd q = frame();
  EXPECT_LT(norm(torque_of(pull_of_moment(moment, q), q) - moment), 1e-14);
}

TEST_F(Kernels, PacksAgreeWithDoubles) {
  Vec3d v[4];
  Quatd b[4];
  Vec3<Pack<double>> vs;
  Quat<Pack<double>> bs;
  for (int lane = 0; lane < 4; ++lane) {
    v[lane] = vector(), b[lane] = 0.1 * quaternion();
    for (int k = 0; k < 3; ++k) vs[k].v[lane] = v[lane][k];
    bs.w.v[lane] = b[lane].w, bs.x.v[lane] = b[lane].x, bs.y.v[lane] = b[lane].y, bs.z.v[lane] = b[lane].z;
  }
  const Quat<Pack<double>> qs = closed_form<Lambda::exact>(vs, bs);
  for (int lane = 0; lane < 4; ++lane) {
    const Quatd q = closed_form<Lambda::exact>(v[lane], b[lane]);
    EXPECT_LT(norm(Quatd{qs.w[lane], qs.x[lane], qs.y[lane], qs.z[lane]} - q), 1e-9);
  }
}

TEST_F(Kernels, RowsComeBackAsTheyWere) {
  Row<float> rows[11], back[8];
  for (int r = 0; r < 11; ++r)
    for (int k = 0; k < 4; ++k) rows[r].v[k] = 10.f * r + k;
  const int index[8] = {3, 10, 0, 7, 7, 1, 9, 2};
  const RowPack<Pack<float>> pack = gather(rows, index);
  store_rows(back, pack);
  for (int lane = 0; lane < 8; ++lane) {
    EXPECT_EQ(pack.z[lane], rows[index[lane]].v[2]);
    for (int k = 0; k < 4; ++k) EXPECT_EQ(back[lane].v[k], rows[index[lane]].v[k]);
  }
}

// 1/2 qᵀAq - bᵀq, the global minimum against samples and by its own condition
class Secular : public Kernels {
 protected:
  void check(const Sym4<double>& a, const Quatd& b, const Quatd& start, double bound) {
    const auto value = [&](const Quatd& q) { return 0.5 * dot(q, a * q) - dot(b, q); };
    const Quatd q = minimum_on_sphere(a, b, start, bound);
    const double size = bound + norm(b);
    EXPECT_NEAR(norm(q), 1, 1e-13);
    const Quatd slope = a * q - b;
    EXPECT_LT(norm(slope - dot(slope, q) * q), 2e-5 * size);
    for (int sample = 0; sample < 300; ++sample) EXPECT_GE(value(frame()), value(q) - 1e-8 * size);
    // started from its own solution it is exact
    const Quatd again = minimum_on_sphere(a, b, q, bound), last = minimum_on_sphere(a, b, again, bound);
    const Quatd end_slope = a * last - b;
    EXPECT_LT(norm(end_slope - dot(end_slope, last) * last), 1e-9 * size);
  }
};

TEST_F(Secular, RotationFormIsTheRotation) {
  const Vec3d v = vector(), p = vector();
  const Quatd q = frame();
  Sym4<double> a;
  add_rotation_form(a, v, p);
  EXPECT_NEAR(dot(q, a * q), dot(v, rotate(q, p)), 1e-13 * norm(v) * norm(p));
}

TEST_F(Secular, FindsTheGlobalMinimum) {
  for (double pull : {1e-6, 1e-2, 1.0, 100.0}) {
    for (int trial = 0; trial < 50; ++trial) {
      Sym4<double> a;
      const Vec3d v = vector(), p = vector();
      add_rotation_form(a, v, p);
      add_square(a, quaternion()), add_square(a, quaternion());
      check(a, pull * quaternion(), frame(), norm(v) * norm(p));
    }
  }
}

TEST_F(Secular, WithoutBendsTheFrameTurnsTheShortestWay) {
  const Quatd q = frame();
  const Vec3d edge = vector();
  Sym4<double> a;
  add_rotation_form(a, -2.0 * edge, Vec3d{0, 0, 1});
  const Quatd turned = minimum_on_sphere(a, 2e-4 * norm(edge) * q, q, 2 * norm(edge));
  const Quatd shortest = rotation_between(director3(q), normalized(edge)) * q;
  EXPECT_NEAR(std::abs(dot(turned, shortest)), 1, 1e-7);
}

// Newton's method on turns of the frame finds the same minimum, from near and from far
TEST_F(Secular, NewtonOnTurnsFindsTheGlobalMinimum) {
  for (double stiffness : {1e-4, 1e-2, 1.0}) {
    for (int trial = 0; trial < 100; ++trial) {
      FrameEnergy<double> e{{}, stiffness * quaternion(), vector(), {0.1 * number(), 0.1 * number(), 1}};
      for (int k = 0; k < 4; ++k) add_square(e.A, std::sqrt(stiffness) * quaternion());
      Sym4<double> whole = e.A;
      add_rotation_form(whole, -2.0 * e.a, e.p);
      const auto energy = [&](const Quatd& q) { return 0.5 * dot(q, whole * q) - dot(e.b, q); };
      const Quatd best = minimum_on_sphere(whole, e.b, frame(), 2 * norm(e.a) * norm(e.p));
      for (const Quatd& start : {frame(), normalized(best + 0.05 * quaternion())}) {
        const Quatd q = least_energy_frame(e, start);
        EXPECT_NEAR(energy(q), energy(best), 1e-8 * (norm(e.a) + norm(e.b))) << "stiffness " << stiffness;
      }
    }
  }
}

// by differences of the energy
TEST_F(Secular, TurnsHaveTheirGradientAndHessian) {
  FrameEnergy<double> e{{}, quaternion(), vector(), vector()};
  for (int k = 0; k < 3; ++k) add_square(e.A, quaternion());
  const Quatd q = frame();
  const auto at = [&](const Vec3d& turn) {
    const Quatd r = q * quaternion_exp(turn);
    return -dot(e.a, rotate(r, e.p)) + 0.5 * dot(r, e.A * r) - dot(e.b, r);
  };
  const TurnQuadratic<double> h = expand(e, q);
  const double hessian[3][3] = {{h.xx, h.xy, h.xz}, {h.xy, h.yy, h.yz}, {h.xz, h.yz, h.zz}};
  const double d = 1e-4;
  for (int i = 0; i < 3; ++i) {
    Vec3d u;
    u[i] = d;
    EXPECT_NEAR((at(u) - at(-u)) / (2 * d), h.gradient[i], 1e-6);
    for (int j = 0; j < 3; ++j) {
      Vec3d w;
      w[j] = d;
      EXPECT_NEAR((at(u + w) - at(u - w) - at(w - u) + at(-u - w)) / (4 * d * d), hessian[i][j], 1e-5);
    }
  }
}

TEST_F(Secular, AgreesWithTheClosedForm) {
  for (int trial = 0; trial < 50; ++trial) {
    const Vec3d v = vector();
    const Quatd b = quaternion();
    Sym4<double> a;
    add_rotation_form(a, v, Vec3d{0, 0, 1});
    Quatd q = frame();
    for (int step = 0; step < 3; ++step) q = minimum_on_sphere(a, b, q, norm(v));
    EXPECT_LT(norm(q - closed_form<Lambda::exact>(v, b)), 1e-9);
  }
}

// an empty lane beside a full one: neither spoils the other
TEST(PositionSweep, NothingMovesWhereNothingActs) {
  using P = Pack<double>;
  P stiffness(0);
  stiffness.v[0] = 4;
  const Mat3<P> H = Mat3<P>::diagonal({stiffness, stiffness, stiffness});
  const Vec3<P> u = solve_scaled(H, {stiffness, P(0), stiffness});
  EXPECT_EQ(u.x[0], 1);
  for (int lane = 1; lane < P::lanes; ++lane) EXPECT_EQ(u.x[lane], 0);
}

}  // namespace
}  // namespace tendril::solvers::stable
