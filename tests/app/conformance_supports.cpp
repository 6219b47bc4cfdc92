// what is held stays held, what is driven goes where it is told, what is released or broken goes free

#include <cmath>
#include <numbers>

#include "conformance.h"
#include "rod/momentum.h"

namespace tendril::app::conformance {
namespace {

constexpr double h = 0.01, pi = std::numbers::pi;

std::string drive(const std::string& at, const std::string& motion) {
  return fmt::format("[[drive]]\nrod = \"cord\"\nat = {}\n{}\n", at, motion);
}

// One end follows keys and a sine, the other turns about a point; in between the rod hangs. One that cannot stretch is
// an arch, which can follow.
void clamps_and_drives_are_met_exactly(const SolverInfo& solver) {
  const bool stretches = solver.capabilities.extensible;
  const std::string curve = stretches ? line({0, 0, 0}, {1, 0, 0}) : arc({0.5, 0, 0}, {0, 0, 0}, {0, 1, 0}, pi);
  const auto simulation = start(
      solver,
      world(h, {0, 0, -gravity}) + material({.more = "damping = 1.0"}) +
          rod("cord", 10, curve, "clamp = [\"start\", \"end\"]\npin = 5") +
          drive("\"start\"", "translate = { keys = [[0, 0, 0, 0], [0.1, 0.02, 0, 0], [0.25, 0.02, -0.03, 0.1]] }") +
          drive("5", "translate = { sine = { amplitude = [0, 0.03, 0.01], frequency = 3.0, phase = 0.4 } }") +
          drive("\"end\"", "rotate = { axis = [0, 1, 0], rate = 0.8 }\nabout = [0.8, 0, 0]\nfrom = 0.1\nuntil = 0.3"));
  const State at_start = simulation->state();
  const auto body_at = [&](int vertex) {
    for (const Tie& tie : simulation->model().ties)
      if (tie.vertex == vertex) return tie.body;
    return -1;
  };
  const int start_body = body_at(0), end_body = body_at(10);
  for (int k = 1; k <= 40; ++k) {
    advance(*simulation, 1);
    const double t = k * h;
    const State& now = simulation->state();
    const double u = std::min(t / 0.1, 1.0), w = std::clamp((t - 0.1) / 0.15, 0.0, 1.0);
    const Vec3d led = at_start.x[0] + Vec3d{0.02 * u, -0.03 * w, 0.1 * w};
    const Vec3d shaken = at_start.x[5] + std::sin(6 * pi * t + 0.4) * Vec3d{0, 0.03, 0.01};
    const Quatd turn = quaternion_exp({0, 0.8 * std::clamp(t - 0.1, 0.0, 0.2), 0});
    const Vec3d turned = Vec3d{0.8, 0, 0} + rotate(turn, at_start.x[10] - Vec3d{0.8, 0, 0});
    EXPECT_LE(norm(now.x[0] - led), 1e-14) << "t = " << t;
    EXPECT_LE(norm(now.body_x[start_body] - led), 1e-14);
    EXPECT_LE(angle_between(now.body_q[start_body], at_start.body_q[start_body]), 1e-7);
    EXPECT_LE(norm(now.x[5] - shaken), 1e-14) << "t = " << t;
    EXPECT_LE(norm(now.x[10] - turned), 1e-14) << "t = " << t;
    EXPECT_LE(angle_between(now.body_q[end_body], turn * at_start.body_q[end_body]), 1e-7);
    const Vec3d shaking = 6 * pi * std::cos(6 * pi * t + 0.4) * Vec3d{0, 0.03, 0.01};
    EXPECT_LE(norm(now.v[5] - shaking), 1e-12) << "t = " << t;
  }
}

// A beam clamped at both ends under a load w per length. At the vertices the moment is M0 + w x (L - x) / 2 as in the
// continuum; bends turn by M l / EI, the half bends at the clamps by half of it, and all turns add up to nothing.
double clamped_sag(const Wire& wire, double load, int n) {
  const double l = 1.0 / n;
  const auto weight = [&](int i) { return i == 0 || i == n ? 0.5 * l : l; };
  double sum = 0;
  for (int i = 0; i <= n; ++i) sum += weight(i) * load * i * l * (1 - i * l) / 2;
  double slope = 0, sag = 0;
  for (int i = 0; i < n / 2; ++i) {
    slope += weight(i) * (load * i * l * (1 - i * l) / 2 - sum) / wire.EI1;
    sag -= slope * l;
  }
  return sag + load / (8 * wire.GA);
}

void a_beam_held_at_both_ends_sags(const SolverInfo& solver) {
  const Wire wire;
  const int n = 16;
  const double weak = 0.1;  // a sag of 1e-4 L: the tension EA (sag/L)² that it brings stiffens the beam by 1e-6
  const auto straight = start(solver, world(h, {0, 0, -weak}) + material(wire) +
                                          rod("beam", n, line({0, 0, 0}, {1, 0, 0}), "clamp = [\"start\", \"end\"]"));
  settle(*straight);
  const double sag = -straight->state().x[n / 2].z, expected = clamped_sag(wire, weak * wire.linear_density, n);
  EXPECT_NEAR(sag, expected, 1e-4 * expected);
  // w L⁴ / 384 EI + w L² / 8 GA, up to the second order in the length of a segment
  const double continuum = weak * wire.linear_density * (1 / (384 * wire.EI1) + 1 / (8 * wire.GA));
  EXPECT_NEAR(expected, continuum, 10.0 / (n * n) * expected);
}

void an_arch_held_at_both_ends_stands(const SolverInfo& solver) {
  const int n = 16;
  const auto bent =
      start(solver, world(h, {0, 0, -gravity}) + material({.more = "damping = 2.0"}) +
                        rod("arch", n, arc({0, 0, 0}, {0.8, 0, 0}, {0, -1, 0}, pi), "clamp = [\"start\", \"end\"]"));
  const State at_start = bent->state();
  for (int k = 0; k < 100; ++k) {
    advance(*bent, 1);
    EXPECT_EQ(bent->state().x[0], at_start.x[0]);
    EXPECT_EQ(bent->state().x[n], at_start.x[n]);
  }
  // the arch of half a circle keeps standing: it yields by w R⁴ / EI = 1.6 m times a number of the order of 1/60
  EXPECT_LT(largest_distance(bent->state().x, at_start.x), 0.1);
  EXPECT_GT(bent->state().x[n / 2].z, 0.7);
}

// The far end turns the rod by one radian about its own axis. A held axis lets it turn, a clamp does not.
void a_held_axis_leaves_the_spin_free(const SolverInfo& solver) {
  const auto turned_by = [&](const std::string& frame) {
    const auto simulation =
        start(solver, world(h, {}) + material({.more = "damping = 20.0"}) +
                          rod("cord", 8, line({0, 0, 0}, {1, 0, 0}), "clamp = \"end\"") +
                          fmt::format("[[hold]]\nrod = \"cord\"\nat = \"start\"\nframe = \"{}\"\n", frame) +
                          drive("\"end\"", "rotate = { axis = [1, 0, 0], keys = [[0, 0], [0.2, 1.0]] }"));
    const Quatd q = simulation->state().q[0];
    advance(*simulation, 200);  // twisting back and forth fades by e^-10 per second
    for (const Vec3d& x : simulation->state().x) EXPECT_LE(std::hypot(x.y, x.z), 1e-9);
    return angle_between(simulation->state().q[0], q);
  };
  EXPECT_NEAR(turned_by("axis"), 1, 1e-6);
  EXPECT_NEAR(turned_by("all"), 1.0 / 16, 1e-4);  // half a segment from the clamp

  // across, the axis is held like a clamp
  const auto bent_by = [&](const std::string& frame) {
    const auto simulation =
        start(solver, world(h, {}) + material({.more = "damping = 20.0"}) + rod("cord", 8, line({0, 0, 0}, {1, 0, 0})) +
                          force("cord", "\"end\"", {0, 0, -0.01}) +
                          fmt::format("[[hold]]\nrod = \"cord\"\nat = \"start\"\nframe = \"{}\"\n", frame));
    settle(*simulation);
    return end_of(*simulation, "cord").z;
  };
  const double clamped = bent_by("all");
  EXPECT_LT(clamped, -0.005);
  EXPECT_NEAR(bent_by("axis"), clamped, 1e-5 * std::abs(clamped));
}

// a rod flies with its clamp; when the clamp lets go it flies on
void release_keeps_the_velocity(const SolverInfo& solver) {
  const Vec3d velocity{0.4, 0.3, -0.2};
  for (const char* frame : {"none", "all"}) {
    const auto simulation =
        start(solver,
              world(h, {}) + material({}) + rod("cord", 8, line({0, 0, 0}, {1, 0, 0}), "velocity = " + toml(velocity)) +
                  fmt::format("[[hold]]\nrod = \"cord\"\nat = \"start\"\nframe = \"{}\"\nuntil = 0.2\n", frame) +
                  drive("\"start\"", "translate = { velocity = " + toml(velocity) + " }"));
    const std::vector<Vec3d> x = simulation->state().x;
    advance(*simulation, 20);
    EXPECT_EQ(simulation->model().ties.size(), 1u);
    advance(*simulation, 20);
    EXPECT_EQ(simulation->model().ties.size(), 0u);
    const double allowed = drift(solver, *simulation, 1e-3);
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_LE(norm(simulation->state().v[i] - velocity), allowed / h);
      EXPECT_LE(norm(simulation->state().x[i] - x[i] - 0.4 * velocity), allowed);
    }
  }
}

// Pulled slowly beyond its limit a hanging rod parts; when the pull is over, what is below falls by its weight alone.
// The pull accelerates what is left, which must not part again; internal damping calms it.
void breaking_removes_tension(const SolverInfo& solver) {
  const double limit = 0.05;  // EA limit = 50 N
  const std::string calms = solver.capabilities.internal_damping ? "\ninternal_damping = 0.01" : "";
  const auto simulation = start(solver, world(h, {0, 0, -gravity}) + material({.more = "strain_limit = 0.05" + calms}) +
                                            rod("cord", 6, line({0, 0, 0}, {0, 0, -1}), "clamp = \"start\"") +
                                            force("cord", "\"end\"", {0, 0, -50.5}, "ramp = 0.5\nuntil = 0.5"));
  advance(*simulation, 40);
  EXPECT_TRUE(simulation->broken_segments().empty());  // at 42 N
  advance(*simulation, 12);
  ASSERT_EQ(simulation->broken_segments().size(), 1u);
  const int broken = simulation->broken_segments()[0];
  EXPECT_EQ(broken, 0);  // the whole weight hangs on the first

  const auto momentum_below = [&] {
    Vec3d p;
    for (int i = broken + 1; i <= 6; ++i) p += simulation->model().vertices[i].mass * simulation->state().v[i];
    return p;
  };
  double mass_below = 0;
  for (int i = broken + 1; i <= 6; ++i) mass_below += simulation->model().vertices[i].mass;
  const Vec3d before = momentum_below();
  advance(*simulation, 40);
  const Vec3d impulse = momentum_below() - before, expected{0, 0, -gravity * mass_below * 40 * h};
  EXPECT_LE(norm(impulse - expected), unsolved_share(solver) * 7 * 50 * 40 * h + 1e-10);
  EXPECT_EQ(simulation->broken_segments().size(), 1u);
  for (const Segment& s : simulation->model().segments) {
    const double length = norm(simulation->state().x[s.vertex[1]] - simulation->state().x[s.vertex[0]]);
    EXPECT_LT(std::abs(length / s.rest_length - 1), 0.01 * limit);
  }
}

}  // namespace

std::vector<Property> support_properties() {
  return {
      {"clamps_and_drives_are_met_exactly", clamps_and_drives_are_met_exactly},
      {"a_beam_held_at_both_ends_sags", a_beam_held_at_both_ends_sags, {&Capabilities::extensible}},
      {"an_arch_held_at_both_ends_stands", an_arch_held_at_both_ends_stands},
      {"a_held_axis_leaves_the_spin_free", a_held_axis_leaves_the_spin_free, {&Capabilities::partial_holds}},
      {"release_keeps_the_velocity", release_keeps_the_velocity},
      {"breaking_removes_tension", breaking_removes_tension, {&Capabilities::breaking}},
  };
}

}  // namespace tendril::app::conformance
