#include "solvers/newton/touching.h"

#include <gtest/gtest.h>

#include "solvers/pressed.h"

namespace tendril::newton {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using tendril::testing::Pressed;
using tendril::testing::Scene;

// of the energy of contact, at the corner
VectorXd gradient_by_differences(const Pressed& p) {
  constexpr double d = 1e-6;
  VectorXd g(p.size());
  for (int k = 0; k < p.size(); ++k) {
    const auto at = [&](double by) {
      return p.touching.energy(p.contact, p.problem, p.moved(by * VectorXd::Unit(p.size(), k)));
    };
    g[k] = (at(d) - at(-d)) / (2 * d);
  }
  return g;
}

MatrixXd stiffness_by_differences(const Pressed& p) {
  constexpr double d = 2e-5;
  const int n = p.size();
  MatrixXd H(n, n);
  const auto at = [&](int a, double u, int b, double v) {
    const VectorXd by = u * VectorXd::Unit(n, a) + v * VectorXd::Unit(n, b);
    return p.touching.energy(p.contact, p.problem, p.moved(by));
  };
  for (int a = 0; a < n; ++a)
    for (int b = 0; b <= a; ++b)
      H(a, b) = H(b, a) = (at(a, d, b, d) - at(a, d, b, -d) - at(a, -d, b, d) + at(a, -d, b, -d)) / (4 * d * d);
  return H;
}

struct Case {
  const char* what;
  Scene (*scene)(double friction);
  double friction;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.what << ", friction " << c.friction; }

class TouchingTerms : public ::testing::TestWithParam<Case> {};

// friction 0.05 slides, 5 sticks
TEST_P(TouchingTerms, AreTheDerivativesOfTheEnergy) {
  Pressed p(GetParam().scene(GetParam().friction), {{0.004, 0.006, 0.001}, {-0.002, 0.001, 0}, {}});
  p.touching.freeze_friction(p.contact);
  p.touching.evaluate(p.contact, p.problem, p.parts);
  ASSERT_FALSE(p.touching.terms().empty());
  const VectorXd g = p.gradient(), truth = gradient_by_differences(p);
  ASSERT_GT(truth.norm(), 1e-2);
  EXPECT_LT((g - truth).norm(), 1e-6 * truth.norm());
  const MatrixXd H = p.stiffness(false), H_truth = stiffness_by_differences(p);
  EXPECT_LT((H - H_truth).norm(), 1e-4 * H_truth.norm());
}
INSTANTIATE_TEST_SUITE_P(
    Block, TouchingTerms,
    ::testing::Values(Case{"rods", testing::crossing_rods, 0}, Case{"rods", testing::crossing_rods, 0.05},
                      Case{"rods", testing::crossing_rods, 5}, Case{"ball", testing::rod_on_ball, 0},
                      Case{"ball", testing::rod_on_ball, 0.05}, Case{"ball", testing::rod_on_ball, 5},
                      Case{"box", testing::box_on_ball, 0}, Case{"box", testing::box_on_ball, 0.05},
                      Case{"box", testing::box_on_ball, 5}));

// what slides is held by mu times the normal force of when the limits were frozen, not by that of now
TEST(Touching, FrictionHasItsFrozenLimit) {
  Pressed p(testing::rod_on_ball(0.05), {{0.02, 0, 0}, {}, {}});
  p.touching.freeze_friction(p.contact);
  const auto normal_force = [&] {  // of the only pair that touches
    double sum = 0;
    for (const Pair& pair : p.contact.pairs()) sum -= pair.barrier.at(pair.gap).slope;
    return sum;
  };
  ASSERT_EQ(p.contact.touching(), 1);
  const double frozen = normal_force();
  State nearer = p.at;
  nearer.x[1] += 0.002 * Vec3d{0, -0.6, 0.8}, nearer.x[2] += 0.002 * Vec3d{0, -0.6, 0.8};
  ASSERT_TRUE(p.contact.begin_leg(1, nearer));
  p.contact.end_leg(nearer);
  p.touching.evaluate(p.contact, p.problem, p.parts);
  const Touching::Term& term = p.touching.terms().at(0);
  const double normal = dot(term.force, term.normal), tangent = norm(tangential(term.force, term.normal));
  EXPECT_NEAR(normal, normal_force(), 1e-9 * normal);
  EXPECT_GT(std::abs(normal / frozen - 1), 0.1);
  EXPECT_NEAR(tangent, 0.05 * frozen, 1e-9 * frozen);
  EXPECT_TRUE(p.touching.freeze_friction(p.contact));   // they changed much
  EXPECT_FALSE(p.touching.freeze_friction(p.contact));  // and then no more
}

// a rod that slides along x over a ball, `dragged` so far of the way that it has come
class Sliding : public ::testing::Test {
 protected:
  void go_to(double dragged, const Touching::LastStep& last) {
    State next = p.at;
    for (Vec3d& x : next.x) x.x += (1 - dragged) * way;
    ASSERT_TRUE(p.contact.begin_leg(1, next));
    p.contact.end_leg(next);
    const std::vector<Touching::LastStep> steps(p.parts.count(), last);
    p.touching.evaluate(p.contact, p.problem, p.parts, steps);
    ASSERT_EQ(p.touching.terms().size(), 1u);
  }
  // along its way, over that of the secant
  double stiffness() const {
    const Touching::Term& term = p.touching.terms()[0];
    const Vec3d force = tangential(term.force, term.normal), along = normalized(force);
    for (const Pair& pair : p.contact.pairs())
      if (pair.gap < pair.barrier.reach)
        return dot(along, term.K * along) * norm(tangential(pair.drag, pair.normal)) / norm(force);
    return -1;
  }
  void SetUp() override { p.touching.freeze_friction(p.contact); }

  static constexpr double way = 0.02;
  Pressed p{testing::rod_on_ball(0.05), {{way, 0, 0}, {}, {}}};
};

TEST_F(Sliding, HasNoStiffnessWhereNewtonsStepsGoOn) {
  go_to(1, {});
  EXPECT_NEAR(stiffness(), 0, 1e-9);
  go_to(0.6, {});
  EXPECT_NEAR(stiffness(), 0, 1e-9);
  EXPECT_FALSE(p.touching.is_cautious(p.parts.part_of_vertex(0)));
}

TEST_F(Sliding, HasThatOfTheSecantAfterItWasTurnedRoundAndThenLessAndLess) {
  go_to(1, {}), go_to(-0.5, {});
  EXPECT_NEAR(stiffness(), 1, 1e-9);
  EXPECT_TRUE(p.touching.is_cautious(p.parts.part_of_vertex(0)));
  go_to(-0.4, {});
  EXPECT_NEAR(stiffness(), 0.1, 1e-9);
  for (int n = 0; n < 4; ++n) go_to(-0.4, {});
  EXPECT_NEAR(stiffness(), 0, 1e-9);
}

TEST_F(Sliding, IsHeldWhenOnlyAPartOfTheStepWasTakenAndTheWholeWouldTurnItRound) {
  go_to(1, {}), go_to(0.6, {.share = 0.5});  // 0.2 in the end
  EXPECT_NEAR(stiffness(), 0, 1e-9);
  go_to(0.2, {.share = 0.5});  // -0.2
  EXPECT_NEAR(stiffness(), 1, 1e-9);
  go_to(0.2, {.share = 1, .is_small = true});  // it is where it should be, unless only the caution holds it
  EXPECT_NEAR(stiffness(), 0, 1e-9);
}

}  // namespace
}  // namespace tendril::newton
