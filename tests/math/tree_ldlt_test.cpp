#include "math/tree_ldlt.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "math/mat3.h"

namespace tendril::math {
namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

// Nodes, each joined to a parent of a smaller number or to none, some with further couplings; some unknowns stay zero.
struct Tangle {
  struct Join {
    int child, parent;
    Matrix6 K;
    Eigen::Vector3d arm, twist;
    Eigen::Vector3d axis{0, 0, 0}, shear{0, 0, 0};
  };
  struct Coupling {
    int a, b;
    Matrix6 O;
  };

  std::vector<Matrix6> diagonal;
  std::vector<Vector6> right, free;
  std::vector<Join> joins;
  std::vector<Coupling> couplings;

  std::mt19937 random{7};
  double number() { return std::uniform_real_distribution<>(-1, 1)(random); }
  Eigen::Vector3d direction() { return {number(), number(), number()}; }
  Eigen::Matrix3d stiff(double least) {
    const Eigen::Matrix3d m = Eigen::Matrix3d::NullaryExpr([&] { return number(); });
    return m * m.transpose() + least * Eigen::Matrix3d::Identity();
  }

  void add_node(double weight) {
    const Matrix6 m = Matrix6::NullaryExpr([&] { return number(); });
    diagonal.push_back(weight * (m * m.transpose() + Matrix6::Identity()));
    right.push_back(Vector6::NullaryExpr([&] { return number(); }));
    free.push_back(Vector6::Ones());
  }
  void join(int child, int parent, double stiffness, double twist) {
    Matrix6 K = Matrix6::Zero();
    K.topLeftCorner<3, 3>() = stiffness * stiff(1), K.bottomRightCorner<3, 3>() = stiffness * stiff(1);
    joins.push_back({child, parent, K, direction(), twist * direction()});
  }
  void shear(int join, double size) { joins[join].axis = direction(), joins[join].shear = size * direction(); }
  void couple(int a, int b, double size) {
    couplings.push_back({a, b, size * Matrix6::NullaryExpr([&] { return number(); })});
  }
  // turns only
  void couple_turns(int a, int b, double size) {
    couple(a, b, size);
    couplings.back().O.topRows<3>().setZero(), couplings.back().O.leftCols<3>().setZero();
  }
  int size() const { return 6 * static_cast<int>(diagonal.size()); }

  static Eigen::Matrix3d cross_by(const Eigen::Vector3d& a) {
    return (Eigen::Matrix3d() << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0).finished();
  }
  static Matrix6 shift(const Eigen::Vector3d& arm) {
    Matrix6 J = Matrix6::Identity();
    J.topRightCorner<3, 3>() = cross_by(arm);
    return J;
  }

  // of the child alone, and of the child with its parent
  static Matrix6 own_block(const Join& j) {
    const Matrix6 J = shift(j.arm);
    Matrix6 D = J.transpose() * j.K * J;
    D.topRightCorner<3, 3>() += j.axis * j.shear.transpose();
    D.bottomLeftCorner<3, 3>() += j.shear * j.axis.transpose();
    return D;
  }
  static Matrix6 coupling_block(const Join& j) {
    Matrix6 O = -shift(j.arm).transpose() * j.K;
    O.bottomRightCorner<3, 3>() += cross_by(j.twist);
    O.bottomLeftCorner<3, 3>() -= j.shear * j.axis.transpose();
    return O;
  }

  Eigen::MatrixXd dense() const {
    Eigen::MatrixXd H = Eigen::MatrixXd::Zero(size(), size());
    for (std::size_t n = 0; n < diagonal.size(); ++n) H.block<6, 6>(6 * n, 6 * n) += diagonal[n];
    const auto add = [&](int a, int b, const Matrix6& O) {
      H.block<6, 6>(6 * a, 6 * b) += O, H.block<6, 6>(6 * b, 6 * a) += O.transpose();
    };
    for (const Join& j : joins) {
      H.block<6, 6>(6 * j.child, 6 * j.child) += own_block(j);
      H.block<6, 6>(6 * j.parent, 6 * j.parent) += j.K;
      add(j.child, j.parent, coupling_block(j));
    }
    for (const Coupling& c : couplings) add(c.a, c.b, c.O);
    for (std::size_t n = 0; n < free.size(); ++n)
      for (int k = 0; k < 6; ++k)
        if (free[n][k] == 0) H.row(6 * n + k).setZero(), H.col(6 * n + k).setZero(), H(6 * n + k, 6 * n + k) = 1;
    return H;
  }
  Eigen::VectorXd dense_right() const {
    Eigen::VectorXd b(size());
    for (std::size_t n = 0; n < right.size(); ++n) b.segment<6>(6 * n) = right[n].cwiseProduct(free[n]);
    return b;
  }
};

Three row(const Eigen::Vector3d& v, double fourth = 0) { return Three{v.x(), v.y(), v.z(), fourth}; }

class TangleSolver {
 public:
  // in any order, or `in_turn`: all that concerns a node just before it is eliminated
  explicit TangleSolver(const Tangle& t, bool in_turn = false) : tangle_(t), in_turn_(in_turn) {
    std::vector<std::pair<int, int>> pairs;
    for (const auto& j : t.joins) pairs.push_back({j.child, j.parent});
    for (const auto& c : t.couplings) pairs.push_back({c.a, c.b});
    plan_ = plan_elimination(static_cast<int>(t.diagonal.size()), pairs);
    layout_ = in_turn ? make_layout(plan_, course()) : roomy_layout(plan_);
    factorise();
  }

