#include "solvers/alpha/solver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "contact/contact.h"
#include "math/thread_team.h"
#include "rod/energy.h"
#include "rod/momentum.h"
#include "solvers/chain.h"

namespace tendril::alpha {
namespace {

using testing::RodOptions;
using testing::Scene;

RodOptions wire() {
  RodOptions o;
  o.segments = 8, o.EA = 1e3, o.GA = 5e2, o.EI1 = o.EI2 = 0.5, o.GJ = 0.4, o.linear_density = 0.2;
  return o;
}

void give_inertia(Scene& scene, double radius) {
  for (Segment& s : scene.model.segments)
    s.linear_inertia = s.linear_density * radius * radius * Vec3d{0.25, 0.25, 0.5};
}

// so many steps; every one is solved
void advance(Scene& scene, Solver& solver, double h, int steps) {
  ThreadTeam team(1);
  solver.reset(scene.model, scene.state, team);
  Contact contact;
  for (int n = 0; n < steps; ++n) {
    scene.inputs.begin.time = n * h, scene.inputs.end.time = (n + 1) * h;
    const StepReport report = solver.step(scene.inputs, contact, h, scene.state);
    ASSERT_TRUE(report.converged) << "step " << n << ", residual " << report.residual;
    scene.state.time += h;
  }
}

Scene swinging() {
  Scene scene = testing::cantilever(wire());
  scene.model.gravity = {0, 0.5, -9.81};
  give_inertia(scene, 0.02);
  scene.fill_inputs();
  return scene;
}

Vec3d tip_after(const Options& options, int steps) {
  Scene scene = swinging();
  AlphaSolver solver(options);
  advance(scene, solver, 0.12 / steps, steps);
  return scene.state.x.back();
}

// errors fall by 2^p with half the step
double order(const Options& options) {
  const Vec3d coarse = tip_after(options, 24), middle = tip_after(options, 48), fine = tip_after(options, 96);
  return std::log2(norm(coarse - middle) / norm(middle - fine));
}

TEST(AlphaSolver, IsOfSecondOrderInTimeWithAnyRho) {
  for (double rho : {0.0, 0.5, 0.9}) {
    Options o;
    o.rho_infinity = rho, o.tolerance = 1e-11;
    EXPECT_NEAR(order(o), 2, 0.15) << rho;
  }
}

TEST(AlphaSolver, TheTalksWeightsAreOfFirstOrder) {
  for (const Coefficients c : {Coefficients::talk_single, Coefficients::talk_all}) {
    Options o;
    o.coefficients = c, o.tolerance = 1e-11;
    EXPECT_NEAR(order(o), 1, 0.15);
  }
  Options talk, euler;
  talk.coefficients = Coefficients::talk_all, euler.coefficients = Coefficients::euler;
  talk.tolerance = euler.tolerance = 1e-12;
  EXPECT_LT(norm(tip_after(talk, 24) - tip_after(euler, 24)), 1e-9);
}

}  // namespace
}  // namespace tendril::alpha
