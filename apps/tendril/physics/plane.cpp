#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "physics/case.h"
#include "physics/rod_scene.h"
#include "rod/momentum.h"

// 4.2: a rod that lies on a plane along its slope: it sticks up to the angle atan μ, and slides as a block beyond.

namespace tendril::app::physics {

namespace {

constexpr double g = 9.81;                     // [m/s²]
constexpr double length = 0.1, radius = 1e-3;  // [m]
constexpr double start_gap = 0.09 * radius;    // within the barrier's reach [m]
constexpr double unsolved = 1e-8;              // what an iterative solver may leave
constexpr double degree = std::numbers::pi / 180;

enum class Tilted { plane, gravity };

struct Slope {
  double angle = 0, friction = 0;
  Tilted tilted = Tilted::plane;
  double time_step = 5e-3;  // [s]
  double speed = 0;         // downhill at time 0 [m/s]

  Vec3d downhill() const {
    return tilted == Tilted::plane ? Vec3d{std::cos(angle), 0, -std::sin(angle)} : Vec3d{1, 0, 0};
  }
  Vec3d normal() const { return tilted == Tilted::plane ? Vec3d{std::sin(angle), 0, std::cos(angle)} : Vec3d{0, 0, 1}; }
  Vec3d gravity() const {
    return tilted == Tilted::plane ? Vec3d{0, 0, -g} : g * Vec3d{std::sin(angle), 0, -std::cos(angle)};
  }
  double acceleration() const { return g * (std::sin(angle) - friction * std::cos(angle)); }
};

RodScene scene(const Slope& slope, const SolverInfo& solver) {
  RodScene scene;
  scene.time_step = slope.time_step;
  scene.gravity = slope.gravity();
  scene.EA = scene.GA = 100;
  scene.EI = scene.GJ = 1e-3;
  scene.linear_density = 0.05;
  scene.radius = radius;
  scene.contact = true;
  scene.friction = slope.friction;
  scene.segments = 10;
  const Vec3d start = (radius + start_gap) * slope.normal();
  scene.curve = line(start, start + length * slope.downhill());
  scene.support = fmt::format("velocity = {}", toml(slope.speed * slope.downhill()));
  scene.tables = fmt::format("[[obstacle]]\nshape = \"plane\"\nnormal = {}\n", toml(slope.normal())) +
                 solved_to(solver, unsolved, 1000);
  return scene;
}

// the rod on its slope, step by step
class Slider {
 public:
  Slider(const Slope& slope, const SolverInfo& solver)
      : slope_(slope), loaded_(load(scene(slope, solver), solver)), rod_(simulation(loaded_, loaded_.baked.state)) {}

  void run(double seconds) {
    for (int n = int(std::lround(seconds / slope_.time_step)); n > 0; --n) rod_.step();
  }
  void step() { rod_.step(); }
  double time() const { return rod_.time(); }
  double way() const { return dot(centre_of_mass(), slope_.downhill()) - length / 2; }  // of the centre, downhill [m]
  double speed() const { return dot(linear_momentum(rod_.model(), rod_.state()), slope_.downhill()) / mass(); }

 private:
  double mass() const {
    double sum = 0;
    for (const Vertex& vertex : rod_.model().vertices) sum += vertex.mass;
    return sum;
  }
  Vec3d centre_of_mass() const {
    Vec3d sum;
    for (std::size_t i = 0; i < rod_.state().x.size(); ++i) sum += rod_.model().vertices[i].mass * rod_.state().x[i];
    return sum / mass();
  }

  Slope slope_;
  LoadedScene loaded_;
  Simulation rod_;
};

std::string describe(const Slope& slope) {
  return fmt::format("μ = {}, {:.2f}°{}", slope.friction, slope.angle / degree,
                     slope.tilted == Tilted::gravity ? ", gravity tilted" : "");
}

// how far it creeps once it has come to rest
void sticking(const Slope& slope, const Subject& subject, Findings& findings) {
  const double seconds = subject.quick() ? 2 : 10;
  Slider rod(slope, subject.solver);
  rod.run(1);
  const double start = rod.way();
  rod.run(seconds);
  findings.compare({describe(slope) + fmt::format(": drift in {:g} s", seconds), "m", ""}, rod.way() - start, 0, 1e-6);
}

double sliding(const Slope& slope, const Subject& subject, Findings& findings) {
  Slider rod(slope, subject.solver);
  rod.run(0.2);
  const double start = rod.speed(), seconds = 0.3;
  rod.run(seconds);
  const double acceleration = (rod.speed() - start) / seconds;
  findings.compare({describe(slope) + ": acceleration", "m/s²", ""}, acceleration, slope.acceleration(), 5e-3);
  return acceleration;
}

// Thrown along the level plane. Implicit Euler moves a step with the speed that it has in the end, so the way is
// v0 h/2 short: of first order.
void stopping(const Subject& subject, Findings& findings) {
  Slope level{0, 0.3, Tilted::plane, 1e-3, 1};
  const double stop = level.speed / (level.friction * g), way = 0.5 * level.speed * stop;
  double shortfall[2] = {};
  for (int k = 0; k < 2; ++k, level.time_step /= 2) {
    Slider rod(level, subject.solver);
    double earlier = level.speed, last = level.speed;  // speeds before the step that stops it
    do {
      earlier = last, last = rod.speed();
      rod.step();
    } while (rod.speed() > 1e-3 * level.speed && rod.time() < 2 * stop);
    const double braking = (earlier - last) / level.time_step;
    const double time = rod.time() - level.time_step + last / braking;  // it stops within that step
    rod.run(0.05);
    const std::string what = fmt::format("level, μ = {}, v0 = 1 m/s, h = {:g} s", level.friction, level.time_step);
    findings.compare({what + ": time to stop", "s", ""}, time, stop, 5e-3);
    findings.compare({what + ": way to stop", "m", ""}, rod.way(), way, 5e-3);
    shortfall[k] = way - rod.way();
  }
  findings.compare({"level: order in h of the way to stop", "-", "implicit Euler: v0 h/2 short"},
                   std::log2(shortfall[0] / shortfall[1]), 1, 0.1);
}

}  // namespace

void plane(const Subject& subject, Findings& findings) {
  if (!subject.solver.capabilities.friction)
    return findings.not_measured("", fmt::format("the solver \"{}\" has no friction", subject.solver.name));
  for (double friction : {0.3, 0.5}) {
    const double threshold = std::atan(friction);
    findings.part("sticking", [&] { sticking({threshold - 0.25 * degree, friction}, subject, findings); });
    findings.part("sliding", [&] { sliding({threshold + 0.25 * degree, friction}, subject, findings); });
  }
  findings.part("30°", [&] {
    const Slope slope{30 * degree, 0.3}, tilted{30 * degree, 0.3, Tilted::gravity};
    const double a = sliding(slope, subject, findings), b = sliding(tilted, subject, findings);
    findings.compare({"30°: plane tilted against gravity tilted, relative", "-", ""}, a / b - 1, 0, 1e-6);
  });
  findings.part("stopping", [&] { stopping(subject, findings); });
}

}  // namespace tendril::app::physics
