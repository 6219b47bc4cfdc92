#include <gtest/gtest.h>

#include "contact/contact.h"
#include "contact/crossed_rods.h"
#include "math/quat.h"
#include "math/thread_team.h"

namespace tendril::contact {
namespace {

constexpr double r = 0.02, h = 0.01;

// two rods across each other above a floor; `apart` from surface to surface
Chain rods_above_a_floor(double apart) {
  Chain chain = stacked_rods({3 * r, 5 * r + apart}, r);
  chain.state.v.assign(chain.state.x.size(), {0, 0, -2 * r / h});  // so that pairs are known for a way of this size
  add_obstacle(chain, Plane{}, "floor");
  return chain;
}

// `driven` takes the floor where it goes
struct Above {
  Chain chain;
  Contact contact;
  ThreadTeam team{1};

  explicit Above(double apart, const std::vector<Pose>& driven = {Pose{}})
      : chain(rods_above_a_floor(apart)), contact({}, chain.state) {
    contact.reset(chain.model);
    contact.find_candidates(chain.model, chain.state, driven, h, team);
  }
  bool stays_apart(double lower, double upper) {  // when the rods rise by this much
    State to = chain.state;
    for (std::size_t i = 0; i < to.x.size(); ++i) to.x[i].z += to.x[i].z < 4 * r ? lower : upper;
    return contact.stays_apart(to);
  }
};

TEST(apart, is_what_does_not_come_within_reach) {
  Above rods(r);
  ASSERT_FALSE(rods.contact.pairs().empty());
  EXPECT_EQ(rods.contact.touching(), 0);
  const double reach = rods.contact.pairs()[0].barrier.reach;
  ASSERT_LT(reach, 0.5 * r);
  EXPECT_TRUE(rods.stays_apart(0, 0));
  EXPECT_TRUE(rods.stays_apart(0, -0.9 * (r - reach)));
  EXPECT_FALSE(rods.stays_apart(0, -1.1 * (r - reach)));
  EXPECT_TRUE(rods.stays_apart(-r, -r)) << "they fall together";
  EXPECT_FALSE(rods.stays_apart(-2 * r, -2 * r)) << "to the floor";
  EXPECT_TRUE(rods.stays_apart(0, 1)) << "up and away, however far";
}

// the way of each against the other is longer than their gap
TEST(apart, is_what_turns_together) {
  Chain chain = stacked_rods({0, 3 * r}, r);
  Contact contact({}, chain.state);
  ThreadTeam team(1);
  contact.reset(chain.model);
  contact.find_candidates(chain.model, chain.state, {}, h, team);
  const auto stays_apart_when_turned = [&](double angle, double pushed) {
    State to = chain.state;
    for (Vec3d& x : to.x) x = rotate(quaternion_exp(Vec3d{angle, 0, 0}), x.z > r ? x - Vec3d{0, 0, pushed} : x);
    return contact.stays_apart(to);
  };
  EXPECT_TRUE(stays_apart_when_turned(0.6, 0));
  EXPECT_FALSE(stays_apart_when_turned(0.6, 0.9 * r));
  EXPECT_FALSE(stays_apart_when_turned(0.6, 6 * r)) << "the one went through the other";
  EXPECT_FALSE(stays_apart_when_turned(3, 0)) << "on straight ways they meet";
}

TEST(apart, is_not_what_a_driven_obstacle_comes_to) {
  EXPECT_TRUE(Above(r, {Pose{{0, 0, r}, {}}}).stays_apart(0, 0));
  EXPECT_FALSE(Above(r, {Pose{{0, 0, 2 * r}, {}}}).stays_apart(0, 0));
}

}  // namespace
}  // namespace tendril::contact
