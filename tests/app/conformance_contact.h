#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "conformance.h"
#include "physics/real_rods.h"

// What the properties of contact share: rods of steel, wood, nylon, rubber and hair, short and long time steps, and the
// default settings of a solver.
namespace tendril::app::conformance {

using physics::RealMaterial;
using physics::RodText;
using physics::World;

constexpr std::array time_steps{1.0 / 60, 5e-3, 1e-3};  // [s]
constexpr double length = 0.1;                          // of a rod [m]
constexpr int segments = 10;
constexpr double friction = 0.4;  // of rods and floors
constexpr const char* level_floor = "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\nfriction = 0.4\n";

std::string contact_rod(const RealMaterial& material, const std::string& name, const Vec3d& from, const Vec3d& to,
                        const std::string& more = "");

struct ContactStart {
  bool check_crossings = false;  // by the exact test, too
  bool is_tight = false;         // the tolerance of a solver that has one is 1e-11
  int threads = 1;
};
std::unique_ptr<Simulation> start_contact(const SolverInfo& solver, const std::string& scene,
                                          const ContactStart& how = {});

double mass_of_vertices(const Model& model);  // [kg]
double fastest(const State& state);           // of the vertices [m/s]

// runs until then; the smallest gap on the way, which must stay open [m]
double run_until(Simulation& simulation, double seconds);

// What a solver is known to miss, with the number that was measured, rounded up. Whoever mends it strikes the line out.
struct KnownMiss {
  const char *solver, *material;  // "": every one
  double time_step, measured;
};
// `bound`, or what is known to be measured instead
double bound_or_known(double bound, const std::vector<KnownMiss>& misses, const SolverInfo& solver,
                      const RealMaterial& material, double time_step);

// One property for each material, as NAME of its tests MATERIAL_NAME. They are checked with every time step.
struct RealRodProperty {
  std::string name;
  void (*check)(const SolverInfo& solver, const RealMaterial& material, double time_step);
  std::vector<bool Capabilities::*> needs = {&Capabilities::contact};
};
std::vector<Property> for_real_rods(const std::vector<RealRodProperty>& properties);

}  // namespace tendril::app::conformance
