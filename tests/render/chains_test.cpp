#include "render/chains.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "render/coloring.h"
#include "render/rods.h"

namespace tendril::render {
namespace {

// each unbroken segment once, and neighbours in a chain share their vertex
void expect_consistent(const Drawing& drawing, const Chains& chains, std::size_t segments) {
  std::vector<int> sorted = chains.segments;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_TRUE(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
  EXPECT_EQ(sorted.size(), segments);
  for (const Chains::Chain& chain : chains.chains)
    for (int k = chain.first; k + 1 < chain.first + chain.count; ++k)
      EXPECT_EQ(chains.to(drawing.model, k), chains.from[k + 1]);
}

TEST(Chains, ARodIsOneChainWhicheverWayItsSegmentsPoint) {
  Drawing drawing = red_bar();
  std::swap(drawing.model.segments[3].vertex[0], drawing.model.segments[3].vertex[1]);
  const Chains chains = find_chains(drawing.model, drawing.state);
  ASSERT_EQ(chains.chains.size(), 1u);
  EXPECT_FALSE(chains.chains[0].closed);
  expect_consistent(drawing, chains, 8);
}

TEST(Chains, ABrokenSegmentCutsAChain) {
  Drawing drawing = red_bar();
  drawing.model.segments[2].EA = 0;
  const Chains chains = find_chains(drawing.model, drawing.state);
  ASSERT_EQ(chains.chains.size(), 2u);
  expect_consistent(drawing, chains, 7);
  for (const Chains::Chain& chain : chains.chains) EXPECT_FALSE(chain.closed || chain.joins_start || chain.joins_end);
}

TEST(Chains, ARingIsClosed) {
  Drawing drawing;
  const int rod = drawing.add_rod("ring");
  for (int k = 0; k < 12; ++k) drawing.add_vertex({std::cos(k * 0.5236), std::sin(k * 0.5236), 0}, 0.1);
  for (int k = 0; k < 12; ++k) drawing.add_segment(k, (k + 1) % 12, 0.1, rod);
  const Chains chains = find_chains(drawing.model, drawing.state);
  ASSERT_EQ(chains.chains.size(), 1u);
  EXPECT_TRUE(chains.chains[0].closed);
  expect_consistent(drawing, chains, 12);
}

// a trunk goes on into the thick branch although the thin one is straighter
TEST(Chains, ATrunkContinuesIntoTheThickerBranch) {
  Drawing drawing;
  const int rod = drawing.add_rod("tree");
  drawing.add_vertex({0, 0, 0}, 1), drawing.add_vertex({0, 0, 1}, 1);
  drawing.add_vertex({0.3, 0, 2}, 1), drawing.add_vertex({0, 0, 2}, 1);
  const int trunk = drawing.add_segment(0, 1, 0.1, rod), thick = drawing.add_segment(1, 2, 0.09, rod);
  drawing.add_segment(1, 3, 0.02, rod);
  const Chains chains = find_chains(drawing.model, drawing.state);
  ASSERT_EQ(chains.chains.size(), 2u);
  expect_consistent(drawing, chains, 3);
  EXPECT_EQ(chains.segments[0], trunk);
  EXPECT_EQ(chains.segments[1], thick);
  EXPECT_TRUE(chains.chains[1].joins_start);
  EXPECT_FALSE(chains.chains[1].joins_end);
}

TEST(Chains, ACrossingIsTwoStraightPaths) {
  Drawing drawing;
  const int rod = drawing.add_rod("net");
  const int middle = drawing.add_vertex({0, 0, 0}, 0.1);
  for (const Vec3d& x : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{-1, 0, 0}, Vec3d{0, -1, 0}})
    drawing.add_segment(middle, drawing.add_vertex(x, 0.1), 0.1, rod);
  const Chains chains = find_chains(drawing.model, drawing.state);
  ASSERT_EQ(chains.chains.size(), 2u);
  expect_consistent(drawing, chains, 4);
}

// a brush of many bristles on one vertex does not search all pairs
TEST(Chains, AHubHasOneChainPerSegment) {
  Drawing drawing;
  const int rod = drawing.add_rod("brush"), middle = drawing.add_vertex({0, 0, 0}, 0.1);
  for (int k = 0; k < 1000; ++k)
    drawing.add_segment(middle, drawing.add_vertex({std::cos(k), std::sin(k), 1}, 0.1), 0.1, rod);
  EXPECT_EQ(find_chains(drawing.model, drawing.state).chains.size(), 1000u);
}

// a bar of radius r bent to curvature k and stretched by e shows the strain e + r k of its outer fibre
TEST(Coloring, StrainOfTheOuterFibre) {
  const double r = 0.1, curvature = 0.4, stretch = 0.01, l = 0.25;
  Drawing drawing = red_bar(r);
  for (Segment& segment : drawing.model.segments) segment.rest_length = l / (1 + stretch);
  for (int s = 0; s < 8; ++s) drawing.state.q[s] = quaternion_exp({0, curvature * l * s, 0});
  for (int s = 0; s + 1 < 8; ++s) {
    Bend bend;
    bend.a.index = s, bend.b.index = s + 1, bend.length = l;
    drawing.model.bends.push_back(bend);
  }
  for (const float value : segment_values(drawing.model, drawing.state, Coloring::strain))
    EXPECT_NEAR(value, stretch + r * curvature, 1e-6);
  for (const float value : segment_values(drawing.model, drawing.state, Coloring::twist)) EXPECT_NEAR(value, 0, 1e-6);
}

}  // namespace
}  // namespace tendril::render