  bool is_definite() const { return is_definite_; }
  int joined() const { return joined_; }
  const TreeLayout& layout() const { return layout_; }

  Eigen::VectorXd solution() const {
    std::vector<TreeLdlt::Unknowns> u(plan_.row_count());
    for (int n = plan_.row_count() - 1; n >= 0; --n)
      u[n] = matrix_.solve_backwards(n, [&](int later) { return u[later]; });
    return packed(u);
  }
  Eigen::VectorXd solution(const Eigen::VectorXd& right) const {
    std::vector<TreeLdlt::Unknowns> u(plan_.row_count());
    for (int n = 0; n < plan_.row_count(); ++n)
      u[plan_.row[n]] = {row(right.segment<3>(6 * n)), row(right.segment<3>(6 * n + 3))};
    matrix_.solve(u);
    return packed(u);
  }

 private:
  Eigen::VectorXd packed(const std::vector<TreeLdlt::Unknowns>& u) const {
    Eigen::VectorXd out(tangle_.size());
    for (int n = 0; n < plan_.row_count(); ++n)
      for (int k = 0; k < 3; ++k)
        out[6 * n + k] = u[plan_.row[n]].place[k], out[6 * n + 3 + k] = u[plan_.row[n]].turn[k];
    return out;
  }
  static bool of_turns(const Matrix6& O) { return O.topRows<3>().isZero(0) && O.leftCols<3>().isZero(0); }
  void add(int a, int b, Matrix6 O) {
    if (plan_.row[a] > plan_.row[b]) std::swap(a, b), O.transposeInPlace();
    const int c = plan_.coupling(plan_.row[a], plan_.row[b]);
    if (of_turns(O)) {
      for (int k = 0; k < 3; ++k) matrix_.turns(c)[k] += row(O.row(3 + k).tail<3>().transpose());
      return;
    }
    const TreeLdlt::Rows rows = matrix_.coupling(c);
    for (int k = 0; k < 6; ++k) {
      rows.place[k] += row(O.row(k).head<3>().transpose());
      rows.turn[k] += row(O.row(k).tail<3>().transpose());
    }
  }
  void add(int n, const Matrix6& D) {
    TreeLdlt::Node& node = matrix_.node(plan_.row[n]);
    for (int k = 0; k < 3; ++k) {
      node.xx[k] += row(D.row(k).head<3>().transpose()), node.xt[k] += row(D.row(k).tail<3>().transpose());
      node.tt[k] += row(D.row(3 + k).tail<3>().transpose());
    }
  }
  // a join whose parent comes earlier, or whose child has unknowns that stay zero, is added as it is
  bool may_join(const Tangle::Join& j) const {
    return plan_.row[j.child] < plan_.row[j.parent] && tangle_.free[j.child] == Vector6::Ones();
  }
  TreeCourse course() const {
    TreeCourse out;
    out.added.assign(plan_.coupling_count(), TreeLayout::Kind::none), out.joint.assign(plan_.row_count(), -1);
    out.trunk = {{0, plan_.row_count()}};
    const auto coupling = [&](int a, int b) {
      return plan_.coupling(std::min(plan_.row[a], plan_.row[b]), std::max(plan_.row[a], plan_.row[b]));
    };
    const auto add = [&](int c, TreeLayout::Kind kind) { out.added[c] = std::max(out.added[c], kind); };
    for (const auto& c : tangle_.couplings)
      add(coupling(c.a, c.b), of_turns(c.O) ? TreeLayout::Kind::turns : TreeLayout::Kind::full);
    for (const auto& j : tangle_.joins) {
      if (may_join(j))
        out.joint[plan_.row[j.child]] = coupling(j.child, j.parent);
      else
        add(coupling(j.child, j.parent), TreeLayout::Kind::full);
    }
    return out;
  }
  // what stands between two nodes, when the turn of the first comes
  void add_of(int row) {
    const Tangle& t = tangle_;
    const auto is_turn = [&](int a, int b) { return row < 0 || std::min(plan_.row[a], plan_.row[b]) == row; };
    for (const auto& c : t.couplings)
      if (is_turn(c.a, c.b)) add(c.a, c.b, c.O);
    for (const auto& j : t.joins) {
      if (may_join(j) || !is_turn(j.child, j.parent)) continue;
      add(j.child, Tangle::own_block(j)), add(j.parent, j.K), add(j.child, j.parent, Tangle::coupling_block(j));
    }
  }
  void factorise() {
    const Tangle& t = tangle_;
    matrix_.reset(plan_, layout_, true);
    matrix_.clear();
    std::vector<const Tangle::Join*> join(t.diagonal.size(), nullptr);
    for (int n = 0; n < plan_.row_count(); ++n) {
      add(n, t.diagonal[n]);
      TreeLdlt::Node& node = matrix_.node(plan_.row[n]);
      for (int k = 0; k < 3; ++k) node.xx[k][3] = t.right[n][k], node.tt[k][3] = t.right[n][3 + k];
    }
    for (const auto& j : t.joins)
      if (may_join(j)) join[plan_.row[j.child]] = &j;
    if (!in_turn_) add_of(-1);
    std::vector<int> node_of(plan_.row_count());
    for (int n = 0; n < plan_.row_count(); ++n) node_of[plan_.row[n]] = n;
    for (int r = 0; r < plan_.row_count(); ++r) {
      if (in_turn_) add_of(r);
      const Vector6& free = t.free[node_of[r]];
      const Three mask[2] = {row(free.head<3>()), row(free.tail<3>())};
      if (!join[r]) {
        is_definite_ &= free == Vector6::Ones() ? matrix_.eliminate(r) : matrix_.eliminate_partly(r, mask);
        continue;
      }
      const Tangle::Join& j = *join[r];
      TreeLdlt::Joint joint{};
      for (int k = 0; k < 3; ++k) {
        joint.place[k] = row(j.K.row(k).head<3>().transpose());
        joint.turn[k] = row(j.K.row(3 + k).tail<3>().transpose());
      }
      joint.arm = row(j.arm), joint.twist = row(j.twist);
      joint.sheared = j.shear.norm() > 0, joint.axis = row(j.axis), joint.shear = row(j.shear);
      is_definite_ &= matrix_.eliminate(r, plan_.coupling(r, plan_.row[j.parent]), joint);
      ++joined_;
    }
  }

