#pragma once

#include <vector>

#include "scene/grooms/nearest_points.h"

namespace tendril::scene {

// which strands a follower goes with
struct GuideShare {
  int guide = 0;
  double weight = 0;  // of all its guides they add up to 1
};

class Guides {
 public:
  explicit Guides(std::vector<Vec3d> roots);

  // those whose roots are nearest to this one, the nearest first, by 1 / distance²: near a guide's root all is its own
  std::vector<GuideShare> near(const Vec3d& root, int count) const;

 private:
  std::vector<Vec3d> roots_;
  double spacing_;  // of the roots, about [m]
  NearestPoints nearest_;
};

}  // namespace tendril::scene
