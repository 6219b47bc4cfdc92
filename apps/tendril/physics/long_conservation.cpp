#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "physics/case.h"
#include "physics/free_rod.h"
#include "rod/energy.h"
#include "rod/momentum.h"

// 3.4: over a million steps the energy of a free rod stays within what it swings by, and does not drift.

namespace tendril::app::physics {

namespace {

// of the energy over its start, in a part of the run
struct Band {
  double sum = 0, least = 1e300, most = -1e300;
  long count = 0;

  void add(double value) {
    sum += value, ++count;
    least = std::min(least, value), most = std::max(most, value);
  }
  double mean() const { return sum / double(count); }
  double width() const { return most - least; }
};

// Where a scheme keeps the energy but for round-off, there is no band: the last digit of each step may add up to this.
constexpr double rounding(long steps) { return double(steps) * std::numeric_limits<double>::epsilon(); }

// it turns where it is: far from the origin positions lose the digits that velocities are made of
State staying(const Model& model, State state) {
  double mass = 0;
  for (const Vertex& vertex : model.vertices) mass += vertex.mass;
  const Vec3d velocity = linear_momentum(model, state) / mass;
  for (Vec3d& v : state.v) v -= velocity;
  return state;
}

}  // namespace

void long_conservation(const Subject& subject, Findings& findings) {
  const int order = orders_in_time(subject.solver).back();
  if (order < 2)
    return findings.not_measured("energy over a million steps",
                                 "of first order in time, the solver loses it long before (e^(-ω² h t) in each mode)");
  if (subject.quick()) return findings.not_measured("energy over a million steps", "too long for a quick look");
  constexpr double h = 1e-4;
  RodScene scene = straight_free_rod(h);
  scene.segments = 8;
  scene.EA = scene.GA = 100, scene.radius = 0.02;  // the step follows its fastest motion, shear with ω h = 0.45
  scene.tables = solved_to(subject.solver, 1e-12, 20, order) + undamped(subject.solver, order);
  const LoadedScene loaded = load(scene, subject.solver);
  const Model& model = loaded.baked.model;
  Simulation rod = simulation(loaded, staying(model, thrown_in_waves(loaded.baked)));
  const Vec3d momentum = angular_momentum(model, rod.state());
  const double start = kinetic_energy(model, rod.state()) + elastic_energy(model, rod.state());
  constexpr long steps = 1000000;
  Band first, last;
  double turned = 0;
  const Stopwatch stopwatch;
  for (long n = 0; n < steps; ++n) {
    rod.step();
    if (n % 10 != 0) continue;
    const State& now = rod.state();
    const double energy = (kinetic_energy(model, now) + elastic_energy(model, now)) / start;
    if (n < steps / 10) first.add(energy);
    if (n >= steps - steps / 10) last.add(energy);
    turned = std::max(turned, norm(angular_momentum(model, now) - momentum) / norm(momentum));
  }
  const std::string cost = fmt::format("h = {:g} s, {:.2g} s", h, stopwatch.seconds());
  const std::string what = fmt::format("order {}, N = 8, {} steps", order, steps);
  const auto width = [](const Band& band) { return std::max(band.width(), rounding(steps)); };
  findings.compare({what + ": drift of the energy / width of its band, or round-off", "-", cost},
                   (last.mean() - first.mean()) / width(first), 0, 0.1);
  findings.compare({what + ": width of the band, last over first", "-",
                    fmt::format("first {:.2g}, drift {:.2g}", first.width(), last.mean() - first.mean())},
                   width(last) / width(first), 1, 0.5);
  findings.compare({what + ": angular momentum off, relative", "-", ""}, turned, 0, 1e-8);
}

}  // namespace tendril::app::physics
