#include "render/camera.h"

#include <cmath>

#include "render/survey.h"

namespace tendril::render {

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
  Survey survey(framing);
  for (const State& state : states) survey.add(model, state);
  return survey.camera();
}

}  // namespace tendril::render
