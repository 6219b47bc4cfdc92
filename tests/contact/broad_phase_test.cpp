#include "contact/broad_phase.h"

#include <gtest/gtest.h>

#include "math/random.h"
#include "math/thread_team.h"

namespace tendril::contact {
namespace {

using Pairs = std::vector<IndexPair>;
constexpr double infinity = Bounds::infinity;

bool anything(int, int) { return true; }

Pairs all_pairs(const std::vector<Bounds>& boxes) {
  Pairs pairs;
  for (int a = 0; a < static_cast<int>(boxes.size()); ++a)
    for (int b = a + 1; b < static_cast<int>(boxes.size()); ++b)
      if (overlap(boxes[a], boxes[b])) pairs.push_back({a, b});
  return pairs;
}

Pairs all_pairs(const std::vector<Bounds>& movers, const std::vector<Bounds>& others) {
  Pairs pairs;
  for (int a = 0; a < static_cast<int>(movers.size()); ++a)
    for (int b = 0; b < static_cast<int>(others.size()); ++b)
      if (overlap(movers[a], others[b])) pairs.push_back({a, b});
  return pairs;
}

Pairs found(const std::vector<Bounds>& boxes, int threads = 1) {
  ThreadTeam team(threads);
  Pairs pairs;
  BroadPhase().find_pairs(boxes, team, anything, pairs);
  return pairs;
}

// boxes in a cube of side 1, their sizes spread evenly over the powers of ten between `smallest` and `largest`
std::vector<Bounds> random_boxes(int count, double smallest, double largest, int seed) {
  Random random(seed);
  std::vector<Bounds> boxes;
  for (int k = 0; k < count; ++k) {
    const Vec3d middle{random.uniform(), random.uniform(), random.uniform()};
    Vec3d half;
    for (int axis = 0; axis < 3; ++axis) half[axis] = 0.5 * smallest * std::pow(largest / smallest, random.uniform());
    boxes.push_back({middle - half, middle + half});
  }
  return boxes;
}

TEST(BroadPhase, FindsWhatAComparisonOfAllWithAllFinds) {
  for (int seed = 0; seed < 3; ++seed)
    for (int count : {0, 1, 2, 7, 8, 9, 63, 64, 65, 200, 513, 1001, 1500})
      for (double largest : {1e-3, 0.1, 3.0}) {
        const std::vector<Bounds> boxes = random_boxes(count, 1e-3, largest, seed);
        const Pairs expected = all_pairs(boxes);
        for (int threads : {1, 2, 5}) EXPECT_EQ(found(boxes, threads), expected) << count << ' ' << largest;
      }
}

TEST(BroadPhase, FindsThePairsOfTwoSets) {
  for (int count : {0, 1, 8, 70, 1200})
    for (int other_count : {0, 1, 9, 300})
      for (double largest : {1e-2, 1.0}) {
        const std::vector<Bounds> movers = random_boxes(count, 1e-2, 0.1, 1);
        const std::vector<Bounds> others = random_boxes(other_count, 1e-2, largest, 2);
        const Pairs expected = all_pairs(movers, others);
        for (int threads : {1, 2, 5}) {
          ThreadTeam team(threads);
          Pairs pairs;
          BroadPhase().find_pairs_between(movers, others, team, pairs);
          EXPECT_EQ(pairs, expected) << count << ' ' << other_count;
        }
      }
}

TEST(BroadPhase, KeepsNothingOfAnEarlierSearch) {
  ThreadTeam team(2);
  BroadPhase phase;
  Pairs pairs;
  for (int count : {1900, 3, 0, 1400}) {
    const std::vector<Bounds> boxes = random_boxes(count, 1e-2, 0.3, count), others = random_boxes(50, 0.1, 0.1, 1);
    phase.find_pairs(boxes, team, anything, pairs);
    EXPECT_EQ(pairs, all_pairs(boxes));
    phase.find_pairs_between(boxes, others, team, pairs);
    EXPECT_EQ(pairs, all_pairs(boxes, others));
  }
}

TEST(BroadPhase, AsksWhetherAPairIsAllowedOnceForEach) {
  const std::vector<Bounds> boxes = random_boxes(700, 1e-2, 0.3, 4);
  Pairs expected = all_pairs(boxes), asked, pairs;
  ThreadTeam alone(1);
  const auto odd = [&](int a, int b) { return asked.push_back({a, b}), (a + b) % 2 == 1; };
  BroadPhase().find_pairs(boxes, alone, odd, pairs);
  std::sort(asked.begin(), asked.end());
  EXPECT_EQ(asked, expected);
  std::erase_if(expected, [](IndexPair p) { return (p.a + p.b) % 2 == 0; });
  EXPECT_EQ(pairs, expected);
}

TEST(BroadPhase, BoxesThatOnlyTouchOverlapAndThoseABitApartDoNot) {
  // far from the origin and with sides that no float represents: the answer is that of the doubles
  std::vector<Bounds> boxes;
  double x = 1000.1;
  for (int k = 0; k < 100; ++k) {
    const double end = x + 1e-4;
    boxes.push_back({{x, 0.1, -7.3}, {end, 0.2, -7.2}});
    x = k % 2 ? std::nextafter(end, infinity) : end;
  }
  Pairs expected;
  for (int k = 0; k < 100; k += 2) expected.push_back({k, k + 1});
  EXPECT_EQ(found(boxes), expected);
}

TEST(BroadPhase, AFewHugeAndInfiniteBoxesAreFoundAmongSmallOnes) {
  std::vector<Bounds> boxes = random_boxes(1500, 1e-3, 0.02, 5);
  boxes.push_back({{-infinity, -infinity, -infinity}, {infinity, infinity, 0.5}});
  boxes.push_back({{0.5, -infinity, -infinity}, {infinity, infinity, infinity}});
  boxes.push_back({{-1e300, -1e300, -1e300}, {1e300, 1e300, 1e300}});
  boxes.push_back({{1e40, 1e40, 1e40}, {1e41, 1e41, 1e41}});
  boxes.push_back({{-1e6, -1e6, -1e6}, {1e6, 1e6, 0}});
  boxes.push_back({{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}});
  EXPECT_EQ(found(boxes), all_pairs(boxes));
  EXPECT_EQ(found(boxes, 2), all_pairs(boxes));

  const std::vector<Bounds> small = random_boxes(100, 1e-3, 0.02, 6);
  ThreadTeam team(2);
  Pairs pairs;
  BroadPhase().find_pairs_between(small, boxes, team, pairs);
  EXPECT_EQ(pairs, all_pairs(small, boxes));
  BroadPhase().find_pairs_between(boxes, small, team, pairs);
  EXPECT_EQ(pairs, all_pairs(boxes, small));
}

TEST(BroadPhase, AllBoxesInOnePlace) {
  const std::vector<Bounds> boxes(1100, Bounds{{1, 2, 3}, {1, 2, 3}});
  EXPECT_EQ(found(boxes).size(), 1100u * 1099u / 2);
  EXPECT_EQ(found(boxes, 2), all_pairs(boxes));
  const std::vector<Bounds> everywhere(20, Bounds{{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}});
  EXPECT_EQ(found(everywhere), all_pairs(everywhere));
}

// Most boxes in a crowd that is tiny beside the distance of a few others: were the cells of the grid as wide as the
// whole, the crowd would lie in one of them and each box would be compared with each. Visits tell.
TEST(BoxTree, AFewBoxesFarAwayDoNotSpoilTheOrderOfTheOthers) {
  const int count = 20000;
  const auto visits = [](const std::vector<Bounds>& boxes) {
    ThreadTeam alone(1);
    BoxTree tree;
    tree.build(boxes, Grid::around(boxes), alone);
    long visits = 0;
    for (int leaf = 0; leaf < tree.leaf_count(); ++leaf)
      tree.visit(BoxTree::hull_of(tree.leaf(leaf)), 0, [&](const BoxTree::Node&, unsigned) { ++visits; });
    return visits;
  };
  std::vector<Bounds> boxes = random_boxes(count, 0.01, 0.02, 7);
  const long near = visits(boxes);
  EXPECT_LT(near, 100L * count / BoxTree::width);
  for (int k = 0; k < 10; ++k) boxes[1700 * k] = {{1e9 * k, 1e9, 1e9}, {1e9 * k + 1, 1e9 + 1, 1e9 + 1}};
  EXPECT_LT(visits(boxes), 1.1 * near);
}

}  // namespace
}  // namespace tendril::contact
