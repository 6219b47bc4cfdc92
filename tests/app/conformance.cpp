#include "conformance.h"

#include <algorithm>
#include <limits>

#include "loaded_scene.h"
#include "physics/rod_scene.h"

namespace tendril::app::conformance {
namespace {

constexpr double tight_tolerance = 1e-9;

bool iterates_to_a_tolerance(const SolverInfo& solver) {
  return std::any_of(solver.options.begin(), solver.options.end(),
                     [](const OptionInfo& option) { return option.name == "tolerance"; });
}

// A solver whose rods cannot stretch or shear refuses those that would by much: it gets the same rods with a hundred
// times the stiffness against that.
std::string hardly_stretching(std::string scene) {
  for (const std::string key : {"EA = ", "GA = "})
    for (std::size_t at = scene.find(key); at != std::string::npos; at = scene.find(key, at + 1)) {
      const std::size_t begin = at + key.size(), end = scene.find_first_of(",} \n", begin);
      scene.replace(begin, end - begin, toml(100 * std::stod(scene.substr(begin, end - begin))));
    }
  return scene;
}

const Rod& find(const Simulation& simulation, const std::string& name) {
  for (const Rod& rod : simulation.model().rods)
    if (rod.name == name) return rod;
  throw std::logic_error("there is no rod " + name);
}

}  // namespace

std::unique_ptr<Simulation> start(const SolverInfo& solver, const std::string& scene, Precision precision,
                                  int threads) {
  const std::string text = solver.capabilities.extensible ? scene : hardly_stretching(scene);
  LoadedScene loaded = load_scene_text(text, "conformance", {}, solver.name);
  if (precision.tight && iterates_to_a_tolerance(solver)) {
    loaded.options["tolerance"] = tight_tolerance;
    loaded.options["iterations"] = 20'000;
  } else if (physics::takes_a_number_of_iterations(solver)) {
    loaded.options["tolerance"] = solver.capabilities.exactness;
    loaded.options["iterations"] = 20'000;
  }
  SimulationOptions options;
  options.time_step = loaded.baked.settings.time_step;
  options.threads = threads;
  return std::make_unique<Simulation>(loaded.baked.model, loaded.baked.state, options, solver.make(loaded.options));
}

void advance(Simulation& simulation, int steps) {
  for (int k = 0; k < steps; ++k) {
    const StepReport report = simulation.step();
    ASSERT_TRUE(report.converged) << "step " << simulation.step_count() << ": residual " << report.residual << " after "
                                  << report.iterations << " iterations";
  }
}

void settle(Simulation& simulation) {
  const SettleReport report = simulation.settle({});
  ASSERT_TRUE(report.settled) << report.message;
}

double unsolved_share(const SolverInfo& solver, Precision precision) {
  const bool tight = precision.tight && iterates_to_a_tolerance(solver);
  return tight ? std::min(tight_tolerance, solver.capabilities.exactness) : solver.capabilities.exactness;
}

double drift(const SolverInfo& solver, const Simulation& simulation, double largest_force, Precision precision) {
  double least_mass = forever, size = 0;
  for (const Vertex& vertex : simulation.model().vertices) least_mass = std::min(least_mass, vertex.mass);
  for (const Vec3d& x : simulation.state().x) size = std::max(size, norm(x));
  // rounding: a stretch is known to the rounding of positions, which is a force of EA eps |x| / l
  double rounding_force = 0;
  const double eps = std::numeric_limits<double>::epsilon();
  for (const Segment& s : simulation.model().segments)
    rounding_force = std::max(rounding_force, eps * std::max(s.EA, s.GA) * (1 + size / s.rest_length));
  const double t = simulation.time();
  const double force = unsolved_share(solver, precision) * largest_force + rounding_force;
  return force / least_mass * t * t / 2 + 4 * eps * size * double(simulation.step_count());
}

std::vector<Vec3d> positions(const Simulation& simulation, const std::string& name) {
  std::vector<Vec3d> x;
  for (int i : find(simulation, name).vertices) x.push_back(simulation.state().x[i]);
  return x;
}

Vec3d end_of(const Simulation& simulation, const std::string& rod) { return positions(simulation, rod).back(); }

double largest_distance(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  if (a.size() != b.size()) return forever;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, norm(a[i] - b[i]));
  return largest;
}

}  // namespace tendril::app::conformance
