#include "physics/sliding_rod.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tendril::app::physics {

namespace {

constexpr double rest_time_step = 5e-3, rest_time = 0.3;     // in which it comes to rest [s]
constexpr double floor_length = 1.8, floor_thickness = 0.1;  // of the box that the rod slides on, fixed or free [m]

// Two rails along x, each 0.22 L from an end of the rod, which sags least so. A moment holds the frame of the rod's
// middle: it slides and does not roll.
std::string rails(const SlidingRod& rod) {
  const double r = rod.material.radius, half_span = 0.28 * rod.length();
  std::string text = "[[hold]]\nrod = \"rod\"\nat = { fraction = 0.5 }\nposition = \"none\"\nframe = \"all\"\n";
  for (double side : {-half_span, half_span})
    text += toml(RodText{side < 0 ? "left rail" : "right rail", rod.material.name, rod.floor == Floor::rails ? 1 : 40,
                         line({-0.1, side, -r}, {0.5, side, -r}), "clamp = \"all\""});
  return text;
}

std::string floor_text(const SlidingRod& rod) {
  const std::string friction = fmt::format("friction = {}\n", rod.friction);
  const std::string center = "center = " + toml(Vec3d{0.7, 0, -floor_thickness / 2});
  const std::string size = "size = " + toml(Vec3d{floor_length, 0.2, floor_thickness});
  switch (rod.floor) {
    case Floor::plane:
      return "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\n" + friction;
    case Floor::box:
      return fmt::format("[[obstacle]]\nname = \"floor\"\nshape = \"box\"\n{}\n{}\n{}", center, size, friction);
    case Floor::body:  // it comes to rest on the ground while the rod does on it
      return fmt::format(
          "[[body]]\nname = \"floor\"\nmass = 10\nshape = {{ shape = \"box\", {}, {} }}\n{}"
          "[[obstacle]]\nname = \"ground\"\nshape = \"plane\"\npoint = [0, 0, {}]\n{}",
          center, size, friction, -1.02 * floor_thickness, friction);
    case Floor::rails:
    case Floor::jointed_rails:
      return rails(rod);
  }
  return "";
}

std::string scene(const SlidingRod& rod) {
  const double height = 1.09 * rod.material.radius, half = rod.length() / 2;
  const std::string curve =
      rod.lies_across() ? line({0, -half, height}, {0, half, height}) : line({0, 0, height}, {2 * half, 0, height});
  return toml(World{rod.time_step}) + toml(rod.material, rod.friction) +
         toml(RodText{"rod", rod.material.name, rod.lies_across() ? 10 : 50, curve}) + floor_text(rod);
}

// at rest on its floor
State resting(const SlidingRod& rod, const SolverInfo& solver) {
  SlidingRod still = rod;
  still.time_step = rest_time_step;
  const LoadedScene loaded = load(still, solver);
  Simulation sim = simulation(loaded, loaded.baked.state);
  while (sim.time() < rest_time) sim.step();
  State state = sim.state();
  for (auto* rates : {&state.v, &state.omega, &state.body_v, &state.body_omega})
    std::fill(rates->begin(), rates->end(), Vec3d{});
  return state;
}

}  // namespace

const char* name(Floor floor) {
  switch (floor) {
    case Floor::plane:
      return "plane";
    case Floor::box:
      return "box";
    case Floor::body:
      return "free body";
    case Floor::rails:
      return "two rods";
    case Floor::jointed_rails:
      return "two rods, over joints";
  }
  return "";
}

// On rails the rod is so short that it sags little: the slope over a support is below w L³ / 24 EI = 0.02.
double SlidingRod::length() const {
  if (!lies_across()) return material.radius < 1e-4 ? 0.2 : 1;
  const double weight = material.linear_density() * standard_gravity;
  return std::min(0.1, std::cbrt(0.48 * material.bending_stiffness() / weight));
}

std::string describe(const SlidingRod& rod) {
  return fmt::format("{}, {}, {}, h = {:g} ms", rod.material.name, name(rod.floor), rod.fall > 0 ? "lands" : "slides",
                     1e3 * rod.time_step);
}

LoadedScene load(const SlidingRod& rod, const SolverInfo& solver) {
  return load_scene_text(scene(rod), "validate", {}, solver.name);
}

std::unique_ptr<Simulation> thrown(const SlidingRod& rod, const SolverInfo& solver) {
  State start = resting(rod, solver);
  const LoadedScene loaded = load(rod, solver);
  for (int i : loaded.baked.model.rods.front().vertices) {
    start.x[i].z += rod.fall;
    start.v[i] = {rod.speed, 0, 0};
  }
  return std::unique_ptr<Simulation>(new Simulation(simulation(loaded, std::move(start))));
}

}  // namespace tendril::app::physics
