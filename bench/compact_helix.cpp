#include "compact_helix.h"

#include <fmt/format.h>

#include <algorithm>

#include "run_scene.h"

namespace tendril {

bool is_there(const Way& way) { return find_solver(way.solver) != nullptr; }

std::unique_ptr<Simulation> start_helix(const Helix& helix, const Way& way) {
  const std::string text = fmt::format(
      "title = \"A helix falls\"\n"
      "[simulation]\ntime_step = {}\nduration = 100.0\nthreads = 1\ngravity = [0, 0, {}]\n"
      "[contact]\nenabled = false\n"
      "[material.m]\nyoung_modulus = {}\nshear_modulus = {}\ndensity = 1000\n"
      "section = {{ shape = \"circle\", radius = 0.005 }}\n"
      "[[rod]]\nname = \"helix\"\nmaterial = \"m\"\nsegments = {}\nclamp = \"start\"\n"
      "curve = {{ type = \"helix\", center = [0, 0, 0], axis = [0, 0, -1], radius = 0.1, pitch = 0.05, turns = 5 }}\n",
      helix.time_step, -helix.gravity, helix.young_modulus, 0.4 * helix.young_modulus, helix.segments);
  std::vector<std::string> sets;
  for (const std::string& set : way.sets) sets.push_back(fmt::format("solver.{}.{}", way.solver, set));
  return make_simulation(load_scene_text(text, "helix.toml", sets, way.solver));
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

double fastest(const std::vector<double>& seconds) { return *std::min_element(seconds.begin(), seconds.end()); }

BenchResults compact_entry(const std::string& what, const std::string& solver, double measured, const char* unit) {
  return {{"name", "compact"},    {"solver", solver}, {"case", what},     {"measured", measured},
          {"reference", nullptr}, {"unit", unit},     {"error", nullptr}, {"tolerance", nullptr},
          {"passed", nullptr},    {"threads", 1}};
}

}  // namespace tendril
