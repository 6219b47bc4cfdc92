#include "loaded_scene.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "expectations.h"
#include "export.h"
#include "requirements.h"
#include "scene/curves/default_text.h"
#include "scene/suggest.h"

namespace tendril {
namespace {

namespace fs = std::filesystem;

Key option_key(const OptionInfo& option) {
  Key key;
  key.name = option.name;
  key.unit = option.unit;
  key.meaning = option.meaning;
  key.choices = option.choices;
  key.minimum = option.minimum;
  key.maximum = option.maximum;
  if (const auto* b = std::get_if<bool>(&option.default_value))
    key.types = {KeyType::boolean}, key.default_text = *b ? "true" : "false";
  else if (const auto* i = std::get_if<int>(&option.default_value))
    key.types = {KeyType::integer}, key.default_text = fmt::format("{}", *i);
  else if (const auto* d = std::get_if<double>(&option.default_value))
    key.types = {KeyType::number}, key.default_text = default_text(*d);
  else
    key.types = {KeyType::text}, key.default_text = fmt::format("\"{}\"", std::get<std::string>(option.default_value));
  return key;
}

OptionValues read_options(const Table& root, const SolverInfo& solver) {
  OptionValues values;
  if (!root.has("solver") || !root.table("solver").has(solver.name)) return values;
  const Table t = root.table("solver").table(solver.name);
  for (const OptionInfo& option : solver.options) {
    if (!t.has(option.name)) continue;
    if (std::holds_alternative<bool>(option.default_value))
      values[option.name] = t.boolean(option.name);
    else if (std::holds_alternative<int>(option.default_value))
      values[option.name] = t.integer(option.name);
    else if (std::holds_alternative<double>(option.default_value))
      values[option.name] = t.number(option.name);
    else
      values[option.name] = t.text(option.name);
  }
  return values;
}

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for (const SolverInfo& info : solvers()) names.push_back(info.name);
  return names;
}

LoadedScene loaded(Scene scene) {
  LoadedScene result{std::move(scene), {}, nullptr, {}};
  const Table simulation = result.scene.root.table("simulation");
  result.solver = find_solver(simulation.text("solver"));
  if (!result.solver)
    simulation.fail("solver", fmt::format("there is no solver \"{}\"; there are: {}", simulation.text("solver"),
                                          fmt::join(solver_names(), ", ")));
  export_formats(result.scene);   // those that there are not are refused here
  result.options = read_options(result.scene.root, *result.solver);
  result.baked = bake(result.scene);
  refuse_unknown_columns(result.scene.root, result.baked.model);
  refuse_what_is_lacking(result.scene, result.baked.model, *result.solver);
  return result;
}

void override_solver(std::vector<std::string>& sets, const std::string& solver) {
  if (!solver.empty()) sets.push_back(fmt::format("simulation.solver=\"{}\"", solver));
}

}  // namespace

std::vector<Key::Variant> solver_option_keys() {
  std::vector<Key::Variant> tables;
  for (const SolverInfo& info : solvers()) {
    Key::Variant table{info.name, info.summary, {}};
    for (const OptionInfo& option : info.options) table.keys.push_back(option_key(option));
    tables.push_back(std::move(table));
  }
  return tables;
}

std::string home_directory() {
  const char* home = std::getenv("TENDRIL_HOME");
  return home ? home : TENDRIL_SOURCE_DIR;
}

std::vector<std::string> scene_files() {
  std::vector<std::string> files;
  const fs::path folder = fs::path(home_directory()) / "scenes";
  if (fs::is_directory(folder))
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

std::string find_scene_file(const std::string& name) {
  if (fs::exists(name)) return name;
  std::vector<std::string> names;
  for (const std::string& file : scene_files()) {
    names.push_back(fs::path(file).stem().string());
    if (names.back() == name || names.back() + ".toml" == name) return file;
  }
  throw SceneError(fmt::format("{}: there is no such file, nor a scene of this name{}; `tendril list scenes` shows them", name,
                               suggestion(name, names)));
}

LoadedScene load_scene(const std::string& name, std::vector<std::string> sets, const std::string& solver) {
  override_solver(sets, solver);
  return loaded(read_scene(find_scene_file(name), sets, solver_option_keys()));
}

LoadedScene load_scene_text(const std::string& text, const std::string& name, std::vector<std::string> sets,
                            const std::string& solver) {
  override_solver(sets, solver);
  return loaded(parse_scene(text, name, sets, solver_option_keys()));
}

}  // namespace tendril
