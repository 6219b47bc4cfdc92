#include "run_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "scene/suggest.h"

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

// * is any number of letters, ? is one
bool fits(const char* pattern, const char* word) {
  if (*pattern == '\0') return *word == '\0';
  if (*pattern == '*') return fits(pattern + 1, word) || (*word != '\0' && fits(pattern, word + 1));
  return *word != '\0' && (*pattern == '?' || *pattern == *word) && fits(pattern + 1, word + 1);
}

std::vector<std::string> named_by(const std::string& word, const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), word) != names.end()) return {word};
  const std::string pattern = word.find_first_of("*?") == std::string::npos ? word + "*" : word;
  std::vector<std::string> found;
  for (const std::string& name : names)
    if (name != "time" && fits(pattern.c_str(), name.c_str())) found.push_back(name);
  return found;
}

std::string label_of(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

// the runs' folder names when there are several, the columns' names when there are several
std::string line_name(const RunTable& run, const std::string& column, bool several_runs, bool several_columns) {
  if (!several_runs) return column;
  return several_columns ? fmt::format("{}: {}", run.label, column) : run.label;
}

std::string common_unit(const std::vector<std::string>& columns) {
  std::set<std::string> units;
  for (const std::string& column : columns) units.insert(column_unit(column));
  return units.size() == 1 ? *units.begin() : "";
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// residuals of the steps that are asked for, by iteration
std::map<int, std::vector<double>> residuals_by_iteration(const RunTable& run, int step) {
  const fs::path file = run.folder / "residuals.csv";
  if (!fs::exists(file))
    throw FileError(
        fmt::format("{}: the run has no residuals.csv; run it with --set output.residuals=true", run.folder.string()));
  const CsvTable table = read_csv(file);
  const int steps = table.find("step"), iterations = table.find("iteration"), residuals = table.find("residual");
  if (steps < 0 || iterations < 0 || residuals < 0)
    throw FileError(fmt::format("{}: expected the columns step, iteration, residual", file.string()));
  std::map<int, std::vector<double>> result;
  for (std::size_t i = 0; i < table.row_count(); ++i)
    if (step < 0 || int(table.columns[steps][i]) == step)
      result[int(table.columns[iterations][i])].push_back(table.columns[residuals][i]);
  if (result.empty())
    throw FileError(
        fmt::format("{}: has no residuals{}", file.string(), step < 0 ? "" : fmt::format(" of step {}", step)));
  return result;
}

// What is 0 but for round-off is seen as such beside the largest value of the same unit: tip.y beside tip.x. Without a
// unit nothing can be said.
double round_off_of(const std::vector<RunTable>& runs, const std::string& unit) {
  double largest = 0;
  for (const RunTable& run : runs)
    for (std::size_t c = 0; c < run.metrics.names.size() && !unit.empty(); ++c)
      if (column_unit(run.metrics.names[c]) == unit)
        for (const double value : run.metrics.columns[c])
          if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return 1e-12 * largest;
}

std::string title_of(const std::vector<RunTable>& runs) {
  for (const RunTable& run : runs)
    if (run.title != runs.front().title) return "";
  return runs.front().title;
}

}  // namespace

bool is_run_folder(const fs::path& folder) { return fs::exists(folder / "metrics.csv"); }

RunTable read_run_table(const fs::path& folder) {
  if (!is_run_folder(folder))
    throw FileError(
        fmt::format("{}: is no run (it has no metrics.csv); `tendril run SCENE` makes one", folder.string()));
  RunTable run{folder, label_of(folder), "", read_csv(folder / "metrics.csv")};
  if (fs::exists(folder / "report.json")) {
    const std::vector<char> bytes = read_file(folder / "report.json");
    const auto report = nlohmann::json::parse(bytes.begin(), bytes.end(), nullptr, false);
    if (report.is_object() && report.contains("title") && report["title"].is_string()) run.title = report["title"];
  }
  return run;
}

std::vector<std::string> select_columns(const RunTable& run, const std::vector<std::string>& words) {
  std::vector<std::string> columns;
  for (const std::string& word : words) {
    const std::vector<std::string> found = named_by(word, run.metrics.names);
    if (found.empty())
      throw FileError(fmt::format("{}: there is no column \"{}\"{}; there are: {}",
                                  (run.folder / "metrics.csv").string(), word, suggestion(word, run.metrics.names),
                                  listed(run.metrics.names)));
    for (const std::string& column : found)
      if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
  }
  return columns;
}

std::string column_unit(const std::string& column) {
  static const std::map<std::string, std::string> units{
      {"time", "s"},          {"kinetic", "J"},      {"elastic", "J"}, {"gravity", "J"}, {"total_energy", "J"},
      {"friction_work", "J"}, {"contact_loss", "J"}, {"min_gap", "m"}, {"step_ms", "ms"}};
  if (const auto found = units.find(column); found != units.end()) return found->second;
  if (column.starts_with("momentum_")) return "kg m/s";
  if (column.starts_with("angular_momentum_")) return "kg m²/s";
  const std::string_view last = std::string_view(column).substr(column.rfind('.') + 1);
  if (last.size() == column.size()) return "";
  if (last == "x" || last == "y" || last == "z") return "m";
  return last[0] == 'v' ? "m/s" : last[0] == 'f' ? "N" : last[0] == 'm' ? "N m" : "";
}

Chart chart_columns(const std::vector<RunTable>& runs, const std::vector<std::string>& words) {
  Chart chart{title_of(runs), "time [s]", "", false, {}};
  std::vector<std::string> all;
  for (const RunTable& run : runs) {
    const std::vector<std::string> columns = select_columns(run, words);
    const int time = run.metrics.find("time");
    if (time < 0) throw FileError(fmt::format("{}: has no column \"time\"", (run.folder / "metrics.csv").string()));
    for (const std::string& column : columns) {
      if (std::find(all.begin(), all.end(), column) == all.end()) all.push_back(column);
      const int number = int(std::find(all.begin(), all.end(), column) - all.begin()), r = int(&run - runs.data());
      chart.lines.push_back({line_name(run, column, runs.size() > 1, columns.size() > 1), run.metrics.columns[time],
                             run.metrics.columns[run.metrics.find(column)], columns.size() > 1 ? number : r, r});
    }
  }
  chart.y_label = common_unit(all);
  chart.round_off = round_off_of(runs, chart.y_label);
  return chart;
}

Chart chart_residuals(const std::vector<RunTable>& runs, int step) {
  Chart chart{title_of(runs), "iteration", "residual", true, {}};
  for (const RunTable& run : runs) {
    const std::string prefix = runs.size() > 1 ? run.label + ": " : "";
    const int color = int(&run - runs.data());
    ChartLine middle{prefix + (step < 0 ? "median of all steps" : fmt::format("step {}", step)), {}, {}, color, 0};
    ChartLine largest{prefix + "largest", {}, {}, color, 1};
    for (const auto& [iteration, values] : residuals_by_iteration(run, step)) {
      middle.x.push_back(iteration), largest.x.push_back(iteration);
      middle.y.push_back(median(values));
      largest.y.push_back(*std::max_element(values.begin(), values.end()));
    }
    chart.lines.push_back(middle);
    if (step < 0) chart.lines.push_back(largest);
  }
  return chart;
}

}  // namespace tendril::app
