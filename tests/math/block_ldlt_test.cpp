#include "math/block_ldlt.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "math/ordered_elimination.h"

namespace tendril::math {
namespace {

using Couplings = std::vector<std::pair<int, int>>;

// the unknowns of a chain of segments: vertices are even, frames odd
Couplings chain(int segments) {
  Couplings c;
  for (int s = 0; s < segments; ++s) {
    const int x = 2 * s;
    c.insert(c.end(), {{x, x + 1}, {x, x + 2}, {x + 1, x + 2}});
    if (s > 0) c.push_back({x - 1, x + 1});
  }
  return c;
}

// a tree of segments: unknown 0 is the root vertex, segment s has the frame 2 s + 1 and the far vertex 2 s + 2
Couplings tree(int segments, std::mt19937& random) {
  Couplings c;
  std::vector<std::vector<int>> at_vertex(segments + 1);
  for (int s = 0; s < segments; ++s) {
    const int near = static_cast<int>(random() % (s + 1));
    c.insert(c.end(), {{2 * near, 2 * s + 1}, {2 * near, 2 * s + 2}, {2 * s + 1, 2 * s + 2}});
    at_vertex[near].push_back(s), at_vertex[s + 1].push_back(s);
  }
  for (const auto& meeting : at_vertex)
    for (int a : meeting)
      for (int b : meeting)
        if (a < b) c.push_back({2 * a + 1, 2 * b + 1});
  return c;
}

int distinct(Couplings c) {
  for (auto& [a, b] : c)
    if (a > b) std::swap(a, b);
  std::sort(c.begin(), c.end());
  return static_cast<int>(std::unique(c.begin(), c.end()) - c.begin());
}

TEST(Elimination, AChainAndATreeHaveNoFill) {
  EXPECT_EQ(plan_elimination(201, chain(100)).coupling_count(), distinct(chain(100)));
  std::mt19937 random(3);
  for (int segments : {1, 2, 7, 60, 3000}) {
    const Couplings c = tree(segments, random);
    EXPECT_EQ(plan_elimination(2 * segments + 1, c).coupling_count(), distinct(c)) << segments;
  }
}

TEST(Elimination, ARingCostsTwoBlocksPerRow) {
  Couplings ring = chain(100);  // the last vertex is the first one
  for (auto& [a, b] : ring) a %= 200, b %= 200;
  ring.push_back({1, 199});
  EXPECT_LT(plan_elimination(200, ring).coupling_count(), 2 * distinct(ring));
}

TEST(Elimination, BranchesAreDoneInOneGo) {
  std::mt19937 random(5);
  const Couplings c = tree(2000, random);
  const Elimination plan = plan_elimination(4001, c);
  // the first later row of a row is the root of the smallest branch around it: all rows between belong to that branch
  std::vector<int> lowest(plan.row_count());
  for (int r = 0; r < plan.row_count(); ++r) lowest[r] = r;
  for (int r = 0; r + 1 < plan.row_count(); ++r) {
    const int parent = plan.later[plan.first[r]];
    lowest[parent] = std::min(lowest[parent], lowest[r]);
  }
  std::vector<int> size(plan.row_count(), 1);
  for (int r = 0; r < plan.row_count(); ++r) {
    EXPECT_EQ(size[r], r - lowest[r] + 1);
    if (r + 1 < plan.row_count()) size[plan.later[plan.first[r]]] += size[r];
  }
}

// a random positive definite matrix: Σ J Jᵀ over pairs, and 1 on the diagonal
struct Matrix {
  std::vector<std::vector<double>> full;
  int blocks;

