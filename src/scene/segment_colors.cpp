#include "scene/segment_colors.h"

#include <algorithm>

#include "scene/draft.h"

namespace tendril {

std::vector<std::optional<Vec3f>> segment_colors(const Scene& scene) {
  Draft draft;
  draft.materials = read_materials(scene.root.table("material"));
  const auto& all = draft.materials;
  if (std::none_of(all.begin(), all.end(), [](const auto& m) { return m.second.color.has_value(); })) return {};
  add_rods(scene.root, draft);
  std::vector<std::optional<Vec3f>> colors;
  for (const std::optional<Vec3d>& color : draft.color)
    colors.push_back(color ? std::optional(cast<float>(*color)) : std::nullopt);
  return colors;
}

}  // namespace tendril
