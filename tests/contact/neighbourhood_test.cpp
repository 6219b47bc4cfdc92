#include "contact/neighbourhood.h"

#include <gtest/gtest.h>

#include <numbers>

#include "contact/closest.h"
#include "math/random.h"

namespace tendril::contact {
namespace {

constexpr double pi = std::numbers::pi;

// rods made by hand: vertices with places, segments with lengths and radii
struct Rods {
  Model model;
  State start;

  int vertex(const Vec3d& x) {
    model.vertices.push_back({});
    start.x.push_back(x);
    return static_cast<int>(start.x.size()) - 1;
  }
  int segment(int from, int to, double radius, double length) {
    Segment segment;
    segment.vertex[0] = from, segment.vertex[1] = to;
    segment.rest_length = length, segment.radius = radius;
    model.segments.push_back(segment);
    return static_cast<int>(model.segments.size()) - 1;
  }
  int segment(int from, int to, double radius) { return segment(from, to, radius, norm(start.x[to] - start.x[from])); }
  // a straight rod of segments of equal length that begins at a vertex; its last vertex
  int line(int from, const Vec3d& to, int segments, double radius) {
    const Vec3d begin = start.x[from];
    for (int k = 1; k <= segments; ++k) {
      const int next = vertex(begin + (double(k) / segments) * (to - begin));
      segment(from, next, radius);
      from = next;
    }
    return from;
  }
};

int pair_count(const Rods& rods, const Neighbourhood& neighbours) {
  const int count = static_cast<int>(rods.model.segments.size());
  int pairs = 0;
  for (int a = 0; a < count; ++a)
    for (int b = a + 1; b < count; ++b) pairs += neighbours.contains(a, b);
  return pairs;
}

// from segment a to segment a + k the way is (k - 1) l
TEST(Neighbourhood, OfAChainReachesHalfATurnAroundItsThickness) {
  for (double l : {3.0, 2.0, 0.5, 0.02}) {
    Rods rods;
    const int segments = 200;
    rods.line(rods.vertex({}), {segments * l, 0, 0}, segments, 1);
    const Neighbourhood neighbours(rods.model, rods.start);
    const int farthest = static_cast<int>(std::ceil(pi / l));  // the last k with (k - 1) l < pi
    for (int a : {0, 1, 100, 199})
      for (int b = 0; b < segments; ++b)
        if (a != b) {
          EXPECT_EQ(neighbours.contains(a, b), std::abs(a - b) <= farthest) << l << ' ' << a << ' ' << b;
        }
    EXPECT_EQ(neighbours.overlapping_branches(), 0);
  }
}

TEST(Neighbourhood, OfARingGoesTheShorterWay) {
  Rods rods;
  const int segments = 40;
  const double l = 0.7, big = l / (2 * std::sin(pi / segments));
  for (int i = 0; i < segments; ++i)
    rods.vertex({big * std::cos(2 * pi * i / segments), big * std::sin(2 * pi * i / segments), 0});
  for (int i = 0; i < segments; ++i) rods.segment(i, (i + 1) % segments, 1);
  const Neighbourhood neighbours(rods.model, rods.start);
  for (int a = 0; a < segments; ++a)
    for (int b = 0; b < segments; ++b)
      if (a != b) {
        const int apart = std::min(std::abs(a - b), segments - std::abs(a - b));
        EXPECT_EQ(neighbours.contains(a, b), apart <= 5) << a << ' ' << b;  // 4 l < pi < 5 l
      }
}

TEST(Neighbourhood, WithoutThicknessNeedsASharedVertex) {
  Rods rods;
  rods.line(rods.vertex({}), {1, 0, 0}, 10, 0);
  const Neighbourhood neighbours(rods.model, rods.start);
  EXPECT_EQ(pair_count(rods, neighbours), 9);
  EXPECT_TRUE(neighbours.contains(3, 4));
}

TEST(Neighbourhood, TakesTheMeanOfTwoRadii) {
  // a thick rod that goes on as a thin one: (1 + 0.2) pi / 2 = 1.88
  Rods rods;
  const int joint = rods.line(rods.vertex({}), {10, 0, 0}, 10, 1);
  rods.line(joint, {20, 0, 0}, 40, 0.2);
  const Neighbourhood neighbours(rods.model, rods.start);
  const int last_thick = 9, first_thin = 10;
  for (int k = 0; k < 30; ++k) {
    EXPECT_EQ(neighbours.contains(last_thick, first_thin + k), 0.25 * k < 0.6 * pi) << k;
    EXPECT_EQ(neighbours.contains(first_thin + k, last_thick), 0.25 * k < 0.6 * pi) << k;
  }
}

TEST(Neighbourhood, NeverHoldsTwoRods) {
  Rods rods;
  rods.line(rods.vertex({-1, 0, 0}), {1, 0, 0}, 10, 0.1);
  rods.line(rods.vertex({0, -1, 0}), {0, 1, 0}, 10, 0.1);  // right through the first
  const Neighbourhood neighbours(rods.model, rods.start);
  for (int a = 0; a < 10; ++a)
    for (int b = 10; b < 20; ++b) EXPECT_FALSE(neighbours.contains(a, b));
  EXPECT_EQ(neighbours.overlapping_branches(), 0);
}

// two branches at an angle of 0.1: at a distance x from the fork they are 2 x sin(0.05) apart
TEST(Neighbourhood, BranchesThatLeaveAForkSideBySideAreExcusedWhereTheyOverlap) {
  Rods rods;
  const double r = 0.1, l = 0.25;
  const int fork = rods.line(rods.vertex({-5, 0, 0}), {0, 0, 0}, 20, r);
  rods.line(fork, {10 * std::cos(0.05), 10 * std::sin(0.05), 0}, 40, r);
  rods.line(fork, {10 * std::cos(0.05), -10 * std::sin(0.05), 0}, 40, r);
  // a rod of its own across both
  const int alone = rods.segment(rods.vertex({1, -1, 0}), rods.vertex({1, 1, 0}), r);
  const Neighbourhood neighbours(rods.model, rods.start);
  const int upper = 20, lower = 60;
  int expected = 0;
  for (int k = 0; k < 40; ++k) {
    const bool overlap = 2 * k * l * std::sin(0.05) < 2.1 * r;
    EXPECT_EQ(neighbours.contains(upper + k, lower + k), overlap) << k;
    EXPECT_FALSE(neighbours.contains(upper + k, alone));
    for (int m = 0; m < 40; ++m) {
      const bool by_way = (k + m) * l < pi * r;
      const std::vector<Vec3d>& x = rods.start.x;
      const int *i = rods.model.segments[upper + k].vertex, *j = rods.model.segments[lower + m].vertex;
      expected += !by_way && nearest_points(x[i[0]], x[i[1]], x[j[0]], x[j[1]]).distance < 2.1 * r;
    }
  }
  EXPECT_GT(expected, 10);
  EXPECT_EQ(neighbours.overlapping_branches(), expected);
}

// a rod that comes back to itself inside a structure with a branching: the way between the two strands of the hairpin
// passes none, so they collide; where the way through the knot of a lasso is shorter, they do not
TEST(Neighbourhood, OneChainIsExcusedOnlyThroughABranching) {
  Rods rods;
  const double r = 0.1;
  const int fork = rods.vertex({});
  rods.line(fork, {-5, 0, 0}, 10, r);
  rods.line(fork, {0, -5, 0}, 10, r);
  const int hairpin = static_cast<int>(rods.model.segments.size());
  int end = rods.line(fork, {5, 0, 0}, 10, r);
  end = rods.line(end, {5, 0.15, 0}, 1, r);
  rods.line(end, {2, 0.15, 0}, 6, r);
  const Neighbourhood with_hairpin(rods.model, rods.start);
  EXPECT_FALSE(with_hairpin.contains(hairpin + 7, hairpin + 13));
  EXPECT_EQ(with_hairpin.overlapping_branches(), 0);

  Rods lasso;
  const int knot = lasso.line(lasso.vertex({-5, 0, 0}), {}, 10, r);
  const int first = static_cast<int>(lasso.model.segments.size());
  end = lasso.line(knot, {5, 0.2, 0}, 10, r);
  end = lasso.line(end, {5, -0.2, 0}, 1, r);
  end = lasso.line(end, {0.5, -0.02, 0}, 9, r);
  const int last = lasso.segment(end, knot, r);
  const Neighbourhood with_lasso(lasso.model, lasso.start);
  EXPECT_TRUE(with_lasso.contains(first, last));
  EXPECT_TRUE(with_lasso.contains(first + 3, last - 3));   // 3 m through the knot, 7.4 m around the loop
  EXPECT_FALSE(with_lasso.contains(first + 8, last - 8));  // 8 m and 2.4 m; nor do they overlap

  // the first segment of a loop, and one that comes by it on its way to the knot: 2 m from there, 10 m around
  Rods loop;
  const int eye = loop.line(loop.vertex({-1, 0, 0}), {}, 1, r);
  const int beginning = static_cast<int>(loop.model.segments.size());
  end = loop.line(eye, {1, 0, 0}, 1, r);
  end = loop.line(end, {3, 4, 0}, 5, r);
  end = loop.line(end, {0.5, 0.15, 0}, 5, r);
  const int passing = static_cast<int>(loop.model.segments.size());
  end = loop.line(end, {0.4, 0.15, 0}, 1, r);
  end = loop.line(end, {0.4, 1, 0}, 1, r);
  loop.segment(end, eye, r);
  EXPECT_TRUE(Neighbourhood(loop.model, loop.start).contains(beginning, passing));
}

// all ways by Floyd and Warshall, and whether a shortest one passes a branching
struct AllWays {
  std::vector<std::vector<double>> way;
  std::vector<std::vector<bool>> branched;