  const Tangle& tangle_;
  bool in_turn_;
  Elimination plan_;
  TreeLayout layout_;
  TreeLdlt matrix_;
  bool is_definite_ = true;
  int joined_ = 0;
};

double error(const Tangle& t, const Eigen::VectorXd& u) {
  const Eigen::VectorXd exact = t.dense().ldlt().solve(t.dense_right());
  return (u - exact).norm() / exact.norm();
}

void expect_solved(const Tangle& t, int least_joined) {
  for (bool in_turn : {false, true}) {
    const TangleSolver solver(t, in_turn);
    EXPECT_TRUE(solver.is_definite());
    EXPECT_GE(solver.joined(), least_joined);
    EXPECT_LT(error(t, solver.solution()), 1e-10);
    EXPECT_LT(error(t, solver.solution(t.dense_right())), 1e-10);
  }
}

TEST(TreeLdlt, SolvesChains) {
  Tangle t;
  for (int n = 0; n < 20; ++n) t.add_node(1);
  for (int n = 1; n < 20; ++n) t.join(n, n - 1, 10, 0.1);
  expect_solved(t, 19);
}

TEST(TreeLdlt, SolvesTreesWithCouplingsOfSiblings) {
  Tangle t;
  for (int n = 0; n < 40; ++n) t.add_node(1);
  for (int n = 1; n < 40; ++n) t.join(n, (n - 1) / 3, 10, 0.1);
  for (int n = 1; n < 38; n += 3) t.couple(n, n + 1, 0.05), t.couple(n, (n - 1) / 3, 0.05);
  expect_solved(t, 30);
}

TEST(TreeLdlt, SolvesTreesWithCouplingsOfTurns) {
  Tangle t;
  for (int n = 0; n < 40; ++n) t.add_node(1);
  for (int n = 1; n < 40; ++n) t.join(n, (n - 1) / 3, 10, 0.1);
  for (int n = 1; n < 38; n += 3)
    t.couple_turns(n, n + 1, 0.1), t.couple_turns(n + 2, n + 1, 0.1), t.couple_turns(n + 2, n, 0.1);
  t.couple_turns(39, 20, 0.1), t.couple(30, 25, 0.05), t.couple_turns(7, 2, 0.1);
  t.free[5] << 1, 0, 1, 1, 0, 1;
  expect_solved(t, 25);
}

TEST(TreeLdlt, SolvesTreesWithShear) {
  Tangle t;
  for (int n = 0; n < 40; ++n) t.add_node(1);
  for (int n = 1; n < 40; ++n) t.join(n, (n - 1) / 3, 10, 0.1), t.shear(n - 1, n % 4 ? 0.1 : 0);
  for (int n = 1; n < 38; n += 3) t.couple_turns(n, n + 1, 0.1);
  expect_solved(t, 30);
}

TEST(TreeLayout, OfAChainNeedsNothingBesidesItsNodes) {
  Tangle t;
  for (int n = 0; n < 20; ++n) t.add_node(1);
  for (int n = 1; n < 20; ++n) t.join(n, n - 1, 10, 0.1);
  EXPECT_EQ(TangleSolver(t, true).layout().size, 0);
}

// Three siblings couple by turns: two with those after them and the parent's, which waits; then the same again. A
// coupling of turns has three rows, the first of a node four, and those before the first of all are not used.
TEST(TreeLayout, UsesTheFrontAgain) {
  const auto size = [](int forks) {
    Tangle t;
    t.add_node(1);
    for (int n = 1; n <= 3 * forks; ++n) t.add_node(1), t.join(n, (n - 1) / 3 * 3, 10, 0.1);
    for (int n = 1; n <= 3 * forks; n += 3)
      t.couple_turns(n, n + 1, 0.1), t.couple_turns(n, n + 2, 0.1), t.couple_turns(n + 1, n + 2, 0.1);
    return TangleSolver(t, true).layout().size;
  };
  const int fork = (4 + 3) + 4, all = 12, rest = size(1) - fork;
  EXPECT_EQ(rest, 3 + 2 * all);
  EXPECT_EQ(size(8), 8 * fork + rest);
}

TEST(TreeLdlt, SolvesLoops) {
  Tangle t;
  for (int n = 0; n < 20; ++n) t.add_node(1);
  for (int n = 1; n < 20; ++n) t.join(n, n - 1, 10, 0.1);
  t.couple(19, 0, 0.1), t.couple(12, 3, 0.1), t.couple(5, 16, 0.1);
  expect_solved(t, 10);
}

TEST(TreeLdlt, LeavesWhatIsHeld) {
  Tangle t;
  for (int n = 0; n < 12; ++n) t.add_node(1);
  for (int n = 1; n < 12; ++n) t.join(n, n - 1, 10, 0.1);
  t.free[0] = Vector6::Zero();
  t.free[11] << 0, 1, 0, 1, 1, 1;
  t.free[6] << 0, 0, 0, 1, 0, 1;
  expect_solved(t, 9);
}

TEST(TreeLdlt, SaysWhenItIsNotDefinite) {
  Tangle t;
  for (int n = 0; n < 5; ++n) t.add_node(1);
  for (int n = 1; n < 5; ++n) t.join(n, n - 1, 10, 0);
  t.diagonal[2] -= 1e4 * Matrix6::Identity();
  EXPECT_FALSE(TangleSolver(t).is_definite());
  t.diagonal[2](0, 0) = std::nan("");
  EXPECT_FALSE(TangleSolver(t).is_definite());
}

// Springs 1e14 times as stiff as what they join: together the nodes move like one body, whose six unknowns follow from
// the sums of all. The matrix itself has no digit left for that.
TEST(TreeLdlt, LosesNothingToStiffSprings) {
  Tangle t;
  for (int n = 0; n < 30; ++n) t.add_node(1);
  for (int n = 1; n < 30; ++n) t.join(n, n - 1, 1e14, 0);
  Matrix6 mass = t.diagonal[0];
  Vector6 force = t.right[0];
  Matrix6 from_first = Matrix6::Identity();
  std::vector<Matrix6> carried{from_first};
  for (int n = 1; n < 30; ++n) {
    from_first = Tangle::shift(t.joins[n - 1].arm).inverse() * from_first;
    carried.push_back(from_first);
    mass += from_first.transpose() * t.diagonal[n] * from_first, force += from_first.transpose() * t.right[n];
  }
  const Vector6 rigid = mass.ldlt().solve(force);
  const TangleSolver solver(t);
  ASSERT_TRUE(solver.is_definite());
  const Eigen::VectorXd u = solver.solution();
  for (int n = 0; n < 30; ++n) EXPECT_LT((u.segment<6>(6 * n) - carried[n] * rigid).norm(), 1e-10 * rigid.norm()) << n;
}

}  // namespace
}  // namespace tendril::math
