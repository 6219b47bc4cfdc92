#include "sim/long_steps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "rod/energy.h"
#include "sim/simulation.h"

namespace tendril::sim {
namespace {

using std::numbers::pi;

struct Ring {
  Model model;
  State state;
};

// a straight rod bent into a ring of radius one and glued after a turn; EI = GJ = 1
Ring twisted_ring(int segments, double twist, double out_of_plane) {
  Ring ring;
  ring.model.gravity = {};
  const double step = 2 * pi / segments, length = 2 * std::sin(step / 2);
  for (int i = 0; i < segments; ++i) {
    const double a = i * step;
    ring.model.vertices.push_back({length, 1e-3});
    ring.state.x.push_back({std::cos(a), std::sin(a), out_of_plane * std::cos(2 * a)});
  }
  for (int s = 0; s < segments; ++s) {
    Segment segment;
    segment.vertex[0] = s, segment.vertex[1] = (s + 1) % segments;
    segment.rest_length = length, segment.EA = segment.GA = 1e5, segment.linear_density = 1;
    segment.linear_inertia = {1e-6, 1e-6, 2e-6};
    ring.model.segments.push_back(segment);
    const Vec3d tangent = normalized(ring.state.x[(s + 1) % segments] - ring.state.x[s]);
    const Quatd frame = frame_from_tangent(tangent, {0, 0, 1});
    ring.state.q.push_back(frame * quaternion_exp({0, 0, twist * s / segments}));
    Bend bend;
    bend.a = {s, false}, bend.b = {(s + 1) % segments, false}, bend.length = length;
    bend.EI1 = bend.EI2 = bend.GJ = 1;
    if (s + 1 == segments) bend.turn = quaternion_exp({0, 0, twist});
    ring.model.bends.push_back(bend);
  }
  ring.state.v.resize(segments), ring.state.omega.resize(segments);
  return ring;
}

// in its plane
double planar_energy(int segments, double twist) {
  const Ring ring = twisted_ring(segments, twist, 0);
  return elastic_energy(ring.model, ring.state);
}

// Up to a twist of 2π √3 (Michell 1890) a ring stays in its plane. Beyond it turns over and, infinitely thin as this
// one is, through itself: it loses two turns and is planar again. On that way Newton's steps run out; what they won is
// kept.
TEST(long_steps, find_the_far_equilibrium_of_a_twisted_ring) {
  constexpr int segments = 60;
  for (double share : {0.9, 1.1}) {
    const double twist = share * 2 * pi * std::sqrt(3.0);
    const Ring ring = twisted_ring(segments, twist, 1e-4);
    Simulation simulation(ring.model, ring.state, {.time_step = 0.1}, find_solver("block")->make({}));
    const SettleReport report = simulation.settle({});
    EXPECT_TRUE(report.settled) << report.message;
    EXPECT_LT(report.steps, 20);
    const double expected = planar_energy(segments, share < 1 ? twist : twist - 4 * pi);
    // it grows a little, by EI/EA R² = 1e-5
    EXPECT_NEAR(elastic_energy(ring.model, simulation.state()), expected, 4e-5 * expected) << share;
  }
}

}  // namespace
}  // namespace tendril::sim
