#include "comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "scene/suggest.h"
#include "verbs.h"

namespace tendril::app {
namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

[[noreturn]] void refuse(const std::string& message) { throw CLI::ValidationError("--solvers", message); }

Contender read_contender(const std::string& label) {
  const std::vector<std::string> parts = split(label, ':');
  const SolverInfo* solver = find_solver(parts[0]);
  if (!solver) {
    std::vector<std::string> names;
    for (const SolverInfo& info : registered_solvers()) names.push_back(info.name);
    refuse(fmt::format("there is no solver \"{}\"{}; there are: {}", parts[0], suggestion(parts[0], names),
                       listed(names)));
  }
  Contender contender{label, solver->name, {}};
  std::vector<std::string> options;
  for (const OptionInfo& option : solver->options) options.push_back(option.name);
  for (auto part = parts.begin() + 1; part != parts.end(); ++part) {
    const std::string name = part->substr(0, part->find('='));
    if (part->find('=') == std::string::npos || std::find(options.begin(), options.end(), name) == options.end())
      refuse(fmt::format("\"{}\" is no OPTION=VALUE of {}{}; its options: {}", *part, solver->name,
                         suggestion(name, options), listed(options)));
    contender.sets.push_back(fmt::format("solver.{}.{}", solver->name, *part));
  }
  return contender;
}

// probes are the columns NAME.x that have .y and .z beside them
std::vector<std::string> probe_names(const CsvTable& table) {
  std::vector<std::string> names;
  for (const std::string& column : table.names)
    if (column.ends_with(".x")) {
      const std::string name = column.substr(0, column.size() - 2);
      if (table.find(name + ".y") >= 0 && table.find(name + ".z") >= 0) names.push_back(name);
    }
  return names;
}

double distance(const CsvTable& a, const CsvTable& b, const std::string& probe, std::size_t row) {
  double square = 0;
  for (const char* axis : {".x", ".y", ".z"})
    square += std::pow(a.columns[a.find(probe + axis)][row] - b.columns[b.find(probe + axis)][row], 2);
  return std::sqrt(square);
}

// how far the probes of two runs are from each other over time, or their energies where there are no probes
void add_differences(const RunTable& a, const RunTable& b, const std::vector<std::string>& probes, int color,
                     Chart& chart) {
  const std::size_t rows = std::min(a.metrics.row_count(), b.metrics.row_count());
  const std::vector<double>& time = a.metrics.columns[a.metrics.find("time")];
  const auto add = [&](const std::string& name, auto difference) {
    ChartLine line{fmt::format("{}: {}", b.label, name),
                   {time.begin(), time.begin() + std::ptrdiff_t(rows)},
                   {},
                   color,
                   int(chart.lines.size())};
    for (std::size_t row = 0; row < rows; ++row) line.y.push_back(difference(row));
    chart.lines.push_back(line);
  };
  for (const std::string& probe : probes)
    if (b.metrics.find(probe + ".x") >= 0)
      add(probe, [&](std::size_t row) { return distance(a.metrics, b.metrics, probe, row); });
  if (!probes.empty()) return;
  for (const char* energy : {"kinetic", "elastic"}) {
    const std::vector<double>& of_a = a.metrics.columns[a.metrics.find(energy)];
    const std::vector<double>& of_b = b.metrics.columns[b.metrics.find(energy)];
    add(energy, [&](std::size_t row) { return std::abs(of_b[row] - of_a[row]); });
  }
}

std::string state_text(const Outcome& o) {
  if (!o.refusal.empty()) return "refused: " + o.refusal;
  if (o.result.end == RunEnd::failed) return "failed: " + o.result.message;
  if (o.result.end == RunEnd::interrupted) return "interrupted";
  if (o.result.expected.empty()) return "finished";
  const auto passed =
      std::count_if(o.result.expected.begin(), o.result.expected.end(), [](const auto& r) { return r.passed; });
  return fmt::format("{} of {} expectations met", passed, o.result.expected.size());
}

std::size_t label_width(const std::vector<Outcome>& outcomes) {
  std::size_t width = 6;
  for (const Outcome& o : outcomes) width = std::max(width, o.contender.label.size());
  return width;
}

std::string cost_text(const std::vector<Outcome>& outcomes) {
  const std::size_t width = label_width(outcomes);
  std::string text = fmt::format("{:<{}}  {:>9}  {:>10}  {:>15}  {:>12}  {}\n", "solver", width, "time s", "ms/frame",
                                 "iterations/step", "residual", "result");
  for (const Outcome& o : outcomes) {
    if (!o.has_run()) {
      text += fmt::format("{:<{}}  {:>9}  {:>10}  {:>15}  {:>12}  {}\n", o.contender.label, width, "-", "-", "-", "-",
                          state_text(o));
      continue;
    }
    const double frames = std::max<double>(1, double(o.result.frames - 1));
    text += fmt::format("{:<{}}  {:>9.3f}  {:>10.3f}  {:>15.1f}  {:>12.2e}  {}\n", o.contender.label, width,
                        o.result.wall_seconds, 1000 * o.solver_seconds / frames, o.iterations_per_step,
                        o.largest_residual, state_text(o));
  }
  return text;
}

std::string expectation_text(const std::vector<Outcome>& outcomes) {
  const std::size_t width = label_width(outcomes);
  std::string text;
  for (const Outcome& o : outcomes)
    for (const ExpectedResult& r : o.result.expected)
      text += fmt::format("{:<{}}  {:<16}  {:<10}  {:>14.8g}  {:>14.8g}  {:>9.2e}  {:>9.2e}  {}\n", o.contender.label,
                          width, r.expected.column, describe(r.expected), r.measured, r.expected.value, r.error,
                          r.expected.tolerance, r.passed ? "pass" : "FAIL");
  if (text.empty()) return "";
  return fmt::format("\n{:<{}}  {:<16}  {:<10}  {:>14}  {:>14}  {:>9}  {:>9}\n", "solver", width, "column", "at",
                     "measured", "expected", "error", "tolerance") +
         text;
}

std::string distance_text(const std::vector<Outcome>& outcomes) {
  const auto first = std::find_if(outcomes.begin(), outcomes.end(), [](const Outcome& o) { return o.has_run(); });
  if (first == outcomes.end()) return "";
  const std::size_t width = label_width(outcomes);
  std::string text;
  for (auto o = first + 1; o != outcomes.end(); ++o) {
    if (!o->has_run()) continue;
    for (const ProbeDistance& d : probe_distances(first->table.metrics, o->table.metrics))
      text += fmt::format("{:<{}}  {:<16}  {:>12.4e}  {:>12.4e}\n", o->contender.label, width, d.probe, d.at_end,
                          d.largest);
  }
  if (text.empty()) return "";
  return fmt::format("\ndistance of probes from those of {} [m]\n{:<{}}  {:<16}  {:>12}  {:>12}\n",
                     first->contender.label, "solver", width, "probe", "at the end", "largest") +
         text;
}

}  // namespace

