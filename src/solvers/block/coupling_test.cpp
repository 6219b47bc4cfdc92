#include "solvers/newton/coupling.h"

#include <gtest/gtest.h>

#include "solvers/block/system.h"
#include "solvers/pressed.h"

namespace tendril::block {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using tendril::testing::Pressed;
using tendril::testing::Scene;

VectorXd packed(const std::vector<Vec3d>& u) {
  VectorXd out(3 * u.size());
  for (std::size_t row = 0; row < u.size(); ++row)
    for (int k = 0; k < 3; ++k) out[3 * row + k] = u[row][k];
  return out;
}

// no strain yet
Prediction unstrained(const Pressed& p) { return Prediction(p.scene.model.segments.size()); }

Islands islands_of(const Pressed& p) {
  Islands islands;
  islands.begin_step(p.parts.count());
  islands.find(p.touching);
  return islands;
}

// Newton's system of all parts together, contact and all: H u = right
struct Dense {
  MatrixXd H;
  VectorXd right;
};
Dense all_together(const Pressed& p) {
  Dense out{p.stiffness(), -p.gradient()};
  for (int part = 0; part < p.parts.count(); ++part) {
    System alone(p.problem, p.parts);
    alone.begin(p.parts[part]);
    EXPECT_TRUE(alone.factorise(p.at, unstrained(p), 1).is_definite);
    alone.solve();
    const int n = 3 * p.parts[part].row_count(), first = p.first(part);
    MatrixXd inverse(n, n);
    for (int k = 0; k < n; ++k) {
      std::vector<Vec3d> unit(p.parts[part].row_count());
      unit[k / 3][k % 3] = 1;
      alone.precondition(unit);
      inverse.col(k) = packed(unit);
    }
    const MatrixXd H = inverse.inverse();
    out.H.block(first, first, n, n) += H;
    out.right.segment(first, n) += H * packed(alone.direction());
  }
  return out;
}

class CoupledDirection : public ::testing::TestWithParam<Scene (*)(double)> {};

TEST_P(CoupledDirection, IsTheSolutionOfAllTogether) {
  Pressed p(GetParam()(0.05), {{0.004, 0.006, 0.001}, {-0.002, 0.001, 0}, {}});
  ASSERT_TRUE(std::any_of(p.touching.terms().begin(), p.touching.terms().end(),
                          [](const newton::Touching::Term& term) { return term.is_pressed && term.couples(); }));
  std::vector<std::unique_ptr<newton::System>> systems;
  for (int part = 0; part < p.parts.count(); ++part) {
    systems.push_back(std::make_unique<System>(p.problem, p.parts));
    systems[part]->begin(p.parts[part]);
    systems[part]->add_contact(p.touching, part, p.at, 1);
    ASSERT_TRUE(systems[part]->factorise(p.at, unstrained(p), 1).is_definite);
    systems[part]->solve();
  }
  const auto direction = [&] {
    VectorXd u(p.size());
    for (int part = 0; part < p.parts.count(); ++part)
      u.segment(p.first(part), 3 * p.parts[part].row_count()) = packed(systems[part]->direction());
    return u;
  };
  const Dense dense = all_together(p);
  const VectorXd truth = dense.H.ldlt().solve(dense.right), each_alone = direction();
  EXPECT_GT((each_alone - truth).norm(), 1e-3 * truth.norm());  // the coupling matters
  Coupling coupling(p.problem, p.parts);
  const int iterations = coupling.solve(p.touching, islands_of(p), std::vector<char>(islands_of(p).count(), true), p.at,
                                        std::vector<double>(p.parts.count(), 1), 1e-10, systems, p.team);
  EXPECT_GT(iterations, 1);
  EXPECT_LT((direction() - truth).norm(), 1e-7 * truth.norm());
}
INSTANTIATE_TEST_SUITE_P(Block, CoupledDirection,
                         ::testing::Values(testing::crossing_rods, testing::rod_on_ball, testing::box_on_ball));

// nothing to do where no two touch
TEST(Coupling, LeavesAloneWhatTouchesNothing) {
  Pressed p(testing::crossing_rods(0), {{0, 0, -0.05}, {}});
  State away = p.at;
  for (std::size_t i = 0; i < 5; ++i) away.x[i].z -= 0.05;
  p.contact.end_leg(away);
  p.touching.look(p.contact, p.problem, p.parts, away);
  std::vector<std::unique_ptr<newton::System>> none;
  EXPECT_EQ(Coupling(p.problem, p.parts)
                .solve(p.touching, islands_of(p), std::vector<char>(islands_of(p).count(), true), p.at, {}, 1e-10, none,
                       p.team),
            0);
}

}  // namespace
}  // namespace tendril::block
