#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/bifurcation.h"
#include "physics/case.h"
#include "physics/rod_scene.h"

// 2.7: a rod under tension T and twisted by a moment M about its axis leaves its line (Greenhill 1883). Its ends are on
// the axis, one slides along it.
//   pinned:  (M/2B)² = T/B + (π/L)², B = EI; the moments keep their direction in space
//   clamped: M is a root of a determinant; the twist M L/C is held, C = GJ

namespace tendril::app::physics {

namespace {

using std::numbers::pi;

constexpr double B = 1.570796e-3, C = B / 1.3;         // [N m²]: radius 1 mm, E = 2 GPa, ν = 0.3
constexpr double length = 1, linear_density = 3.6e-3;  // [m, kg/m]

// the dimensionless tension T L²/B and moment M L/B of rods with clamped ends (roots of the 4x4 determinant)
struct Critical {
  double tension, moment;
};
constexpr Critical clamped[] = {{-5, 8.232811},  {0, 8.986818},   {1, 9.134730},
                                {10, 10.428856}, {50, 15.589324}, {100, 20.983501}};

const double time_step = 0.01 * length * length * std::sqrt(linear_density / B);  // [s]

double pinned(double tension) { return 2 * std::sqrt(tension + pi * pi); }

struct Shaft {
  double tension, moment;  // as above
  bool is_clamped = true;
  int segments = 100;
};

RodScene scene(const Shaft& shaft, const SolverInfo& solver) {
  RodScene scene;
  scene.time_step = time_step;
  scene.EA = scene.GA = 1e6 * B / (length * length);
  scene.EI = B, scene.GJ = C;
  scene.linear_density = linear_density;
  scene.segments = shaft.segments;
  scene.curve = line({0, 0, 0}, {0, 0, length});
  const double turn = shaft.moment * B / C;  // [rad]
  scene.support = fmt::format("{} = [\"start\"]\ntwist = {:.17g}", shaft.is_clamped ? "clamp" : "pin", turn);
  scene.tables = fmt::format("[[hold]]\nrod = \"rod\"\nat = \"end\"\nposition = \"xy\"\nframe = \"{}\"\n",
                             shaft.is_clamped ? "all" : "none") +
                 tip_force({0, 0, shaft.tension * B / (length * length)}) + solved_to(solver, 1e-9, 1000, 1);
  if (!shaft.is_clamped) {
    const Vec3d moment{0, 0, shaft.moment * B / length};
    scene.tables +=
        tip_moment(moment) + fmt::format("[[load]]\nrod = \"rod\"\nat = \"start\"\nmoment = {}\n", toml(-moment));
  }
  return scene;
}

bool is_unstable(const Shaft& shaft, const SolverInfo& solver) {
  const LoadedScene loaded = load(scene(shaft, solver), solver);
  const auto noise = smooth_noise(1);
  const auto across = [&](double fraction) { return 1e-5 * length * scale({1, 1, 0}, noise(fraction)); };
  Simulation rod = simulation(loaded, displaced(loaded.baked.model, loaded.baked.state, across));
  return grows(rod, 1000, [](const State& state) {
    double largest = 0;
    for (const Vec3d& x : state.x) largest = std::max(largest, std::hypot(x.x, x.y));
    return largest;
  });
}

// 1 % with 100 segments, 0.3 % with 200
void measure(Shaft shaft, double reference, const Subject& subject, Findings& findings) {
  const Stopwatch stopwatch;
  const double found = critical_value({0.9 * reference, 1.15 * reference}, [&](double moment) {
    shaft.moment = moment;
    return is_unstable(shaft, subject.solver);
  });
  findings.compare({fmt::format("{}, T L²/B = {:g}, N = {}: M L/B", shaft.is_clamped ? "clamped" : "pinned",
                                shaft.tension, shaft.segments),
                    "-", fmt::format("h = {:.3g} s; {:.2g} s", time_step, stopwatch.seconds())},
                   found, reference, shaft.segments < 200 ? 0.01 : 3e-3);
}

}  // namespace

void greenhill(const Subject& subject, Findings& findings) {
  if (!settles_at_once(subject.solver))
    return findings.not_measured("critical moments", "sweeps solve the steps too slowly");
  for (const auto& [tension, moment] : clamped) {
    if (subject.quick() && tension != 0) continue;
    for (int segments : {100, 200}) {
      if (segments > 100 && (subject.quick() || (tension != 0 && tension != 100))) continue;
      findings.part("clamped", [&] { measure({tension, moment, true, segments}, moment, subject, findings); });
    }
  }
  if (subject.quick()) return;
  for (double tension : {0.0, 10.0})
    findings.part("pinned", [&] { measure({tension, 0, false}, pinned(tension), subject, findings); });
}

}  // namespace tendril::app::physics
