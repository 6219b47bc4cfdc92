// refinement converges at the order that is stated

#include <cmath>

#include "conformance.h"

namespace tendril::app::conformance {
namespace {

// with errors proportional to (step)^p the differences of three solutions, each with half the step, fall by 2^p
double observed_order(const Vec3d& coarse, const Vec3d& middle, const Vec3d& fine) {
  return std::log2(norm(coarse - middle) / norm(middle - fine));
}

// a beam bent far by a load at its end, at equilibrium
Vec3d settled_tip(const SolverInfo& solver, int segments) {
  const auto simulation = start(solver, world(0.01, {}) + material({}) +
                                            rod("beam", segments, line({0, 0, 0}, {1, 0, 0}), "clamp = \"start\"") +
                                            force("beam", "\"end\"", {0, 0, -0.5}));
  settle(*simulation);
  return end_of(*simulation, "beam");
}

void segments_converge_at_second_order(const SolverInfo& solver) {
  const Vec3d coarse = settled_tip(solver, 5), middle = settled_tip(solver, 10), fine = settled_tip(solver, 20);
  EXPECT_NEAR(observed_order(coarse, middle, fine), 2, 0.1);
  EXPECT_LT(fine.z, -0.25);  // far indeed
}

// a bow that swings freely from its clamp
Vec3d swung_tip(const SolverInfo& solver, int steps) {
  const double duration = 0.12;
  const auto simulation = start(solver, world(duration / steps, {0, 0, -gravity}) + material({}) +
                                            rod("beam", 6, line({0, 0, 0}, {1, 0, 0}), "clamp = \"start\""));
  advance(*simulation, steps);
  return end_of(*simulation, "beam");
}

void time_converges_at_the_stated_order(const SolverInfo& solver) {
  // stretching is over in 9 ms: the second order shows where steps follow it
  const int steps = solver.capabilities.order_in_time > 1 ? 90 : 30;
  const Vec3d coarse = swung_tip(solver, steps), middle = swung_tip(solver, 2 * steps),
              fine = swung_tip(solver, 4 * steps);
  EXPECT_NEAR(observed_order(coarse, middle, fine), solver.capabilities.order_in_time, 0.15);
}

}  // namespace

std::vector<Property> order_properties() {
  return {
      {"segments_converge_at_second_order", segments_converge_at_second_order},
      {"time_converges_at_the_stated_order", time_converges_at_the_stated_order},
  };
}

}  // namespace tendril::app::conformance
