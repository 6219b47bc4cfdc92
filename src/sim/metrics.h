#pragma once

#include <string>
#include <vector>

#include "rod/stream.h"
#include "sim/simulation.h"

namespace tendril::sim {

// the columns of metrics.csv, one row per frame
class Metrics {
 public:
  explicit Metrics(const Model& whole_model);

  const std::vector<std::string>& columns() const { return columns_; }

  // takes a step into the next row: minimum of the gap, maximum of iterations, residual and contacts, mean of the time
  void add(const StepReport& report, double seconds);

  // the row of the simulation's state, in the order of columns(); what was added starts again from nothing. Throws
  // SimulationFailed when there is anything in it that is not a finite number, but for a gap
  std::vector<double> take_row(const Simulation& simulation);

  // what was added since the last row
  void save(Writer& out) const { out.put(since_); }
  void load(Reader& in) { in.get(since_); }

 private:
  struct SinceRow {
    double smallest_gap = forever;  // [m]
    double residual = 0;
    double seconds = 0;
    int iterations = 0, contacts = 0;
    int steps = 0, unused = 0;  // no padding: its bytes are saved
  };

  void refuse_not_a_number(const std::vector<double>& row) const;

  std::vector<std::string> columns_;
  std::vector<char> probe_is_held_;  // a kinematic body holds its vertex at some time (probe)
  SinceRow since_;
};

// a line of a .csv file, with all digits (%.17g)
std::string csv_line(const std::vector<double>& values);
std::string csv_line(const std::vector<std::string>& names);

}  // namespace tendril::sim
