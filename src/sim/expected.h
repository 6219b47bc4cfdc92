#pragma once

#include <string>
#include <vector>

#include "io/csv.h"

namespace tendril::sim {

enum class ExpectedAt { end, max, min, time };

// what a scene says of its own result
struct Expected {
  std::string column;
  double value = 0;
  double tolerance = 0;   // of |value|, unless
  bool absolute = false;  // it is in the column's own unit
  ExpectedAt at = ExpectedAt::end;
  double time = 0;  // [s], for ExpectedAt::time; between two rows it is interpolated
};

struct ExpectedResult {
  Expected expected;
  double measured = 0;  // not a number when the run has none
  double error = 0;     // in the tolerance's own sense
  bool passed = false;
};

std::vector<ExpectedResult> check_expected(const std::vector<Expected>& expected, const CsvTable& metrics);

// "end", "max", "min" or "t = 1.5 s"
std::string describe(const Expected& expected);

}  // namespace tendril::sim
