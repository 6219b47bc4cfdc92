#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compact_helix.h"
#include "rod/energy.h"
#include "rod/momentum.h"

// Fig. 12 [zhao2022]: the largest step that is stable, over gravity, beside the extended RedMax

namespace tendril::app {
namespace {

constexpr double stiffness = 10;  // of the helix, so that it keeps its coils instead of cracking like a whip
constexpr double duration = 2;    // of a trial [s], and at least so many steps:
constexpr int least_steps = 50;
constexpr double longest = 1;      // step that is tried [s]
constexpr double shortest = 2e-3;  // likewise
constexpr double accuracy = 1.02;  // of the bisection, as a ratio of steps

// Nothing drives the helix: its energy must not grow, but for a tenth of what the fall of its length would give. The
// paper judges by eye.
bool is_stable(const Helix& helix, const Way& way) {
  const auto simulation = start_helix(helix, way);
  const Model& model = simulation->model();
  const auto energy = [&] {
    const State& state = simulation->state();
    return kinetic_energy(model, state) + bend_energy(model, state) + gravity_energy(model, state);
  };
  double mass = 0, length = 0;
  for (const Segment& s : model.segments) mass += s.linear_density * s.rest_length, length += s.rest_length;
  const double allowed = energy() + 0.1 * mass * helix.gravity * length;
  const int steps = std::max(least_steps, int(std::ceil(duration / helix.time_step)));
  try {
    for (int n = 0; n < steps; ++n) {
      simulation->step();
      if (!(energy() <= allowed)) return false;
    }
  } catch (const std::exception&) {
    return false;
  }
  return true;
}

struct Interval {
  double stable, unstable;  // [s]; the second is infinite when `longest` is stable, the first 0 when `shortest` is not
};
Interval bisect(double gravity, const Way& way) {
  Helix helix;
  helix.gravity = gravity, helix.stiffness = stiffness;
  const auto is_stable_at = [&](double h) {
    helix.time_step = h;
    return is_stable(helix, way);
  };
  if (is_stable_at(longest)) return {longest, forever};
  Interval interval{longest, longest};
  while (!is_stable_at(interval.stable *= 0.5)) {
    interval.unstable = interval.stable;
    if (interval.stable < shortest) return {0, interval.unstable};
  }
  while (interval.unstable > accuracy * interval.stable) {
    const double middle = std::sqrt(interval.stable * interval.unstable);
    (is_stable_at(middle) ? interval.stable : interval.unstable) = middle;
  }
  return interval;
}

}  // namespace

void compare_stability(const BenchOptions& options, BenchResults& results) {
  if (!options.quiet)
    fmt::print(
        "\nFig. 12: the largest stable step of the helix [ms], and the least that is not, over gravity [m/s²]\n\n"
        "{:<12} {:>10} {:>24}\n",
        "", "gravity", "stable, unstable");
  for (const Way& way : {Way{"redmax", {"tolerance=1e-9"}}, Way{"compact", {}}, Way{"kkt", {}}})
    for (double gravity : {2.5, 5.0, 7.5, 9.81, 12.5, 15.0, 20.0}) {
      if (!is_there(way)) continue;
      const Interval h = bisect(gravity, way);
      if (!options.quiet)
        fmt::print("{:<12} {:>10} {:>24}\n", way.solver, gravity,
                   h.unstable == forever ? fmt::format("more than {:.3g}", 1e3 * h.stable)
                   : h.stable > 0        ? fmt::format("{:.3g}, {:.3g}", 1e3 * h.stable, 1e3 * h.unstable)
                                         : fmt::format("less than {:.3g}", 1e3 * h.unstable));
      results.push_back(compact_entry(fmt::format("Fig. 12, largest stable step, g = {}", gravity), way.solver,
                                      1e3 * h.stable, "ms"));
      results.back()["unstable"] = h.unstable < forever ? BenchResults(1e3 * h.unstable) : BenchResults(nullptr);
    }
}

}  // namespace tendril::app
