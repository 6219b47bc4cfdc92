#include <gtest/gtest.h>

#include "contact/contact.h"
#include "math/thread_team.h"
#include "sim/crossed_rods.h"

namespace tendril {
namespace {

// one leg over the whole step from rest at the scene's start; `driven` takes the bodies where they go
struct OneLeg {
  Chain chain;
  Contact contact;
  ThreadTeam team{1};

  explicit OneLeg(Chain c, const std::vector<Pose>& driven = {}) : chain(std::move(c)), contact({}, chain.state.x) {
    contact.reset(chain.model);
    contact.find_candidates(chain.model, chain.state, driven, 0.01, team);
  }
};

constexpr double r = 0.02, gap = 1e-6;

// rods over one another, all a little apart
Chain heap(int count) {
  std::vector<double> z;
  for (int k = 0; k < count; ++k) z.push_back((2 * k + 1) * r + (k + 1) * gap);
  return stacked_rods(z, r);
}

// Each plane goes along with two rods that want to go down together; the lowest one cannot, since there is the floor.
TEST(regions, what_falls_together_finds_a_place_above_the_floor) {
  for (double fall : {1e-5, 1e-3, 0.1}) {
    Chain c = heap(4);
    add_obstacle(c, Plane{}, "floor");
    OneLeg leg(c);
    std::vector<Vec3d> wanted = c.state.x;
    for (Vec3d& x : wanted) x.z -= fall;
    ASSERT_TRUE(leg.contact.begin_leg(1, wanted)) << fall;
    leg.contact.end_leg(wanted);
    EXPECT_FALSE(leg.contact.crossing());
    EXPECT_GT(leg.contact.smallest_gap(), 0);
  }
}

// a plate that is driven up under a heap lifts all of it, though each rod wants to stay where it is
TEST(regions, a_push_runs_through_a_heap) {
  const double way = 0.3 * r;
  Chain c = heap(6);
  add_obstacle(c, Box{{0, 0, -0.5}, {4, 4, 1}, {}}, "plate");
  OneLeg leg(c, {Pose{{0, 0, way}, {}}});
  std::vector<Vec3d> wanted = c.state.x;
  ASSERT_TRUE(leg.contact.begin_leg(1, wanted));
  leg.contact.end_leg(wanted);
  EXPECT_FALSE(leg.contact.crossing());
  EXPECT_GT(leg.contact.smallest_gap(), 0);
  // where rods cross, each is lifted by the way less the gaps below it
  const Vec3d &before = c.state.x.back(), &after = wanted.back();
  EXPECT_GE(after.z - before.z, -1e-15);
  double highest = 0;
  for (std::size_t i = wanted.size() - 11; i < wanted.size(); ++i)
    highest = std::max(highest, wanted[i].z - c.state.x[i].z);
  EXPECT_GT(highest, way - 7 * gap);
}

// between two that do not yield there is no room
TEST(regions, nothing_fits_between_two_plates_that_close) {
  Chain c = heap(1);
  add_obstacle(c, Box{{0, 0, -0.5}, {4, 4, 1}, {}}, "lower");
  add_obstacle(c, Box{{0, 0, 2 * r + 2 * gap + 0.5}, {4, 4, 1}, {}}, "upper");
  OneLeg leg(c, {Pose{{0, 0, r}, {}}, Pose{}});
  std::vector<Vec3d> wanted = c.state.x;
  EXPECT_FALSE(leg.contact.begin_leg(1, wanted));
}

}  // namespace
}  // namespace tendril
