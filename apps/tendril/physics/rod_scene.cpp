#include "physics/rod_scene.h"

#include <fmt/format.h>

#include <algorithm>

#include "rod/frame.h"
#include "rod/strain.h"

namespace tendril::app::physics {

namespace {

const OptionInfo* option(const SolverInfo& solver, const char* name) {
  for (const OptionInfo& info : solver.options)
    if (info.name == name) return &info;
  return nullptr;
}

}  // namespace

std::string toml(const Vec3d& v) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v.x, v.y, v.z); }

std::string line(const Vec3d& from, const Vec3d& to) {
  return fmt::format("{{ type = \"line\", from = {}, to = {} }}", toml(from), toml(to));
}

std::string tip_force(const Vec3d& force) {
  return fmt::format("[[load]]\nrod = \"rod\"\nat = \"end\"\nforce = {}\n", toml(force));
}

std::string tip_moment(const Vec3d& moment) {
  return fmt::format("[[load]]\nrod = \"rod\"\nat = \"end\"\nmoment = {}\n", toml(moment));
}

std::string toml(const RodScene& scene) {
  constexpr auto text = R"([simulation]
time_step = {h:.17g}
duration = {h:.17g}
gravity = {gravity}
threads = 1
[material.elastic]
stiffness = {{ EA = {EA:.17g}, GA = {GA:.17g}, EI1 = {EI:.17g}, EI2 = {EI:.17g}, GJ = {GJ:.17g} }}
linear_density = {density:.17g}
radius = {radius:.17g}
friction = {friction:.17g}
{material}
[[rod]]
name = "rod"
material = "elastic"
segments = {segments}
curve = {curve}
{support}
[contact]
enabled = {contact}
[output]
probe = [{{ rod = "rod", at = "end", name = "tip" }}]
{tables})";
  using fmt::arg;
  return fmt::format(text, arg("h", scene.time_step), arg("gravity", toml(scene.gravity)), arg("EA", scene.EA),
                     arg("GA", scene.GA), arg("EI", scene.EI), arg("GJ", scene.GJ),
                     arg("density", scene.linear_density), arg("segments", scene.segments), arg("curve", scene.curve),
                     arg("support", scene.support), arg("tables", scene.tables), arg("radius", scene.radius),
                     arg("contact", scene.contact), arg("friction", scene.friction), arg("material", scene.material));
}

std::string solved_to(const SolverInfo& solver, double tolerance, int iterations, int order) {
  std::string table;
  if (option(solver, "tolerance") && option(solver, "iterations"))
    table += fmt::format("iterations = {}\ntolerance = {:g}\n", iterations, tolerance);
  if (option(solver, "contact_tolerance")) table += fmt::format("contact_tolerance = {:g}\n", tolerance);
  if (order > 0 && option(solver, "order")) table += fmt::format("order = {}\n", order);
  return table.empty() ? "" : fmt::format("[solver.{}]\n{}", solver.name, table);
}

std::string undamped(const SolverInfo& solver, int order) {
  if (order < 2 || !option(solver, "rho_infinity")) return "";
  return option(solver, "rho_positions") ? "rho_infinity = 1\nrho_positions = 1\n" : "rho_infinity = 1\n";
}

std::vector<int> orders_in_time(const SolverInfo& solver) {
  if (option(solver, "order")) return {1, 2};
  return {solver.capabilities.order_in_time};
}

bool settles_at_once(const SolverInfo& solver) { return solver.capabilities.long_steps; }

bool takes_a_number_of_iterations(const SolverInfo& solver) {
  return std::any_of(solver.options.begin(), solver.options.end(), [](const OptionInfo& option) {
    return option.name == "tolerance" && option.default_value == OptionValue(0.0);
  });
}

LoadedScene load(const RodScene& scene, const SolverInfo& solver) {
  const double hardly_stretches = scene.contact ? 1 : 1e4;  // barriers follow from it, and are to be the same
  RodScene stiff = scene;
  if (!solver.capabilities.extensible) stiff.EA *= hardly_stretches;
  if (!solver.capabilities.shearable) stiff.GA *= hardly_stretches;
  return load_scene_text(toml(stiff), "validate", {}, solver.name);
}

double share_of_stretch(const SolverInfo& solver) { return solver.capabilities.extensible ? 1 : 0; }

Simulation simulation(const LoadedScene& loaded, State start) {
  const Settings& settings = loaded.baked.settings;
  const ContactOptions contact{settings.contact, settings.contact_distance, settings.contact_of_rods};
  return Simulation(loaded.baked.model, std::move(start),
                    {.time_step = settings.time_step, .contact = contact, .threads = settings.threads},
                    loaded.solver->make(loaded.options));
}

Vec3d Equilibrium::tip() const { return state.x[model.probes.front().vertex]; }

Quatd Equilibrium::tip_frame() const { return section_frame(state, model.probes.front()); }

Vec3d Equilibrium::force(int s) const {
  if (!carried.empty()) return carried[s];
  const Segment& segment = model.segments[s];
  const Vec3d strain =
      stretch_shear_strain(state.x[segment.vertex[0]], state.x[segment.vertex[1]], state.q[s], segment.rest_length);
  return rotate(state.q[s], scale({segment.GA, segment.GA, segment.EA}, strain));
}

std::string Equilibrium::cost() const { return fmt::format("{} steps, {:.2g} s", report.steps, seconds); }

Equilibrium settled(const RodScene& scene, const SolverInfo& solver, double tolerance) {
  RodScene exact = scene;
  exact.tables += solved_to(solver, scene.unsolved * tolerance, 1000);
  const LoadedScene loaded = load(exact, solver);
  const Stopwatch stopwatch;
  Simulation rod = simulation(loaded, loaded.baked.state);
  const SettleReport report = rod.settle({.tolerance = tolerance});
  if (!report.settled)
    throw SimulationFailed(fmt::format("{} segments do not come to rest: {} ({} steps, {:.2g} s)", scene.segments,
                                       report.message, report.steps, stopwatch.seconds()));
  const std::span<const Vec3d> carried = rod.constraint_forces();
  return {rod.model(), rod.state(), report, stopwatch.seconds(), {carried.begin(), carried.end()}};
}

}  // namespace tendril::app::physics
