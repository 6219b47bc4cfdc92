#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "physics/case.h"
#include "physics/rod_scene.h"
#include "rod/momentum.h"

// 4.2: a cylinder that lies across a slope. Friction f at its surface turns it, J = m r²/2:
//   m a = m g sin θ - f,   J α = f r,   rolling: a = α r
// so that it rolls with a = 2/3 g sin θ as long as f = m g sin θ / 3 <= μ m g cos θ, and else slips with f = μ m g cos
// θ.

namespace tendril::app::physics {

namespace {

constexpr double g = 9.81;                     // [m/s²]
constexpr double length = 0.2, radius = 0.02;  // [m]
constexpr double start_gap = 0.09 * radius;    // within the barrier's reach [m]
constexpr double unsolved = 1e-9;              // what an iterative solver may leave
constexpr double degree = std::numbers::pi / 180;

struct Roller {
  double angle = 0, friction = 0.3;
  double time_step = 2e-3;  // [s]
  double speed = 0;         // downhill at time 0, without spin [m/s]
};

const Vec3d across{0, 1, 0};

Vec3d gravity(const Roller& roller) { return g * Vec3d{std::sin(roller.angle), 0, -std::cos(roller.angle)}; }

RodScene scene(const Roller& roller, const Vec3d& gravity, const SolverInfo& solver) {
  RodScene scene;
  scene.time_step = roller.time_step;
  scene.gravity = gravity;
  scene.EA = scene.GA = 1e5;
  scene.EI = scene.GJ = 10;
  scene.linear_density = 1;
  scene.radius = radius;
  scene.contact = true;
  scene.friction = roller.friction;
  scene.segments = 4;
  const Vec3d start{0, 0, radius + start_gap};
  scene.curve = line(start, start + length * across);
  scene.tables = "[[obstacle]]\nshape = \"plane\"\nnormal = [0, 0, 1]\n" + solved_to(solver, unsolved, 1000);
  return scene;
}

// it lies still, pressed to the plane as it will be, and is then let go
State start_of(const Roller& roller, const SolverInfo& solver) {
  const LoadedScene loaded = load(scene(roller, {0, 0, gravity(roller).z}, solver), solver);
  Simulation rod = simulation(loaded, loaded.baked.state);
  while (rod.time() < 0.3) rod.step();
  State state = rod.state();
  for (Vec3d& v : state.v) v = {roller.speed, 0, 0};
  for (Vec3d& omega : state.omega) omega = {};
  return state;
}

class Cylinder {
 public:
  Cylinder(const Roller& roller, const SolverInfo& solver)
      : loaded_(load(scene(roller, gravity(roller), solver), solver)),
        rod_(simulation(loaded_, start_of(roller, solver))) {}

  void run(double seconds) {
    for (long n = std::lround(seconds / rod_.time_step()); n > 0; --n) rod_.step();
  }
  void step() { rod_.step(); }
  double time() const { return rod_.time(); }
  double way() const { return mean(rod_.state().x).x; }
  double speed() const { return mean(rod_.state().v).x; }
  double surface_speed() const {  // α r when it is a rate [m/s]
    double sum = 0;
    for (const Vec3d& omega : rod_.state().omega) sum += dot(omega, across);
    return radius * sum / double(rod_.state().omega.size());
  }

 private:
  Vec3d mean(const std::vector<Vec3d>& of) const {
    Vec3d sum;
    double mass = 0;
    for (std::size_t i = 0; i < of.size(); ++i) {
      const double m = rod_.model().vertices[i].mass;
      sum += m * of[i], mass += m;
    }
    return sum / mass;
  }

