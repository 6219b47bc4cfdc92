#include "scene/grooms/nearest_points.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tendril::scene {
namespace {

// 21 bits a side; cells that share a key by chance cost time only
std::uint64_t key(std::int64_t i, std::int64_t j, std::int64_t k) {
  constexpr std::uint64_t mask = (std::uint64_t(1) << 21) - 1;
  return (std::uint64_t(i) & mask) << 42 | (std::uint64_t(j) & mask) << 21 | (std::uint64_t(k) & mask);
}

}  // namespace

std::int64_t NearestPoints::cell_of(double x) const { return static_cast<std::int64_t>(std::floor(x / cell_)); }

void NearestPoints::add(const Vec3d& x) {
  cells_[key(cell_of(x.x), cell_of(x.y), cell_of(x.z))].push_back(static_cast<int>(points_.size()));
  points_.push_back(x);
}

// the points of all cells that are `ring` cells away from that of x
template <class Visit>
void NearestPoints::visit_shell(const Vec3d& x, std::int64_t ring, Visit visit) const {
  const std::int64_t a = cell_of(x.x), b = cell_of(x.y), c = cell_of(x.z);
  for (std::int64_t i = -ring; i <= ring; ++i)
    for (std::int64_t j = -ring; j <= ring; ++j) {
      const bool is_side = std::abs(i) == ring || std::abs(j) == ring;
      for (std::int64_t k = -ring; k <= ring; k += is_side || ring == 0 ? 1 : 2 * ring)
        if (const auto found = cells_.find(key(a + i, b + j, c + k)); found != cells_.end())
          for (int p : found->second) visit(p);
    }
}

double NearestPoints::distance_within(const Vec3d& x, double reach) const {
  double least = reach;
  for (std::int64_t ring = 0; ring <= 1; ++ring)
    visit_shell(x, ring, [&](int p) { least = std::min(least, norm(points_[p] - x)); });
  return least;
}

// What is nearer than `ring` cells has been seen once the shells 0 … ring have.
std::vector<int> NearestPoints::nearest(const Vec3d& x, int count) const {
  count = std::min(count, static_cast<int>(points_.size()));
  std::vector<std::pair<double, int>> found;
  for (std::int64_t ring = 0; count > 0; ++ring) {
    visit_shell(x, ring, [&](int p) { found.emplace_back(norm(points_[p] - x), p); });
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    if (static_cast<int>(found.size()) >= count && found[count - 1].first <= double(ring) * cell_) break;
  }
  std::vector<int> numbers;
  for (int k = 0; k < count; ++k) numbers.push_back(found[k].second);
  return numbers;
}

}  // namespace tendril::scene
