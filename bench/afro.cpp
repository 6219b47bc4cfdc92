#include "afro.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "io/formats/hair.h"
#include "loaded_scene.h"
#include "temporary_folder.h"

namespace tendril::app {
namespace {

constexpr double head = 0.1, lowest = -0.2;  // its radius [m]; height of the lowest root over it [-]
constexpr double longest = 0.1;              // strand [m]
constexpr double coil = 2e-3, turns = 6;     // radius [m]; of each strand
constexpr double hair_radius = 5e-4;         // Table 1 has none [m]
constexpr double stretch_high = 9.7, stretch_low = 0.31, bend_high = 1.5e3, bend_low = 62;  // k_ss, k_bt of Table 1
constexpr double mass = 1;  // of a vertex, of Table 1 [kg]

// k_ss = k̃ l and k_bt = 4 k̃ / l: their ranges are those of strands of one section and of lengths from 1 to
const double length_ratio = std::sqrt(stretch_high / stretch_low * bend_high / bend_low);

// The lengths of strands take turns, evenly on a logarithmic scale: 0 the shortest, 1 the longest. The plastic number
// has nothing in common with the golden angle of the roots.
double share(int k) { return std::fmod(k * 0.7548776662466927, 1.0); }

Vec3d root_direction(int k, int count) {
  const double z = 1 - (1 - lowest) * (k + 0.5) / count, angle = k * std::numbers::pi * (3 - std::sqrt(5.0));
  return {std::sqrt(1 - z * z) * std::cos(angle), std::sqrt(1 - z * z) * std::sin(angle), z};
}

Take coils(const Afro& afro) {
  Take take;
  take.title = "afro";
  Strands& all = take.strands;
  for (int k = 0; k < afro.strands; ++k) {
    const Vec3d out = root_direction(k, afro.strands), a = any_perpendicular(out), b = cross(out, a);
    const double length = longest * std::pow(length_ratio, share(k) - 1), r = coil * length / longest;
    Strand strand;
    for (int i = 0; i < afro.vertices; ++i) {
      const double t = double(i) / (afro.vertices - 1), phi = 2 * std::numbers::pi * turns * t;
      strand.points.push_back(int(all.points.size()));
      all.points.push_back((head + length * t) * out + r * (std::cos(phi) - 1) * a + r * std::sin(phi) * b);
    }
    all.strands.push_back(strand);
  }
  return take;
}

std::string scene(const Afro& afro) {
  const std::string shake = "rotate = { axis = [0, 0, 1], keys = [[0, 0], [0.1, 0.3], [0.3, -0.3], [0.4, 0]] }\n";
  return fmt::format(
      "[simulation]\nsolver = \"{}\"\ntime_step = 0.001\nduration = 100\nthreads = {}\n[contact]\n{}"
      "[material.hair]\nstiffness = {{ EA = 1, GA = 1, EI1 = 1, EI2 = 1, GJ = 1 }}\nlinear_density = 1\nradius = {}\n"
      "[[rod]]\nname = \"afro\"\nmaterial = \"hair\"\ncurve = {{ type = \"file\", path = \"afro.hair\" }}\n"
      "clamp = \"roots\"\n[[drive]]\nrod = \"afro\"\nat = \"roots\"\nabout = [0, 0, 0]\n{}",
      afro.solver, afro.threads, afro.grid ? "model = \"grid\"\n" : "enabled = false\n", hair_radius, shake);
}

// strand by strand, of the vertices that are its first segments' firsts
void give_table_values(const Afro& afro, Model& model) {
  const auto between = [](double low, double high, double part) { return low * std::pow(high / low, part); };
  const auto share_of = [&](int vertex) { return share(vertex / afro.vertices); };
  for (Vertex& v : model.vertices) v.mass = mass;
  for (Segment& s : model.segments) {
    const double part = share_of(s.vertex[0]), k = between(stretch_low, stretch_high, part);
    s.EA = s.GA = k / s.rest_length;
    s.EI1 = s.EI2 = s.GJ = between(bend_high, bend_low, part) * s.rest_length / 4;
    s.linear_density = mass / s.rest_length;
  }
  for (Bend& b : model.bends) {
    const int s = b.a.is_body ? b.b.index : b.a.index;
    const double k = between(bend_high, bend_low, share_of(model.segments[s].vertex[0]));
    b.EI1 = b.EI2 = b.GJ = k * b.length / 4;
  }
}

}  // namespace

LoadedScene load_afro(const Afro& afro) {
  const TemporaryFolder folder;
  write_hair(coils(afro), folder.write("afro.hair", ""));
  std::vector<std::string> sets;
  if (afro.solver == "stable")  // as published: eight plain sweeps
    sets = {"solver.stable.mode=\"paper\"",         "solver.stable.iterations=8",
            "solver.stable.tolerance=0.0",          "solver.stable.acceleration=false",
            "solver.stable.lambda=\"approximate\"", "solver.stable.precision=\"float\""};
  LoadedScene loaded = load_scene(folder.write("afro.toml", scene(afro)), sets, afro.solver);
  give_table_values(afro, loaded.baked.model);
  return loaded;
}

}  // namespace tendril::app
