#include <fmt/format.h>

#include <cmath>

#include "physics/case.h"
#include "physics/rod_scene.h"

// 2.6: a column under its critical load. A small load across it bends it by δ, and 1/δ falls linearly with the load P
// along it, to zero at the critical one (Southwell 1932): two equilibria below it tell where. With GA = EA stretch and
// shear cancel.

namespace tendril::app::physics {

namespace {

constexpr double EI = 1, length = 1;  // [N m², m]

struct Column {
  const char* what;
  double critical;      // P L²/EI
  const char* support;  // of the start
  const char* tables;   // of the end
  double across_at;     // where the small load acts, as a fraction of the length
};

// the column stands along z; the end of the second slides along it
const Column clamped_free{"clamped-free", 2.467401, "clamp = [\"start\"]", "", 1};
const Column pinned_pinned{"pinned-pinned", 9.869604, "pin = [\"start\"]",
                           "[[hold]]\nrod = \"rod\"\nat = \"end\"\nposition = \"xy\"\n", 0.5};

RodScene scene(const Column& column, double load, int segments) {
  RodScene scene;
  scene.EA = scene.GA = 1e3 * EI;
  scene.EI = scene.GJ = EI;
  scene.segments = segments;
  scene.curve = line({0, 0, 0}, {0, 0, length});
  scene.support = column.support;
  const double across = 1e-3 * column.critical;
  scene.tables = tip_force({0, 0, -load}) + column.tables +
                 fmt::format("[[load]]\nrod = \"rod\"\nat = {{ fraction = {} }}\nforce = {}\n", column.across_at,
                             toml(Vec3d{across, 0, 0}));
  return scene;
}

void measure(const Column& column, const Subject& subject, Findings& findings) {
  constexpr int segments = 50;
  const double loads[] = {0.85 * column.critical, 0.93 * column.critical};
  double softness[2];  // 1/δ
  std::string cost;
  for (int k = 0; k < 2; ++k) {
    const Equilibrium rod = settled(scene(column, loads[k], segments), subject.solver);
    const int vertex = rod.model.rods[0].vertices[std::lround(column.across_at * segments)];
    softness[k] = 1 / rod.state.x[vertex].x;
    cost += (k ? " and " : "") + rod.cost();
  }
  const double critical = loads[1] + (loads[1] - loads[0]) * softness[1] / (softness[0] - softness[1]);
  findings.compare({fmt::format("{}, N = {}: P L²/EI", column.what, segments), "-", cost}, critical, column.critical,
                   5e-3);
}

}  // namespace

void buckling(const Subject& subject, Findings& findings) {
  for (const Column& column : {clamped_free, pinned_pinned})
    findings.part(column.what, [&] { measure(column, subject, findings); });
}

}  // namespace tendril::app::physics
