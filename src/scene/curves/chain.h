#pragma once

#include <vector>

#include "scene/curve.h"

namespace tendril::scene {

constexpr int most_segments = 10'000'000;  // of one rod; beyond it a typing error is likelier than a wish

// refuses a number of segments below `least` or beyond all reason; 0 is what a rod without `segments` has
void check_segments(int segments, int least);

// refuses points that are not finite and edges without length
void check_edges(const Curve& curve);

// points in order, joined by edges and, when closed, by one from the last to the first
Curve make_chain(std::vector<Vec3d> points, std::vector<Vec3d> tangents, bool closed);

// a unit vector along `direction`; an error at `key` when it has no length
Vec3d unit_axis(const Vec3d& direction, const char* key);

// the side on which a curve about `axis` starts: the normal's, or the default perpendicular when there is none
Vec3d start_side(const Vec3d& axis, const Vec3d* normal);

}  // namespace tendril::scene
