#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compact_helix.h"
#include "rod/momentum.h"

// Fig. 7 to 10 [zhao2022]: compact beside the penalty method and the direct KKT method, on the helix

namespace tendril::app {
namespace {

constexpr double weights[] = {1e5, 1e6, 1e7, 1e8, 1e9};

Way compact(int iterations) { return {"compact", {fmt::format("iterations={}", iterations)}}; }
Way penalty(double weight, int iterations) {
  return {"penalty", {fmt::format("weight={:g}", weight), fmt::format("iterations={}", iterations)}};
}
Way kkt(int iterations) { return {"kkt", {fmt::format("iterations={}", iterations)}}; }

std::string label(const Way& way) {
  std::string text = way.solver;
  for (const std::string& set : way.sets) text += " " + set;
  return text;
}

// what a run does, frame by frame; a frame is a step
struct Curve {
  std::vector<Violation> violations;
  std::vector<double> kinetic;  // [J]
  std::vector<double> seconds;  // of the step
  int iterations = 0;           // of all steps
  bool is_complete = true;      // it did not come to nothing
};

Curve run(const Helix& helix, const Way& way, int frames) {
  Curve curve;
  const auto simulation = start_helix(helix, way);
  try {
    for (int n = 0; n < frames; ++n) {
      const double begin = cpu_seconds();
      const StepReport report = simulation->step();
      curve.seconds.push_back(cpu_seconds() - begin);
      curve.iterations += report.iterations;
      curve.violations.push_back(violation(simulation->model(), simulation->state()));
      curve.kinetic.push_back(kinetic_energy(simulation->model(), simulation->state()));
    }
  } catch (const std::exception&) {
    curve.is_complete = false;
  }
  return curve;
}

Violation largest(const Curve& curve) {
  Violation out{0, 0};
  for (const Violation& v : curve.violations)
    out.length = std::max(out.length, std::abs(v.length)), out.alignment = std::max(out.alignment, v.alignment);
  return out;
}

template <class Number, class Of>
BenchResults list(const std::vector<Number>& all, Of of) {
  BenchResults out = BenchResults::array();
  for (const Number& one : all) out.push_back(of(one));
  return out;
}

void report_violation(const std::string& figure, const Way& way, const Curve& curve, const BenchOptions& options,
                      BenchResults& results) {
  const Violation most = largest(curve);
  const auto at = [&](std::size_t frame) {
    if (frame > curve.violations.size()) return std::string("-");
    const Violation& v = curve.violations[frame - 1];
    return fmt::format("{:.1e} {:.1e}", v.length, v.alignment);
  };
  if (!options.quiet)
    fmt::print("{:<36} {:>18} {:>18} {:>18} {:>18} {:>9.3f}\n", label(way), at(1), at(10), at(100),
               fmt::format("{:.1e} {:.1e}", most.length, most.alignment), 1e3 * fastest(curve.seconds));
  results.push_back(
      compact_entry(figure + ", largest violation of length, " + label(way), way.solver, most.length, "-"));
  BenchResults& entry = results.back();
  entry["alignment"] = most.alignment, entry["ms_per_step"] = 1e3 * fastest(curve.seconds);
  entry["iterations"] = curve.iterations, entry["is_complete"] = curve.is_complete;
  entry["length_by_frame"] = list(curve.violations, [](const Violation& v) { return v.length; });
  entry["alignment_by_frame"] = list(curve.violations, [](const Violation& v) { return v.alignment; });
}

void violations(const std::string& figure, const std::vector<Way>& ways, const BenchOptions& options,
                BenchResults& results) {
  if (!options.quiet)
    fmt::print(
        "\n{}: violation of inextensibility and of alignment, at frames of {} ms\n\n"
        "{:<36} {:>18} {:>18} {:>18} {:>18} {:>9}\n",
        figure, 1e3 * Helix{}.time_step, "", "frame 1", "10", "100", "largest", "ms/step");
  for (const Way& way : ways)
    if (is_there(way)) report_violation(figure, way, run({}, way, 100), options, results);
}

// kinetic energy over time, and how much of it the first fall has
void fig_8(const BenchOptions& options, BenchResults& results) {
  const int shown[] = {5, 10, 20, 40, 60, 80, 100};
  if (!options.quiet) {
    fmt::print("\nFig. 8: kinetic energy [J] at frames, penalty with weight 1e9\n\n{:<36}", "");
    for (int frame : shown) fmt::print(" {:>10}", frame);
    fmt::print(" {:>10}\n", "largest");
  }
  for (const Way& way :
       {compact(5), penalty(1e9, 5), penalty(1e9, 10), penalty(1e9, 20), penalty(1e9, 50), penalty(1e9, 100), kkt(5)}) {
    if (!is_there(way)) continue;
    const Curve curve = run({}, way, 100);
    const double most = *std::max_element(curve.kinetic.begin(), curve.kinetic.end());
    if (!options.quiet) {
      fmt::print("{:<36}", label(way));
      for (int frame : shown)
        fmt::print(" {:>10}",
                   frame <= int(curve.kinetic.size()) ? fmt::format("{:.3e}", curve.kinetic[frame - 1]) : "-");
      fmt::print(" {:>10.3e}\n", most);
    }
    results.push_back(compact_entry("Fig. 8, largest kinetic energy, " + label(way), way.solver, most, "J"));
    results.back()["kinetic_by_frame"] = list(curve.kinetic, [](double energy) { return energy; });
  }
}

// the first frame, solved
void fig_9(const BenchOptions& options, BenchResults& results) {
  if (!options.quiet)
    fmt::print(
        "\nFig. 9: the first frame until it converges: a Newton step of 1e-8, as a turn or a stretch; under penalty, "
        "where\nrounding does not allow that, the paper's 1e-5 N of forces and moments that are left, or 1e-11 of the "
        "weight\n\n"
        "{:<36} {:>12} {:>10}\n",
        "", "iterations", "ms");
  std::vector<Way> ways = {{"compact", {"iterations=1000", "tolerance=1e-8"}}, {"kkt", {"iterations=1000"}}};
  for (double weight : weights) {
    ways.push_back(penalty(weight, 10'000));
    ways.back().sets.push_back(fmt::format("force_tolerance={:g}", std::max(1e-5, 1e-11 * weight)));
  }
  for (const Way& way : ways) {
    if (!is_there(way)) continue;
    std::vector<double> seconds;
    int iterations = 0;
    bool converged = true;
    double passed = 0;
    while (seconds.size() < 3 || (passed < 0.2 * options.seconds && seconds.size() < 100)) {
      const auto simulation = start_helix({}, way);
      const double begin = cpu_seconds();
      const StepReport report = simulation->step();
      seconds.push_back(cpu_seconds() - begin);
      passed += seconds.back(), iterations = report.iterations, converged &= report.converged;
    }
    const double ms = 1e3 * fastest(seconds);
    if (!options.quiet)
      fmt::print("{:<36} {:>12} {:>10.3f}{}\n", label(way), iterations, ms, converged ? "" : "  not converged");
    results.push_back(compact_entry("Fig. 9, first frame, " + label(way), way.solver, ms, "ms"));
    results.back()["iterations"] = iterations, results.back()["converged"] = converged;
  }
}

}  // namespace

void compare_baselines(const BenchOptions& options, BenchResults& results) {
  std::vector<Way> by_weight = {compact(5)};
  for (double weight : weights) by_weight.push_back(penalty(weight, 5));
  violations("Fig. 7", by_weight, options, results);
  fig_8(options, results);
  fig_9(options, results);
  violations("Fig. 10", {compact(5), kkt(1), kkt(2), kkt(3), kkt(5), kkt(20)}, options, results);
}

}  // namespace tendril::app
