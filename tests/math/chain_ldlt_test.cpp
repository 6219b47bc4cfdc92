#include "math/chain_ldlt.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cstdlib>
#include <vector>

#include "math/chain_border.h"

namespace tendril::math {
namespace {

constexpr int row_count = 7;

// a random positive definite matrix in which a block couples with the two after it
struct Chain {
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(3 * row_count, 3 * row_count);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(3 * row_count);

  Chain(unsigned seed, bool plain) {
    std::srand(seed);
    for (int r = 0; r < row_count; ++r) {
      for (int c = r; c < std::min(r + 3, row_count); ++c) {
        Eigen::Matrix3d block = Eigen::Matrix3d::Random();
        if (plain && c == r + 2) block = block(0, 0) * Eigen::Matrix3d::Identity();
        if (c == r) block = 8 * Eigen::Matrix3d::Identity() + block + block.transpose().eval();
        H.block<3, 3>(3 * c, 3 * r) = block, H.block<3, 3>(3 * r, 3 * c) = block.transpose();
      }
      right.segment<3>(3 * r).setRandom();
    }
  }
  Mat3d block(int r, int c) const {
    if (r >= row_count || c >= row_count) return Mat3d{};
    const auto b = H.block<3, 3>(3 * r, 3 * c);
    return {{b(0, 0), b(1, 0), b(2, 0)}, {b(0, 1), b(1, 1), b(2, 1)}, {b(0, 2), b(1, 2), b(2, 2)}};
  }
  OpenRow<double> row(int r) const {
    if (r >= row_count) return {};
    const Mat3d m = block(r, r);
    return {{m.c0.x, m.c0.y, m.c0.z, m.c1.y, m.c1.z, m.c2.z}, {right[3 * r], right[3 * r + 1], right[3 * r + 2]}};
  }
};

// as the elimination goes; `free` of row 2
std::vector<Vec3d> solve(const Chain& chain, bool plain, const Vec3d& free, bool& is_definite) {
  std::vector<DoneRow<double>> done(row_count);
  OpenRow<double> first = chain.row(0), next = chain.row(1);
  Mat3d coupling = chain.block(1, 0);
  is_definite = true;
  for (int r = 0; r < row_count; ++r) {
    Mat3d after = chain.block(r + 2, r);
    if (r == 2) hold(free, first, coupling, after);
    is_definite &= begin_elimination(first, coupling, next, done[r]);
    OpenRow<double> third = chain.row(r + 2);
    coupling = chain.block(r + 2, r + 1);
    if (plain)
      end_elimination(after.c0.x, third, coupling, done[r]);
    else
      end_elimination(after, third, coupling, done[r]);
    first = next, next = third;
  }
  std::vector<Vec3d> u(row_count + 2);
  for (int r = row_count - 1; r >= 0; --r)
    u[r] = plain ? done[r].solve_backwards(u[r + 1], u[r + 2], chain.block(r + 2, r).c0.x)
                 : done[r].solve_backwards(u[r + 1], u[r + 2]);
  return u;
}

class ChainLdlt : public testing::TestWithParam<bool> {};

TEST_P(ChainLdlt, SolvesAsADenseMatrixDoes) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const Chain chain(seed, GetParam());
    const Eigen::VectorXd expected = chain.H.llt().solve(chain.right);
    bool is_definite = false;
    const std::vector<Vec3d> u = solve(chain, GetParam(), {1, 1, 1}, is_definite);
    EXPECT_TRUE(is_definite);
    for (int r = 0; r < row_count; ++r)
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(u[r][k], expected[3 * r + k], 1e-13) << "row " << r;
  }
}
INSTANTIATE_TEST_SUITE_P(Coupling, ChainLdlt, testing::Bool(),
                         [](const auto& info) { return info.param ? "a_number" : "a_block"; });

Eigen::Matrix3d dense(const Mat3d& m) {
  Eigen::Matrix3d out;
  out << m.c0.x, m.c1.x, m.c2.x, m.c0.y, m.c1.y, m.c2.y, m.c0.z, m.c1.z, m.c2.z;
  return out;
}