  explicit AllWays(const Rods& rods) {
    const std::size_t n = rods.start.x.size();
    way.assign(n, std::vector<double>(n, 1e9));
    branched.assign(n, std::vector<bool>(n, false));
    std::vector<int> degree(n, 0);
    for (const Segment& s : rods.model.segments)
      for (int i : s.vertex) ++degree[i];
    for (std::size_t i = 0; i < n; ++i) way[i][i] = 0, branched[i][i] = degree[i] > 2;
    for (const Segment& s : rods.model.segments)
      for (int k : {0, 1}) {
        const int i = s.vertex[k], j = s.vertex[1 - k];
        way[i][j] = s.rest_length, branched[i][j] = degree[i] > 2 || degree[j] > 2;
      }
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          if (way[i][k] + way[k][j] < way[i][j]) {
            way[i][j] = way[i][k] + way[k][j];
            branched[i][j] = branched[i][k] || branched[k][j];
          }
  }
};

TEST(Neighbourhood, IsThatOfAllPairsInRandomStructures) {
  int excused = 0, grown = 0, collide = 0;
  for (int seed = 0; seed < 12; ++seed) {
    Random random(seed);
    const auto any = [&](int count) { return static_cast<int>(random.next() % count); };
    const auto place = [&] { return Vec3d{random.uniform(), random.uniform(), random.uniform()}; };
    Rods rods;
    const int vertices = 90;
    for (int i = 0; i < vertices; ++i) {
      rods.vertex(place());
      if (i < 5) continue;  // the beginnings of five structures; most vertices go on where the last one ended
      const int from = any(4) > 0 ? (i < 10 ? i - 5 : i - 1) : any(i);
      rods.segment(from, i, random.uniform(0.01, 0.05), random.uniform(0.02, 0.1));
    }
    for (int loop = 0; loop < 6; ++loop) {
      const int i = any(vertices / 2), j = vertices / 2 + any(vertices / 2);
      rods.segment(i, j, 0.03, random.uniform(0.02, 0.2));
    }

    const AllWays ways(rods);
    const Neighbourhood neighbours(rods.model, rods.start);
    int by_overlap = 0;
    const int count = static_cast<int>(rods.model.segments.size());
    for (int a = 0; a < count; ++a)
      for (int b = 0; b < count; ++b) {
        if (a == b) continue;
        const Segment &p = rods.model.segments[a], &q = rods.model.segments[b];
        double way = 1e9;
        bool branched = false;
        for (int i : p.vertex)
          for (int j : q.vertex)
            if (ways.way[i][j] < way) way = ways.way[i][j], branched = ways.branched[i][j];
        const std::vector<Vec3d>& x = rods.start.x;
        const bool overlap = nearest_points(x[p.vertex[0]], x[p.vertex[1]], x[q.vertex[0]], x[q.vertex[1]]).distance <
                             p.radius + q.radius + 0.1 * std::min(p.radius, q.radius);
        const bool by_way = way == 0 || way < 0.5 * pi * (p.radius + q.radius);
        const bool by_branch = way < 1e9 && branched && overlap;
        EXPECT_EQ(neighbours.contains(a, b), by_way || by_branch) << seed << ' ' << a << ' ' << b;
        by_overlap += !by_way && by_branch && a < b;
        excused += by_way, collide += overlap && !by_way && !by_branch;
      }
    EXPECT_EQ(neighbours.overlapping_branches(), by_overlap);
    grown += by_overlap;
  }
  // none of the cases is empty
  EXPECT_GT(excused, 1000);
  EXPECT_GT(grown, 100);
  EXPECT_GT(collide, 100);
}

}  // namespace
}  // namespace tendril::contact
