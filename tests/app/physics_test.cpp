#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "physics/case.h"
#include "physics/heavy_cantilever.h"
#include "physics/oscillation.h"

namespace tendril::physics {
namespace {

// W/L, H/L and the tip's angle from elliptic integrals and a boundary value solver, eight digits
TEST(HeavyCantilever, AgreesWithTheTables) {
  const struct {
    double gamma, alpha, width, drop, degrees;
  } rows[] = {
      {0.1, 0, 0.99991073, 0.01249844, 0.954839},  {10, 0, 0.65635376, 0.70019972, 60.312008},
      {100, 0, 0.15922338, 0.93752394, 89.616748}, {10000, 0, 0.01426089, 0.99410993, 90.0},
      {0, 1, 0.94356676, 0.30172077, 26.433520},   {0, 10, 0.44500440, 0.81060902, 81.949325},
  };
  for (const auto& row : rows) {
    const CantileverShape shape = heavy_cantilever(row.gamma, row.alpha);
    EXPECT_NEAR(shape.width, row.width, 1e-8) << row.gamma << " " << row.alpha;
    EXPECT_NEAR(shape.drop, row.drop, 1e-8) << row.gamma << " " << row.alpha;
    EXPECT_NEAR(shape.tip_angle * 180 / std::numbers::pi, row.degrees, 1e-6) << row.gamma << " " << row.alpha;
  }
}

TEST(Oscillation, FindsFrequencyAndDecay) {
  const double omega = 3.7, decay = 0.2, h = 0.01;
  std::vector<double> u;
  for (int k = 0; k < 2000; ++k) u.push_back(std::exp(-decay * k * h) * std::sin(omega * k * h + 0.3));
  const Oscillation seen = oscillation(u, h);
  EXPECT_EQ(seen.periods, 11);
  EXPECT_NEAR(seen.omega, omega, 1e-4 * omega);
  EXPECT_NEAR(seen.decay, decay, 1e-3 * decay);
}

TEST(Oscillation, IsNotANumberWithoutAPeriod) {
  EXPECT_TRUE(std::isnan(oscillation({1, 2, 1, -1, -2, -1}, 0.1).omega));
}

TEST(Findings, ReportWhatIsWithinTheTolerance) {
  Findings findings("case");
  findings.compare({"within", "m", ""}, 1.009, 1, 0.01);
  findings.compare({"beyond", "m", ""}, 1.011, 1, 0.01);
  findings.compare({"absolute", "m", ""}, -0.5, 0, 1);
  findings.compare({"not a number", "m", ""}, std::nan(""), 1, 0.01);
  findings.order("second", 1 + 0.16, 1 + 0.04, 1 + 0.01);
  findings.order("first", 1 + 0.4, 1 + 0.2, 1 + 0.1);
  const std::vector<bool> expected{true, false, true, false, true, false};
  ASSERT_EQ(findings.checks().size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_EQ(findings.checks()[k].passed, expected[k]) << k;
}

// an entry of the suite is measured, or says why not
TEST(Suite, LeavesNothingOut) {
  for (const char* number : {"1.1", "2.1", "2.2", "2.3", "2.6", "2.7", "2.8", "2.10", "2.11", "2.12", "3.1", "3.2",
                             "3.4", "4.1", "4.2", "4.3"}) {
    bool listed = false;
    for (const Case& one : cases()) listed |= one.name.starts_with(std::string(number) + " ");
    EXPECT_TRUE(listed) << number;
  }
}

// the suite with less of everything, so that broken physics is noticed early
class Physics : public testing::TestWithParam<std::string> {};

TEST_P(Physics, HoldsForEverySolver) {
  for (const SolverInfo& solver : solvers())
    for (const Case& one : cases()) {
      if (one.name != GetParam()) continue;
      const std::vector<Check> checks = run(one, {solver, Effort::quick});
      EXPECT_FALSE(checks.empty());
      for (const Check& check : checks) {
        if (!check.passed) {
          EXPECT_FALSE(check.note.empty()) << solver.name << ", " << check.case_name;
          continue;
        }
        EXPECT_TRUE(*check.passed) << solver.name << ", " << check.case_name << ": measured " << check.measured
                                   << ", reference " << check.reference << ", error " << check.error << ", tolerance "
                                   << check.tolerance << ". " << check.note;
      }
    }
}

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const Case& one : cases()) names.push_back(one.name);
  return names;
}

// "1.1 cantilever" -> "1_1_cantilever"
std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Suite, Physics, testing::ValuesIn(case_names()), test_name);

}  // namespace
}  // namespace tendril::physics
