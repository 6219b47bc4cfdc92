#include "solvers/stable/potential.h"

#include <gtest/gtest.h>

#include <random>

#include "solvers/chain.h"

namespace tendril::solvers::stable {
namespace {

using testing::RodOptions;
using testing::Scene;

// a rod with everything: curved rest, unequal stiffnesses, damping, a held axis, a bob with an offset, a turned joint
class Potential : public ::testing::Test {
 protected:
  Potential() {
    RodOptions o;
    o.segments = 6, o.EA = 300, o.GA = 120, o.EI1 = 2, o.EI2 = 3, o.GJ = 1.2;
    o.damping = 0.7, o.internal_damping = 0.02;
    scene_.add_chain(o);
    for (Bend& bend : scene_.model.bends) bend.rest = normalized(Quatd{1, 0.1, 0.2, -0.1});
    scene_.model.bends[2].turn = normalized(Quatd{0.5, 0.5, 0.1, 0.3});
    scene_.model.bends[2].rest = scene_.model.bends[2].rest * scene_.model.bends[2].turn;
    scene_.clamp(0, 0, o);
    scene_.model.bends.back().GJ = 0;
    Body bob;
    bob.kind = BodyKind::dynamic, bob.mass = 0.4, bob.inertia = {0.01, 0.02, 0.03};
    const int body = scene_.add_body(bob, {scene_.state.x[6] + Vec3d{0.05, 0.1, 0}, normalized(Quatd{1, 0.3, 0, 0.2})});
    Tie tie;
    tie.vertex = 6, tie.body = body;
    tie.offset = rotate(conjugate(scene_.state.body_q[body]), {-0.05, -0.1, 0});
    scene_.model.ties.push_back(tie);
    scene_.add_bend({body, true}, {5, false}, 0.1, o);
    scene_.fill_inputs();
    shake(0.02);
    for (Vec3d& v : scene_.state.v) v = 0.3 * vector();
    scene_.state.body_omega[body] = {1, 2, -3};
    problem_.reset(scene_.model);
    problem_.begin_step(scene_.inputs, 0.02, scene_.state);
    shake(0.05);
  }

  Vec3d vector() { return {normal_(generator_), normal_(generator_), normal_(generator_)}; }
  void shake(double size) {
    for (Vec3d& x : scene_.state.x) x += size * 0.2 * vector();
    for (Quatd& q : scene_.state.q) q = quaternion_exp(size * vector()) * q;
    scene_.state.body_x[1] += size * vector();
    scene_.state.body_q[1] = quaternion_exp(size * vector()) * scene_.state.body_q[1];
    place_followers(scene_.state);
  }
  void place_followers(State& state) const {
    const Tie& tie = scene_.model.ties.back();
    state.x[tie.vertex] = state.body_x[tie.body] + rotate(state.body_q[tie.body], tie.offset);
  }
  // the central difference of the potential along a change of the state
  template <class Change>
  double difference(Change change) {
    const double step = 1e-6;
    State plus = scene_.state, minus = scene_.state;
    change(plus, step), change(minus, -step);
    place_followers(plus), place_followers(minus);
    return (incremental_potential(problem_, plus) - incremental_potential(problem_, minus)) / (2 * step);
  }

