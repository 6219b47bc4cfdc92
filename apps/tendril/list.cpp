#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "loaded_scene.h"
#include "scene/presets.h"
#include "scene/reference.h"
#include "solvers/baselines.h"
#include "verbs.h"

namespace tendril::app {
namespace {

using Json = nlohmann::ordered_json;

std::string value_text(const OptionValue& value) {
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

Json list_scenes() {
  Json list = Json::array();
  for (const std::string& file : scene_files()) {
    const Scene scene = read_scene(file, {}, solver_option_keys());
    list.push_back({{"name", std::filesystem::path(file).stem().string()}, {"meaning", scene.root.text("title")}});
  }
  return list;
}

Json list_solvers() {
  Json list = Json::array();
  for (const SolverInfo& info : registered_solvers())
    list.push_back(
        {{"name", info.name}, {"meaning", info.summary}, {"paper", info.paper}, {"baseline", is_baseline(info)}});
  return list;
}

Json list_options(const std::string& solver) {
  const SolverInfo* info = find_solver(solver);
  if (!info)
    throw CLI::ValidationError("options", fmt::format("there is no solver \"{}\"; see `tendril list solvers`", solver));
  Json list = Json::array();
  for (const OptionInfo& o : info->options)
    list.push_back({{"name", o.name},
                    {"default", value_text(o.default_value)},
                    {"unit", o.unit},
                    {"meaning", o.meaning},
                    {"choices", o.choices}});
  return list;
}

Json list_keys() {
  Json list = Json::array();
  for (const auto& [path, type, range, key] : all_keys(solver_option_keys())) {
    Json entry{{"name", path}, {"type", type}, {"unit", key.unit == "-" ? "" : key.unit}, {"required", key.required}};
    entry["default"] = key.default_text.empty() ? Json() : Json(key.default_text);  // as written in TOML
    entry["meaning"] = key.meaning;
    entry["range"] = range;
    entry["choices"] = key.choices;
    list.push_back(entry);
  }
  return list;
}

// SI units, at the section's own radius
Json list_materials() {
  Json list = Json::array();
  for (const MaterialPreset& preset : material_presets()) {
    const Material material = preset_material(preset);
    const RodProperties& p = material.properties;
    Json entry{{"name", preset.name}, {"meaning", preset.meaning},
               {"EA", p.EA},          {"GA", p.GA},
               {"EI1", p.EI1},        {"EI2", p.EI2},
               {"GJ", p.GJ},          {"linear_density", p.linear_density},
               {"radius", p.radius},  {"friction", material.friction}};
    if (material.curl) entry["curl"] = {{"radius", material.curl->radius}, {"pitch", material.curl->pitch}};
    entry["toml"] = preset.toml.substr(1);  // the first line is empty
    list.push_back(entry);
  }
  return list;
}

void print_materials(const Json& list) {
  for (const auto& m : list) {
    const auto value = [&](const char* key) { return m[key].get<double>(); };
    fmt::print(
        "{:<16} {}\n{:16} EA {:.3g} N, GA {:.3g} N, EI {:.3g} and {:.3g} N m², GJ {:.3g} N m², {:.3g} g/m, "
        "radius {:.3g} mm, friction {:g}",
        m["name"].get<std::string>(), m["meaning"].get<std::string>(), "", value("EA"), value("GA"), value("EI1"),
        value("EI2"), value("GJ"), 1e3 * value("linear_density"), 1e3 * value("radius"), value("friction"));
    if (m.contains("curl"))
      fmt::print(", curl {{ radius = {:g}, pitch = {:g} }}", m["curl"]["radius"].get<double>(),
                 m["curl"]["pitch"].get<double>());
    fmt::print("\n");
  }
}

void print_lines(const Json& list) {
  for (const auto& entry : list) {
    std::string note = entry["meaning"].get<std::string>();
    if (entry.contains("default"))
      note = fmt::format("= {} [{}]  {}", entry["default"].get<std::string>(), entry["unit"].get<std::string>(), note);
    fmt::print("{:<24} {}\n", entry["name"].get<std::string>(), note);
  }
}

}  // namespace

void add_list(CLI::App& app, int& exit_code) {
  auto* verb = app.add_subcommand("list", "what there is, one line each");
  auto what = std::make_shared<std::string>();
  auto solver = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  verb->add_option("WHAT", *what, "scenes, solvers, materials, options or keys; scenes and solvers when absent")
      ->check(CLI::IsMember({"scenes", "solvers", "materials", "options", "keys"}));
  verb->add_option("SOLVER", *solver, "whose options");
  verb->add_flag("--json", *json, "for programs");
  verb->callback([=, &exit_code] {
    exit_code = exit_good;
    if (*what == "keys") {
      std::cout << (*json ? list_keys().dump(2) + "\n" : scene_key_list(solver_option_keys()));
      return;
    }
    if (*what == "options" && solver->empty())
      throw CLI::ValidationError("options", "whose? `tendril list options stable`");
    Json lists;
    if (what->empty() || *what == "scenes") lists["scenes"] = list_scenes();
    if (what->empty() || *what == "solvers") lists["solvers"] = list_solvers();
    if (*what == "materials") lists["materials"] = list_materials();
    if (*what == "options") lists["options"] = list_options(*solver);
    if (*json) {
      std::cout << (lists.size() == 1 ? *lists.begin() : lists).dump(2) << "\n";
      return;
    }
    for (const auto& [title, list] : lists.items()) {
      if (lists.size() > 1) fmt::print("{}:\n", title);
      title == "materials" ? print_materials(list) : print_lines(list);
    }
  });
}

}  // namespace tendril::app
