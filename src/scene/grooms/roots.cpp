#include "scene/grooms/roots.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "math/random.h"
#include "scene/grooms/nearest_points.h"

namespace tendril::scene {
namespace {

double mean_weight(const GroomSurface& surface, const RootDensity& density, int triangle) {
  if (!density.grows[triangle]) return 0;
  const auto& [a, b, c] = surface.triangle(triangle);
  return (density.at_vertex[a] + density.at_vertex[b] + density.at_vertex[c]) / 3;
}

// draws places on a mesh
class Draw {
 public:
  Draw(const GroomSurface& surface, const RootDensity& density, std::uint64_t seed)
      : surface_(surface), density_(density), random_(seed) {
    for (int t = 0; t < surface.triangle_count(); ++t)
      sums_.push_back((sums_.empty() ? 0 : sums_.back()) + surface.area(t) * mean_weight(surface, density, t));
  }

  // a triangle by its share; in it evenly, by the fold of a parallelogram, and then by the density at its corners
  SurfacePoint place() {
    const auto found = std::upper_bound(sums_.begin(), sums_.end(), random_.uniform(0, sums_.back()));
    const int t = std::min(static_cast<int>(found - sums_.begin()), surface_.triangle_count() - 1);
    const auto& [a, b, c] = surface_.triangle(t);
    const Vec3d at{density_.at_vertex[a], density_.at_vertex[b], density_.at_vertex[c]};
    const double most = std::max({at.x, at.y, at.z});
    for (;;) {
      double u = random_.uniform(), v = random_.uniform();
      if (u + v > 1) u = 1 - u, v = 1 - v;
      const Vec3d w{1 - u - v, u, v};
      if (dot(w, at) >= random_.uniform(0, most)) return surface_.at(t, w);
    }
  }

 private:
  const GroomSurface& surface_;
  const RootDensity& density_;
  Random random_;
  std::vector<double> sums_;
};

}  // namespace

double weighted_area(const GroomSurface& surface, const RootDensity& density) {
  double area = 0;
  for (int t = 0; t < surface.triangle_count(); ++t) area += surface.area(t) * mean_weight(surface, density, t);
  return area;
}

std::vector<SurfacePoint> sample_roots(const GroomSurface& surface, const RootDensity& density, int count,
                                       std::uint64_t seed) {
  constexpr int tries = 16;
  constexpr double filled = 0.6;  // of the spacing of a square grid: darts thrown at random still find such room
  constexpr double sparsest = 3;  // times the least room: where little grows chance may do
  const double densest = *std::max_element(density.at_vertex.begin(), density.at_vertex.end());
  const double least = filled * std::sqrt(weighted_area(surface, density) / densest / count);
  const auto room_at = [&](const SurfacePoint& place) {
    const auto& [a, b, c] = surface.triangle(place.triangle);
    const Vec3d here{density.at_vertex[a], density.at_vertex[b], density.at_vertex[c]};
    return least * std::min(sparsest, std::sqrt(densest / dot(place.weights, here)));
  };
  Draw draw(surface, density, seed);
  NearestPoints taken(sparsest * least);
  std::vector<SurfacePoint> roots;
  while (static_cast<int>(roots.size()) < count) {
    SurfacePoint best;
    double most = -1;
    for (int k = 0; k < tries && most < 1; ++k) {
      const SurfacePoint place = draw.place();
      const double room = room_at(place), share = taken.distance_within(place.x, room) / room;
      if (share > most) most = share, best = place;
    }
    taken.add(best.x);
    roots.push_back(best);
  }
  return roots;
}

}  // namespace tendril::scene
