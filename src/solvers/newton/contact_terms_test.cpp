#include "solvers/newton/contact_terms.h"

#include <gtest/gtest.h>

#include "solvers/newton/islands.h"
#include "solvers/pressed.h"

namespace tendril::solvers::newton {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using solvers::testing::Pressed;
using solvers::testing::Scene;

// of the energy of contact, at the waypoint
VectorXd gradient_by_differences(Pressed& p) {
  constexpr double d = 1e-6;
  VectorXd g(p.size());
  for (int k = 0; k < p.size(); ++k) {
    const auto at = [&](double by) { return p.energy_at(by * VectorXd::Unit(p.size(), k)); };
    g[k] = (at(d) - at(-d)) / (2 * d);
  }
  return g;
}

MatrixXd stiffness_by_differences(Pressed& p) {
  constexpr double d = 2e-5;
  const int n = p.size();
  MatrixXd H(n, n);
  const auto at = [&](int a, double u, int b, double v) {
    const VectorXd by = u * VectorXd::Unit(n, a) + v * VectorXd::Unit(n, b);
    return p.energy_at(by);
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
  bool turns_exactly = true;  // the normal of a face turns with its body, which the stiffness leaves out
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.what << ", friction " << c.friction; }

class TouchingTerms : public ::testing::TestWithParam<Case> {};

// friction 0.05 slides, 5 sticks
TEST_P(TouchingTerms, AreTheDerivativesOfTheEnergy) {
  Pressed p(GetParam().scene(GetParam().friction), {{0.004, 0.006, 0.001}, {-0.002, 0.001, 0}, {}});
  ASSERT_FALSE(p.contact_terms.terms().empty());
  const VectorXd g = p.gradient(), truth = gradient_by_differences(p);
  ASSERT_GT(truth.norm(), 1e-2);
  EXPECT_LT((g - truth).norm(), 1e-6 * truth.norm());
  if (!GetParam().turns_exactly) return;
  const MatrixXd H = p.stiffness(), H_truth = stiffness_by_differences(p);
  EXPECT_LT((H - H_truth).norm(), 1e-4 * H_truth.norm());
}
INSTANTIATE_TEST_SUITE_P(
    Block, TouchingTerms,
    ::testing::Values(Case{"rods", testing::crossing_rods, 0}, Case{"rods", testing::crossing_rods, 0.05},
                      Case{"rods", testing::crossing_rods, 5}, Case{"ball", testing::rod_on_ball, 0},
                      Case{"ball", testing::rod_on_ball, 0.05}, Case{"ball", testing::rod_on_ball, 5},
                      Case{"box", testing::box_on_ball, 0, false}, Case{"box", testing::box_on_ball, 0.05, false},
                      Case{"box", testing::box_on_ball, 5, false}));

// mu times the normal force where it slides
TEST(ContactTerms, FrictionHasItsLimit) {
  Pressed p(testing::rod_on_ball(0.05), {{0.02, 0, 0}, {}, {}});
  ASSERT_EQ(p.contact.touching(), 1);
  for (const ContactTerms::Term& term : p.contact_terms.terms()) {
    if (!term.is_pressed) continue;
    const double normal = dot(term.force, term.normal), tangent = norm(tangential(term.force, term.normal));
    EXPECT_GT(normal, 1e-3);
    EXPECT_NEAR(tangent, 0.05 * normal, 1e-9 * normal);
  }
}

}  // namespace
}  // namespace tendril::solvers::newton