  LoadedScene loaded_;
  Simulation rod_;
};

struct Accelerations {
  double centre = 0, surface = 0;  // [m/s²]
};

Accelerations accelerations(const Roller& roller, const Subject& subject) {
  constexpr double seconds = 0.2;
  Cylinder rod(roller, subject.solver);
  rod.run(0.1);
  const double v = rod.speed(), u = rod.surface_speed();
  rod.run(seconds);
  return {(rod.speed() - v) / seconds, (rod.surface_speed() - u) / seconds};
}

void down_a_slope(const Subject& subject, Findings& findings) {
  const Roller gentle{20 * degree}, steep{60 * degree};
  const Accelerations rolls = accelerations(gentle, subject), slips = accelerations(steep, subject);
  findings.compare({"20°: a = 2/3 g sin θ", "m/s²", ""}, rolls.centre, 2 * g * std::sin(gentle.angle) / 3, 5e-3);
  findings.compare({"20°: α r", "m/s²", "it does not slip"}, rolls.surface, rolls.centre, 1e-3);
  const double pull = g * std::sin(steep.angle), hold = steep.friction * g * std::cos(steep.angle);
  findings.compare({"60°: it slips, a", "m/s²", ""}, slips.centre, pull - hold, 5e-3);
  findings.compare({"60°: α r = 2 μ g cos θ", "m/s²", ""}, slips.surface, 2 * hold, 5e-3);
}

// it rolls as long as tan θ < 3 μ
void limit_of_rolling(const Subject& subject, Findings& findings) {
  const double limit = std::atan(3 * Roller{}.friction);
  const auto slip = [&](double angle) {
    const Accelerations a = accelerations({angle}, subject);
    return (a.centre - a.surface) / g;
  };
  const double off = 0.5 * degree, hold = 3 * Roller{}.friction * std::cos(limit + off);
  findings.compare({"0.5° below the limit tan θ = 3 μ: slip (a - α r) / g", "-", ""}, slip(limit - off), 0, 1e-5);
  findings.compare({"0.5° above it: slip (a - α r) / g = sin θ - 3 μ cos θ", "-", ""}, slip(limit + off),
                   std::sin(limit + off) - hold, 2e-2);
}

// Thrown along a level plane without spin: it slips until v = v0 - μ g t and α r t = 2 μ g t meet, and rolls on with
// 2/3 v0. Implicit Euler moves a step with the speed that it has in the end: the way is of first order.
void bowling(const Subject& subject, Findings& findings) {
  Roller roller{0, 0.3, 1e-3, 1};
  const double brake = roller.friction * g, time = roller.speed / (3 * brake);
  const double way = roller.speed * time - 0.5 * brake * time * time;
  double shortfall[2] = {};
  for (int k = 0; k < 2; ++k, roller.time_step /= 2) {
    Cylinder rod(roller, subject.solver);
    const double start = rod.way();
    double slip = roller.speed, earlier = slip, x = start, v = roller.speed;
    while (slip > 1e-4 * roller.speed && rod.time() < 2 * time) {  // how the surface slips over the plane
      earlier = slip, x = rod.way(), v = rod.speed();
      rod.step();
      slip = rod.speed() - rod.surface_speed();
    }
    const double rate = 3 * brake, within = std::min(roller.time_step, earlier / rate);
    const double rolls = rod.time() - roller.time_step + within;
    const double reached = x - start + within * (v - 0.5 * brake * within);
    rod.run(0.05);
    const std::string what = fmt::format("bowled at 1 m/s, h = {:g} s", roller.time_step);
    findings.compare({what + ": rolls after", "s", ""}, rolls, time, 5e-3);
    findings.compare({what + ": way until then", "m", ""}, reached, way, 5e-3);
    findings.compare({what + ": speed in the end", "m/s", ""}, rod.speed(), 2 * roller.speed / 3, 5e-3);
    shortfall[k] = way - reached;
  }
  findings.compare({"bowled: order in h of the way", "-", "implicit Euler"}, std::log2(shortfall[0] / shortfall[1]), 1,
                   0.2);
}

}  // namespace

void rolling(const Subject& subject, Findings& findings) {
  const char* all = "20°, 60°, the limit of rolling, a bowled rod";
  if (!subject.solver.capabilities.friction)
    return findings.not_measured(all, fmt::format("the solver \"{}\" has no friction", subject.solver.name));
  if (!subject.solver.capabilities.rotational_inertia)
    return findings.not_measured(
        all, fmt::format("the solver \"{}\" has no rotational inertia: its friction acts at the centreline",
                         subject.solver.name));
  findings.part("slope", [&] { down_a_slope(subject, findings); });
  findings.part("limit", [&] { limit_of_rolling(subject, findings); });
  findings.part("bowling", [&] { bowling(subject, findings); });
}

}  // namespace tendril::app::physics
