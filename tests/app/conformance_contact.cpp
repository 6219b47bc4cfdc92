#include "conformance_contact.h"

#include <algorithm>

#include "run_scene.h"

namespace tendril::app::conformance {

std::string contact_rod(const RealMaterial& material, const std::string& name, const Vec3d& from, const Vec3d& to,
                        const std::string& more) {
  return toml(RodText{name, material.name, segments, physics::line(from, to), more});
}

std::unique_ptr<Simulation> start_contact(const SolverInfo& solver, const std::string& scene, const ContactStart& how) {
  const std::vector<std::string> sets{fmt::format("simulation.threads={}", how.threads)};
  LoadedScene loaded = load_scene_text(scene, "conformance", sets, solver.name);
  const auto has_tolerance = [](const OptionInfo& option) { return option.name == "tolerance"; };
  if (how.is_tight && std::any_of(solver.options.begin(), solver.options.end(), has_tolerance)) {
    loaded.options["tolerance"] = 1e-11;
    loaded.options["iterations"] = 20'000;
  }
  return make_simulation(loaded, how.check_crossings);
}

double mass_of_vertices(const Model& model) {
  double sum = 0;
  for (const Vertex& vertex : model.vertices) sum += vertex.mass;
  return sum;
}

double fastest(const State& state) {
  double speed = 0;
  for (const Vec3d& v : state.v) speed = std::max(speed, norm(v));
  return speed;
}

double run_until(Simulation& simulation, double seconds) {
  double gap = forever;
  while (simulation.time() < seconds - simulation.time_step() / 2) gap = std::min(gap, simulation.step().smallest_gap);
  EXPECT_GT(gap, 0);
  return gap;
}

double bound_or_known(double bound, const std::vector<KnownMiss>& misses, const SolverInfo& solver,
                      const RealMaterial& material, double time_step) {
  const auto is_meant = [](const std::string& wanted, const std::string& name) {
    return wanted.empty() || wanted == name;
  };
  for (const KnownMiss& miss : misses)
    if (is_meant(miss.solver, solver.name) && is_meant(miss.material, material.name) && miss.time_step == time_step)
      return std::max(bound, miss.measured);
  return bound;
}

std::vector<Property> for_real_rods(const std::vector<RealRodProperty>& properties) {
  std::vector<Property> all;
  for (const RealRodProperty& property : properties)
    for (const RealMaterial& material : physics::real_materials())
      all.push_back({material.name + "_" + property.name,
                     [check = property.check, material](const SolverInfo& solver) {
                       for (double time_step : time_steps) {
                         SCOPED_TRACE(fmt::format("time step {:.3g} s", time_step));
                         check(solver, material, time_step);
                       }
                     },
                     property.needs});
  return all;
}

}  // namespace tendril::app::conformance
