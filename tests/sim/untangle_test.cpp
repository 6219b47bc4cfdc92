#include "sim/untangle.h"

#include <gtest/gtest.h>

#include "contact/crossed_rods.h"
#include "sim/overlap.h"

namespace tendril::sim {
namespace {

// nothing overlaps, lengths are kept within 5 %, every frame lies along its segment as it did before
void expect_untangled(const Chain& c, const State& after, const UntangleReport& report) {
  EXPECT_TRUE(report.is_done);
  EXPECT_TRUE(find_overlaps(c.model, after, {}).empty());
  double farthest = 0;
  for (std::size_t i = 0; i < after.x.size(); ++i) farthest = std::max(farthest, norm(after.x[i] - c.state.x[i]));
  EXPECT_EQ(report.farthest, farthest);
  for (std::size_t s = 0; s < c.model.segments.size(); ++s) {
    const int* i = c.model.segments[s].vertex;
    const Vec3d edge = after.x[i[1]] - after.x[i[0]];
    EXPECT_NEAR(norm(edge), c.model.segments[s].rest_length, 0.05 * c.model.segments[s].rest_length) << s;
    EXPECT_NEAR(dot(director3(after.q[s]), normalized(edge)), 1, 1e-12) << s;
  }
}

TEST(untangle, crossing_rods_go_apart_alike) {
  for (const double z : {0.03, 0.0}) {
    const Chain c = stacked_rods({0, z});
    State after = c.state;
    const UntangleReport report = untangle(c.model, {}, after);
    EXPECT_EQ(report.pairs, 1);
    expect_untangled(c, after, report);
    EXPECT_LT(report.farthest, 1.2 * (0.04 - z)) << "and no farther than they need";
    EXPECT_LT(after.x[5].z * after.x[16].z, 0) << "one up, one down";
  }
}

TEST(untangle, what_is_held_stays) {
  Chain c = stacked_rods({0, 0.03});
  for (int i = 0; i <= 10; ++i) add_clamp(c, i, {}, -1);
  State after = c.state;
  expect_untangled(c, after, untangle(c.model, {}, after));
  for (int i = 0; i <= 10; ++i) EXPECT_EQ(after.x[i], c.state.x[i]);
  for (int i = 11; i <= 21; ++i) add_clamp(c, i, {}, -1);
  State stuck = c.state;
  EXPECT_FALSE(untangle(c.model, {}, stuck).is_done) << "nothing can move";
  EXPECT_EQ(stuck.x, c.state.x);
}

TEST(untangle, a_rod_comes_out_of_the_floor) {
  Chain c = stacked_rods({-0.1});
  c.state.x[10].z = 0.02;  // one end looks out
  add_obstacle(c, Plane{}, "floor");
  State after = c.state;
  const UntangleReport report = untangle(c.model, {}, after);
  EXPECT_TRUE(report.is_done);
  for (const Vec3d& x : after.x) EXPECT_GT(x.z, 0.02);
  EXPECT_LT(report.farthest, 0.15);
  EXPECT_EQ(after.body_x, c.state.body_x);
}

// the whole rod draws back, not its end alone
TEST(untangle, a_rod_that_runs_into_a_wall_keeps_its_length) {
  Chain c = stacked_rods({0});  // to x = 0.45
  add_obstacle(c, Plane{{0.4, 0, 0}, {-1, 0, 0}}, "wall");
  State after = c.state;
  expect_untangled(c, after, untangle(c.model, {}, after));
  EXPECT_LT(after.x[0].x, c.state.x[0].x - 0.05);
}

// Between two ends that stay, rods that go apart by 0.04 bend by about 0.02 / 0.5 to either side; vertices that went
// alone would bend by 0.02 / 0.1.
TEST(untangle, rods_bend_gently) {
  Chain c = stacked_rods({0, 0});
  for (int i : {0, 10, 11, 21}) add_clamp(c, i, {}, -1);
  State after = c.state;
  expect_untangled(c, after, untangle(c.model, {}, after));
  for (const Bend& bend : c.model.bends)
    EXPECT_LT(norm(director3(after.q[bend.a.index]) - director3(after.q[bend.b.index])), 0.12);
}

// thirty-seven parallel rods, each of them overlapping its neighbours by a fifth of their thickness
TEST(untangle, a_bundle_swells) {
  Chain c = stacked_rods(std::vector<double>(37, 0.0));
  std::vector<Vec3d> places;
  for (int p = -3; p <= 3; ++p)
    for (int q = -3; q <= 3; ++q)
      if (std::abs(p + q) <= 3) places.push_back(0.032 * Vec3d{0, p + 0.5 * q, std::sqrt(0.75) * q});
  ASSERT_EQ(places.size(), 37u);
  for (int k = 0; k < 37; ++k)
    for (int i = 0; i <= 10; ++i) c.state.x[11 * k + i] = Vec3d{0.1 * i + 0.013 * (k % 7), 0, 0} + places[k];
  for (Quatd& q : c.state.q) q = c.state.q[0];
  State after = c.state, again = c.state;
  const UntangleReport report = untangle(c.model, {}, after);
  EXPECT_GT(report.pairs, 90 * 10);
  expect_untangled(c, after, report);
  EXPECT_LT(report.farthest, 0.1);
  untangle(c.model, {}, again);
  EXPECT_EQ(again.x, after.x) << "the same bits";
  EXPECT_EQ(again.q, after.q);
}

TEST(untangle, leaves_alone_what_does_not_overlap) {
  const Chain c = stacked_rods({0, 0.0401, 0.5});
  State after = c.state;
  const UntangleReport report = untangle(c.model, {}, after);
  EXPECT_TRUE(report.is_done);
  EXPECT_EQ(report.moved_vertices, 0);
  EXPECT_EQ(after.x, c.state.x);
  EXPECT_EQ(after.q, c.state.q);
}

}  // namespace
}  // namespace tendril::sim
