#include "contact/candidates.h"

#include <gtest/gtest.h>

#include <set>

#include "contact/closest.h"
#include "math/random.h"
#include "rod/chain.h"

namespace tendril::contact {
namespace {

constexpr double radius = 0.02, reach = 0.1 * radius;

Vec3d anywhere(Random& random, const Bounds& box) {
  return {random.uniform(box.low.x, box.high.x), random.uniform(box.low.y, box.high.y),
          random.uniform(box.low.z, box.high.z)};
}

// loose segments, short ones and long ones, that fly about a ball
struct Swarm {
  Chain chain;
  std::vector<Vec3d> motion;  // in a step (vertex) [m]
  std::vector<Bounds> solids;

  explicit Swarm(int count) {
    Random random(7);
    const Segment pattern = make_chain({.segments = 1, .radius = radius}).model.segments[0];
    for (int s = 0; s < count; ++s) {
      Segment segment = pattern;
      const double half = s % 2 ? 0.1 : 0.02;
      const Vec3d middle = anywhere(random, {{-0.4, -0.4, -0.4}, {0.4, 0.4, 0.4}});
      const Vec3d way = anywhere(random, {{-half, -half, -half}, {half, half, half}});
      for (int k = 0; k < 2; ++k) {
        segment.vertex[k] = 2 * s + k;
        chain.model.vertices.push_back({1, radius});
        chain.state.x.push_back(k == 0 ? middle - way : middle + way);
        motion.push_back(anywhere(random, {{-2e-3, -2e-3, -2e-3}, {2e-3, 2e-3, 2e-3}}));
      }
      chain.model.segments.push_back(segment);
    }
    Body ball;
    ball.shape = Sphere{{0, 0, 0}, 0.1}, ball.is_obstacle = true;
    chain.model.bodies.push_back(ball);
    chain.state.body_x.resize(1), chain.state.body_q.resize(1);
    for (const Solid& solid : solids_of(ball.shape, 0)) solids.push_back(bounds(solid, {}));
  }

  void go_on() {
    for (std::size_t i = 0; i < motion.size(); ++i) chain.state.x[i] += motion[i];
  }
};

struct List {
  std::set<std::pair<int, int>> segments, solids;

  explicit List(const Candidates& candidates) {
    for (std::size_t p = 0; p < candidates.pair_count(); ++p) {
      const Pair pair = candidates.pair(p);
      (pair.with_solid() ? solids : segments).insert({pair.a, pair.b});
    }
  }
  bool operator==(const List&) const = default;
};

// how many pairs are within reach; all must be in the list
int expect_complete(const Swarm& swarm, const Candidates& candidates, const std::vector<Vec3d>& x) {
  const List list(candidates);
  const int count = static_cast<int>(swarm.chain.model.segments.size());
  int close = 0, missing = 0;
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      if (nearest_points(x[2 * a], x[2 * a + 1], x[2 * b], x[2 * b + 1]).distance > 2 * radius + reach) continue;
      ++close, missing += !list.segments.contains({a, b});
    }
    const Solid& ball = candidates.solids()[0];
    if (nearest_points(ball, x[2 * a], x[2 * a + 1]).distance > ball.radius + radius + reach) continue;
    ++close, missing += !list.solids.contains({a, 0});
  }
  EXPECT_EQ(missing, 0);
  return close;
}

// wherever the vertices are in their boxes, and however many steps the list is old
TEST(candidates, hold_all_that_may_touch) {
  Swarm swarm(200);
  ThreadTeam alone(1);
  Random random(3);
  Candidates candidates;
  candidates.reset(swarm.chain.model, swarm.chain.state, {});
  int searches = 0, close = 0;
  for (int step = 0; step < 60; ++step) {
    if (!candidates.cover(swarm.chain.state.x, swarm.motion, swarm.solids, nullptr)) {
      candidates.search(swarm.chain.state.x, swarm.motion, swarm.solids, 1, alone);
      ++searches;
    }
    close += expect_complete(swarm, candidates, swarm.chain.state.x);
    std::vector<Vec3d> x;
    for (std::size_t i = 0; i < swarm.motion.size(); ++i) x.push_back(anywhere(random, candidates.box(int(i))));
    close += expect_complete(swarm, candidates, x);
    swarm.go_on();
  }
  EXPECT_GT(close, 1000);
  EXPECT_GT(searches, 5);
  EXPECT_LT(searches, 30);
}

// on any number of threads, and after they were saved
TEST(candidates, are_the_same_again) {
  Swarm swarm(900);
  ThreadTeam alone(1), two(2);
  Candidates first, second;
  for (Candidates* c : {&first, &second}) c->reset(swarm.chain.model, swarm.chain.state, {});
  for (int step = 0; step < 12; ++step) {
    first.search(swarm.chain.state.x, swarm.motion, swarm.solids, 1, alone);
    second.search(swarm.chain.state.x, swarm.motion, swarm.solids, 1, two);
    ASSERT_GT(first.pair_count(), 2000u);
    ASSERT_EQ(List(first), List(second));
    swarm.go_on();
  }
  Writer out;
  first.save(out);
  Candidates loaded;
  loaded.reset(swarm.chain.model, swarm.chain.state, {});
  Reader in(out.bytes());
  loaded.load(in, alone);
  EXPECT_EQ(List(first), List(loaded));
}

// what was saved before the first search has no pairs, whatever was found since
TEST(candidates, are_none_again_when_none_were_saved) {
  Swarm swarm(200);
  ThreadTeam alone(1);
  Candidates candidates;
  candidates.reset(swarm.chain.model, swarm.chain.state, {});
  Writer out;
  candidates.save(out);
  candidates.search(swarm.chain.state.x, swarm.motion, swarm.solids, 1, alone);
  ASSERT_GT(candidates.pair_count(), 0u);
  Reader in(out.bytes());
  candidates.load(in, alone);
  EXPECT_EQ(candidates.pair_count(), 0u);
}

}  // namespace
}  // namespace tendril::contact
