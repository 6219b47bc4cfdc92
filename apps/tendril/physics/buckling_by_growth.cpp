#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/bifurcation.h"
#include "physics/case.h"
#include "physics/rod_scene.h"

// 2.6: the load above which a bend of 1e-5 of a column's length grows. Long columns buckle at c EI/L², where c is of
// the ends; one that shears and shortens at P (1 - P/EA + P/GA) = c EI/L² (Reissner 1972); one under its own weight at
// ρgA L³/EI = 7.837347, the first root q of J_{-1/3}(2√q/3).

namespace tendril::app::physics {

namespace {

using std::numbers::pi;

constexpr int segments = 50;
constexpr double tolerance = 5e-3;

struct Section {
  double EA, GA, EI;      // [N, N, N m²]
  double linear_density;  // [kg/m]
};

// E = 200 GPa, ν = 0.3, round
Section steel(double diameter) {
  constexpr double E = 200e9, nu = 0.3, shear_factor = 6 * (1 + nu) / (7 + 6 * nu);
  const double area = pi / 4 * diameter * diameter;
  return {E * area, shear_factor * E * area / (2 * (1 + nu)), E * area * diameter * diameter / 16, 7850 * area};
}

struct Ends {
  const char* what;
  double c;             // P L²/EI
  const char* support;  // of the lower end
  const char* hold;     // of the upper one, which slides along the column
};
const Ends all_ends[] = {
    {"clamped-free", 2.467401, "clamp = [\"start\"]", ""},
    {"pinned-pinned", 9.869604, "pin = [\"start\"]", "[[hold]]\nrod = \"rod\"\nat = \"end\"\nposition = \"xy\"\n"},
    {"clamped-pinned", 20.190729, "clamp = [\"start\"]", "[[hold]]\nrod = \"rod\"\nat = \"end\"\nposition = \"xy\"\n"},
    {"clamped-clamped", 39.478418, "clamp = [\"start\"]",
     "[[hold]]\nrod = \"rod\"\nat = \"end\"\nposition = \"xy\"\nframe = \"all\"\n"},
};

struct Column {
  Section section;
  Ends ends;
  double length = 1;  // [m]
  double load = 0;    // [N]
  double gravity = 0;

  double time_step() const { return 0.02 * length * length * std::sqrt(section.linear_density / section.EI); }
};

RodScene scene(const Column& column, const SolverInfo& solver) {
  const Section& section = column.section;
  RodScene scene;
  scene.time_step = column.time_step();
  scene.gravity = {0, 0, -column.gravity};
  scene.EA = section.EA, scene.GA = section.GA;
  scene.EI = scene.GJ = section.EI;
  scene.linear_density = section.linear_density;
  scene.segments = segments;
  scene.curve = line({0, 0, 0}, {0, 0, column.length});
  // The load comes at once and makes the column swing in length. Implicit Euler damps that; what does not is given
  // internal damping, which leaves the critical load where it is.
  if (orders_in_time(solver).front() > 1)
    scene.material = fmt::format("internal_damping = {:.17g}", 0.25 * column.time_step());
  scene.support = column.ends.support;
  scene.tables = column.ends.hold + tip_force({0, 0, -column.load}) + solved_to(solver, 1e-9, 1000, 1);
  return scene;
}

// a column of ω = 3.5 in these units grows 1e-3 above its load by e² in 1000 steps
bool is_unstable(const Column& column, const SolverInfo& solver) {
  const LoadedScene loaded = load(scene(column, solver), solver);
  const auto noise = smooth_noise(1);
  const auto across = [&](double fraction) { return 1e-5 * column.length * scale({1, 1, 0}, noise(fraction)); };
  Simulation rod = simulation(loaded, displaced(loaded.baked.model, loaded.baked.state, across));
  return grows(rod, 1000, [](const State& state) {
    double largest = 0;
    for (const Vec3d& x : state.x) largest = std::max(largest, std::hypot(x.x, x.y));
    return largest;
  });
}

// what is under a load of its own at its end; `critical` [N]
void loaded_column(const std::string& what, Column column, double critical, const Subject& subject,
                   Findings& findings) {
  const Stopwatch stopwatch;
  const double found = critical_value({0.9 * critical, 1.15 * critical}, [&](double load) {
    column.load = load;
    return is_unstable(column, subject.solver);
  });
  findings.compare({fmt::format("{}, N = {}: P", what, segments), "N",
                    fmt::format("h = {:.3g} s; {:.2g} s", column.time_step(), stopwatch.seconds())},
                   found, critical, tolerance);
}

// stiff against stretch and shear, of which only bending is left
void ideal(const Ends& ends, const Subject& subject, Findings& findings) {
  const Section steel_10 = steel(0.01),
                stiff{1e7 * steel_10.EI, 1e7 * steel_10.EI, steel_10.EI, steel_10.linear_density};
  loaded_column(ends.what, {stiff, ends}, ends.c * steel_10.EI, subject, findings);
}

void shearable(const Ends& ends, double diameter, const Subject& subject, Findings& findings) {
  const Section section = steel(diameter);
  const double a = 1 / section.GA - 1 / section.EA, euler = ends.c * section.EI;
  const double critical = 2 * euler / (1 + std::sqrt(1 + 4 * a * euler));
  loaded_column(fmt::format("{}, sheared and shortened, d = {:g} m", ends.what, diameter), {section, ends}, critical,
                subject, findings);
}

void under_its_weight(const Subject& subject, Findings& findings) {
  constexpr double diameter = 1e-3, g = 9.81, critical = 7.837347;
  const Section section = steel(diameter);
  const double weight = section.linear_density * g;
  const auto length = [&](double q) { return std::cbrt(q * section.EI / weight); };
  const Stopwatch stopwatch;
  const double found = critical_value({0.9 * critical, 1.15 * critical}, [&](double q) {
    return is_unstable({section, all_ends[0], length(q), 0, g}, subject.solver);
  });
  findings.compare(
      {fmt::format("under its weight, steel, d = {:g} m, N = {}: ρgA L³/EI", diameter, segments), "-",
       fmt::format("{:.6f} m for {:.6f} m; {:.2g} s", length(found), length(critical), stopwatch.seconds())},
      found, critical, tolerance);
}

}  // namespace

void buckling_by_growth(const Subject& subject, Findings& findings) {
  if (!settles_at_once(subject.solver))
    return findings.not_measured("all ends, shear, self-weight", "sweeps solve the steps too slowly");
  for (const Ends& ends : all_ends) {
    if (subject.quick() && ends.c > 3) continue;
    findings.part(ends.what, [&] { ideal(ends, subject, findings); });
  }
  if (subject.quick()) return;
  if (!subject.solver.capabilities.extensible || !subject.solver.capabilities.shearable)
    findings.not_measured("sheared and shortened", "its rods do neither");
  else
    for (double diameter : {0.01, 0.2})
      for (const Ends& ends : {all_ends[0], all_ends[1]})
        findings.part("sheared and shortened", [&] { shearable(ends, diameter, subject, findings); });
  findings.part("under its weight", [&] { under_its_weight(subject, findings); });
}

}  // namespace tendril::app::physics
