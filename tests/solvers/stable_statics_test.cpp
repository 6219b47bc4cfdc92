#include <gtest/gtest.h>

#include "contact/contact.h"
#include "math/thread_team.h"
#include "solvers/chain.h"
#include "solvers/stable/potential.h"
#include "solvers/stable/solver.h"

namespace tendril::solvers::stable {
namespace {

using testing::cantilever;
using testing::RodOptions;
using testing::Scene;

// one step so long that inertia plays no part
void settle(Scene& scene, double tolerance = 1e-8) {
  Options options;
  options.tolerance = tolerance, options.iterations = 50000;
  StableSolver solver(options);
  ThreadTeam team(1);
  solver.reset(scene.model, scene.state, team);
  Contact contact;
  const StepReport report = solver.step(scene.inputs, contact, 1e3, scene.state);
  EXPECT_TRUE(report.converged) << report.residual;
  EXPECT_LT(residual(solver.problem(), scene.state), 2 * tolerance);
}

double deflection(RodOptions o, const Vec3d& force) {
  Scene scene = cantilever(o);
  const Vec3d start = scene.state.x.back();
  scene.inputs.end.force.back() = force;
  settle(scene);
  return dot(scene.state.x.back() - start, force) / norm(force);
}

// tip of a Timoshenko cantilever: P L³/3EI + P L/GA
TEST(StableStatics, CantileverConvergesWithSecondOrder) {
  RodOptions o;
  o.EA = o.GA = 1e3, o.EI1 = o.EI2 = o.GJ = 1;
  const double P = 1e-4, exact = P / (3 * o.EI1) + P / o.GA;
  double error[3];
  for (int k = 0; k < 3; ++k) {
    o.segments = 10 << k;
    error[k] = std::abs(deflection(o, {0, P, 0}) / exact - 1);
  }
  EXPECT_LT(error[0], 0.01);
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.1);
  EXPECT_NEAR(std::log2(error[1] / error[2]), 2, 0.1);
}

// the rod lies along x with d1 = z, so d2 = y: a force along y bends about d1, one along z about d2
TEST(StableStatics, AnisotropicCantileverBendsAboutItsOwnAxes) {
  RodOptions o;
  o.segments = 20, o.EA = 1e3, o.GA = 400, o.EI1 = 1, o.EI2 = 3, o.GJ = 0.7;
  const double P = 1e-4, shear = P / o.GA;
  EXPECT_NEAR(deflection(o, {0, P, 0}) / (P / 3 + shear), 1, 0.003);
  EXPECT_NEAR(deflection(o, {0, 0, P}) / (P / 9 + shear), 1, 0.003);
}

// a rod that is stiff in bending only shears: P L / GA
TEST(StableStatics, ShearsUnderATransverseForce) {
  RodOptions o;
  o.segments = 5, o.EA = 500, o.GA = 100, o.EI1 = o.EI2 = o.GJ = 1e4;
  const double P = 1e-3;
  EXPECT_NEAR(deflection(o, {0, 0, P}) / (P / o.GA + P / (3 * o.EI1)), 1, 1e-4);
}

TEST(StableStatics, StretchesByHookesLaw) {
  for (double GA : {500.0, 100.0, 900.0}) {
    RodOptions o;
    o.segments = 7, o.EA = 500, o.GA = GA;
    EXPECT_NEAR(deflection(o, {50, 0, 0}), 0.1, 1e-8) << "GA " << GA;
  }
}

// half a bend at the clamp, then one per segment: the last segment turns by tau (L - l/2) / GJ
TEST(StableStatics, TwistsByItsTorsionalStiffness) {
  RodOptions o;
  o.segments = 10, o.GJ = 0.5;
  Scene scene = cantilever(o);
  const Quatd start = scene.state.q.back();
  const double torque = 1e-3;
  scene.inputs.end.moment.assign(10, {});
  scene.inputs.end.moment.back() = {torque, 0, 0};
  settle(scene);
  const Vec3d turn = quaternion_log(scene.state.q.back() * conjugate(start));
  EXPECT_NEAR(turn.x / (torque * 0.95 / o.GJ), 1, 1e-6);
  EXPECT_LT(norm(turn - Vec3d{turn.x, 0, 0}), 1e-9);
}

// an end moment bends a straight rod into an arc of angle m (L - l/2) / EI, up to the law of the bends (theta²/24 or
// theta²/6)
TEST(StableStatics, RollsUpUnderAnEndMoment) {
  for (bool isotropic : {true, false}) {
    RodOptions o;
    o.segments = 20, o.EA = o.GA = 1e3, o.GJ = isotropic ? 1.0 : 0.6;
    Scene scene = cantilever(o);
    const Quatd start = scene.state.q.back();
    const double m = 2.0;  // 2 rad over the rod
    scene.inputs.end.moment.assign(20, {});
    scene.inputs.end.moment.back() = {0, m, 0};
    settle(scene);
    const double angle = quaternion_log(scene.state.q.back() * conjugate(start)).y;
    EXPECT_NEAR(angle, m * 0.975, 1e-3 * m) << (isotropic ? "isotropic" : "general");
  }
}

// a natural curvature costs nothing, whatever the stiffnesses; a hair of a load gives the tolerance its meaning
TEST(StableStatics, TakesItsNaturalCurvature) {
  RodOptions o;
  o.segments = 12, o.EI1 = 1, o.EI2 = 4, o.GJ = 0.5, o.GA = 3e3;
  Scene scene = cantilever(o);
  const double l = 1.0 / 12;
  for (Bend& bend : scene.model.bends)
    if (!bend.a.is_body) bend.rest = quaternion_exp(l * Vec3d{1.5, 0.7, 0.9});
  scene.inputs.end.force.back() = {0, 0, 1e-6};
  settle(scene, 1e-3);
  for (const Bend& bend : scene.model.bends) {
    if (bend.a.is_body) continue;
    const Quatd turn = conjugate(scene.state.q[bend.a.index]) * scene.state.q[bend.b.index];
    EXPECT_NEAR(std::abs(dot(turn, bend.rest)), 1, 1e-12);
  }
}

TEST(StableStatics, ABentHoldOfTheAxisAloneLetsTheRodSpin) {
  RodOptions o;
  o.segments = 5;
  Scene scene = cantilever(o);
  scene.model.bends.back().GJ = 0;
  for (Quatd& q : scene.state.q) q = quaternion_exp({0.8, 0, 0}) * q;  // spun about its own axis
  const State before = scene.state;
  settle(scene);
  for (int s = 0; s < 5; ++s) EXPECT_NEAR(std::abs(dot(scene.state.q[s], before.q[s])), 1, 1e-12);
  EXPECT_LT(norm(scene.state.x.back() - before.x.back()), 1e-9);
}

// the sweeps of the approximate lambda come to rest too, elsewhere
TEST(StableStatics, ApproximateLambdaIsANearbyMaterial) {
  RodOptions o;
  o.segments = 10, o.EA = o.GA = 1e3;
  double tip[2];
  for (bool approximate : {false, true}) {
    Scene scene = cantilever(o);
    scene.inputs.end.force.back() = {0, 0, -1};
    Options options;
    options.iterations = 20000, options.tolerance = 1e-9;
    if (approximate) options.lambda = Lambda::approximate;
    StableSolver solver(options);
    ThreadTeam team(1);
    solver.reset(scene.model, scene.state, team);
    Contact contact;
    EXPECT_TRUE(solver.step(scene.inputs, contact, 1e3, scene.state).converged);
    tip[approximate] = scene.state.x.back().z;
  }
  EXPECT_NEAR(tip[1] / tip[0], 1, 0.05);
  EXPECT_NE(tip[1], tip[0]);
}

}  // namespace
}  // namespace tendril::solvers::stable
