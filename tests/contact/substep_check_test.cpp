#include "contact/substep_check.h"

#include <gtest/gtest.h>

#include <random>

#include "contact/closest.h"
#include "contact/crossing_search.h"
#include "math/thread_team.h"
#include "rod/chain.h"

namespace tendril::contact {
namespace {

// two sticks of radius 0.1 across each other, the upper one at this height
MovingSegment lower() { return {{{-1, 0, 0}, {1, 0, 0}}, {{-1, 0, 0}, {1, 0, 0}}}; }
MovingSegment upper(double from, double to) { return {{{0, -1, from}, {0, 1, from}}, {{0, -1, to}, {0, 1, to}}}; }

TEST(substep_check, tells_what_passes_from_what_does_not) {
  const Vec3d up{0, 0, 1};
  EXPECT_TRUE(stay_apart(upper(0.5, 0.3), lower(), 0.2, up));
  EXPECT_TRUE(stay_apart(upper(0.5, 0.2 + 1e-9), lower(), 0.2, up)) << "a small gap is one";
  EXPECT_FALSE(stay_apart(upper(0.5, 0.19), lower(), 0.2, up)) << "the surfaces count";
  EXPECT_FALSE(stay_apart(upper(0.5, -0.5), lower(), 0.2, up)) << "clear at both ends";
  EXPECT_FALSE(stay_apart(upper(0.15, 0.5), lower(), 0.2, up)) << "not clear at the start";
}

TEST(substep_check, a_wrong_normal_only_costs_time) {
  for (const Vec3d& normal : {Vec3d{1, 0, 0}, Vec3d{0, 0, -1}, Vec3d{}}) {
    EXPECT_TRUE(stay_apart(upper(0.5, 0.2 + 1e-9), lower(), 0.2, normal));
    EXPECT_FALSE(stay_apart(upper(0.5, -0.5), lower(), 0.2, normal));
  }
}

// a stick across the lower one's end passes it at this distance, far nearer than it begins
TEST(substep_check, follows_what_slides_past) {
  const Vec3d end{1, 0, 0}, out = normalized(Vec3d{1, 0, 1}), along = normalized(Vec3d{-1, 0, 1}), across{0, 0.1, 0};
  const auto past_at = [&](double gap) {
    const Vec3d middle = end + (0.2 + gap) * out, from = middle - 0.5 * along, to = middle + 0.5 * along;
    return stay_apart({{from - across, from + across}, {to - across, to + across}}, lower(), 0.2, -along);
  };
  EXPECT_TRUE(past_at(1e-4));
  EXPECT_TRUE(past_at(1e-9));
  EXPECT_FALSE(past_at(-1e-4));
}

// against the smallest distance among many instants; what comes closer than they can tell is left out
TEST(substep_check, agrees_with_samples_of_random_motions) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(-1, 1);
  const auto point = [&] { return Vec3d{place(random), place(random), place(random)}; };
  int met = 0, passed = 0;
  for (int n = 0; n < 400; ++n) {
    MovingSegment a, b;
    for (int k = 0; k < 2; ++k) a.x0[k] = point(), a.x1[k] = point(), b.x0[k] = point(), b.x1[k] = point();
    const Nearest start = nearest_points(a.x0[0], a.x0[1], b.x0[0], b.x0[1]);
    double least = start.distance;
    for (double t = 0; t <= 1; t += 1e-3) {
      const auto at = [&](const MovingSegment& m, int k) { return m.x0[k] + t * (m.x1[k] - m.x0[k]); };
      least = std::min(least, nearest_points(at(a, 0), at(a, 1), at(b, 0), at(b, 1)).distance);
    }
    if (start.distance < 0.06 || std::abs(least - 0.05) < 0.01) continue;
    EXPECT_EQ(stay_apart(a, b, 0.05, start.normal), least > 0.05) << n;
    ++(least > 0.05 ? passed : met);
  }
  EXPECT_GT(met, 50);
  EXPECT_GT(passed, 50);
}

TEST(substep_check, solids_that_stand_and_solids_that_move) {
  Solid ball;
  ball.radius = 0.3;
  const Vec3d up{0, 0, 1};
  EXPECT_TRUE(stay_apart(upper(1, 0.5), ball, {}, {}, 0.1, up));
  EXPECT_FALSE(stay_apart(upper(1, 0.39), ball, {}, {}, 0.1, up));
  EXPECT_FALSE(stay_apart(upper(1, -1), ball, {}, {}, 0.1, up));
  EXPECT_FALSE(stay_apart(upper(1, 1), ball, {}, {{0, 0, 2}, {}}, 0.1, up)) << "the ball passes the stick";
  EXPECT_TRUE(stay_apart(upper(1, 3), ball, {}, {{0, 0, 2}, {}}, 0.1, up)) << "they go together";
  Solid floor;
  floor.core = Solid::Core::half_space, floor.p[1] = up;
  EXPECT_TRUE(stay_apart(upper(1, 0.11), floor, {}, {}, 0.1, up));
  EXPECT_FALSE(stay_apart(upper(1, 0.09), floor, {}, {}, 0.1, up));
  EXPECT_FALSE(stay_apart(upper(0.09, 1), floor, {}, {}, 0.1, up)) << "not clear at the start";
}

// what a ball carries along is as near to it in the end as it was
TEST(substep_check, hardly_any_gap_to_a_solid_that_moves) {
  Solid ball;
  ball.radius = 0.3;
  const double near = 0.4 + 1e-15;
  EXPECT_TRUE(stay_apart(upper(near, 2 + near), ball, {}, {{0, 0, 2}, {}}, 0.1, {0, 0, 1}));
  const Pose turned{{0, 0, 2}, quaternion_exp({0, 0, 0.1})};
  EXPECT_TRUE(stay_apart(upper(near + 1e-3, 2 + near + 1e-3), ball, {}, turned, 0.1, {0, 0, 1}));
}

// A ball lifts a stick, which turns about its end, and hardly slides along it: the gap stays tiny, and no fixed normal
// is good for more than a little of the way.
TEST(substep_check, follows_a_stick_that_is_lifted) {
  Solid ball;
  ball.radius = 0.3;
  const double angle = 0.05;
  const auto lifted = [&](double gap) {
    const auto under = [&](double along, double angle) {  // the stick: along it, then across
      return along * Vec3d{std::cos(angle), 0, std::sin(angle)} -
             (0.4 + gap) * Vec3d{-std::sin(angle), 0, std::cos(angle)};
    };
    const MovingSegment stick{{{}, {2, 0, 0}}, {{}, {2 * std::cos(angle), 0, 2 * std::sin(angle)}}};
    return stay_apart(stick, ball, {under(1, 0), {}}, {under(0.99, angle), {}}, 0.1, {0, 0, 1});
  };
  EXPECT_TRUE(lifted(1e-8)) << "2e-9 are left in the middle";
  EXPECT_FALSE(lifted(5e-9)) << "nothing is";
}

// ---- the judge that asks nobody

// two chains of two segments, one above the other and across
Chain cross_of_chains() {
  Chain c = make_chain({.segments = 2, .length = 2});
  const Chain other = make_chain({.segments = 2, .length = 2});
  for (Segment s : other.model.segments) {
    for (int& i : s.vertex) i += 3;
    s.rod = 1;
    c.model.segments.push_back(s);
  }
  c.model.vertices.insert(c.model.vertices.end(), other.model.vertices.begin(), other.model.vertices.end());
  for (int i = 0; i < 3; ++i) c.state.x.push_back({0.5, i - 0.9, 0.5});
  return c;
}

TEST(crossing_search, finds_segments_that_pass_each_other) {
  const Chain c = cross_of_chains();
  CrossingSearch search(c.model, c.state.x);
  ThreadTeam team(2);
  std::vector<Vec3d> to = c.state.x;
  const auto look = [&] { return search.on_substep({c.state.x, to, {}, {}}, team); };
  EXPECT_FALSE(look());
  for (int i = 3; i < 6; ++i) to[i].z = 0.01;
  EXPECT_FALSE(look()) << "the lines count, not the surfaces";
  for (int i = 3; i < 6; ++i) to[i].z = -0.5;
  const auto crossing = look();
  ASSERT_TRUE(crossing);
  EXPECT_EQ(crossing->a, 0);
  EXPECT_EQ(crossing->b, 2);
  EXPECT_EQ(crossing->body, -1);
}

TEST(crossing_search, finds_segments_that_pass_a_mesh) {
  Chain c = make_chain({.segments = 2, .length = 2});
  Body sheet;
  Mesh mesh;
  mesh.vertices = {{-5, -5, -1}, {5, -5, -1}, {0, 9, -1}, {7, 7, 7}, {8, 7, 7}, {7, 8, 7}};
  mesh.triangles = {{3, 4, 5}, {0, 1, 2}};
  sheet.shape = mesh, sheet.is_obstacle = true;
  c.model.bodies.push_back(sheet);
  CrossingSearch search(c.model, c.state.x);
  ThreadTeam team(1);
  std::vector<Vec3d> to = c.state.x;
  const std::vector<Pose> still(1);
  std::vector<Pose> raised(1);
  EXPECT_FALSE(search.on_substep({c.state.x, to, still, still}, team));
  raised[0].x.z = 1.5;
  EXPECT_TRUE(search.on_substep({c.state.x, to, still, raised}, team)) << "the mesh passes the rod";
  to[2].z = -1.1;
  const auto crossing = search.on_substep({c.state.x, to, still, still}, team);
  ASSERT_TRUE(crossing);
  EXPECT_EQ(crossing->a, 1);
  EXPECT_EQ(crossing->b, 1) << "the triangle";
  EXPECT_EQ(crossing->body, 0);
  Tie tie;
  tie.vertex = 2, tie.body = 0;
  c.model.ties.push_back(tie);
  EXPECT_FALSE(CrossingSearch(c.model, c.state.x).on_substep({c.state.x, to, still, still}, team)) << "fastened to it";
}

}  // namespace
}  // namespace tendril::contact
