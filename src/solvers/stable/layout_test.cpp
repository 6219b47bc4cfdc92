#include "solvers/stable/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "solvers/chain.h"
#include "solvers/stable/colouring.h"
#include "solvers/stable/traversal.h"

namespace tendril::solvers::stable {
namespace {

using testing::RodOptions;
using testing::Scene;

int colours_of(int count, const std::vector<std::pair<int, int>>& edges) {
  const std::vector<int> colours = colour(Graph(count, edges));
  for (const auto& [a, b] : edges) EXPECT_NE(colours[a], colours[b]);
  return *std::max_element(colours.begin(), colours.end()) + 1;
}

TEST(Colouring, TakesTwoColoursForChainsTreesAndEvenLoops) {
  std::vector<std::pair<int, int>> chain, tree, loop;
  for (int i = 0; i + 1 < 50; ++i) chain.push_back({(i * 7) % 50, ((i + 1) * 7) % 50});
  for (int i = 1; i < 50; ++i) tree.push_back({i, (i - 1) / 3});
  for (int i = 0; i < 50; ++i) loop.push_back({i, (i + 1) % 50});
  EXPECT_EQ(colours_of(50, chain), 2);
  EXPECT_EQ(colours_of(50, tree), 2);
  EXPECT_EQ(colours_of(50, loop), 2);
}

TEST(Colouring, TakesWhatACliqueNeeds) {
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < i; ++j) edges.push_back({i, j});
  EXPECT_EQ(colours_of(5, edges), 5);
}

// a star of chains with a hub of seven, one held end, one anisotropic branch
Scene star() {
  Scene scene;
  RodOptions o;
  const int hub = scene.add_vertex({0, 0, 0});
  std::vector<int> first;
  for (int branch = 0; branch < 7; ++branch) {
    int last = hub, last_segment = -1;
    if (branch == 3) o.GJ = 0.5, o.GA = 0.3e4;
    if (branch == 4) o = {};
    for (int s = 0; s < 5; ++s) {
      const double angle = 0.8 * branch;
      const int next = scene.add_vertex((s + 1.0) * Vec3d{std::cos(angle), std::sin(angle), 0});
      const int segment = scene.add_segment(last, next, o);
      if (last_segment >= 0) scene.add_bend({last_segment, false}, {segment, false}, 1, o);
      if (last == hub) {
        for (int other : first) scene.add_bend({other, false}, {segment, false}, 1, o);
        first.push_back(segment);
      }
      last = next, last_segment = segment;
    }
  }
  scene.clamp(5, 4, o);
  scene.fill_inputs();
  return scene;
}

TEST(Layout, PlacesEveryoneOnceAndKeepsNeighboursApart) {
  Scene scene = star();
  StepProblem problem;
  problem.reset(scene.model);
  problem.begin_step(scene.inputs, 0.01, scene.state);
  const int lanes = 8;
  const Layout layout = make_layout(problem, lanes, 1);
  const std::set<int> rows(layout.vertex_row.begin(), layout.vertex_row.end());
  EXPECT_EQ(rows.size(), scene.model.vertices.size());
  EXPECT_LT(*rows.rbegin(), layout.vertex_row_count - 1);
  EXPECT_GE(layout.vertex_row[5], static_cast<int>(layout.vertex_at.size()));  // held: not swept

  for (int colour = 0; colour < layout.segment_groups.colours; ++colour) {
    std::set<int> written, read;
    for (const Group& group : layout.segment_groups.all) {
      if (group.colour != colour) continue;
      for (int p = 0; p < group.pack_count; ++p)
        for (int lane = 0; lane < lanes; ++lane) {
          const int row = (group.first_pack + p) * lanes + lane;
          if (layout.segment_at[row] < 0) continue;
          written.insert(row);
          for (int k = 0; k < group.slots; ++k)
            read.insert(layout.segment_slots[(group.first_slot + p * group.slots + k) * lanes + lane].frame_row);
        }
    }
    for (int row : read) EXPECT_FALSE(written.count(row));
  }
  EXPECT_EQ(layout.vertex_groups.colours, 2);
  EXPECT_EQ(layout.segment_groups.colours, 7);  // the hub's segments all bend against each other
}

TEST(Layout, OneOddRodLeavesTheOthersOnTheFastPath) {
  Scene scene = star();
  StepProblem problem;
  problem.reset(scene.model);
  problem.begin_step(scene.inputs, 0.01, scene.state);
  const Layout layout = make_layout(problem, 8, 1);
  int plain = 0, general = 0;
  for (const Group& group : layout.segment_groups.all)
    for (int row = group.first_pack * 8; row < (group.first_pack + group.pack_count) * 8; ++row)
      if (layout.segment_at[row] >= 0) ++(group.plain ? plain : general);
  EXPECT_EQ(general, 5 + 3);  // its five, and the three that bend against its first with its stiffness
  EXPECT_EQ(plain, 35 - 8);
}

TEST(Layout, TakesAnEmptyModel) {
  Scene scene;
  scene.fill_inputs();
  StepProblem problem;
  problem.reset(scene.model);
  problem.begin_step(scene.inputs, 0.01, scene.state);
  const Layout layout = make_layout(problem, 8, 1);
  EXPECT_EQ(layout.vertex_groups.colours, 0);
  EXPECT_EQ(layout.segment_groups.colours, 0);
}

// every branch forks in two, level by level; vertices are numbered by level
Scene binary_tree(int levels) {
  Scene scene;
  const RodOptions o;
  scene.add_vertex({0, 0, 0});
  scene.add_segment(0, scene.add_vertex({0, 0, 1}), o);
  for (int i = 1; i < 1 << levels; ++i)
    for (int side : {-1, 1}) {
      const Vec3d from = scene.state.x[i];
      const int segment = scene.add_segment(i, scene.add_vertex({from.x + side / (from.z * from.z), 0, from.z + 1}), o);
      scene.add_bend({i - 1, false}, {segment, false}, 1, o);
    }
  scene.fill_inputs();
  return scene;
}

// the part in which each element stands, -1: in none
std::vector<int> part_of_elements(const Groups& groups, const std::vector<int>& at, int lanes, std::size_t elements) {
  std::vector<int> part_of(elements, -1);
  for (int part = 0; part < groups.parts; ++part)
    for (int g = groups.of(part).begin; g < groups.of(part).end; ++g) {
      const Group& group = groups.all[g];
      for (int row = lanes * group.first_pack; row < lanes * (group.first_pack + group.pack_count); ++row)
        if (at[row] >= 0) part_of[at[row]] = part;
    }
  return part_of;
}

// every part has its own rows, none has much more than the others, and hardly any reads what another writes
TEST(Partition, SharesATreeByItsBranches) {
  Scene scene = binary_tree(10);
  StepProblem problem;
  problem.reset(scene.model);
  problem.begin_step(scene.inputs, 0.01, scene.state);
  for (int parts : {1, 2, 3, 8}) {
    const Layout layout = make_layout(problem, 8, parts);
    const std::size_t segments = scene.model.segments.size(), vertices = scene.model.vertices.size();
    const std::vector<int> part = part_of_elements(layout.segment_groups, layout.segment_at, 8, segments);
    const std::vector<int> vertex_part = part_of_elements(layout.vertex_groups, layout.vertex_at, 8, vertices);
    std::vector<int> size(parts, 0);
    int foreign = 0;
    for (std::size_t s = 0; s < segments; ++s) {
      ASSERT_GE(part[s], 0);
      ++size[part[s]];
      for (int i : scene.model.segments[s].vertex) foreign += vertex_part[i] >= 0 && vertex_part[i] != part[s];
    }
    for (int count : size) EXPECT_NEAR(count, double(segments) / parts, 0.06 * double(segments) / parts + 1);
    EXPECT_LE(foreign, 8 * (parts - 1)) << parts << " parts";
    for (std::size_t g = 1; g < layout.segment_groups.all.size(); ++g) {
      const Group &last = layout.segment_groups.all[g - 1], &next = layout.segment_groups.all[g];
      EXPECT_EQ(last.first_pack + last.pack_count, next.first_pack);  // part after part in memory
    }
  }
}

TEST(Traversal, MeetsEverythingOnceAndNeighboursSoon) {
  const Scene scene = binary_tree(6);
  const Traversal traversal = traverse(scene.model);
  const std::set<int> places(traversal.vertex.begin(), traversal.vertex.end());
  EXPECT_EQ(places.size(), scene.model.vertices.size());
  EXPECT_EQ(*places.begin(), 0);
  EXPECT_EQ(*places.rbegin(), traversal.length - 1);
  int next_to_each_other = 0;
  for (const Segment& s : scene.model.segments)
    next_to_each_other += std::abs(traversal.vertex[s.vertex[0]] - traversal.vertex[s.vertex[1]]) == 1;
  EXPECT_GE(next_to_each_other, int(scene.model.segments.size()) / 2);  // one branch of each fork
}

}  // namespace
}  // namespace tendril::solvers::stable
