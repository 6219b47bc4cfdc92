#include "sim/overlap.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/pair_name.h"

namespace tendril::sim {
namespace {

constexpr std::size_t most_named = 5;

std::string depth_text(const NearPair& pair) {
  return pair.gap < 0 ? fmt::format("{:.3g} m deep", -pair.gap) : "they touch";
}

}  // namespace

Overlaps find_overlaps(const Model& model, const State& start, const ContactOptions& options) {
  Overlaps overlaps;
  if (!options.enabled) return overlaps;
  NearPairs near(model, start, options);
  for (const NearPair& pair : near.find(start))
    if (pair.overlaps()) overlaps.pairs.push_back(pair);
  std::stable_sort(overlaps.pairs.begin(), overlaps.pairs.end(),
                   [](const NearPair& p, const NearPair& q) { return p.gap < q.gap; });
  overlaps.grown_together = near.grown_together();
  return overlaps;
}

std::string describe(const Overlaps& overlaps, const Model& model) {
  const std::size_t count = overlaps.pairs.size(), named = std::min(count, most_named);
  std::string text = count == 1 ? "1 pair overlaps" : fmt::format("{} pairs overlap", count);
  for (std::size_t k = 0; k < named; ++k) {
    const NearPair& pair = overlaps.pairs[k];
    text += fmt::format("\n  {}: {}", pair_name(model, pair.a, pair.body_a, pair.b, pair.body), depth_text(pair));
  }
  if (count > named) text += fmt::format("\n  and {} more", count - named);
  return text;
}

}  // namespace tendril::sim
