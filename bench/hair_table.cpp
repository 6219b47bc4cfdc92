#include <fmt/format.h>

#include <cmath>

#include "benchmark.h"
#include "groom.h"

namespace tendril::app {
namespace {

constexpr double most_seconds = 15;  // time limit of one line of the table, multiplied by --seconds [s]

struct Line {
  std::string label;
  Groom groom;
};

std::vector<Line> lines() {
  std::vector<Line> all;
  const struct {
    const char* label;
    Head head;
    bool hair_meets_hair;
  } ways[] = {{"contact off", Head::absent, false},
              {"sphere head", Head::sphere, false},
              {"mesh head", Head::mesh, false},
              {"sphere head, hair on hair", Head::sphere, true}};
  for (const auto& way : ways)
    for (double time_step : {1.0 / 120, 1.0 / 60})
      for (int threads : {1, 2}) {
        Groom groom;
        groom.head = way.head, groom.hair_meets_hair = way.hair_meets_hair;
        groom.time_step = time_step, groom.threads = threads;
        all.push_back({fmt::format("2,000 x 32, {}", way.label), groom});
      }
  for (double time_step : {4e-3, 8e-3})
    for (int threads : {1, 2})
      all.push_back({"300 x 20, sphere head, hair on hair, wind",
                     {300, 20, 0.079, Head::sphere, true, true, time_step, threads}});
  return all;
}

void print(const Line& line, const GroomCost& cost) {
  fmt::print("{:<42} {:>8.3f} {:>7} ", line.label, 1e3 * line.groom.time_step, line.groom.threads);
  if (cost.steps > 0)
    fmt::print("{:>9.2f} {:>8.1f} {:>8} {:>8} {:>6} {:>8}", cost.milliseconds, cost.newton_steps,
               cost.most_newton_steps, cost.unsolved, cost.steps, cost.contacts);
  fmt::print("{}{}\n", cost.refusal.empty() ? "" : "  ends: ", cost.refusal.substr(0, cost.refusal.find('\n')));
}

nlohmann::ordered_json to_json(const Line& line, const GroomCost& cost) {
  const auto number = [&](auto value) { return cost.steps > 0 ? BenchResults(value) : BenchResults(nullptr); };
  return {
      {"name", "hair"},
      {"solver", "block"},
      {"case", fmt::format("{}, {:.3f} ms, {} threads", line.label, 1e3 * line.groom.time_step, line.groom.threads)},
      {"measured", number(cost.milliseconds)},
      {"reference", nullptr},
      {"unit", "ms"},
      {"error", nullptr},
      {"tolerance", nullptr},
      {"passed", nullptr},
      {"threads", line.groom.threads},
      {"time_step", line.groom.time_step},
      {"newton_steps", number(cost.newton_steps)},
      {"most_newton_steps", number(cost.most_newton_steps)},
      {"unsolved", cost.unsolved},
      {"steps", cost.steps},
      {"contacts", cost.contacts},
      {"note", cost.refusal}};
}

}  // namespace

BenchResults bench_hair(const BenchOptions& options) {
  BenchResults results = BenchResults::array();
  if (!options.quiet)
    fmt::print(
        "Hair of 0.2 m, r = 40 µm, 3.5 GPa, on a head that turns, friction 0.3: one second of motion, or as much of it "
        "as\n{:g} s allow; Newton steps of the strand that takes most, in the mean and at most; contacts of a step\n\n"
        "{:<42} {:>8} {:>7} {:>9} {:>8} {:>8} {:>8} {:>6} {:>8}\n",
        most_seconds * options.seconds, "strands x vertices", "h, ms", "threads", "ms/step", "Newton", "largest",
        "unsolved", "steps", "contacts");
  for (const Line& line : lines()) {
    GroomBudget budget;
    budget.steps = int(std::lround(1 / line.groom.time_step));
    budget.seconds = most_seconds * options.seconds;
    const GroomCost cost = measure_groom(line.groom, budget);
    if (!options.quiet) print(line, cost);
    std::fflush(stdout);
    results.push_back(to_json(line, cost));
  }
  return results;
}

}  // namespace tendril::app
