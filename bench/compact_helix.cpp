#include "compact_helix.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>

#include "run_scene.h"

namespace tendril::app {

bool is_there(const Way& way) { return find_solver(way.solver) != nullptr; }

std::unique_ptr<Simulation> start_helix(const Helix& helix, const Way& way) {
  std::vector<std::string> sets{fmt::format("simulation.time_step={}", helix.time_step),
                                fmt::format("simulation.gravity=[0, 0, {}]", -helix.gravity),
                                fmt::format("rod.helix.segments={}", helix.segments),
                                fmt::format("material.rubber.damping={}", helix.damping),
                                "simulation.threads=1",
                                "simulation.duration=1000"};
  const std::pair<const char*, double> stiffnesses[] = {{"EI1", 8e-4}, {"EI2", 8e-4}, {"GJ", 6e-4}};  // [N m²]
  for (const auto& [key, value] : stiffnesses)
    sets.push_back(fmt::format("material.rubber.stiffness.{}={}", key, value * helix.stiffness));
  for (const std::string& set : way.sets) sets.push_back(fmt::format("solver.{}.{}", way.solver, set));
  return make_simulation(load_scene("compact_helix", sets, way.solver));
}

Violation violation(const Model& model, const State& state) {
  double length = 0, rest_length = 0, alignment = 0;
  for (std::size_t s = 0; s < model.segments.size(); ++s) {
    const auto [i, j] = model.segments[s].vertex;
    const Vec3d e = state.x[j] - state.x[i];
    length += norm(e), rest_length += model.segments[s].rest_length;
    alignment += norm(normalized(e) - director3(state.q[s]));
  }
  return {length / rest_length - 1, alignment};
}

double cpu_seconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

double fastest(const std::vector<double>& seconds) { return *std::min_element(seconds.begin(), seconds.end()); }

BenchResults compact_entry(const std::string& what, const std::string& solver, double measured, const char* unit) {
  return {{"name", "compact"},    {"solver", solver}, {"case", what},     {"measured", measured},
          {"reference", nullptr}, {"unit", unit},     {"error", nullptr}, {"tolerance", nullptr},
          {"passed", nullptr},    {"threads", 1}};
}

}  // namespace tendril::app
