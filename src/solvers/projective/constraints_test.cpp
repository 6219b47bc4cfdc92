#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "solvers/projective/inertia.h"
#include "solvers/projective/root_direction.h"
#include "solvers/projective/stretch_shear.h"
#include "solvers/random_vectors.h"

// Each constraint by itself: its projection is the closest point, its pull is the gradient of its energy, and its A and
// weight give second derivatives that are nowhere less than those of the energy at rest.

namespace tendril::solvers::projective {
namespace {

using solvers::testing::RandomVectors;

constexpr double step = 1e-6;  // of differences: their error is about its square

double slope(const std::function<double(double)>& f) { return (f(step) - f(-step)) / (2 * step); }

// by x, or by a turn of the world's axes
Vec3d gradient(const std::function<double(const Vec3d&)>& f) {
  Vec3d out;
  for (int k = 0; k < 3; ++k) {
    Vec3d one;
    one[k] = 1;
    out[k] = slope([&](double d) { return f(d * one); });
  }
  return out;
}

Quatd turned(const Quatd& q, const Vec3d& theta) { return quaternion_exp(theta) * q; }

// --- Stretch and Shear

StretchShear<double> segment(double GA, double EA) { return make_stretch_shear(0.3, 1 / 0.3, GA, EA, {0, 0, 1}); }

struct Edge {
  Vec3d x0, x1;
  Quatd q;
};
Edge strained_edge(RandomVectors& random) {
  const Quatd q = random.frame();
  const Vec3d x0 = random.vector(1);
  return {x0, x0 + 0.3 * (director3(q) + random.vector(0.2)), q};
}
StretchPull<double> pull_of(const StretchShear<double>& s, const Edge& at) {
  return pull(s, s.per_length * (at.x1 - at.x0), resting_edge(s, at.q, true), director3(at.q));
}

class StretchShearOf : public ::testing::TestWithParam<std::pair<double, double>> {};
INSTANTIATE_TEST_SUITE_P(Stiffnesses, StretchShearOf,
                         ::testing::Values(std::pair(2.0, 5.0), std::pair(5.0, 5.0), std::pair(7.0, 0.5)));

// w Aᵀ (A S q - B p) is the gradient, and l force x e the torque
TEST_P(StretchShearOf, PullsAsItsEnergyFalls) {
  const StretchShear<double> s = segment(GetParam().first, GetParam().second);
  RandomVectors random(1);
  for (int n = 0; n < 20; ++n) {
    const Edge at = strained_edge(random);
    const Vec3d e = s.per_length * (at.x1 - at.x0);
    const Vec3d p = projection(s, e, director3(at.q), director3(at.q));
    const Vec3d pulled = s.across() * (e - p);
    const auto energy = [&](const Edge& there) { return pull_of(s, there).energy; };
    EXPECT_LT(norm(gradient([&](const Vec3d& u) { return energy({at.x0, at.x1 + u, at.q}); }) - pulled), 1e-8);
    EXPECT_LT(norm(gradient([&](const Vec3d& u) { return energy({at.x0 + u, at.x1, at.q}); }) + pulled), 1e-8);
    const Vec3d torque = gradient([&](const Vec3d& u) { return energy({at.x0, at.x1, turned(at.q, u)}); });
    EXPECT_LT(norm(torque - s.length * cross(pull_of(s, at).force, e)), 1e-8);
    EXPECT_GT(norm(pulled), 1e-3);
  }
}

// gammaᵀ K gamma/2 of the Model, and what the projection keeps costs k K/(k - K) along each material axis: p is where
// w/2 |A S q - z|² and that cost add up to the least, and the least is the energy.
TEST_P(StretchShearOf, ProjectsOntoTheClosestPoint) {
  const auto [GA, EA] = GetParam();
  const StretchShear<double> s = segment(GA, EA);
  const Vec3d K{GA, GA, EA};
  RandomVectors random(2);
  for (int n = 0; n < 20; ++n) {
    const Edge at = strained_edge(random);
    const Vec3d e = s.per_length * (at.x1 - at.x0), rest = director3(at.q), p = projection(s, e, rest, rest);
    const auto cost = [&](const Vec3d& z) {
      const Vec3d kept = rotate(conjugate(at.q), z - rest);
      double sum = 0.5 * s.weight() * norm_squared(e - z);
      for (int k = 0; k < 3; ++k)
        if (K[k] < s.stiffness) sum += 0.5 * s.length * s.stiffness * K[k] / (s.stiffness - K[k]) * kept[k] * kept[k];
      return sum;
    };
    const Vec3d strain = rotate(conjugate(at.q), e - rest);
    const double of_model = 0.5 * s.length * dot(strain, scale(K, strain));
    EXPECT_NEAR(cost(p), of_model, 1e-14);
    EXPECT_NEAR(pull_of(s, at).energy, of_model, 1e-14);
    const Vec3d kept = rotate(conjugate(at.q), p - rest);
    for (int k = 0; k < 3; ++k)
      if (K[k] == s.stiffness) EXPECT_NEAR(kept[k], 0, 1e-14);
    for (int m = 0; m < 20; ++m) {
      Vec3d other = random.vector(0.1);
      for (int k = 0; k < 3; ++k)
        if (K[k] == s.stiffness) other[k] = 0;  // nothing of that is kept
      if (other == Vec3d{}) continue;           // d3 is the only point
      EXPECT_GT(cost(p + rotate(at.q, other)), cost(p));
    }
  }
}

// --- Bending and Twisting

BendTwist<double> joint(const Vec3d& K, const Vec3d& rest) { return newton::make_bend(K, rest); }

TEST(BendTwist, PullsAsItsEnergyFalls) {
  RandomVectors random(3);
  for (const Vec3d& rest : {Vec3d{}, Vec3d{0.3, -0.2, 0.5}}) {
    const BendTwist<double> bend = joint({1, 2, 0.7}, rest);
    for (int n = 0; n < 20; ++n) {
      const Quatd a = random.frame(), b = a * quaternion_exp(random.vector(0.6));
      const Vec3d moment = pull(bend, a, b).moment;
      const auto energy = [&](const Quatd& first, const Quatd& second) { return pull(bend, first, second).energy; };
      EXPECT_LT(norm(gradient([&](const Vec3d& u) { return energy(a, turned(b, u)); }) - moment), 1e-8);
      EXPECT_LT(norm(gradient([&](const Vec3d& u) { return energy(turned(a, u), b); }) + moment), 1e-8);
      EXPECT_GT(norm(moment), 1e-2);
    }
  }
}

double distance_squared(const FramePair<double>& p, const Quatd& a, const Quatd& b) {  // in R⁸
  const auto apart = [](const Quatd& u, const Quatd& v) {
    const Quatd d{u.w - v.w, u.x - v.x, u.y - v.y, u.z - v.z};
    return d.w * d.w + d.x * d.x + d.y * d.y + d.z * d.z;
  };
  return apart(p.a, a) + apart(p.b, b);
}

// at rest, and of all pairs at rest the nearest
TEST(BendTwist, ProjectsOntoTheClosestPairAtRest) {
  RandomVectors random(4);
  const Vec3d rest{0.3, -0.2, 0.5};
  const BendTwist<double> bend = joint({1, 1, 1}, rest);
  for (int n = 0; n < 20; ++n) {
    const Quatd a = random.frame(), b = a * quaternion_exp(random.vector(0.6));
    const FramePair<double> p = projection(bend, a, b);
    EXPECT_LT(norm(newton::turn_angle(conjugate(p.a) * p.b) - rest), 1e-12);
    const double nearest = distance_squared(p, a, b);
    for (int m = 0; m < 20; ++m) {
      const Quatd other = turned(p.a, random.vector(0.05));
      EXPECT_GT(distance_squared({other, other * quaternion_exp(rest)}, a, b), nearest);
    }
    const auto moved = [&](const Vec3d& u) {
      const Quatd other = turned(p.a, u);
      return distance_squared({other, other * quaternion_exp(rest)}, a, b);
    };
    EXPECT_LT(norm(gradient(moved)), 1e-8);
  }
}

// With w = 8 K/2 in R⁸ the pair's distance has this energy but for its fourth order: 16 K (1 - cos(phi/4)) is
// K phi²/2 (1 - phi²/192 + …).
TEST(BendTwist, HasTheEnergyOfItsProjection) {
  RandomVectors random(5);
  const double K = 1.7;
  const BendTwist<double> bend = joint({K, K, K}, {});
  for (double size : {0.01, 0.1, 0.5}) {
    const Quatd a = random.frame(), b = a * quaternion_exp(size * normalized(random.vector(1)));
    const double by_distance = 0.5 * 8 * K * distance_squared(projection(bend, a, b), a, b);
    EXPECT_NEAR(by_distance / pull(bend, a, b).energy, 1 - size * size / 192, 1e-4 * size * size + 1e-9) << size;
  }
}

// A = [-1 1] on the directors, w = max(EI1, EI2)/l, and on the turns about them, w = GJ/l
TEST(BendTwist, IsNoStifferAtRestThanItsWeights) {
  const Vec3d K{1, 2, 0.7};
  const BendTwist<double> bend = joint(K, {});
  const Quatd a = quaternion_exp({0.4, 1, -0.3});
  for (int k = 0; k < 3; ++k) {
    Vec3d axis;
    axis[k] = 1;
    axis = rotate(a, axis);
    const double curvature = slope([&](double d) { return dot(axis, pull(bend, a, turned(a, d * axis)).moment); });
    EXPECT_NEAR(curvature, K[k], 1e-8);
    EXPECT_LE(curvature, (k < 2 ? std::max(K.x, K.y) : K.z) + 1e-8);
  }
}

// --- Normal

TEST(RootDirection, PullsAsItsEnergyFallsWhicheverFrameComesFirst) {
  RandomVectors random(6);
  for (bool holder_is_a : {true, false})
    for (int n = 0; n < 10; ++n) {
      const Quatd holder = random.frame(), q = holder * quaternion_exp(random.vector(0.4));
      const RootDirection<double> root{0, 0, holder_is_a, joint({1, 2, 0.7}, {0.1, 0.2, -0.1}), holder};
      const auto energy = [&](const Vec3d& u) { return pull(root, turned(q, u)).energy; };
      EXPECT_LT(norm(gradient(energy) - pull(root, q).moment), 1e-8);
      EXPECT_GT(norm(pull(root, q).moment), 1e-2);
    }
}

// --- momentum

TEST(Inertia, PullsAsItsEnergyFallsAndWeighsTheTurnByItsMoments) {
  RandomVectors random(7);
  const Vec3d weight{1, 2, 0.7};  // J/h²
  for (int n = 0; n < 20; ++n) {
    const Quatd goal = random.frame(), q = goal * quaternion_exp(random.vector(0.5));
    const auto energy = [&](const Vec3d& u) { return pull(weight, goal, turned(q, u)).energy; };
    EXPECT_LT(norm(gradient(energy) - pull(weight, goal, q).torque), 1e-8);
    const Vec3d small = 1e-4 * normalized(random.vector(1));  // J/h² theta²/2
    EXPECT_NEAR(pull(weight, goal, goal * quaternion_exp(small)).energy / (0.5 * dot(small, scale(weight, small))), 1,
                1e-7);
  }
}

}  // namespace
}  // namespace tendril::solvers::projective
