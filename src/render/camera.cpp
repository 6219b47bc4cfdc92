#include "render/camera.h"

#include <algorithm>
#include <cmath>

#include "render/bounds.h"

namespace tendril {

namespace {

// all eyes from which a set of balls appears between two opposite edges of the picture, seen in the plane of the
// forward axis f and an axis a across it. With t the slope of the edges, a ball (a, f, r) asks of the eye (e_a, e_f)
//   |a - e_a| + r sqrt(1 + t²) <= t (f - e_f)
// so the nearest eye has  e_a = (low + high) / 2,  e_f = (low - high) / 2t
struct Wedge {
  double slope;
  double high = -forever;  // max of a - t f
  double low = forever;    // min of a + t f

  void include(double a, double f, double radius) {
    const double pad = radius * std::sqrt(1 + slope * slope);
    high = std::max(high, a + pad - slope * f);
    low = std::min(low, a - pad + slope * f);
  }
  double across() const { return 0.5 * (low + high); }
  double along() const { return 0.5 * (low - high) / slope; }
};

}  // namespace

Vec3d Camera::right() const {
  const Vec3d side = cross(forward(), up);
  return norm(side) > 1e-9 * norm(up) ? normalized(side) : any_perpendicular(forward());
}

Projection project(const Camera& camera, double aspect, const Vec3d& point) {
  const Vec3d d = point - camera.eye;
  const double depth = dot(d, camera.forward());
  const double height = 2 * depth * std::tan(0.5 * camera.field_of_view);
  return {0.5 * aspect + dot(d, camera.right()) / height, 0.5 - dot(d, camera.upward()) / height, depth};
}

Camera frame_camera(const Model& model, std::span<const State> states, const Framing& framing) {
  Camera camera;
  camera.field_of_view = framing.field_of_view;
  const Vec3d toward_eye{std::cos(framing.elevation) * std::cos(framing.azimuth),
                         std::cos(framing.elevation) * std::sin(framing.azimuth), std::sin(framing.elevation)};
  const Bounds bounds = bounds_of(model, states);
  const Vec3d center = bounds.empty() ? Vec3d{} : bounds.center();
  const double size = bounds.empty() || bounds.radius() == 0 ? 1 : bounds.radius();
  camera.target = center;
  camera.eye = center + toward_eye;

  const Vec3d forward = camera.forward(), right = camera.right(), upward = camera.upward();
  const double slope = (1 - 2 * framing.margin) * std::tan(0.5 * framing.field_of_view);
  Wedge horizontal{slope * framing.aspect}, vertical{slope};
  const auto include = [&](const Vec3d& x, double radius) {
    const Vec3d d = x - center;
    horizontal.include(dot(d, right), dot(d, forward), radius);
    vertical.include(dot(d, upward), dot(d, forward), radius);
  };
  for (const State& state : states) visit_balls(model, state, include);
  include(center, 0.05 * size);  // keeps a distance when there is nothing, or a point

  const double along = std::min(horizontal.along(), vertical.along());
  camera.eye = center + horizontal.across() * right + vertical.across() * upward + along * forward;
  camera.target = camera.eye + std::max(-along, 0.1 * size) * forward;
  return camera;
}

}  // namespace tendril
