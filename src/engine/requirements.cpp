#include "engine/requirements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scene/copies.h"

namespace tendril {
namespace {

bool has_branches(const Model& model) {
  std::vector<int> degree(model.vertices.size(), 0);
  for (const Segment& s : model.segments)
    for (int i : s.vertex)
      if (++degree[i] > 2) return true;
  return false;
}

// a forest has as many segments as vertices less its number of connected pieces
bool has_loops(const Model& model) {
  std::vector<int> parent(model.vertices.size());
  for (std::size_t i = 0; i < parent.size(); ++i) parent[i] = int(i);
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (const Segment& s : model.segments) {
    const int a = root(s.vertex[0]), b = root(s.vertex[1]);
    if (a == b) return true;
    parent[a] = b;
  }
  return false;
}

}  // namespace

std::vector<Requirement> requirements(const Scene& scene, const Model& model) {
  const Table& root = scene.root;
  const auto first = [&](std::string_view key) {
    const auto tables = root.has(key) ? root.tables(key) : std::vector<Table>{};
    return tables.empty() ? root.where() : tables.front().where();
  };
  std::vector<Requirement> needs;
  if (has_branches(model)) needs.push_back({"branches", &Capabilities::branches, first("rod")});
  if (has_loops(model)) needs.push_back({"closed loops", &Capabilities::loops, first("rod")});
  if (root.has("body")) needs.push_back({"rigid bodies", &Capabilities::bodies, first("body")});
  for (const Tie& tie : model.ties)
    if (!(tie.held[0] && tie.held[1] && tie.held[2])) {
      needs.push_back({"holds with free axes", &Capabilities::partial_holds, first("hold")});
      break;
    }
  const auto need_if_any = [&](auto condition, const char* feature, bool Capabilities::*capability) {
    for (const Segment& s : model.segments)
      if (condition(s))
        return needs.push_back({feature, capability, find_rod_table(root, model.rods[s.rod].name).where("material")});
  };
  need_if_any([](const Segment& s) { return s.EI1 != s.EI2; }, "sections with EI1 ≠ EI2", &Capabilities::anisotropic);
  need_if_any([](const Segment& s) { return s.strain_limit < forever; }, "breaking", &Capabilities::breaking);
  need_if_any([](const Segment& s) { return s.internal_damping > 0; }, "internal damping",
              &Capabilities::internal_damping);
  return needs;
}

void refuse_what_is_lacking(const Scene& scene, const Model& model, const SolverInfo& solver) {
  for (const Requirement& need : requirements(scene, model)) {
    if (solver.capabilities.*need.capability) continue;
    std::vector<std::string> able;
    for (const SolverInfo& other : solvers())
      if (other.capabilities.*need.capability) able.push_back(other.name);
    throw SceneError(fmt::format("{}: the solver \"{}\" has no {}; solvers that have it: {}", need.where, solver.name,
                                 need.feature, able.empty() ? "none" : fmt::format("{}", fmt::join(able, ", "))));
  }
}

}  // namespace tendril
