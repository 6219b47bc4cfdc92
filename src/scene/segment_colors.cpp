#include "scene/segment_colors.h"

#include <algorithm>

#include "scene/draft.h"

namespace tendril::scene {

std::vector<std::optional<Vec3f>> segment_colors(const Scene& scene) {
  Draft draft;
  draft.materials = read_materials(scene.root.table("material"));
  const auto& all = draft.materials;
  const std::vector<Table> rods = scene.root.tables("rod");
  const std::vector<Table> grooms = scene.root.tables("groom");
  const auto reads_a_file = [](const Table& rod) { return rod.table("curve").text("type") == "file"; };
  const auto grows_from_a_file = [](const Table& groom) { return groom.has("file"); };
  if (std::none_of(all.begin(), all.end(), [](const auto& m) { return m.second.color.has_value(); }) &&
      std::none_of(rods.begin(), rods.end(), reads_a_file) &&
      std::none_of(grooms.begin(), grooms.end(), grows_from_a_file))
    return {};
  add_rods(scene.root, draft);
  add_grooms(scene.root, draft);
  if (std::none_of(draft.color.begin(), draft.color.end(), [](const auto& color) { return color.has_value(); }))
    return {};
  std::vector<std::optional<Vec3f>> colors;
  for (const std::optional<Vec3d>& color : draft.color)
    colors.push_back(color ? std::optional(cast<float>(*color)) : std::nullopt);
  return colors;
}

}  // namespace tendril::scene
