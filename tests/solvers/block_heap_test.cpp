#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>

#include "contact/contact.h"
#include "math/thread_team.h"
#include "rod/energy.h"
#include "rod/momentum.h"
#include "solvers/random_rod.h"

namespace tendril::solvers {
namespace {

using testing::Dice;
using testing::RodOptions;
using testing::Scene;

// Short rods fall onto a floor and onto each other: radii, stiffnesses, speeds and steps over decades. Nothing crosses,
// and no energy comes from nowhere. The number of heaps is TENDRIL_HEAPS, a few when it is not set.
int heap_count() {
  const char* wish = std::getenv("TENDRIL_HEAPS");
  return wish ? std::atoi(wish) : 12;
}

constexpr int steps_of_each = 25;

struct Heap {
  Scene scene;
  double h = 0;  // [s]

  explicit Heap(int seed) {
    Dice dice(seed);
    h = dice.decades(3e-4, 1e-2);
    const double friction = dice.coin() ? 0 : dice.between(0.1, 1);
    double top = 0;
    for (int rods = 3 + dice.up_to(3), k = 0; k < rods; ++k) {
      const double radius = dice.between(4e-3, 1e-2);
      top += radius + dice.between(1e-3, 5e-3);
      add_rod(dice, radius, top, friction);
      top += radius;
    }
    Body floor;
    floor.shape = Plane{}, floor.is_obstacle = true, floor.friction = friction;
    scene.add_body(floor, {});
    scene.model.gravity = {0, 0, -9.81};
    scene.fill_inputs();
  }

 private:
  // round and lying
  void add_rod(Dice& dice, double r, double height, double friction) {
    const double pi = std::numbers::pi, E = dice.decades(1e5, 1e9), area = pi * r * r,
                 density = dice.between(500, 3000);
    const double turn = dice.between(0, 2 * pi);
    RodOptions o;
    o.segments = 2 + dice.up_to(6), o.length = dice.between(10, 30) * r;
    o.EA = E * area, o.GA = 0.3 * o.EA, o.EI1 = o.EI2 = 0.25 * E * area * r * r, o.GJ = 0.7 * o.EI1;
    o.linear_density = density * area;
    o.along = {std::cos(turn), std::sin(turn), 0};
    o.from = (-dice.between(0.2, 0.8) * o.length) * o.along + Vec3d{0, 0, height};
    const std::size_t first = scene.state.x.size();
    scene.add_chain(o);
    const Vec3d velocity = dice.decades(0.01, 5) * (0.3 * dice.direction() - Vec3d{0, 0, 1});
    for (std::size_t i = first; i < scene.state.x.size(); ++i) {
      scene.state.v[i] = velocity;
      scene.model.vertices[i].radius = r;
    }
    for (std::size_t s = scene.model.segments.size() - o.segments; s < scene.model.segments.size(); ++s) {
      Segment& segment = scene.model.segments[s];
      segment.radius = r, segment.friction = friction;
      segment.linear_inertia = o.linear_density * r * r * Vec3d{0.25, 0.25, 0.5};
    }
  }
};

// of motion, height, strain, barriers and the springs of friction [J]
double energy(const Scene& s, const Contact& contact) {
  double sum = kinetic_energy(s.model, s.state) + elastic_energy(s.model, s.state) + gravity_energy(s.model, s.state);
  for (const Pair& pair : contact.pairs()) {
    if (!(pair.gap < pair.barrier.reach)) continue;
    const Barrier::Value barrier = pair.barrier.at(pair.gap);
    sum += barrier.energy;
    if (pair.spring.friction > 0) sum += pair.spring.energy(norm(pair.slip), -barrier.slope);
  }
  return sum;
}

struct Tally {
  long steps = 0, touching = 0, unconverged = 0;
  double most_gained = 0;  // in a step, over the energy at the start
};

void run(int order, int seed, Tally& tally) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  Heap heap(seed);
  Scene& s = heap.scene;
  const auto solver = find_solver("block")->make({{"order", order}});
  ThreadTeam team(1);
  solver->reset(s.model, s.state, team);
  Contact contact({}, s.state);
  contact.reset(s.model);
  const auto find_pairs = [&] { contact.find_candidates(s.model, s.state, s.inputs.end.body_pose, heap.h, team); };
  find_pairs();
  const double at_start = energy(s, contact);
  double before = at_start;
  for (int n = 0; n < steps_of_each; ++n) {
    find_pairs();
    const StepReport report = solver->step(s.inputs, contact, heap.h, s.state);
    ASSERT_EQ(report.failure, "") << "step " << n;
    contact.end_path(s.state);
    ASSERT_FALSE(contact.crossing()) << "step " << n;
    contact.end_step();
    EXPECT_GT(contact.smallest_gap(), 0) << "step " << n;
    const double now = energy(s, contact);
    ASSERT_TRUE(std::isfinite(now)) << "step " << n;
    if (report.converged) {
      EXPECT_LE(now, before + 1e-3 * at_start) << "step " << n;
    }
    tally.most_gained = std::max(tally.most_gained, (now - before) / at_start);
    ++tally.steps, tally.touching += contact.touching() > 0, tally.unconverged += !report.converged;
    before = now;
  }
}

class BlockHeaps : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Order, BlockHeaps, ::testing::Values(1, 2));

TEST_P(BlockHeaps, NothingCrossesAndNoEnergyIsMade) {
  Tally tally;
  for (int seed = 0; seed < heap_count(); ++seed) run(GetParam(), seed, tally);
  run(GetParam(), 41, tally);  // a rod falls freely until the end of a step, and there meets another
  std::printf("%ld steps, %ld with contact, %ld unconverged; a step gained at most %.2g of the energy\n", tally.steps,
              tally.touching, tally.unconverged, tally.most_gained);
  EXPECT_GT(tally.touching, tally.steps / 3);
  EXPECT_LE(tally.unconverged, 0.05 * double(tally.steps));  // hard impacts, where Newton's steps run out
}

}  // namespace
}  // namespace tendril::solvers
