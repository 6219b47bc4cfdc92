#include "engine/open_scene.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/expectations.h"
#include "engine/export_formats.h"
#include "engine/requirements.h"
#include "engine/scene_start.h"
#include "engine/solver_keys.h"

namespace tendril::engine {
namespace {

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for (const SolverInfo& info : registered_solvers()) names.push_back(info.name);
  return names;
}

const SolverInfo& solver_of(const Scene& scene) {
  const Table simulation = scene.root.table("simulation");
  const SolverInfo* solver = find_solver(simulation.text("solver"));
  if (!solver)
    simulation.fail("solver", fmt::format("there is no solver \"{}\"; there are: {}", simulation.text("solver"),
                                          fmt::join(solver_names(), ", ")));
  return *solver;
}

LoadedScene loaded(Scene scene, const OpenOptions& options) {
  LoadedScene result{std::move(scene), {}, nullptr, {}, {}};
  result.solver = &solver_of(result.scene);
  export_formats(result.scene);  // those that there are not are refused here
  result.options = read_options(result.scene.root, *result.solver);
  result.baked = bake(result.scene);
  refuse_unknown_columns(result.scene.root, result.baked.model);
  refuse_what_is_lacking(result.scene, result.baked.model, *result.solver);
  if (options.untangle) untangle_start(result);
  if (options.choose_rest && result.baked.settings.settle == Settle::rest) choose_rest(result);
  return result;
}

std::vector<std::string> all_sets(const OpenOptions& options) {
  std::vector<std::string> sets = options.sets;
  if (!options.solver.empty()) sets.push_back(fmt::format("simulation.solver=\"{}\"", options.solver));
  return sets;
}

}  // namespace

LoadedScene open_scene(const std::string& file, const OpenOptions& options) {
  return loaded(read_scene(file, all_sets(options), solver_option_keys()), options);
}

LoadedScene open_scene_text(const std::string& text, const std::string& name, const OpenOptions& options) {
  return loaded(parse_scene(text, name, all_sets(options), solver_option_keys()), options);
}

}  // namespace tendril::engine
