#include "scene/bake.h"

#include <fmt/format.h>

#include <algorithm>

#include "scene/draft.h"

namespace tendril::scene {
namespace {

Settings read_settings(const Table& root) {
  const Table& t = root.table("simulation");
  const Table& contact = root.table("contact");
  Settings s;
  s.contact = contact.boolean("enabled");
  s.hair_volume = s.contact && contact.text("model") == "grid";
  s.contact_of_rods = contact.boolean("rods") && !s.hair_volume;
  if (contact.has("cell")) s.volume_cell = contact.number("cell");
  s.volume_mixing = contact.number("mixing");
  s.hairs_per_strand = contact.number("hairs_per_strand");
  if (contact.has("distance")) s.contact_distance = contact.number("distance");
  s.solver = t.text("solver");
  s.time_step = t.number("time_step");
  s.duration = t.number("duration");
  s.frame_rate = std::min(t.number("frame_rate"), 1 / s.time_step);  // a step is in one frame at most
  s.threads = t.integer("threads");
  s.seed = t.integer("seed");
  s.settle_tolerance = t.number("settle_tolerance");
  if (t.is_text("settle"))
    s.settle = Settle::rest;
  else if (t.boolean("settle"))
    s.settle = Settle::equilibrium;
  return s;
}

std::string radius_source(const DraftRod& rod) {
  if (rod.table.has("radius")) return "its own `radius`";
  if (rod.curve.radius.empty()) return "its material";
  if (!rod.roots.empty()) return fmt::format("its file {}", rod.table.table("file").text("path"));
  const Table curve = rod.table.table("curve");
  return curve.text("type") == "file" ? fmt::format("its file {}", curve.text("path")) : "its curve";
}

std::vector<RadiusSource> radius_sources(const Draft& draft) {
  std::vector<RadiusSource> sources;
  for (std::size_t r = 0; r < draft.rods.size(); ++r) {
    const DraftRod& rod = draft.rods[r];
    const std::string name = rod.table.text("name");
    if (!sources.empty() && sources.back().rod == name) continue;  // a copy
    RadiusSource source{name, radius_source(rod), forever, 0};
    for (std::size_t e = 0; e < rod.curve.edges.size(); ++e) {
      const double radius = draft.model.segments[rod.first_segment + int(e)].radius;
      source.low = std::min(source.low, radius), source.high = std::max(source.high, radius);
    }
    sources.push_back(source);
  }
  return sources;
}

}  // namespace

std::vector<const DraftRod*> find_rods(const Draft& draft, const Table& table) {
  const auto named = draft.rods_named.find(table.text("rod"));
  if (named == draft.rods_named.end()) table.fail("rod", fmt::format("there is no rod \"{}\"", table.text("rod")));
  std::vector<const DraftRod*> found;
  for (int r : named->second) found.push_back(&draft.rods[r]);
  return found;
}

const DraftRod& find_rod(const Draft& draft, const Table& table, std::string_view key) {
  const std::string name = table.text(key);
  const auto named = draft.rods_named.find(name);
  if (named == draft.rods_named.end()) table.fail(key, fmt::format("there is no rod \"{}\"", name));
  const int first = named->second.front();
  if (draft.model.rods[first].name != name)
    table.fail(key, fmt::format("\"{0}\" has copies, and one is wanted here; expected \"{0}.0\", \"{0}.1\", …", name));
  return draft.rods[first];
}

int find_body(const Draft& draft, const Table& table, std::string_view key) {
  const auto found = draft.body_by_name.find(table.text(key));
  if (found == draft.body_by_name.end()) table.fail(key, fmt::format("there is no {} \"{}\"", key, table.text(key)));
  return found->second;
}

BakedScene bake(const Scene& scene) {
  const Table& root = scene.root;
  Draft draft;
  draft.model.gravity = root.table("simulation").vec3("gravity");
  draft.materials = read_materials(root.table("material"));
  add_rods(root, draft);
  add_grooms(root, draft);
  add_bodies(root, draft);
  join_rods(root, draft);
  add_holds(root, draft);
  add_drives(root, draft);
  add_loads(root, draft);
  add_probes(root, draft);
  draft.state.v.resize(draft.state.x.size());
  draft.state.omega.resize(draft.state.q.size());
  set_initial_motion(root, draft);
  std::vector<RadiusSource> sources = radius_sources(draft);
  Followers followers = read_followers(draft);
  return {root.text("title"),     read_settings(root), std::move(draft.model),
          std::move(draft.state), std::move(sources),  std::move(followers)};
}

}  // namespace tendril::scene
