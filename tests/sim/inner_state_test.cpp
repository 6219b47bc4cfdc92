#include "sim/inner_state.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rod/chain.h"
#include "rod/energy.h"
#include "scratch.h"
#include "sim/dense_euler.h"
#include "sim/metrics.h"
#include "sim/recorder.h"

namespace tendril::sim {
namespace {

// bent at rest, held at one end, shaken, and broken at segment 4 of its 6
struct Shaken {
  Chain chain = make_chain({.segments = 6, .EA = 300, .GA = 200, .EI1 = 0.5, .EI2 = 0.8, .GJ = 0.4, .clamped = true});

  Shaken() {
    for (Bend& bend : chain.model.bends) bend.rest = quaternion_exp({0.2, -0.1, 0.15});
    Motion shake;
    shake.sine_amplitude = {0, 0, 0.05}, shake.sine_frequency = 3;
    chain.model.bodies[0].motions = {shake};
  }
};

double energy_of(const NpyArray& stiffness, const NpyArray& length, const NpyArray& strain, const NpyArray* rest) {
  const std::vector<Vec3d> K = stiffness.vectors(), now = strain.vectors();
  const std::vector<double> l = length.numbers();
  double energy = 0;
  for (std::size_t k = 0; k < K.size(); ++k) {
    const Vec3d d = rest ? now[k] - rest->vectors()[k] : now[k];
    energy += 0.5 * l[k] * dot(d, scale(K[k], d));
  }
  return energy;
}

// what the files of a run hold is enough to know the elastic energy without the program: l/2 Gammaᵀ K Gamma of segments
// and l/2 (kappa - kappa0)ᵀ K (kappa - kappa0) of bends
TEST(inner_state, files_hold_the_elastic_energy) {
  const Shaken shaken;
  Simulation simulation(shaken.chain.model, shaken.chain.state, {.time_step = 0.01}, make_dense_euler());
  for (int n = 0; n < 12; ++n) simulation.step();
  const Scratch scratch;
  write_npz(scratch / "model.npz", model_arrays(simulation.whole_model()));
  write_npz(scratch / "frame.npz", frame_arrays(simulation.whole_state(), {}, inner_state(simulation)));
  const NpzArrays model = read_npz(scratch / "model.npz"), frame = read_npz(scratch / "frame.npz");
  const double stretch = energy_of(model.at("stiffness"), model.at("rest_length"), frame.at("strain"), nullptr);
  const double bend = energy_of(model.at("bend_stiffness"), model.at("bend_length"), frame.at("curvature"),
                                &model.at("bend_rest_curvature"));
  EXPECT_NEAR(stretch, stretch_energy(simulation.model(), simulation.state()), 1e-12 * stretch);
  EXPECT_NEAR(bend, bend_energy(simulation.model(), simulation.state()), 1e-12 * bend);
  EXPECT_GT(stretch, 1e-6);
  EXPECT_GT(bend, 1e-3);
}

// a rod that hangs still pulls at each of its segments with the weight below it
TEST(inner_state, tension_carries_the_weight_below) {
  Chain chain = make_chain({.segments = 5, .clamped = true});
  chain.model.gravity = {9.81, 0, 0};  // along the rod
  Simulation simulation(chain.model, chain.state, {.time_step = 0.01}, make_dense_euler());
  ASSERT_TRUE(simulation.settle({}).settled);
  const InnerState inner = inner_state(simulation);
  double below = 0;
  for (int s = 4; s >= 0; --s) {
    below += 9.81 * chain.model.vertices[s + 1].mass;
    EXPECT_NEAR(inner.internal_force[s].x, below, 1e-6);
    EXPECT_NEAR(inner.strain[s].z, below / 1e3, 1e-9);
  }
}

// rows keep the numbers of the scene when a segment breaks or a hold comes and goes
TEST(inner_state, what_is_gone_is_zero_in_its_place) {
  Shaken shaken;
  shaken.chain.model.segments[4].strain_limit = 0;
  shaken.chain.model.holds.push_back({0.5, 0.6, {}});
  add_clamp(shaken.chain, 6, {5}, 1);
  Simulation simulation(shaken.chain.model, shaken.chain.state, {.time_step = 0.01}, make_dense_euler());
  while (simulation.broken_segments().empty()) {
    simulation.step();
    ASSERT_LT(simulation.time(), 0.4);
  }
  const InnerState inner = inner_state(simulation);
  const std::size_t bends = shaken.chain.model.bends.size();
  ASSERT_EQ(inner.strain.size(), 6u);
  ASSERT_EQ(inner.curvature.size(), bends);
  EXPECT_EQ(inner.strain[4], Vec3d{});
  EXPECT_NE(inner.strain[5], Vec3d{});
  EXPECT_EQ(inner.curvature[3], Vec3d{}) << "to the broken segment";
  EXPECT_EQ(inner.curvature[4], Vec3d{});
  EXPECT_NE(inner.curvature[2], Vec3d{});
  EXPECT_EQ(inner.curvature[bends - 1], Vec3d{}) << "of a hold that has not begun";
}

}  // namespace
}  // namespace tendril::sim
