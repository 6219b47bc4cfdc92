#include "solvers/compact/equations.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "solvers/compact/elimination.h"
#include "solvers/compact/holds.h"
#include "solvers/compact/pcg.h"
#include "solvers/random_vectors.h"

namespace tendril::solvers::compact {
namespace {

using solvers::testing::RandomVectors;

Equations random_equations(int count, int seed, bool touches = true) {
  RandomVectors random(seed);
  Equations e;
  e.vertices.resize(count + 1), e.links.resize(count);
  for (Equations::Vertex& v : e.vertices) v = {random.definite(1), random.vector(1)};
  for (int k = 0; k < count; ++k) {
    Equations::Link& link = e.links[k];
    link.arm = random.vector(0.3), link.theta = random.definite(0.2), link.right = random.vector(1);
    link.S = random.definite(5), link.half_moment = random.vector(0.1);
    if (!touches || k % 3 != 1) continue;
    link.coupling = static_cast<int>(e.couplings.size());
    const auto matrix = [&] { return Mat3d{random.vector(0.1), random.vector(0.1), random.vector(0.1)}; };
    e.couplings.push_back({matrix(), matrix(), matrix()});
  }
  return e;
}

Vectors zero(const Equations& e) { return {std::vector<Vec3d>(e.vertices.size()), std::vector<Vec3d>(e.links.size())}; }
Vectors random_vectors(const Equations& e, int seed) {
  RandomVectors random(seed);
  Vectors out = zero(e);
  for (auto* of : {&out.x, &out.theta})
    for (Vec3d& v : *of) v = random.vector(1);
  return out;
}

double& entry(Vectors& u, int k) { return k < 3 ? u.x[0][k] : u.theta[k / 3 - 1][k % 3]; }

// A by its columns, in the root's way and the turns
Eigen::MatrixXd dense(const Equations& e) {
  const int size = 3 * (e.count() + 1);
  Eigen::MatrixXd A(size, size);
  for (int column = 0; column < size; ++column) {
    Vectors u = zero(e), f;
    entry(u, column) = 1;
    follow(e, u), multiply(e, u, f), gather(e, f);
    for (int row = 0; row < size; ++row) A(row, column) = entry(f, row);
  }
  return A;
}

Eigen::VectorXd gathered(const Equations& e, Vectors f) {
  gather(e, f);
  Eigen::VectorXd out(3 * (e.count() + 1));
  for (long k = 0; k < out.size(); ++k) out[k] = entry(f, int(k));
  return out;
}

Vectors right_of(const Equations& e) {
  Vectors out = zero(e);
  for (std::size_t k = 0; k < e.vertices.size(); ++k) out.x[k] = e.vertices[k].right;
  for (std::size_t k = 0; k < e.links.size(); ++k) out.theta[k] = e.links[k].right;
  return out;
}

double product(const Vectors& a, const Vectors& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.x.size(); ++k) sum += dot(a.x[k], b.x[k]);
  for (std::size_t k = 0; k < a.theta.size(); ++k) sum += dot(a.theta[k], b.theta[k]);
  return sum;
}

TEST(Equations, JAndItsTransposeAreOfEachOther) {
  const Equations e = random_equations(9, 1);
  Vectors s = random_vectors(e, 2), f = random_vectors(e, 3);
  Vectors u = s, g = f;
  follow(e, u), gather(e, g);
  double by_s = dot(g.x[0], s.x[0]);
  for (int k = 0; k < e.count(); ++k) by_s += dot(g.theta[k], s.theta[k]);
  EXPECT_NEAR(by_s, product(u, f), 1e-12 * std::abs(by_s));
}

TEST(Equations, AIsSymmetric) {
  const Eigen::MatrixXd A = dense(random_equations(7, 4));
  EXPECT_LT((A - A.transpose()).norm(), 1e-13 * A.norm());
  EXPECT_GT(A.selfadjointView<Eigen::Lower>().ldlt().vectorD().minCoeff(), 0) << "of the test";
}

void expect_dense_solution(const LinearSolver& solver, const Equations& e, double tolerance) {
  const Eigen::MatrixXd A = dense(e);
  const Eigen::VectorXd expected = A.ldlt().solve(gathered(e, right_of(e)));
  Vectors u;
  solver.solve({}, u);
  for (int k = 0; k < expected.size(); ++k) EXPECT_NEAR(entry(u, k), expected[k], tolerance * expected.norm());
  Vectors s = u, followed = s;
  follow(e, followed);
  for (std::size_t k = 0; k < u.x.size(); ++k) EXPECT_LT(norm(u.x[k] - followed.x[k]), 1e-12);

  const Vectors forces = random_vectors(e, 11);
  const Eigen::VectorXd also = A.ldlt().solve(gathered(e, forces));
  Vectors w = forces;
  solver.solve_for(w);
  for (int k = 0; k < also.size(); ++k) EXPECT_NEAR(entry(w, k), also[k], tolerance * also.norm());
}

TEST(Elimination, IsTheDenseSolution) {
  for (int count : {1, 2, 3, 8, 20}) {
    const Equations e = random_equations(count, 5 + count);
    Elimination elimination;
    ASSERT_TRUE(elimination.factorise(e));
    expect_dense_solution(elimination, e, 1e-11);
  }
}

// one along x and z, and one wholly, which goes a way of its own
TEST(Elimination, OfARootThatIsHeld) {
  for (const Vec3d& free : {Vec3d{0, 1, 0}, Vec3d{0, 0, 0}}) {
    Equations e = random_equations(6, 30);
    e.root_free = free;
    Elimination elimination;
    ASSERT_TRUE(elimination.factorise(e));
    const Vec3d way{0.3, 0, free.y == 0 ? 0.0 : -0.2};
    Vectors u;
    elimination.solve(way, u);
    Vectors f;
    multiply(e, u, f);
    for (std::size_t k = 0; k < f.x.size(); ++k) f.x[k] = e.vertices[k].right - f.x[k];
    for (std::size_t k = 0; k < f.theta.size(); ++k) f.theta[k] = e.links[k].right - f.theta[k];
    const Eigen::VectorXd left = gathered(e, f);
    EXPECT_LT(left.norm(), 1e-11) << "what is free is in balance";
    for (int k = 0; k < 3; ++k)
      if (free[k] == 0) {
        EXPECT_DOUBLE_EQ(u.x[0][k], way[k]);
      }
  }
}

TEST(Elimination, NoticesWhatIsNotDefinite) {
  Equations e = random_equations(6, 40);
  Elimination elimination;
  ASSERT_TRUE(elimination.factorise(e));
  e.links[3].theta += -1e3;
  EXPECT_FALSE(elimination.factorise(e));
}

// bends 1e12 times as stiff as what they join: all turns are one, of a rigid body
TEST(Elimination, LosesNothingToStiffBends) {
  const auto stiff = [](double by) {
    Equations e = random_equations(10, 50, false);
    for (Equations::Link& link : e.links) link.S = by * link.S, link.half_moment = {};
    return e;
  };
  Elimination elimination;
  ASSERT_TRUE(elimination.factorise(stiff(1e12)));
  Vectors u;
  elimination.solve({}, u);
  const Equations e = stiff(0);
  Eigen::MatrixXd A = dense(e), rigid = Eigen::MatrixXd::Zero(A.rows(), 6);
  for (long k = 0; k < A.rows(); ++k) rigid(k, k < 3 ? k : 3 + k % 3) = 1;
  const Eigen::VectorXd s = (rigid.transpose() * A * rigid).ldlt().solve(rigid.transpose() * gathered(e, right_of(e)));
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(u.x[0][k], s[k], 1e-9);
  for (int n = 0; n < e.count(); ++n)
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(u.theta[n][k], s[3 + k], 1e-9);
}

TEST(Pcg, IsTheDenseSolutionWithEveryPreconditioner) {
  const Equations e = random_equations(20, 60, false);
  int iterations[3] = {};
  for (const Preconditioner kind : {Preconditioner::diagonal, Preconditioner::block_diagonal, Preconditioner::hybrid}) {
    Pcg pcg(kind, 1e-12);
    ASSERT_TRUE(pcg.factorise(e));
    iterations[static_cast<int>(kind)] = pcg.iterations();
    expect_dense_solution(pcg, e, 1e-9);
  }
  EXPECT_LE(iterations[static_cast<int>(Preconditioner::hybrid)],
            iterations[static_cast<int>(Preconditioner::block_diagonal)]);
}

TEST(Pcg, OfARootThatGoesItsWay) {
  Equations e = random_equations(8, 61);
  e.root_free = {};
  Pcg pcg(Preconditioner::hybrid, 1e-13);
  Elimination elimination;
  ASSERT_TRUE(pcg.factorise(e) && elimination.factorise(e));
  Vectors a, b;
  pcg.solve({0.1, -0.2, 0.3}, a), elimination.solve({0.1, -0.2, 0.3}, b);
  for (int k = 0; k < e.count(); ++k) EXPECT_LT(norm(a.theta[k] - b.theta[k]), 1e-10);
}

// with multipliers the held axes go their ways, and all else is in balance
TEST(Holds, AreMetInBalance) {
  const Equations e = random_equations(9, 70);
  const std::vector<Chain::Hold> held{{9, 0}, {9, 2}, {4, 1}};
  const std::vector<double> ways{0.1, -0.3, 0.2};
  Elimination elimination;
  ASSERT_TRUE(elimination.factorise(e));
  Holds holds;
  holds.prepare(held, elimination);
  Vectors u;
  elimination.solve({}, u);
  const std::vector<double> multipliers = holds.multipliers(holds.left(ways, u));
  holds.add(multipliers, u);
  for (std::size_t j = 0; j < held.size(); ++j) EXPECT_NEAR(u.x[held[j].place][held[j].axis], ways[j], 1e-11);
  Vectors f;
  multiply(e, u, f);
  const Vectors right = right_of(e);
  for (std::size_t k = 0; k < f.x.size(); ++k) f.x[k] = right.x[k] - f.x[k];
  for (std::size_t k = 0; k < f.theta.size(); ++k) f.theta[k] = right.theta[k] - f.theta[k];
  for (std::size_t j = 0; j < held.size(); ++j) f.x[held[j].place][held[j].axis] += multipliers[j];
  EXPECT_LT(gathered(e, f).norm(), 1e-10);
}

}  // namespace
}  // namespace tendril::solvers::compact
