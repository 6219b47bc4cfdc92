#include "solvers/newton/coupling.h"

#include <gtest/gtest.h>

#include "solvers/block/system.h"
#include "solvers/pressed.h"

namespace tendril::solvers::block {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using solvers::testing::Pressed;
using solvers::testing::Scene;

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
  islands.find(p.contact_terms);
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

// the directions of all parts, by their systems
class Directions {
 public:
  explicit Directions(Pressed& p) : p_(p) {
    for (int part = 0; part < p.parts.count(); ++part) {
      systems_.push_back(std::make_unique<System>(p.problem, p.parts));
      all_.push_back(part);
    }
    factorise();
    for (auto& system : systems_) system->solve();  // each alone
  }

  void factorise() {
    for (int part : all_) {
      systems_[part]->begin(p_.parts[part]);
      systems_[part]->add_contact(p_.contact_terms, part, p_.at, 1);
      EXPECT_TRUE(systems_[part]->factorise(p_.at, unstrained(p_), 1).is_definite);
    }
  }
  void begin() { coupling_.begin(all_, p_.contact_terms, p_.at, hessian_share_, systems_); }
  int solve() {
    const Islands islands = islands_of(p_);
    return coupling_.solve(p_.contact_terms, islands, std::vector<char>(islands.count(), true), all_, p_.at,
                           hessian_share_, 1e-10, systems_, p_.team);
  }
  // linearises all terms where the directions lead; how many have changed
  int follow() {
    int changed = 0;
    for (int t = 0; t < static_cast<int>(p_.contact_terms.terms().size()); ++t) {
      const newton::ContactTerms::Term& term = p_.contact_terms.terms()[t];
      Vec3d way, surface_way;
      for (int side = 0; side < 2; ++side) {
        if (term.part[side] < 0) continue;
        const auto moved = coupling_.motion(term, side, systems_[term.part[side]]->direction(), p_.at);
        way += moved.point, surface_way += moved.surface;
      }
      if (!p_.contact_terms.follow(t, way, surface_way, 1e-6)) continue;
      coupling_.change(term, term.before, term, p_.at, hessian_share_, systems_), ++changed;
    }
    return changed;
  }
  VectorXd packed() const {
    VectorXd u(p_.size());
    for (int part : all_)
      u.segment(p_.first(part), 3 * p_.parts[part].row_count()) = block::packed(systems_[part]->direction());
    return u;
  }

 private:
  Pressed& p_;
  std::vector<std::unique_ptr<newton::System>> systems_;
  std::vector<int> all_;
  std::vector<double> hessian_share_ = std::vector<double>(p_.parts.count(), 1);
  Coupling coupling_{p_.problem, p_.parts};
};

VectorXd truth_of(const Pressed& p) {
  const Dense dense = all_together(p);
  return dense.H.ldlt().solve(dense.right);
}

class CoupledDirection : public ::testing::TestWithParam<Scene (*)(double)> {};

TEST_P(CoupledDirection, IsTheSolutionOfAllTogether) {
  Pressed p(GetParam()(0.05), {{0.004, 0.006, 0.001}, {-0.002, 0.001, 0}, {}});
  ASSERT_TRUE(std::any_of(p.contact_terms.terms().begin(), p.contact_terms.terms().end(),
                          [](const newton::ContactTerms::Term& term) { return term.is_pressed && term.couples(); }));
  Directions directions(p);
  const VectorXd truth = truth_of(p);
  EXPECT_GT((directions.packed() - truth).norm(), 1e-3 * truth.norm());  // the coupling matters
  directions.begin();
  EXPECT_GT(directions.solve(), 1);
  EXPECT_LT((directions.packed() - truth).norm(), 1e-7 * truth.norm());
}
INSTANTIATE_TEST_SUITE_P(Block, CoupledDirection,
                         ::testing::Values(testing::crossing_rods, testing::rod_on_ball, testing::box_on_ball));

// with the forces, stiffnesses and curvatures of terms that are linearised elsewhere
TEST(Coupling, GoesOnFromTheLastDirectionsWhenTermsChange) {
  Pressed p(testing::crossing_rods(0.05), {{0.004, 0.006, 0.001}, {-0.002, 0.001, 0}, {}});
  Directions directions(p);
  directions.begin(), directions.solve();
  const VectorXd last = directions.packed();
  for (int round = 0; round < 3; ++round) {
    if (directions.follow() == 0) break;
    directions.factorise();
    directions.solve();
    const VectorXd truth = truth_of(p);
    if (round == 0) EXPECT_GT((last - truth).norm(), 1e-6 * truth.norm());
    EXPECT_LT((directions.packed() - truth).norm(), 1e-7 * truth.norm());
  }
}

// nothing to do where no two touch
TEST(Coupling, LeavesAloneWhatTouchesNothing) {
  Pressed p(testing::crossing_rods(0), {{0, 0, -0.05}, {}});
  State away = p.at;
  for (std::size_t i = 0; i < 5; ++i) away.x[i].z -= 0.05;
  p.contact.end_substep(away);
  p.contact_terms.evaluate(p.contact, p.problem, p.parts, away);
  EXPECT_EQ(Directions(p).solve(), 0);
}

}  // namespace
}  // namespace tendril::solvers::block
