#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "math/vec3.h"

namespace tendril::scene {

// points in the cells of a grid, to find those near a place
class NearestPoints {
 public:
  explicit NearestPoints(double cell) : cell_(cell) {}

  void add(const Vec3d& x);

  // the distance of the nearest point if it is at most `reach`, which is at most a cell; else `reach`
  double distance_within(const Vec3d& x, double reach) const;

  // the numbers of the `count` nearest ones, or of all there are, the nearest first
  std::vector<int> nearest(const Vec3d& x, int count) const;

 private:
  std::int64_t cell_of(double x) const;
  template <class Visit>
  void visit_shell(const Vec3d& x, std::int64_t ring, Visit visit) const;

  double cell_;  // [m]
  std::vector<Vec3d> points_;
  std::unordered_map<std::uint64_t, std::vector<int>> cells_;
};

}  // namespace tendril::scene