// what elimination leaves for rows 0, 1 and the last two, and the rows between from the solution of these
TEST_P(ChainLdlt, APieceIsCutOut) {
  const Chain chain(4, GetParam());
  const int end = row_count - 2;
  const int left[] = {0, 1, end, end + 1};
  OpenPair<double> border{chain.row(0), chain.row(1), chain.block(1, 0)};
  OpenRow<double> first = chain.row(2), next = chain.row(3);
  Mat3d coupling = chain.block(3, 2);
  Border<double> own{chain.block(0, 2), chain.block(1, 2)}, next_border{{}, chain.block(1, 3)};
  std::vector<DoneRow<double>> done(row_count);
  std::vector<Border<double>> borders(row_count);
  for (int r = 2; r < end; ++r) {
    ASSERT_TRUE(begin_elimination(first, coupling, next, done[r]));
    OpenRow<double> third = chain.row(r + 2);
    coupling = chain.block(r + 2, r + 1);
    const Mat3d after = chain.block(r + 2, r);
    Border<double> third_border;
    if (GetParam()) {
      end_elimination(after.c0.x, third, coupling, done[r]);
      third_border =
          eliminate_border<true>(done[r], done[r].after_of(after.c0.x), own, next_border, border, borders[r]);
    } else {
      end_elimination(after, third, coupling, done[r]);
      third_border = eliminate_border<false>(done[r], done[r].after, own, next_border, border, borders[r]);
    }
    first = next, next = third;
    own = next_border, next_border = third_border;
  }
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(12, 12);
  Eigen::VectorXd right(12);
  const OpenRow<double> rows[] = {border.first, border.second, first, next};
  const auto put = [&](int a, int b, const Mat3d& m) {
    H.block<3, 3>(3 * a, 3 * b) = dense(m), H.block<3, 3>(3 * b, 3 * a) = dense(m).transpose();
  };
  for (int n = 0; n < 4; ++n) {
    put(n, n, full(rows[n].diagonal));
    right.segment<3>(3 * n) << rows[n].right.x, rows[n].right.y, rows[n].right.z;
  }
  put(1, 0, border.coupling), put(3, 2, coupling);
  put(0, 2, own.first), put(1, 2, own.second), put(0, 3, next_border.first), put(1, 3, next_border.second);

  const Eigen::VectorXd expected = chain.H.llt().solve(chain.right), ends = H.llt().solve(right);
  std::vector<Vec3d> u(row_count);
  for (int n = 0; n < 4; ++n) u[left[n]] = {ends[3 * n], ends[3 * n + 1], ends[3 * n + 2]};
  for (int r = end - 1; r >= 2; --r) {
    const Vec3d pull = borders[r].pull(u[0], u[1]);
    u[r] = GetParam() ? done[r].solve_backwards(u[r + 1], u[r + 2], chain.block(r + 2, r).c0.x, pull)
                      : done[r].solve_backwards(u[r + 1], u[r + 2], pull);
  }
  for (int r = 0; r < row_count; ++r)
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(u[r][k], expected[3 * r + k], 1e-13) << "row " << r;
}

TEST(ChainLdlt, WhatIsHeldStaysAndTheRestFollows) {
  Chain chain(9, false);
  bool is_definite = false;
  const std::vector<Vec3d> u = solve(chain, false, {1, 0, 1}, is_definite);
  const int held = 3 * 2 + 1;
  chain.H.row(held).setZero(), chain.H.col(held).setZero();
  chain.H(held, held) = 1, chain.right[held] = 0;
  const Eigen::VectorXd expected = chain.H.llt().solve(chain.right);
  EXPECT_TRUE(is_definite);
  for (int r = 0; r < row_count; ++r)
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(u[r][k], expected[3 * r + k], 1e-13) << "row " << r;
}

TEST(ChainLdlt, SeesWhatIsNotDefinite) {
  Chain chain(3, false);
  chain.H(13, 13) = -1;
  bool is_definite = true;
  solve(chain, false, {1, 1, 1}, is_definite);
  EXPECT_FALSE(is_definite);
}

}  // namespace
}  // namespace tendril::math
