#include "solvers/redmax/reduced.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solvers/chain.h"

// what takes rates to velocities, and back, against differences

namespace tendril::solvers::redmax {
namespace {

using solvers::testing::RodOptions;
using solvers::testing::Scene;

Vec3d wave(double n) { return {std::sin(1.3 * n + 0.2), std::cos(2.1 * n), std::sin(0.7 * n - 1)}; }

TEST(RedMaxKernels, TurnJacobianIsTheDerivativeOfTheExponential) {
  for (double size : {1e-4, 0.05, 0.099, 0.101, 1.0, 3.0}) {
    const Vec3d Q = size * normalized(Vec3d{1, -2, 0.5}), p{0.3, 0.8, -0.4};
    const double d = 1e-6;
    const Quatd more = quaternion_exp(Q + d * p), less = quaternion_exp(Q - d * p);
    const Vec3d turning = shortest_angle(more * conjugate(less)) / (2 * d);
    EXPECT_LT(norm(turn_jacobian(Q) * p - turning), 1e-8) << size;
    const Vec3d rate = (turn_jacobian(Q + d * p) * p - turn_jacobian(Q - d * p) * p) / (2 * d);
    EXPECT_LT(norm(turn_jacobian_rate(Q, p) - rate), 1e-8) << size;
    EXPECT_GT(norm(rate), 1e-6);
  }
}

enum class Start { free, pinned, clamped, clamped_at_its_end };

// bent and twisted, with a bend that is told from the other side and turned
Scene rod(Start start) {
  RodOptions o;
  o.segments = 5, o.length = 1, o.EI1 = 1, o.EI2 = 2, o.GJ = 0.7;
  Scene scene;
  scene.add_chain(o);
  if (start == Start::clamped) scene.clamp(0, 0, o);
  if (start == Start::clamped_at_its_end) scene.clamp(5, 4, o);
  if (start == Start::pinned) {
    scene.clamp(0, 0, o);
    scene.model.bends.pop_back();
  }
  Bend& other = scene.model.bends[2];
  std::swap(other.a, other.b);
  other.rest = conjugate(other.rest), other.turn = quaternion_exp({0.1, -0.4, 0.2});
  for (Segment& s : scene.model.segments) s.linear_inertia = {1e-3, 2e-3, 3e-3};
  Chains chains = chains_of(scene.model);
  EXPECT_EQ(chains.refusal, "");
  std::vector<Vec3d> Q;
  for (int j = 0; j < 5; ++j) Q.push_back(0.4 * wave(j));
  place(chains.all[0], Q, scene.state);
  for (int j = 0; j < 5; ++j) scene.state.omega[j] = wave(j + 7);
  for (Vec3d& omega : scene.state.body_omega) omega = {0.5, -0.2, 0.3};
  scene.fill_inputs();
  return scene;
}

const Start starts[] = {Start::free, Start::pinned, Start::clamped, Start::clamped_at_its_end};

Rates some_rates(const Configuration& at) {
  Rates out = at.zero();
  if (at.chain().is_free()) out.root = wave(3);
  for (std::size_t j = 0; j < out.joint.size(); ++j) out.joint[j] = wave(0.5 * double(j));
  return out;
}

// along Q + t Q', the root and its body going on as they do
State moved(const Scene& scene, const Configuration& at, const Rates& rates, const Twist& base, double t) {
  State state = scene.state;
  const Chain& chain = at.chain();
  for (Quatd& q : state.body_q) q = quaternion_exp(t * base.omega) * q;
  state.x[chain.root] += t * (chain.is_free() ? rates.root : base.v);
  std::vector<Vec3d> Q;
  for (std::size_t j = 0; j < rates.joint.size(); ++j) Q.push_back(at.Q(j) + t * rates.joint[j]);
  place(chain, Q, state);
  return state;
}

TEST(RedMaxJacobian, IsTheDerivativeOfPlaces) {
  for (Start start : starts) {
    const Scene scene = rod(start);
    const Chains chains = chains_of(scene.model);
    const Configuration at(chains.all[0], scene.model, scene.state);
    const Twist base{{0.1, 0.2, -0.3}, {0.5, -0.2, 0.3}};
    const Rates rates = some_rates(at);
    const Maximal v = at.velocities(rates, base);
    const double d = 1e-6;
    const State more = moved(scene, at, rates, base, d), less = moved(scene, at, rates, base, -d);
    for (std::size_t j = 0; j < v.far.size(); ++j) {
      const Joint& joint = at.chain().joints[j];
      EXPECT_LT(norm((more.x[joint.far] - less.x[joint.far]) / (2 * d) - v.far[j]), 1e-8);
      const Quatd turn = more.q[joint.segment] * conjugate(less.q[joint.segment]);
      EXPECT_LT(norm(shortest_angle(turn) / (2 * d) - v.turn[j]), 1e-8);
    }
    EXPECT_GT(norm(v.far.back()), 0.1);
  }
}

// Velocities some way on and some way back differ by the accelerations, where rates stay. A root that turns freely does
// so about its own axis, along which a turn goes on.
TEST(RedMaxJacobian, ChangesByItsAccelerations) {
  for (Start start : starts) {
    const Scene scene = rod(start);
    const Chains chains = chains_of(scene.model);
    const Chain& chain = chains.all[0];
    const Configuration at(chain, scene.model, scene.state);
    const Twist base{{0.1, 0.2, -0.3}, {0.5, -0.2, 0.3}};
    const Rates rates = some_rates(at);
    const Maximal a = at.accelerations(rates, base);
    const double d = 1e-5;
    const auto velocities = [&](double t) {
      return Configuration(chain, scene.model, moved(scene, at, rates, base, t)).velocities(rates, base);
    };
    const Maximal more = velocities(d), less = velocities(-d);
    for (std::size_t j = 0; j < a.far.size(); ++j) {
      EXPECT_LT(norm((more.far[j] - less.far[j]) / (2 * d) - a.far[j]), 1e-7) << j;
      EXPECT_LT(norm((more.turn[j] - less.turn[j]) / (2 * d) - a.turn[j]), 1e-7) << j;
    }
    EXPECT_GT(norm(a.far.back()), 0.1);
  }
}

double product(const Maximal& a, const Maximal& b) {
  double sum = dot(a.root, b.root);
  for (std::size_t j = 0; j < a.far.size(); ++j) sum += dot(a.far[j], b.far[j]) + dot(a.turn[j], b.turn[j]);
  return sum;
}

TEST(RedMaxJacobian, PullsBackByItsTranspose) {
  for (Start start : starts) {
    const Scene scene = rod(start);
    const Chains chains = chains_of(scene.model);
    const Configuration at(chains.all[0], scene.model, scene.state);
    Maximal impulses;
    impulses.root = wave(1);
    for (int j = 0; j < 5; ++j) impulses.far.push_back(wave(j + 2)), impulses.turn.push_back(wave(3 * j));
    const Rates rates = some_rates(at), back = at.pull_back(impulses);
    double sum = dot(back.root, rates.root);
    for (int j = 0; j < 5; ++j) sum += dot(back.joint[j], rates.joint[j]);
    EXPECT_NEAR(sum, product(impulses, at.velocities(rates, {})), 1e-12);
    EXPECT_GT(std::abs(sum), 0.1);
  }
}

TEST(RedMaxJacobian, HasTheseBlocksOnTheDiagonalOfTheMass) {
  const Scene scene = rod(Start::free);
  const Chains chains = chains_of(scene.model);
  const Configuration at(chains.all[0], scene.model, scene.state);
  std::vector<double> mass;
  for (int i = 0; i < 6; ++i) mass.push_back(0.1 + 0.05 * i);
  const auto blocks = at.diagonal(mass, 1.5);
  for (std::size_t j = 0; j < 5; ++j)
    for (int k = 0; k < 3; ++k) {
      Rates unit = at.zero();
      unit.joint[j][k] = 1;
      const Rates column = at.pull_back(at.weighed(at.velocities(unit, {}), mass, 1.5));
      const Mat3d& block = blocks.joint[j];
      EXPECT_LT(norm(column.joint[j] - (k == 0 ? block.c0 : k == 1 ? block.c1 : block.c2)), 1e-12);
    }
  Rates unit = at.zero();
  unit.root = {1, 0, 0};
  EXPECT_NEAR(at.pull_back(at.weighed(at.velocities(unit, {}), mass, 1.5)).root.x, blocks.root, 1e-12);
}

// what velocities of the State are made of is found in it again
TEST(RedMaxJacobian, RatesAreThoseOfTheVelocities) {
  for (Start start : starts) {
    Scene scene = rod(start);
    const Chains chains = chains_of(scene.model);
    const Configuration at(chains.all[0], scene.model, scene.state);
    const Rates rates = some_rates(at);
    const Twist base{{0.1, 0.2, -0.3}, {0.5, -0.2, 0.3}};
    const Maximal v = at.velocities(rates, base);
    scene.state.v[at.chain().root] = v.root;
    for (int j = 0; j < 5; ++j) scene.state.omega[at.chain().joints[j].segment] = v.turn[j];
    const Rates found = at.rates(scene.state);
    for (int j = 0; j < 5; ++j) EXPECT_LT(norm(found.joint[j] - rates.joint[j]), 1e-12);
  }
}

}  // namespace
}  // namespace tendril::solvers::redmax
