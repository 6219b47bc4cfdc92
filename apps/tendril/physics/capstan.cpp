#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/case.h"
#include "physics/rod_scene.h"
#include "sim/reaction.h"

// 4.1: a rope around a fixed drum. It slides when the tensions of its ends are as exp(μθ), and holds within.

namespace tendril::app::physics {

namespace {

constexpr double drum = 0.05, radius = 1e-3;  // of drum and rope [m]
constexpr double light = 1;                   // T1 [N]
constexpr double pitch = 4 * radius;          // from turn to turn [m]
constexpr double start_gap = 0.09 * radius;   // within the barrier's reach [m]
constexpr int tail_segments = 5;

struct Wrap {
  double friction = 0;
  int degrees = 0;
  int segments_per_radius = 10;  // of the drum

  double angle() const { return degrees * std::numbers::pi / 180; }
  bool is_helix() const { return degrees > 360; }                // which rolls along the drum as it is pulled straight
  double holds() const { return std::exp(friction * angle()); }  // T2/T1
  int arc_segments() const { return int(std::ceil(angle() * (drum + radius) * segments_per_radius / drum)); }
  double segment_length() const { return (drum + radius) * angle() / arc_segments(); }
};

std::string describe(const Wrap& wrap) {
  return fmt::format("μ = {}, {}°, l = R/{}", wrap.friction, wrap.degrees, wrap.segments_per_radius);
}

// along the rope over the drum, whose axis is y; at angle 0 it comes straight up
Vec3d tangent(double angle) { return {std::sin(angle), 0, std::cos(angle)}; }

// a tail straight up, around the drum, and a tail away from it; the middles of the chords nearly touch the drum
std::string curve(const Wrap& wrap) {
  const int arc = wrap.arc_segments();
  const double step = wrap.angle() / arc, out = (drum + radius + start_gap) / std::cos(step / 2);
  std::string points;
  for (int k = -tail_segments; k <= arc + tail_segments; ++k) {
    const int on_drum = std::clamp(k, 0, arc);
    const double angle = on_drum * step;
    const double along = wrap.is_helix() ? pitch * (angle - wrap.angle() / 2) / (2 * std::numbers::pi) : 0;
    const Vec3d point{-out * std::cos(angle), along, out * std::sin(angle)};
    points += toml(point + (k - on_drum) * wrap.segment_length() * tangent(angle)) + ", ";
  }
  return "{ type = \"polyline\", points = [" + points + "] }";
}

RodScene scene(const Wrap& wrap, const SolverInfo& solver) {
  RodScene scene;
  scene.time_step = 1e-3;
  scene.EA = scene.GA = solver.capabilities.extensible ? 2e3 : 2e4;  // else it is refused: 2.6 N stretch it too much
  scene.EI = scene.GJ = 1e-7;                                        // over T1 R²: 4e-5
  scene.linear_density = 0.1;
  scene.radius = radius;
  scene.contact = true;
  scene.friction = wrap.friction;
  scene.segments = wrap.arc_segments() + 2 * tail_segments;
  scene.curve = curve(wrap);
  if (wrap.is_helix() && solver.capabilities.rotational_inertia)
    scene.material = "linear_inertia = [2.5e-8, 2.5e-8, 1]";  // too heavy to roll
  scene.support = "rest = \"straight\"";
  scene.tables = fmt::format(R"([[obstacle]]
shape = "cylinder"
from = [0, -0.1, 0]
to = [0, 0.1, 0]
radius = {}
[[load]]
rod = "rod"
at = "start"
force = {}
ramp = 0.1
)",
                             drum, toml(-light * tangent(0)));
  return scene;
}

// what holds the end of the rope, along the rope [N]
double tension_at_end(const Simulation& rope, const Wrap& wrap) {
  const Forces internal = rope.internal_forces();
  const BalancedStep step{rope.model(), rope.state_before(), rope.state(), rope.inputs().end,
                          internal,     rope.time_step()};
  return dot(reaction_at(rope.model().probes.front().vertex, step).force, tangent(wrap.angle()));
}

// The far end is pulled, or let go, at a constant speed: T2 is the mean while the rope slides on by one segment. The
// speed takes ρ v² < 1e-4 N off what presses on the drum.
void sliding(const Wrap& wrap, double speed, const Subject& subject, Findings& findings) {
  RodScene slow = scene(wrap, subject.solver);
  slow.support += "\npin = [\"end\"]";
  slow.tables += fmt::format("[[drive]]\nrod = \"rod\"\nat = \"end\"\ntranslate = {{ velocity = {} }}\n",
                             toml(speed * tangent(wrap.angle()))) +
                 solved_to(subject.solver, 1e-5, 2000);
  const LoadedScene loaded = load(slow, subject.solver);
  const Stopwatch stopwatch;
  Simulation rope = simulation(loaded, loaded.baked.state);
  const int at_first = int(0.25 / slow.time_step);  // until the rope is taut and slides
  const int steps = int(std::lround(wrap.segment_length() / std::abs(speed) / slow.time_step));
  double sum = 0, gap = forever;
  for (int n = 0; n < at_first + steps; ++n) {
    gap = std::min(gap, rope.step().smallest_gap);
    if (n >= at_first) sum += tension_at_end(rope, wrap);
  }
  const std::string what = speed > 0 ? "pulled" : "let go";
  findings.compare({fmt::format("{}, {}: T2/T1", describe(wrap), what), "-",
                    fmt::format("smallest gap {:.2g} r, {:.2g} s", gap / radius, stopwatch.seconds())},
                   sum / steps / light, speed > 0 ? wrap.holds() : 1 / wrap.holds(),
                   wrap.segments_per_radius < 20 ? 0.02 : 0.01);
}

// both ends carry dead loads, within the band by 3 % of its width on either side; the tails may swing
void holding(const Wrap& wrap, double share, const Subject& subject, Findings& findings) {
  RodScene still = scene(wrap, subject.solver);
  still.time_step = 2e-3;
  still.tables += tip_force(light * std::pow(wrap.holds(), share) * tangent(wrap.angle())) + "ramp = 0.1\n" +
                  solved_to(subject.solver, 1e-6, 2000);
  const LoadedScene loaded = load(still, subject.solver);
  const Stopwatch stopwatch;
  Simulation rope = simulation(loaded, loaded.baked.state);
  const auto run = [&](double seconds) {
    for (int n = int(std::lround(seconds / still.time_step)); n > 0; --n) rope.step();
    return rope.state().x;
  };
  const double seconds = subject.quick() ? 0.5 : 2;
  const std::vector<Vec3d> from = run(0.5), to = run(seconds);
  double creep = 0;
  for (int i = tail_segments; i <= tail_segments + wrap.arc_segments(); ++i)
    creep = std::max(creep, norm(to[i] - from[i]));
  findings.compare({fmt::format("{}, T2/T1 = exp({:+g} μθ): creep in {:g} s", describe(wrap), share, seconds), "m",
                    fmt::format("{:.2g} s", stopwatch.seconds())},
                   creep, 0, 1e-6);
}

}  // namespace

void capstan(const Subject& subject, Findings& findings) {
  if (!subject.solver.capabilities.friction)
    return findings.not_measured("", fmt::format("the solver \"{}\" has no friction", subject.solver.name));
  std::vector<Wrap> wraps{{0.3, 180, 10}};
  if (!subject.quick())
    wraps = {{0.1, 180, 10}, {0.1, 540, 10}, {0.3, 180, 10}, {0.3, 540, 10}, {0.3, 180, 20}, {0.3, 540, 20}};
  for (const Wrap& wrap : wraps)
    findings.part(describe(wrap), [&] {
      for (double speed : {0.02, -0.02}) sliding(wrap, speed, subject, findings);
      if (wrap.degrees == 180 && wrap.segments_per_radius == 10)
        for (double share : {0.97, -0.97}) holding(wrap, share, subject, findings);
    });
}

}  // namespace tendril::app::physics
