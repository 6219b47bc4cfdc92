// small deflections at equilibrium, against closed forms

#include <cmath>

#include "conformance.h"

namespace tendril::app::conformance {
namespace {

constexpr double h = 0.01;
constexpr int segments = 8;

std::string cantilever(const Wire& wire, const Vec3d& load) {
  return world(h, {}) + material(wire) +
         rod("beam", segments, line({0, 0, 0}, {1, 0, 0}), "clamp = \"start\"\nnormal = [0, 1, 0]") +
         force("beam", "\"end\"", load);
}

Vec3d settled_tip(const SolverInfo& solver, const Wire& wire, const Vec3d& load) {
  advance(*start(solver, cantilever(wire, load)), 1);  // what cannot take a step cannot settle
  if (testing::Test::HasFatalFailure()) return {};
  const auto simulation = start(solver, cantilever(wire, load));
  settle(*simulation);
  return end_of(*simulation, "beam");
}

// P L³/3EI + P L/GA, bending summed as the bends do: moments P (L - x) at the vertices turn by M l / EI, half of it at
// the clamp
double deflection(double load, double EI, double GA) {
  const double l = 1.0 / segments;
  double slope = 0, sag = 0;
  for (int i = 0; i < segments; ++i) {
    slope += (i == 0 ? 0.5 * l : l) * load * (1 - i * l) / EI;
    sag += slope * l;
  }
  return sag + load / GA;
}

constexpr double small = 3e-3;   // [N]: deflects by 2e-3 L, so that what is not linear is (w/L)² ~ 4e-6
constexpr double linear = 2e-5;  // with some room

void a_cantilever_bends_by_its_stiffness(const SolverInfo& solver) {
  const Wire wire;
  const double z = settled_tip(solver, wire, {0, 0, -small}).z, expected = deflection(small, wire.EI1, wire.GA);
  EXPECT_NEAR(-z, expected, linear * expected);
  EXPECT_NEAR(expected, small / (3 * wire.EI1), 0.02 * expected);  // P L³/3EI
}

// the deflection is the same whatever is stiffer, and when all is equally stiff; twist takes no part in it
void a_cantilever_does_not_feel_its_torsion(const SolverInfo& solver) {
  for (double GJ : {0.2, 0.5, 2.0})
    for (double EA : {5e2, 1e3}) {
      Wire wire;
      wire.EA = EA, wire.GJ = GJ;
      SCOPED_TRACE(fmt::format("EI 0.5, GJ {}, GA 500, EA {}", GJ, EA));
      const double z = settled_tip(solver, wire, {0, 0, -small}).z, expected = deflection(small, wire.EI1, wire.GA);
      EXPECT_NEAR(-z, expected, linear * expected);
    }
}

void ten_times_the_stiffness_is_a_tenth_of_the_deflection(const SolverInfo& solver) {
  Wire soft, stiff;
  stiff.EA *= 10, stiff.GA *= 10, stiff.EI1 *= 10, stiff.EI2 *= 10, stiff.GJ *= 10;
  const double ratio = settled_tip(solver, soft, {0, 0, -small}).z / settled_tip(solver, stiff, {0, 0, -small}).z;
  EXPECT_NEAR(ratio, 10, 10 * linear);
}

// d1 is y, d2 is z: a force along z bends about d1, along y about d2
void an_anisotropic_section_bends_about_its_own_axes(const SolverInfo& solver) {
  Wire flat;
  flat.EI1 = 0.3, flat.EI2 = 1.2;
  const double z = settled_tip(solver, flat, {0, 0, small}).z, y = settled_tip(solver, flat, {0, small, 0}).y;
  const double about_d1 = deflection(small, 0.3, flat.GA), about_d2 = deflection(small, 1.2, flat.GA);
  EXPECT_NEAR(z, about_d1, linear * about_d1);
  EXPECT_NEAR(y, about_d2, linear * about_d2);
  // a force half-way between them pulls the tip aside
  const Vec3d tip = settled_tip(solver, flat, {0, small, small});
  EXPECT_NEAR(tip.z, about_d1, 2 * linear * about_d1);
  EXPECT_NEAR(tip.y, about_d2, 2 * linear * about_d1);
}

// EA and GJ: a pull stretches by P L / EA, a moment twists the end by M L / GJ
void stretch_and_twist_follow_their_stiffness(const SolverInfo& solver) {
  const Wire wire;
  if (solver.capabilities.extensible) {
    const double x = settled_tip(solver, wire, {10, 0, 0}).x;
    EXPECT_NEAR(x - 1, 10 / wire.EA, 1e-6 * 10 / wire.EA + 1e-11);
  }
  const auto simulation = start(solver, world(h, {}) + material(wire) +
                                            rod("beam", segments, line({0, 0, 0}, {1, 0, 0}), "clamp = \"start\"") +
                                            "[[load]]\nrod = \"beam\"\nat = \"end\"\nmoment = [0.02, 0, 0]\n");
  const Quatd before = simulation->state().q[segments - 1];
  settle(*simulation);
  const Vec3d turn = quaternion_log(simulation->state().q[segments - 1] * conjugate(before));
  const double expected = 0.02 * (1 - 0.5 / segments) / wire.GJ;  // the middle of the last segment
  EXPECT_NEAR(turn.x, expected, 1e-4 * expected);
}

// An equilibrium, which is found without damping, is one with damping too. The load bends by 0.07 L, so a damping that
// carried a hundredth of it would let the tip move by 1e-3 in these steps.
void damping_does_not_change_statics(const SolverInfo& solver) {
  const Vec3d load{0, 0, -0.1};
  std::vector<std::string> kinds = {"damping = 0.0", "damping = 10.0"};
  if (solver.capabilities.internal_damping) kinds.push_back("internal_damping = 0.03");
  for (const std::string& damping : kinds) {
    SCOPED_TRACE(damping);
    const auto simulation = start(solver, cantilever({.more = damping}, load));
    settle(*simulation);
    const std::vector<Vec3d> x = simulation->state().x;
    EXPECT_LT(x.back().z, -0.06);
    advance(*simulation, 30);
    EXPECT_LE(largest_distance(simulation->state().x, x), 1e-6);
  }
}

}  // namespace

std::vector<Property> statics_properties() {
  return {
      {"a_cantilever_bends_by_its_stiffness", a_cantilever_bends_by_its_stiffness, {&Capabilities::shearable}},
      {"a_cantilever_does_not_feel_its_torsion", a_cantilever_does_not_feel_its_torsion, {&Capabilities::shearable}},
      {"ten_times_the_stiffness_is_a_tenth_of_the_deflection", ten_times_the_stiffness_is_a_tenth_of_the_deflection},
      {"an_anisotropic_section_bends_about_its_own_axes",
       an_anisotropic_section_bends_about_its_own_axes,
       {&Capabilities::anisotropic, &Capabilities::shearable}},
      {"stretch_and_twist_follow_their_stiffness", stretch_and_twist_follow_their_stiffness},
      {"damping_does_not_change_statics", damping_does_not_change_statics},
  };
}

}  // namespace tendril::app::conformance
