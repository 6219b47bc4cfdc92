#include "sim/expected.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendril::sim {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

double interpolated(const std::vector<double>& times, const std::vector<double>& values, double time) {
  const double slack = 1e-9 * std::abs(time);  // a time that is a row's is found in spite of rounding
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (std::abs(times[k] - time) <= slack) return values[k];
    if (times[k] < time) continue;
    if (k == 0) return nothing;
    const double u = (time - times[k - 1]) / (times[k] - times[k - 1]);
    return (1 - u) * values[k - 1] + u * values[k];
  }
  return nothing;
}

double measure(const Expected& expected, const std::vector<double>& times, const std::vector<double>& values) {
  if (values.empty()) return nothing;
  switch (expected.at) {
    case ExpectedAt::end:
      return values.back();
    case ExpectedAt::max:
      return *std::max_element(values.begin(), values.end());
    case ExpectedAt::min:
      return *std::min_element(values.begin(), values.end());
    case ExpectedAt::time:
      return interpolated(times, values, expected.time);
  }
  return nothing;
}

}  // namespace

std::vector<ExpectedResult> check_expected(const std::vector<Expected>& expected, const CsvTable& metrics) {
  std::vector<ExpectedResult> results;
  const int time = metrics.find("time");
  for (const Expected& e : expected) {
    const int column = metrics.find(e.column);
    ExpectedResult result{e, nothing, nothing, false};
    if (column >= 0 && time >= 0)
      result.measured = measure(e, metrics.columns[std::size_t(time)], metrics.columns[std::size_t(column)]);
    const double difference = result.measured == e.value ? 0 : std::abs(result.measured - e.value);
    result.error = e.absolute || difference == 0 ? difference : difference / std::abs(e.value);
    result.passed = result.error <= e.tolerance;  // false when it is not a number
    results.push_back(result);
  }
  return results;
}

std::string describe(const Expected& expected) {
  switch (expected.at) {
    case ExpectedAt::end:
      return "end";
    case ExpectedAt::max:
      return "max";
    case ExpectedAt::min:
      return "min";
    case ExpectedAt::time:
      return fmt::format("t = {:g} s", expected.time);
  }
  return {};
}

}  // namespace tendril::sim