  std::mt19937 generator_{3};
  std::normal_distribution<double> normal_;
  Scene scene_;
  StepProblem problem_;
};

TEST_F(Potential, BalanceIsItsGradient) {
  const Balance b = balance(problem_, scene_.state);
  const double tolerance = 1e-7 * (b.force_scale + b.torque_scale);
  double largest = 0;
  for (int k = 0; k < 3; ++k) {
    Vec3d axis;
    axis[k] = 1;
    for (std::size_t i = 1; i < 6; ++i) {
      EXPECT_NEAR(b.force[i][k], difference([&](State& s, double e) { s.x[i] += e * axis; }), tolerance);
      largest = std::max(largest, std::abs(b.force[i][k]));
    }
    for (std::size_t q = 0; q < 6; ++q)
      EXPECT_NEAR(b.torque[q][k], difference([&](State& s, double e) { s.q[q] = quaternion_exp(e * axis) * s.q[q]; }),
                  tolerance);
    EXPECT_NEAR(b.body_force[1][k], difference([&](State& s, double e) { s.body_x[1] += e * axis; }), tolerance);
    EXPECT_NEAR(b.body_torque[1][k],
                difference([&](State& s, double e) { s.body_q[1] = quaternion_exp(e * axis) * s.body_q[1]; }),
                tolerance);
  }
  EXPECT_GT(largest, 1e3 * tolerance);  // there was something to compare
}

TEST_F(Potential, HeldAndSlavedVerticesAreInBalance) {
  const Balance b = balance(problem_, scene_.state);
  EXPECT_EQ(b.force[0], Vec3d{});
  EXPECT_EQ(b.force[6], Vec3d{});
  EXPECT_EQ(b.body_force[0], Vec3d{});
}

TEST_F(Potential, MomentsAddToTheTorque) {
  const Vec3d before = balance(problem_, scene_.state).torque[2];
  scene_.inputs.end.moment.assign(6, {});
  scene_.inputs.end.moment[2] = {1, 2, 3};
  problem_.begin_step(scene_.inputs, 0.02, problem_.begin);
  EXPECT_LT(norm(balance(problem_, scene_.state).torque[2] - before + Vec3d{1, 2, 3}), 1e-12);
}

TEST(BendTerms, AreTheSameFromBothEnds) {
  Scene scene;
  RodOptions o;
  o.segments = 2, o.EI1 = 1, o.EI2 = 2, o.GJ = 0.5;
  scene.add_chain(o);
  scene.model.bends[0].rest = normalized(Quatd{1, 0.2, -0.3, 0.1});
  scene.fill_inputs();
  StepProblem problem;
  problem.reset(scene.model);
  problem.begin_step(scene.inputs, 0.01, scene.state);
  const Quatd a = normalized(Quatd{1, 2, 3, 4}), b = normalized(Quatd{2, 1, 3, 5});
  const BendTerm& term = problem.bends[0];
  EXPECT_LT(norm(relative_turn(reversed(term), b, a) - conjugate(relative_turn(term, a, b))), 1e-14);
  EXPECT_LT(norm(relative_turn(term, a, a * scene.model.bends[0].rest) - Quatd{}), 1e-14);
}

// without twisting stiffness a segment spins freely about the axis that a body holds, even where the rest is bent
TEST(BendTerms, AHeldAxisLeavesTheSpinFree) {
  Scene scene;
  RodOptions o;
  o.segments = 1, o.EI1 = o.EI2 = 2, o.GJ = 0;
  scene.add_chain(o);
  scene.clamp(0, 0, o);
  scene.model.bends[0].rest = normalized(Quatd{1, 0.2, -0.3, 0.1});
  scene.state.q[0] = scene.state.body_q[0] * scene.model.bends[0].rest;
  scene.fill_inputs();
  StepProblem problem;
  problem.reset(scene.model);
  problem.begin_step(scene.inputs, 0.01, scene.state);
  const auto bend_energy = [&] {
    const Quatd rho = relative_turn(problem.bends[0], scene.state.body_q[0], scene.state.q[0]);
    return problem.bends[0].k[1] * (rho.x * rho.x + rho.y * rho.y);
  };
  EXPECT_LT(bend_energy(), 1e-28);
  const Vec3d axis = director3(scene.state.body_q[0]);
  scene.state.q[0] = quaternion_exp(1.3 * axis) * scene.state.q[0];
  EXPECT_LT(bend_energy(), 1e-28);
  EXPECT_GT(problem.bends[0].k[1], 0);
  EXPECT_EQ(problem.bends[0].k[0], 0);
}

}  // namespace
}  // namespace tendril::solvers::stable
