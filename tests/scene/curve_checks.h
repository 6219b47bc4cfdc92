#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "scene/curve.h"
#include "scene/curves/curve_error.h"

namespace tendril::scene {

inline double edge_length(const Curve& curve, size_t edge) {
  return norm(curve.points[curve.edges[edge][1]] - curve.points[curve.edges[edge][0]]);
}

// smallest and largest edge
inline std::pair<double, double> edge_range(const Curve& curve) {
  double low = edge_length(curve, 0), high = low;
  for (size_t e = 1; e < curve.edges.size(); ++e) {
    low = std::min(low, edge_length(curve, e));
    high = std::max(high, edge_length(curve, e));
  }
  return {low, high};
}

// number of pieces that hang together
inline int component_count(const Curve& curve) {
  std::vector<int> root(curve.points.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const auto& [a, b] : curve.edges) root[find(a)] = find(b);
  int count = 0;
  for (size_t i = 0; i < root.size(); ++i) count += find(static_cast<int>(i)) == static_cast<int>(i);
  return count;
}

// independent loops: edges - vertices + pieces
inline int loop_count(const Curve& curve) {
  return static_cast<int>(curve.edges.size()) - static_cast<int>(curve.points.size()) + component_count(curve);
}

// no edge twice, no edge from a vertex to itself, all indices good, all points finite
inline void expect_sound(const Curve& curve) {
  const int count = static_cast<int>(curve.points.size());
  std::set<std::pair<int, int>> seen;
  for (const auto& [a, b] : curve.edges) {
    ASSERT_TRUE(a >= 0 && a < count && b >= 0 && b < count && a != b);
    EXPECT_TRUE(seen.insert(std::minmax(a, b)).second) << a << " " << b;
  }
  for (const Vec3d& x : curve.points) ASSERT_TRUE(is_finite(x));
  for (const Vec3d& t : curve.tangents) ASSERT_NEAR(norm(t), 1, 1e-14);
  if (!curve.radius.empty()) {
    EXPECT_EQ(curve.radius.size(), curve.edges.size());
  }
  if (!curve.part.empty()) {
    EXPECT_EQ(curve.part.size(), curve.edges.size());
  }
  for (int part : curve.part) ASSERT_TRUE(part >= 0 && part < static_cast<int>(curve.part_names.size()));
}

// the make function throws a CurveError at this key
template <class Make>
void expect_refused(const std::string& key, Make make) {
  try {
    make();
    ADD_FAILURE() << "nothing was refused; expected an error at \"" << key << "\"";
  } catch (const CurveError& error) {
    EXPECT_EQ(error.key, key) << error.what();
    EXPECT_FALSE(std::string(error.what()).empty());
  }
}

}  // namespace tendril::scene
