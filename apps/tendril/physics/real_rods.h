#pragma once

#include <string>
#include <vector>

#include "physics/rod_scene.h"

// scenes of rods whose stiffness, density and radius are those of real things
namespace tendril::app::physics {

constexpr double standard_gravity = 9.81;  // [m/s²]

// a round rod
struct RealMaterial {
  std::string name;
  double young_modulus = 0;  // [Pa]
  double poisson_ratio = 0;  // [-]
  double density = 0;        // [kg/m³]
  double radius = 0;         // [m]

  double linear_density() const;     // ρ π r² [kg/m]
  double bending_stiffness() const;  // E π r⁴ / 4 [N m²]
};

// steel, wood, nylon, rubber and hair: E r² / ρ spans seven decades
const std::vector<RealMaterial>& real_materials();
const RealMaterial& hair();

// the table [material.NAME] of it
std::string toml(const RealMaterial& material, double friction);

struct World {
  double time_step = 0;  // [s]
  Vec3d gravity{0, 0, -standard_gravity};
  bool contact = true;
};
std::string toml(const World& world);

struct RodText {
  std::string name, material;
  int segments = 0;
  std::string curve;      // the value of `curve`
  std::string more = "";  // further lines: clamp, velocity
};
std::string toml(const RodText& rod);

// vertex masses and momenta of one rod
double mass_of(const Model& model, const Rod& rod);                         // [kg]
Vec3d momentum_of(const Model& model, const Rod& rod, const State& state);  // Σ m v [kg m/s]

// Newton steps, unsolved steps and smallest gap, added up over time steps
struct StepTally {
  int steps = 0, unsolved = 0;
  int iterations = 0, most_iterations = 0;  // of all steps, of one step
  double smallest_gap = forever;            // [m]

  void take(const StepReport& report);
  double mean_iterations() const { return double(iterations) / steps; }
};

}  // namespace tendril::app::physics
