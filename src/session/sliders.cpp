#include "session/sliders.h"

#include <algorithm>
#include <cmath>

#include "scene/table.h"

namespace tendril::session {
namespace {

using nlohmann::json;

// from a tenth to ten times what it is, within what the key allows
void add_slider(const Table& table, const Key& key, json& list) {
  const bool is_integer = std::find(key.types.begin(), key.types.end(), KeyType::integer) != key.types.end() &&
                          std::find(key.types.begin(), key.types.end(), KeyType::number) == key.types.end();
  if (!table.has(key.name) || !table.is_number(key.name)) return;
  const double value = table.number(key.name);
  const double size = value == 0 ? 1 : std::abs(value);
  const double low = value < 0 ? -10 * size : 0.1 * value, high = value < 0 ? 0.1 * value : 10 * size;
  const std::string path = table.path().empty() ? key.name : table.path() + "." + key.name;
  list.push_back({{"path", path},
                  {"value", value},
                  {"low", std::max(low, key.minimum)},
                  {"high", std::min(high, key.maximum)},
                  {"unit", key.unit},
                  {"integer", is_integer},
                  {"meaning", key.meaning}});
}

void add_sliders(const Table& table, json& list) {
  for (const Key* key : table.keys()) {
    add_slider(table, *key, list);
    if (key->name == "stiffness" && table.has("stiffness") && table.is_table("stiffness"))
      add_sliders(table.table("stiffness"), list);
  }
}

}  // namespace

json sliders(const Scene& scene) {
  json list = json::array();
  const Table simulation = scene.root.table("simulation");
  for (const Key* key : simulation.keys())
    if (key->name == "time_step") add_slider(simulation, *key, list);
  const Table materials = scene.root.table("material");
  for (const std::string& name : materials.names()) add_sliders(materials.table(name), list);
  for (const char* const tables : {"obstacle", "field"})
    for (const Table& table : scene.root.tables(tables)) add_sliders(table, list);
  const Table solver_tables = scene.root.table("solver");
  const std::string solver = simulation.text("solver");
  if (solver_tables.has(solver)) add_sliders(solver_tables.table(solver), list);
  return list;
}

}  // namespace tendril::session
