#pragma once

#include "scene/curve.h"

namespace tendril::scene {

// straight edges through given points
struct PolylineOptions {
  std::vector<Vec3d> points;  // [m]
  bool closed = false;        // an edge joins the last point to the first
};

// keeps the points as they are when segments is 0, otherwise cuts the path into equal lengths along itself
Curve polyline_curve(const PolylineOptions& options, int segments);

// vertices at equal lengths along the path: segments + 1 of them, or `segments` when it is closed
std::vector<Vec3d> resample_path(const std::vector<Vec3d>& points, bool closed, int segments);

// a chain through points that are not to be moved; tangents bisect the edges
Curve chain_through(std::vector<Vec3d> points, bool closed);

Key::Variant polyline_keys();
PolylineOptions read_polyline(const Table& table);

}  // namespace tendril::scene
