#include <fmt/format.h>

#include <cmath>

#include "benchmark.h"
#include "groom.h"

// Hair of 30 segments under `projective`, ten iterations a step: how many steps it takes in a second, and whether that
// goes with the number of strands.

namespace tendril::app {
namespace {

struct Line {
  std::string label;
  Groom groom;
  double bar = 0;  // least number of steps per second; 0: none
};

std::vector<Line> lines() {
  std::vector<Line> all;
  const auto add = [&](int strands, Head head, int threads, double bar) {
    Groom groom;
    groom.strands = strands, groom.vertices = 31, groom.head = head, groom.threads = threads;
    groom.solver = "projective";
    all.push_back(
        {fmt::format("{} x 30, {}", strands, head == Head::absent ? "contact off" : "sphere head"), groom, bar});
  };
  for (int strands : {500, 1000, 2000, 4000, 8000}) add(strands, Head::absent, 1, 0);
  add(2000, Head::absent, 2, 120);
  add(2000, Head::sphere, 1, 0);
  add(2000, Head::sphere, 2, 60);
  return all;
}

nlohmann::ordered_json to_json(const Line& line, const GroomCost& cost) {
  const double per_second = cost.steps > 0 ? 1e3 / cost.milliseconds : 0;
  const auto if_any = [](bool is_any, auto value) { return is_any ? BenchResults(value) : BenchResults(nullptr); };
  return {{"name", "projective"},
          {"solver", "projective"},
          {"case", fmt::format("{}, {} threads", line.label, line.groom.threads)},
          {"measured", if_any(cost.steps > 0, per_second)},
          {"reference", if_any(line.bar > 0, line.bar)},
          {"unit", "steps/s"},
          {"error", nullptr},
          {"tolerance", nullptr},
          {"passed", if_any(line.bar > 0, per_second >= line.bar)},
          {"cpu_milliseconds", if_any(cost.steps > 0, cost.cpu_milliseconds)},
          {"threads", line.groom.threads},
          {"strands", line.groom.strands},
          {"microseconds_per_strand", if_any(cost.steps > 0, 1e3 * cost.cpu_milliseconds / line.groom.strands)},
          {"contacts", cost.contacts},
          {"unsolved", cost.unsolved},
          {"steps", cost.steps},
          {"note", cost.refusal}};
}

void print(const Line& line, const GroomCost& cost) {
  fmt::print("{:<26} {:>7} ", line.label, line.groom.threads);
  if (cost.steps > 0)
    fmt::print("{:>9.2f} {:>9.2f} {:>9.1f} {:>6} {:>11.2f} {:>6} {:>8} {:>8}", cost.milliseconds, cost.cpu_milliseconds,
               1e3 / cost.milliseconds, line.bar > 0 ? fmt::format("{:g}", line.bar) : "",
               1e3 * cost.cpu_milliseconds / line.groom.strands, cost.steps, cost.contacts, cost.unsolved);
  fmt::print("{}{}\n", cost.refusal.empty() ? "" : "  ends: ", cost.refusal.substr(0, cost.refusal.find('\n')));
}

}  // namespace

BenchResults bench_projective(const BenchOptions& options) {
  BenchResults results = BenchResults::array();
  if (!options.quiet)
    fmt::print(
        "Hair of 0.2 m, r = 40 µm, 3.5 GPa, roots that turn to and fro, steps of 1/120 s, ten iterations; \"bar\" is "
        "the "
        "least\nnumber of steps per second that it is to reach\n\n{:<26} {:>7} {:>9} {:>9} {:>9} {:>6} {:>11} {:>6} "
        "{:>8} "
        "{:>8}\n",
        "strands x segments", "threads", "ms/step", "CPU ms", "steps/s", "bar", "µs/strand", "steps", "contacts",
        "unsolved");
  for (const Line& line : lines()) {
    GroomBudget budget;
    budget.seconds = 4 * options.seconds;
    const GroomCost cost = measure_groom(line.groom, budget);
    if (!options.quiet) print(line, cost);
    std::fflush(stdout);
    results.push_back(to_json(line, cost));
  }
  return results;
}

}  // namespace tendril::app
