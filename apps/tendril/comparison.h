#pragma once

#include <string>
#include <vector>

#include "run_scene.h"
#include "run_table.h"

namespace tendril::app {

// one of those that are compared: a solver, and options of its own
struct Contender {
  std::string label;  // "stable:mode=paper"
  std::string solver;
  std::vector<std::string> sets;    // PATH=VALUE
  std::string folder_name() const;  // the label, fit for a path
};

// "a,b:option=value:option=value"; throws CLI::ValidationError for an unknown solver or option, or one named twice
std::vector<Contender> read_contenders(const std::string& text);

// what came of one run
struct Outcome {
  Contender contender;
  int exit_code = 0;
  std::string refusal;  // why it did not run; empty: it did
  RunResult result;
  double solver_seconds = 0;  // in the solver's steps alone
  double iterations_per_step = 0, largest_residual = 0;
  RunTable table;  // of a run
  bool has_run() const { return refusal.empty() && result.has_started(); }
};

Outcome run_contender(const RunRequest& request, const Contender& contender);

// how far a probe is from that of another run [m]
struct ProbeDistance {
  std::string probe;
  double at_end = 0, largest = 0;  // at the last common row, and over all common rows
};
std::vector<ProbeDistance> probe_distances(const CsvTable& a, const CsvTable& b);

// the tables as text: cost, expectations, distances of the probes from those of the first that ran
std::string comparison_text(const std::vector<Outcome>& outcomes);

// How far each run's probes (or energies, where there are none) are from those of the first that ran, over time; the
// curves themselves where only one ran
Chart comparison_chart(const std::vector<Outcome>& outcomes);

}  // namespace tendril::app
