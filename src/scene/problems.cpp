#include "scene/problems.h"

#include <fmt/format.h>

#include <algorithm>

#include "scene/table.h"

namespace tendril::scene {

void Problems::add(unsigned line, unsigned column, std::string message) {
  problems_.push_back({line, column, std::move(message)});
}

void Problems::throw_if_any() const {
  if (problems_.empty()) return;
  constexpr std::size_t shown = 10;
  std::vector<Problem> sorted = problems_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Problem& a, const Problem& b) {
    return a.line != b.line ? a.line < b.line : a.column < b.column;
  });
  std::string message;
  for (std::size_t k = 0; k < std::min(shown, sorted.size()); ++k) message += (k == 0 ? "" : "\n") + sorted[k].message;
  if (sorted.size() > shown) message += fmt::format("\n… and {} more", sorted.size() - shown);
  throw SceneError(message);
}

}  // namespace tendril::scene
