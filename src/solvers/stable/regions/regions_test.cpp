#include "solvers/stable/regions/regions.h"

#include <gtest/gtest.h>

#include "contact/crossed_rods.h"
#include "math/thread_team.h"

namespace tendril::solvers::stable {
namespace {

// one substep over the whole step from rest at the scene's start; `driven` takes the bodies where they go
struct OneLeg {
  Chain chain;
  Contact contact;
  Regions regions;
  ThreadTeam team{1};

  explicit OneLeg(Chain c, const std::vector<Pose>& driven = {}) : chain(std::move(c)), contact({}, chain.state) {
    contact.reset(chain.model);
    contact.find_candidates(chain.model, chain.state, driven, 0.01, team);
    regions.reset(chain.model);
    regions.begin_step(contact, team);
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
    OneLeg substep(c);
    State wanted = c.state;
    for (Vec3d& x : wanted.x) x.z -= fall;
    ASSERT_TRUE(substep.regions.begin_substep(1, wanted)) << fall;
    substep.contact.end_substep(wanted);
    EXPECT_FALSE(substep.contact.crossing());
    EXPECT_GT(substep.contact.smallest_gap(), 0);
  }
}

// a plate that is driven up under a heap lifts all of it, though each rod wants to stay where it is
TEST(regions, a_push_runs_through_a_heap) {
  const double way = 0.3 * r;
  Chain c = heap(6);
  add_obstacle(c, Box{{0, 0, -0.5}, {4, 4, 1}, {}}, "plate");
  OneLeg substep(c, {Pose{{0, 0, way}, {}}});
  State wanted = c.state;
  ASSERT_TRUE(substep.regions.begin_substep(1, wanted));
  substep.contact.end_substep(wanted);
  EXPECT_FALSE(substep.contact.crossing());
  EXPECT_GT(substep.contact.smallest_gap(), 0);
  // where rods cross, each is lifted by the way less the gaps below it
  const Vec3d &before = c.state.x.back(), &after = wanted.x.back();
  EXPECT_GE(after.z - before.z, -1e-15);
  double highest = 0;
  for (std::size_t i = wanted.x.size() - 11; i < wanted.x.size(); ++i)
    highest = std::max(highest, wanted.x[i].z - c.state.x[i].z);
  EXPECT_GT(highest, way - 7 * gap);
}

// ---- rods with a held end

// along x and clamped at its start, of two segments
Chain clamped_rod() { return make_chain({.segments = 2, .radius = r, .clamped = true}); }

// what is below it and goes up by `way`
OneLeg pushed(const Chain& c, double way) {
  std::vector<Pose> driven;
  for (std::size_t b = 0; b < c.model.bodies.size(); ++b) driven.push_back({c.state.body_x[b], c.state.body_q[b]});
  driven.back().x.z += way;
  return OneLeg(c, driven);
}

// whether there is room on the whole way; nothing may meet on it, and the gap is not given away
void expect_room(Chain c, const Shape& shape, double way) {
  add_obstacle(c, shape, "pusher");
  OneLeg substep = pushed(c, way);
  State wanted = c.state;
  ASSERT_TRUE(substep.regions.begin_substep(1, wanted));
  substep.contact.end_substep(wanted);
  EXPECT_FALSE(substep.contact.crossing());
  EXPECT_GT(substep.contact.smallest_gap(), 0.05 * gap);
  EXPECT_EQ(wanted.x[0], c.state.x[0]) << "it is held";
}

// Far more than the gap, though the held end stays behind. The box's face lies along the segment.
TEST(regions, a_segment_turns_about_its_held_end) {
  for (double way : {1e-4, 2e-3, 0.01}) {
    for (double at : {0.15, 0.3, 0.45, 0.7}) {
      SCOPED_TRACE(testing::Message() << way << " at " << at);
      expect_room(clamped_rod(), Sphere{{at, 0.003, -0.1 - r - gap}, 0.1}, way);
      expect_room(clamped_rod(), Capsule{{at, -1, -0.1 - r - gap}, {at + 0.1, 1, -0.1 - r - gap}, 0.1}, way);
      expect_room(clamped_rod(), Box{{at, 0, -0.1 - r - gap}, {0.2, 0.2, 0.2}, {}}, way);
    }
  }
}

// The push comes through another rod, which lies across under it.
TEST(regions, a_clamped_rod_gives_way_to_one_that_is_pushed) {
  Chain c = clamped_rod();
  const Chain across = make_chain({.segments = 1, .radius = r});
  for (const Vec3d& x : across.state.x) {
    c.model.vertices.push_back(across.model.vertices[0]);
    c.state.x.push_back({0.3, x.x - 0.4, -2 * r - gap}), c.state.v.push_back({});
  }
  Segment s = across.model.segments[0];
  s.vertex[0] = 3, s.vertex[1] = 4, s.rod = 1;
  c.model.segments.push_back(s);
  c.state.q.push_back(across.state.q[0]), c.state.omega.push_back({});
  expect_room(c, Box{{0.3, 0, -0.5 - 3 * r - 2 * gap}, {1, 2, 1}, {}}, 2e-3);
}

// a driven end takes its segment down over a ball that rests
TEST(regions, a_held_end_is_driven_past_what_rests) {
  Chain c = clamped_rod();
  add_obstacle(c, Sphere{{0.3, 0, -0.1 - r - gap}, 0.1}, "ball");
  OneLeg substep(c, {Pose{{0, 0, -2e-3}, c.state.body_q[0]}, Pose{}});
  State wanted = c.state;
  wanted.x[0].z = -2e-3;
  ASSERT_TRUE(substep.regions.begin_substep(1, wanted));
  EXPECT_EQ(wanted.x[0].z, -2e-3);
  substep.contact.end_substep(wanted);
  EXPECT_FALSE(substep.contact.crossing());
  EXPECT_GT(substep.contact.smallest_gap(), 0);
}

TEST(regions, nothing_goes_through_a_held_end) {
  Chain c = clamped_rod();
  add_obstacle(c, Sphere{{0, 0, -0.1 - r - gap}, 0.1}, "ball");
  OneLeg substep = pushed(c, 1e-3);
  State wanted = c.state;
  EXPECT_FALSE(substep.regions.begin_substep(1, wanted));
}

// between two that do not yield there is no room
TEST(regions, nothing_fits_between_two_plates_that_close) {
  Chain c = heap(1);
  add_obstacle(c, Box{{0, 0, -0.5}, {4, 4, 1}, {}}, "lower");
  add_obstacle(c, Box{{0, 0, 2 * r + 2 * gap + 0.5}, {4, 4, 1}, {}}, "upper");
  OneLeg substep(c, {Pose{{0, 0, r}, {}}, Pose{}});
  State wanted = c.state;
  EXPECT_FALSE(substep.regions.begin_substep(1, wanted));
}

}  // namespace
}  // namespace tendril::solvers::stable
