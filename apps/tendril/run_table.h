#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/csv.h"
#include "render/chart.h"

namespace tendril::app {

// what a run measured, without its frames
struct RunTable {
  std::filesystem::path folder;
  std::string label;  // the folder's name
  std::string title;  // of its scene; may be empty
  CsvTable metrics;
};

bool is_run_folder(const std::filesystem::path& folder);
RunTable read_run_table(const std::filesystem::path& folder);  // throws FileError when it is no run

// The columns that the words name, in their order and each once: a name, the beginning of names ("tip", "momentum"), or
// with * and ? in it ("tip.*"). Throws FileError with the nearest names when a word fits none.
std::vector<std::string> select_columns(const RunTable& run, const std::vector<std::string>& words);

std::string column_unit(const std::string& column);  // "J", "m/s", …; empty when it has none

// lines over time, each run's over the others'
Chart chart_columns(const std::vector<RunTable>& runs, const std::vector<std::string>& words);

// residuals.csv: the median and the largest residual after each iteration, over all steps; or those of one step
Chart chart_residuals(const std::vector<RunTable>& runs, int step);  // step < 0: all

}  // namespace tendril::app
