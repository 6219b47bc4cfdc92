#include "rod/strain.h"

#include <gtest/gtest.h>

#include "contact/contact.h"
#include "math/thread_team.h"
#include "solvers/chain.h"

// strain = "paper"

namespace tendril::solvers::direct {
namespace {

using solvers::testing::RodOptions;
using solvers::testing::Scene;

const Quatd q_a = quaternion_exp({0.3, -0.2, 0.5}), rest = quaternion_exp({0.2, 0.1, -0.1});
Quatd beyond_rest(double angle) { return q_a * rest * quaternion_exp(angle * normalized(Vec3d{1, -2, 0.7})); }

// d angle = jacobian R(frame)ᵀ (turn of b - turn of a)
TEST(QuaternionStrain, ItsJacobianIsItsDerivative) {
  const Quatd q_b = beyond_rest(0.9);
  const BendStrain at = quaternion_strain(q_a, q_b, rest);
  constexpr double d = 1e-6;
  for (int k = 0; k < 3; ++k) {
    Vec3d turn;
    turn[k] = d;
    const Quatd by = quaternion_exp(turn);
    const Vec3d told = at.jacobian * rotate(conjugate(at.frame), (1 / d) * turn);
    const auto slope = [&](const BendStrain& more, const BendStrain& less) {
      return (0.5 / d) * (more.angle - less.angle);
    };
    const Vec3d of_b = slope(quaternion_strain(q_a, by * q_b, rest), quaternion_strain(q_a, conjugate(by) * q_b, rest));
    const Vec3d of_a = slope(quaternion_strain(by * q_a, q_b, rest), quaternion_strain(conjugate(by) * q_a, q_b, rest));
    EXPECT_LT(norm(of_b - told), 1e-9);
    EXPECT_LT(norm(of_a + told), 1e-9);
    EXPECT_GT(norm(told), 0.5);
  }
}

// 2 sin(a/2) = a (1 - a²/24 + …) from a straight rest
TEST(QuaternionStrain, DiffersFromTheAngleBySecondOrder) {
  for (double a : {0.4, 0.2, 0.1}) {
    const Quatd turned = q_a * quaternion_exp({0, a, 0});
    const double angle = bend_strain(q_a, turned, {}, {1, 1, 1}).angle.y,
                 published = quaternion_strain(q_a, turned, {}).angle.y;
    EXPECT_NEAR(angle, a, 1e-12);
    EXPECT_NEAR((angle - published) / (a * a * a), 1.0 / 24, 2e-4);
  }
  const double near = norm(bend_strain(q_a, beyond_rest(1e-3), rest, {1, 1, 1}).angle), half = std::cos(0.5 * 0.245);
  EXPECT_NEAR(norm(quaternion_strain(q_a, beyond_rest(1e-3), rest).angle) / near, 1, 1 - half);
}

// the far end of a rod that its load bends far
Vec3d tip(int segments, const char* strain) {
  RodOptions o;
  o.length = 1, o.segments = segments;
  o.EA = o.GA = 1e5, o.EI1 = o.EI2 = o.GJ = 1;
  o.linear_density = 1, o.damping = 1;
  Scene s = cantilever(o);
  s.model.gravity = {};
  s.fill_inputs();
  for (Instant* instant : {&s.inputs.begin, &s.inputs.end}) instant->force.back() = {0, 0, -4};
  const auto solver = find_solver("direct")->make({{"strain", std::string(strain)}});
  ThreadTeam team(1);
  solver->reset(s.model, s.state, team);
  Contact contact;
  for (int n = 0; n < 100; ++n) {
    const StepReport report = solver->step(s.inputs, contact, 0.5, s.state);
    EXPECT_TRUE(report.converged);
    s.state.time += 0.5;
  }
  return s.state.x.back();
}

// with half as long segments the angles between them are half as large, and the difference is a quarter
TEST(QuaternionStrain, IsSofterBySecondOrderInTheLengthOfSegments) {
  const Vec3d coarse = tip(32, "paper") - tip(32, "default"), fine = tip(64, "paper") - tip(64, "default");
  EXPECT_LT(coarse.z, -1e-4) << "it bends farther";
  EXPECT_NEAR(norm(coarse) / norm(fine), 4, 0.2);
}

}  // namespace
}  // namespace tendril::solvers::direct
