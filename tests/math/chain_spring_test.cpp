#include "math/chain_spring.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cstdlib>

namespace tendril::math {
namespace {

using Matrix9 = Eigen::Matrix<double, 9, 9>;
using Vector9 = Eigen::Matrix<double, 9, 1>;

// x, theta and x', of which a spring joins the first to the others
struct System {
  double k, more;  // across an axis, and along it
  Eigen::Vector3d axis;
  Eigen::Matrix3d M, F, T, X;  // of x, of theta with x, of theta, and of x'
  Eigen::Vector3d arm;
  Vector9 right = Vector9::Random();

  System(unsigned seed, double k, bool round) : k(k), more(round ? 0 : 1.6 * k) {
    std::srand(seed);
    axis = Eigen::Vector3d::Random().normalized();
    const auto positive = [] {
      const Eigen::Matrix3d a = Eigen::Matrix3d::Random();
      return Eigen::Matrix3d(a * a.transpose() + 0.5 * Eigen::Matrix3d::Identity());
    };
    M = positive(), T = 3 * positive(), X = positive();
    F = 0.3 * Eigen::Matrix3d::Random(), arm.setRandom(), right.setRandom();
  }

  Matrix9 matrix() const {
    Eigen::Matrix3d Q;  // [arm]
    Q << 0, -arm.z(), arm.y(), arm.z(), 0, -arm.x(), -arm.y(), arm.x(), 0;
    Eigen::Matrix<double, 3, 9> stretch;
    stretch << Eigen::Matrix3d::Identity(), -Q, -Eigen::Matrix3d::Identity();
    Matrix9 H = stretch.transpose() * (k * Eigen::Matrix3d::Identity() + more * axis * axis.transpose()) * stretch;
    H.block<3, 3>(0, 0) += M, H.block<3, 3>(3, 3) += T, H.block<3, 3>(6, 6) += X;
    H.block<3, 3>(3, 0) += F, H.block<3, 3>(0, 3) += F.transpose();
    return H;
  }
};

template <class S>
Vec3<S> vector(const Eigen::Vector3d& a) {
  return {S(a[0]), S(a[1]), S(a[2])};
}
template <class S>
Sym3<S> symmetric(const Eigen::Matrix3d& a) {
  return {S(a(0, 0)), S(a(1, 0)), S(a(2, 0)), S(a(1, 1)), S(a(2, 1)), S(a(2, 2))};
}

// by the elimination of x, then of theta, then of x'
template <class S>
Vector9 solve(const System& s) {
  OpenRow<S> row{symmetric<S>(s.M), vector<S>(s.right.segment<3>(0))};
  OpenRow<S> turn{symmetric<S>(s.T), vector<S>(s.right.segment<3>(3))};
  Mat3<S> coupling{vector<S>(s.F.col(0)), vector<S>(s.F.col(1)), vector<S>(s.F.col(2))};
  SpringRow<S> spring;
  const Vec3<S> arm = vector<S>(s.arm);
  if (s.more == 0)
    EXPECT_TRUE(eliminate_spring(RoundSpring<S>{S(s.k)}, arm, row, coupling, turn, spring));
  else
    EXPECT_TRUE(
        eliminate_spring(AxialSpring<S>{S(s.k), S(s.more), vector<S>(s.axis)}, arm, row, coupling, turn, spring));
  row.diagonal += symmetric<S>(s.X), row.right += vector<S>(s.right.segment<3>(6));
  DoneRow<S> second, third;
  Mat3<S> none{};
  OpenRow<S> nothing{};
  EXPECT_TRUE(begin_elimination(turn, coupling, row, second));
  end_elimination(none, nothing, none, second);
  EXPECT_TRUE(begin_elimination(row, none, nothing, third));
  end_elimination(none, nothing, none, third);
  const Vec3<S> x1 = third.solve_backwards({}, {}), theta = second.solve_backwards(x1, {});
  const Vec3<S> x = spring.solve_backwards(theta, x1);
  Vector9 out;
  out << x.x, x.y, x.z, theta.x, theta.y, theta.z, x1.x, x1.y, x1.z;
  return out;
}

TEST(ChainSpring, SolvesWhatADenseMatrixDoes) {
  for (unsigned seed = 0; seed < 20; ++seed)
    for (double k : {1e-3, 1.0, 1e3}) {
      const System s(seed, k, seed % 2);
      const Vector9 expected = s.matrix().ldlt().solve(s.right);
      EXPECT_LT((solve<double>(s) - expected).norm(), 1e-11 * expected.norm()) << seed << " " << k;
    }
}

// however stiff the spring is, and however few digits there are
TEST(ChainSpring, LosesNothingOfWhatIsSoft) {
  for (unsigned seed = 0; seed < 20; ++seed)
    for (double k : {1e4, 1e8, 1e12}) {
      const System s(seed, k, seed % 2), rigid(seed, 1e13, seed % 2);
      const Vector9 expected = solve<double>(s);
      EXPECT_LT((solve<float>(s) - expected).norm(), 1e-4 * expected.norm()) << seed << " " << k;
      if (k == 1e12) EXPECT_LT((solve<double>(rigid) - expected).norm(), 1e-11 * expected.norm()) << seed;
    }
}

TEST(ChainSpring, KnowsAPivotThatIsNotPositive) {
  System s(1, 1, true);
  s.M = -2 * Eigen::Matrix3d::Identity();
  OpenRow<double> row{symmetric<double>(s.M), {}}, turn{};
  Mat3d coupling{};
  SpringRow<double> spring;
  EXPECT_FALSE(eliminate_spring(RoundSpring<double>{s.k}, vector<double>(s.arm), row, coupling, turn, spring));
}

}  // namespace
}  // namespace tendril::math
