#pragma once

#include <span>

#include "rod/model.h"
#include "rod/state.h"

namespace tendril::render {

// a pinhole that looks from `eye` to `target`
struct Camera {
  Vec3d eye{3, -5, 3}, target;  // [m]
  Vec3d up{0, 0, 1};
  double field_of_view = 0.5;  // from the lower to the upper edge of the picture [rad]

  // unit axes of the picture; up is kept as near to `up` as the view allows
  Vec3d forward() const { return normalized(target - eye); }
  Vec3d right() const;
  Vec3d upward() const { return cross(right(), forward()); }
};

// where a point lies in a picture of unit height: x to the right and y downwards from the upper left corner, and its
// depth along the view [m], negative behind the eye
struct Projection {
  double x = 0, y = 0, depth = 0;
};
Projection project(const Camera& camera, double aspect, const Vec3d& point);

struct Framing {
  double azimuth = -1.05;      // of the eye about z, from the x axis [rad]
  double elevation = 0.35;     // of the eye above the horizon [rad]
  double field_of_view = 0.5;  // [rad]
  double aspect = 16.0 / 9.0;  // width over height
  double margin = 0.08;        // free part of the picture at each edge
};

// the nearest camera that sees everything in all the states: the same for each frame of a movie
Camera frame_camera(const Model& model, std::span<const State> states, const Framing& framing = {});

}  // namespace tendril::render
