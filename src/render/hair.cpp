#include "render/hair.h"

#include <algorithm>

#include "render/bounds.h"

namespace tendril::render {

std::vector<char> hair_among(const Model& model, const Chains& chains, HairStyle style) {
  std::vector<char> is_hair(chains.chains.size(), style == HairStyle::all);
  if (style != HairStyle::automatic) return is_hair;
  for (std::size_t c = 0; c < is_hair.size(); ++c) {
    const auto* first = &chains.segments[chains.chains[c].first];
    is_hair[c] = std::all_of(first, first + chains.chains[c].count,
                             [&](int s) { return drawn_radius(model, model.segments[s]) <= thickest_hair; });
  }
  if (std::count(is_hair.begin(), is_hair.end(), true) < fewest_hairs) std::fill(is_hair.begin(), is_hair.end(), false);
  return is_hair;
}

}  // namespace tendril::render
