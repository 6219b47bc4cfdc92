#pragma once

#include <string>
#include <vector>

#include "scene/table.h"

namespace tendril {

// one line of [expect]: what a column of metrics.csv must be
struct Expectation {
  std::string column;                // "tip.z"
  double value = 0;                  // in the column's unit
  double tolerance = 0;              // relative to |value|, or in the column's unit
  bool absolute = false;             // the tolerance is in the column's unit
  std::string at = "end";            // "end", "max", "min", or "time": at `time`, between two rows interpolated
  double time = 0;                   // [s]
  std::vector<std::string> solvers;  // to which it applies; empty: all

  bool applies_to(const std::string& solver) const;
  bool is_met_by(double measured) const;  // never by a measured value that is not a number
};

// all of [expect], in the file's order
std::vector<Expectation> read_expectations(const Table& root);

}  // namespace tendril