  Matrix(int blocks, const Couplings& couplings, std::mt19937& random) : blocks(blocks) {
    full.assign(3 * blocks, std::vector<double>(3 * blocks));
    std::normal_distribution<double> normal;
    for (int i = 0; i < 3 * blocks; ++i) full[i][i] = 1;
    for (const auto& [a, b] : couplings) {
      double j[6];
      for (int repeat = 0; repeat < 2; ++repeat) {
        for (double& value : j) value = normal(random);
        for (int m = 0; m < 6; ++m)
          for (int n = 0; n < 6; ++n) full[3 * (m < 3 ? a : b) + m % 3][3 * (n < 3 ? a : b) + n % 3] += j[m] * j[n];
      }
    }
  }
  Mat3d block(int a, int b) const {
    Mat3d m;
    for (int r = 0; r < 3; ++r)
      m.c0[r] = full[3 * a + r][3 * b], m.c1[r] = full[3 * a + r][3 * b + 1], m.c2[r] = full[3 * a + r][3 * b + 2];
    return m;
  }
  Vec3d times(const std::vector<Vec3d>& u, int a) const {
    Vec3d sum;
    for (int b = 0; b < blocks; ++b) sum += block(a, b) * u[b];
    return sum;
  }
};

template <class T>
void fill(const Matrix& matrix, const Couplings& couplings, const Elimination& plan, BlockLdlt<T>& ldlt) {
  const auto wide = [](const Mat3d& m) {
    return Mat3<T>{
        {T(m.c0.x), T(m.c0.y), T(m.c0.z)}, {T(m.c1.x), T(m.c1.y), T(m.c1.z)}, {T(m.c2.x), T(m.c2.y), T(m.c2.z)}};
  };
  ldlt.reset(plan);
  ldlt.clear();
  for (int i = 0; i < matrix.blocks; ++i) ldlt.diagonal(plan.row[i]) = diagonal_of(wide(matrix.block(i, i)));
  std::vector<bool> done(plan.coupling_count());
  for (auto [a, b] : couplings) {
    if (plan.row[a] > plan.row[b]) std::swap(a, b);
    const int c = plan.coupling(plan.row[a], plan.row[b]);
    if (!done[c]) ldlt.coupling(c) += wide(matrix.block(b, a));
    done[c] = true;
  }
}

class Solves : public testing::TestWithParam<int> {};

TEST_P(Solves, LinearSystems) {
  std::mt19937 random(GetParam());
  const int segments = 1 + GetParam() * 7, unknowns = 2 * segments + 1;
  Couplings couplings = tree(segments, random);
  for (int loop = 0; loop < GetParam() % 3; ++loop)  // and some loops
    couplings.push_back({static_cast<int>(random() % unknowns), static_cast<int>(random() % unknowns)});
  std::erase_if(couplings, [](const auto& c) { return c.first == c.second; });
  const Matrix matrix(unknowns, couplings, random);
  const Elimination plan = plan_elimination(unknowns, couplings);
  std::vector<Vec3d> right(unknowns);
  for (Vec3d& r : right) r = {random() * 1e-9, random() * 1e-9 - 2, random() * 1e-9 - 1};

  BlockLdlt<double> ldlt;
  fill(matrix, couplings, plan, ldlt);
  std::vector<Vec3d> u, again(unknowns), by_unknown(unknowns);
  for (int i = 0; i < unknowns; ++i) ldlt.right(plan.row[i]) += right[i], again[plan.row[i]] = right[i];
  for (int row = 0; row < unknowns; ++row) EXPECT_TRUE(ldlt.eliminate(row));
  ldlt.solve_backwards(u);
  ldlt.solve(again);
  for (int i = 0; i < unknowns; ++i) by_unknown[i] = u[plan.row[i]];
  for (int i = 0; i < unknowns; ++i) {
    EXPECT_LT(norm(matrix.times(by_unknown, i) - right[i]), 1e-9);
    EXPECT_LT(norm(u[i] - again[i]), 1e-10);
  }

  // the same in lanes
  using P = Pack<double>;
  BlockLdlt<P> lanes;
  fill(matrix, couplings, plan, lanes);
  for (int i = 0; i < unknowns; ++i) lanes.right(plan.row[i]) += Vec3<P>{P(right[i].x), P(right[i].y), P(right[i].z)};
  for (int row = 0; row < unknowns; ++row) lanes.eliminate(row);
  std::vector<Vec3<P>> wide;
  lanes.solve_backwards(wide);
  for (int row = 0; row < unknowns; ++row) EXPECT_NEAR(wide[row].y[3], u[row].y, 1e-10);
}
INSTANTIATE_TEST_SUITE_P(BlockLdlt, Solves, testing::Range(0, 9));

// rows come as they are told to, and the matrix is solved all the same
TEST(Elimination, TakesAnyOrder) {
  std::mt19937 random(7);
  const Couplings couplings = tree(12, random);
  const Matrix matrix(25, couplings, random);
  std::vector<int> order(25);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  const Elimination plan = plan_elimination_in_order(order, couplings);
  for (int r = 0; r < 25; ++r) EXPECT_EQ(plan.row[order[r]], r);
  BlockLdlt<double> ldlt;
  fill(matrix, couplings, plan, ldlt);
  for (int i = 0; i < 25; ++i) ldlt.right(plan.row[i]) += Vec3d{1.0 * i, 2, -3};
  for (int row = 0; row < 25; ++row) EXPECT_TRUE(ldlt.eliminate(row));
  std::vector<Vec3d> u, by_unknown(25);
  ldlt.solve_backwards(u);
  for (int i = 0; i < 25; ++i) by_unknown[i] = u[plan.row[i]];
  for (int i = 0; i < 25; ++i) EXPECT_LT(norm(matrix.times(by_unknown, i) - Vec3d{1.0 * i, 2, -3}), 1e-9);
}

// a chain in its own order has no fill
TEST(Elimination, AChainHasNoFillAlongItself) {
  std::vector<int> order(201);
  std::iota(order.begin(), order.end(), 0);
  EXPECT_EQ(plan_elimination_in_order(order, chain(100)).coupling_count(), distinct(chain(100)));
}

TEST(BlockLdlt, HoldsAxes) {
  std::mt19937 random(11);
  const Couplings couplings = chain(4);
  const Matrix matrix(9, couplings, random);
  const Elimination plan = plan_elimination(9, couplings);
  BlockLdlt<double> ldlt;
  fill(matrix, couplings, plan, ldlt);
  for (int i = 0; i < 9; ++i) ldlt.right(plan.row[i]) += Vec3d{1.0 * i, 2, 3};
  const int held = plan.row[4];
  for (int row = 0; row < 9; ++row) {
    if (row == held)
      ldlt.eliminate_partly(row, {1, 0, 0});
    else
      ldlt.eliminate(row);
  }
  std::vector<Vec3d> u, by_unknown(9), again(9);
  ldlt.solve_backwards(u);
  for (int i = 0; i < 9; ++i) again[plan.row[i]] = Vec3d{1.0 * i, 2, 3};
  ldlt.solve(again);
  for (int row = 0; row < 9; ++row) EXPECT_LT(norm(u[row] - again[row]), 1e-12);
  EXPECT_EQ(u[held].y, 0);
  EXPECT_EQ(u[held].z, 0);
  for (int i = 0; i < 9; ++i) by_unknown[i] = u[plan.row[i]];
  for (int i = 0; i < 9; ++i) {
    const Vec3d left = matrix.times(by_unknown, i) - Vec3d{1.0 * i, 2, 3};
    EXPECT_LT(std::abs(left.x) + (i == 4 ? 0 : std::abs(left.y) + std::abs(left.z)), 1e-10) << i;
  }
}

// of every pivot, whatever the others are: it must not hide among good ones
TEST(BlockLdlt, WhatIsNotANumberOrZeroIsNotDefinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {nan, 0.0, -1.0})
    for (int axis = 0; axis < 3; ++axis) {
      Vec3d pivots{1, 1, 1};
      pivots[axis] = bad;
      Factors3<double> factors;
      EXPECT_FALSE(factorise(Sym3<double>{pivots.x, 0, 0, pivots.y, 0, pivots.z}, factors)) << bad << " at " << axis;
      using P = Pack<double>;
      Vec3<P> lanes{P(1.0), P(1.0), P(1.0)};
      lanes[axis].v[2] = bad;
      Factors3<P> wide;
      const Truth<P> is_definite = factorise(Sym3<P>{lanes.x, 0, 0, lanes.y, 0, lanes.z}, wide);
      for (int lane = 0; lane < P::lanes; ++lane) EXPECT_EQ(is_definite[lane] != 0, lane != 2) << bad << " at " << axis;
    }
}

}  // namespace
}  // namespace tendril::math
