#include "physics/real_rods.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace tendril::app::physics {

double RealMaterial::linear_density() const { return density * std::numbers::pi * radius * radius; }

double RealMaterial::bending_stiffness() const {
  return young_modulus * std::numbers::pi / 4 * radius * radius * radius * radius;
}

const std::vector<RealMaterial>& real_materials() {
  static const std::vector<RealMaterial> all = {
      {"steel", 200e9, 0.3, 7850, 1e-3}, {"wood", 11e9, 0.35, 700, 1e-3},    {"nylon", 2.7e9, 0.4, 1150, 1e-3},
      {"rubber", 5e6, 0.48, 1100, 1e-3}, {"hair", 3.5e9, 0.38, 1300, 40e-6},
  };
  return all;
}

const RealMaterial& hair() { return real_materials().back(); }

std::string toml(const RealMaterial& material, double friction) {
  return fmt::format(
      "[material.{}]\nyoung_modulus = {:.17g}\npoisson_ratio = {:.17g}\ndensity = {:.17g}\n"
      "section = {{ shape = \"circle\", radius = {:.17g} }}\nfriction = {:.17g}\n",
      material.name, material.young_modulus, material.poisson_ratio, material.density, material.radius, friction);
}

std::string toml(const World& world) {
  return fmt::format(
      "[simulation]\ntime_step = {:.17g}\nduration = 100.0\ngravity = {}\nthreads = 1\n[contact]\nenabled = {}\n",
      world.time_step, toml(world.gravity), world.contact);
}

std::string toml(const RodText& rod) {
  return fmt::format("[[rod]]\nname = \"{}\"\nmaterial = \"{}\"\nsegments = {}\ncurve = {}\n{}\n", rod.name,
                     rod.material, rod.segments, rod.curve, rod.more);
}

double mass_of(const Model& model, const Rod& rod) {
  double sum = 0;
  for (int i : rod.vertices) sum += model.vertices[i].mass;
  return sum;
}

Vec3d momentum_of(const Model& model, const Rod& rod, const State& state) {
  Vec3d sum;
  for (int i : rod.vertices) sum += model.vertices[i].mass * state.v[i];
  return sum;
}

void StepTally::take(const StepReport& report) {
  ++steps;
  unsolved += !report.converged;
  iterations += report.iterations;
  most_iterations = std::max(most_iterations, report.iterations);
  smallest_gap = std::min(smallest_gap, report.smallest_gap);
}

}  // namespace tendril::app::physics