std::string Contender::folder_name() const {
  std::string name = label;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '.' && c != '=') c = '-';
  return name;
}

std::vector<Contender> read_contenders(const std::string& text) {
  std::vector<Contender> contenders;
  std::set<std::string> folders;
  for (const std::string& label : split(text, ',')) {
    contenders.push_back(read_contender(label));
    if (!folders.insert(contenders.back().folder_name()).second) refuse(fmt::format("\"{}\" is named twice", label));
  }
  return contenders;
}

Outcome run_contender(const RunRequest& request, const Contender& contender) {
  Outcome outcome{contender, exit_good, "", {}, 0, 0, 0, {}};
  RunRequest own = request;
  own.solver = contender.solver;
  own.sets.insert(own.sets.end(), contender.sets.begin(), contender.sets.end());
  own.out = (std::filesystem::path(request.out) / contender.folder_name()).string();
  try {
    const FinishedRun finished = run_scene(own);
    outcome.exit_code = finished.exit_code;
    outcome.result = finished.result;
  } catch (const SceneError& error) {
    outcome.exit_code = exit_bad_scene;
    outcome.refusal = error.what();
  }
  if (!outcome.has_run()) return outcome;
  outcome.table = read_run_table(own.out);
  outcome.table.label = contender.label;
  const std::vector<char> bytes = read_file(std::filesystem::path(own.out) / "report.json");
  const nlohmann::json report = nlohmann::json::parse(bytes);
  outcome.solver_seconds = report.at("step_seconds");
  outcome.largest_residual = report.at("largest_residual");
  outcome.iterations_per_step = double(report.at("iterations")) / std::max<double>(1, double(outcome.result.steps));
  return outcome;
}

std::vector<ProbeDistance> probe_distances(const CsvTable& a, const CsvTable& b) {
  std::vector<ProbeDistance> distances;
  const std::size_t rows = std::min(a.row_count(), b.row_count());
  for (const std::string& probe : probe_names(a)) {
    if (rows == 0 || b.find(probe + ".x") < 0) continue;
    ProbeDistance d{probe, distance(a, b, probe, rows - 1), 0};
    for (std::size_t row = 0; row < rows; ++row) d.largest = std::max(d.largest, distance(a, b, probe, row));
    distances.push_back(d);
  }
  return distances;
}

std::string comparison_text(const std::vector<Outcome>& outcomes) {
  return cost_text(outcomes) + expectation_text(outcomes) + distance_text(outcomes);
}

// Differences from the first: on one scale with the curves themselves nobody sees them.
Chart comparison_chart(const std::vector<Outcome>& outcomes) {
  std::vector<RunTable> runs;
  for (const Outcome& o : outcomes)
    if (o.has_run()) runs.push_back(o.table);
  if (runs.empty()) return {};
  const std::vector<std::string> probes = probe_names(runs.front().metrics);
  if (runs.size() == 1 && probes.empty()) return chart_columns(runs, {"kinetic", "elastic"});
  if (runs.size() == 1) return chart_columns(runs, {probes[0] + ".x", probes[0] + ".y", probes[0] + ".z"});
  Chart chart{runs.front().title, "time [s]", "", false, {}};
  for (std::size_t k = 1; k < runs.size(); ++k) add_differences(runs.front(), runs[k], probes, int(k), chart);
  chart.y_label = fmt::format("{} from {} [{}]", probes.empty() ? "difference" : "distance", runs.front().label,
                              probes.empty() ? "J" : "m");
  for (const ChartLine& line : chart.lines)  // errors grow by powers of ten; runs that agree leave nothing to draw so
    for (const double y : line.y) chart.logarithmic |= y > 0;
  return chart;
}

}  // namespace tendril::app
