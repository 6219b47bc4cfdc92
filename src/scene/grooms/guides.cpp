#include "scene/grooms/guides.h"

#include <algorithm>
#include <cmath>

#include "math/bounds.h"

namespace tendril::scene {
namespace {

// as if the roots lay on a square that their box has room for
double spacing_of(const std::vector<Vec3d>& roots) {
  Bounds box;
  for (const Vec3d& x : roots) box.take(x);
  return std::max(1e-9, 2 * box.radius() / std::sqrt(double(roots.size())));
}

}  // namespace

Guides::Guides(std::vector<Vec3d> roots) : roots_(std::move(roots)), spacing_(spacing_of(roots_)), nearest_(spacing_) {
  for (const Vec3d& x : roots_) nearest_.add(x);
}

std::vector<GuideShare> Guides::near(const Vec3d& root, int count) const {
  const double least = 1e-3 * spacing_;  // at a guide's own root its weight is large, and finite
  std::vector<GuideShare> shares;
  double sum = 0;
  for (int g : nearest_.nearest(root, count)) {
    const double apart = norm(roots_[g] - root) + least;
    shares.push_back({g, 1 / (apart * apart)});
    sum += shares.back().weight;
  }
  for (GuideShare& share : shares) share.weight /= sum;
  return shares;
}

}  // namespace tendril::scene
