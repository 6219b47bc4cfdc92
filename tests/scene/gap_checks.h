#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <unordered_map>

#include "rod/model.h"
#include "scene/curve.h"

// distances between tubes, by brute force and apart from the engine's own
namespace tendril::scene {

// a segment as a round tube with round ends; vertices by number, so that neighbours know each other
struct Tube {
  int vertex[2] = {0, 0};
  Vec3d x[2];
  double radius = 0;
};

// two tubes and the distance between their surfaces [m]
struct Gap {
  double size = std::numeric_limits<double>::infinity();
  int a = -1, b = -1;
};

inline double point_segment_distance(const Vec3d& p, const Vec3d& a, const Vec3d& b) {
  const double t = std::clamp(dot(p - a, b - a) / dot(b - a, b - a), 0.0, 1.0);
  return norm(p - a - t * (b - a));
}

// where the lines are nearest, if that is inside both; otherwise one of the four ends is nearest
inline double segment_distance(const Vec3d& a0, const Vec3d& a1, const Vec3d& b0, const Vec3d& b1) {
  const Vec3d u = a1 - a0, v = b1 - b0, n = cross(u, v), w = b0 - a0;
  const double nn = dot(n, n);
  if (nn > 1e-20 * dot(u, u) * dot(v, v)) {
    const double s = dot(cross(w, v), n) / nn, t = dot(cross(w, u), n) / nn;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) return std::abs(dot(w, n)) / std::sqrt(nn);
  }
  return std::min({point_segment_distance(a0, b0, b1), point_segment_distance(a1, b0, b1),
                   point_segment_distance(b0, a0, a1), point_segment_distance(b1, a0, a1)});
}

// vertices that can be reached from one of a tube's ends along tubes in less than `limit`
class Reach {
 public:
  explicit Reach(const std::vector<Tube>& tubes) : tubes_(tubes) {
    for (int s = 0; s < static_cast<int>(tubes.size()); ++s)
      for (const int i : tubes[s].vertex) at_[i].push_back(s);
  }

  std::map<int, double> from(int tube, double limit) const {
    std::map<int, double> way;
    std::vector<std::pair<double, int>> open;
    for (const int i : tubes_[tube].vertex) way[i] = 0, open.push_back({0, i});
    while (!open.empty()) {
      const auto [length, i] = open.back();
      open.pop_back();
      for (const int s : at_.at(i)) {
        const double reached = length + norm(tubes_[s].x[1] - tubes_[s].x[0]);
        const int other = tubes_[s].vertex[0] == i ? tubes_[s].vertex[1] : tubes_[s].vertex[0];
        if (reached >= limit || (way.count(other) && way[other] <= reached)) continue;
        way[other] = reached;
        open.push_back({reached, other});
      }
    }
    return way;
  }

 private:
  const std::vector<Tube>& tubes_;
  std::unordered_map<int, std::vector<int>> at_;
};

// the smallest gap of all pairs, up to `most`; pairs whose way along the rod is shorter than π (r_a + r_b) / 2 are
// spared. Cells of a grid stand in for all pairs: whatever is nearer than `most` lies in neighbouring cells.
inline Gap smallest_gap(const std::vector<Tube>& tubes, double most) {
  double longest = 0, thickest = 0;
  for (const Tube& t : tubes) {
    longest = std::max(longest, norm(t.x[1] - t.x[0]));
    thickest = std::max(thickest, t.radius);
  }
  const double cell = longest + 2 * thickest + most;
  const auto cell_of = [&](const Vec3d& x) {
    return std::array<long, 3>{std::lround(x.x / cell), std::lround(x.y / cell), std::lround(x.z / cell)};
  };
  std::map<std::array<long, 3>, std::vector<int>> grid;
  for (int s = 0; s < static_cast<int>(tubes.size()); ++s)
    grid[cell_of(0.5 * (tubes[s].x[0] + tubes[s].x[1]))].push_back(s);

  const Reach reach(tubes);
  Gap best{most, -1, -1};
  for (int a = 0; a < static_cast<int>(tubes.size()); ++a) {
    const Tube& p = tubes[a];
    std::map<int, double> way;  // found when a near pair asks for it
    const auto c = cell_of(0.5 * (p.x[0] + p.x[1]));
    for (long dx = -1; dx <= 1; ++dx)
      for (long dy = -1; dy <= 1; ++dy)
        for (long dz = -1; dz <= 1; ++dz) {
          const auto found = grid.find({c[0] + dx, c[1] + dy, c[2] + dz});
          if (found == grid.end()) continue;
          for (const int b : found->second) {
            const Tube& q = tubes[b];
            if (b <= a) continue;
            const double gap = segment_distance(p.x[0], p.x[1], q.x[0], q.x[1]) - p.radius - q.radius;
            if (gap >= best.size) continue;
            if (way.empty()) way = reach.from(a, std::numbers::pi * thickest);
            bool neighbours = false;
            for (const int i : q.vertex)
              neighbours |= way.count(i) && way[i] < 0.5 * std::numbers::pi * (p.radius + q.radius);
            if (!neighbours) best = {gap, a, b};
          }
        }
  }
  return best;
}

inline std::vector<Tube> tubes_of(const Curve& curve, double radius) {
  std::vector<Tube> tubes;
  for (size_t e = 0; e < curve.edges.size(); ++e) {
    const auto [a, b] = curve.edges[e];
    tubes.push_back({{a, b}, {curve.points[a], curve.points[b]}, curve.radius.empty() ? radius : curve.radius[e]});
  }
  return tubes;
}

inline std::vector<Tube> tubes_of(const Model& model, const State& state) {
  std::vector<Tube> tubes;
  for (const Segment& s : model.segments)
    tubes.push_back({{s.vertex[0], s.vertex[1]}, {state.x[s.vertex[0]], state.x[s.vertex[1]]}, s.radius});
  return tubes;
}

}  // namespace tendril::scene
