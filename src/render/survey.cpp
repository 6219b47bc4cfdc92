#include "render/survey.h"

#include <algorithm>
#include <cmath>

namespace tendril::render {

void Survey::Wedge::include(double a, double f, double radius) {
  const double pad = radius * std::sqrt(1 + slope * slope);
  high = std::max(high, a + pad - slope * f);
  low = std::min(low, a - pad + slope * f);
}

Survey::Survey(const Framing& framing, Coloring coloring) : framing_(framing), coloring_(coloring) {
  Camera camera;
  camera.target = {};
  camera.eye = {std::cos(framing.elevation) * std::cos(framing.azimuth),
                std::cos(framing.elevation) * std::sin(framing.azimuth), std::sin(framing.elevation)};
  forward_ = camera.forward(), right_ = camera.right(), upward_ = camera.upward();
  vertical_.slope = (1 - 2 * framing.margin) * std::tan(0.5 * framing.field_of_view);
  horizontal_.slope = vertical_.slope * framing.aspect;
}

void Survey::include(const Vec3d& x, double radius, Wedge& horizontal, Wedge& vertical) const {
  const Vec3d d = x - *origin_;
  horizontal.include(dot(d, right_), dot(d, forward_), radius);
  vertical.include(dot(d, upward_), dot(d, forward_), radius);
}

void Survey::add(const Model& model, const State& state, const std::vector<float>& contacts) {
  visit_balls(model, state, [&](const Vec3d& x, double radius) {
    if (!origin_) origin_ = x;
    include(x, radius, horizontal_, vertical_);
    bounds_.include(x, radius);
  });
  lowest_ = std::min(lowest_, lowest_point(model, {&state, 1}));
  scale_end_ = std::max(scale_end_, render::scale_end(segment_values(model, state, coloring_, contacts)));
}

Camera Survey::camera() const {
  Camera camera;
  camera.field_of_view = framing_.field_of_view;
  const Vec3d center = bounds_.empty() ? Vec3d{} : bounds_.center();
  const double size = bounds_.empty() || bounds_.radius() == 0 ? 1 : bounds_.radius();
  Wedge horizontal = horizontal_, vertical = vertical_;
  Survey here = *this;
  if (!here.origin_) here.origin_ = center;
  here.include(center, 0.05 * size, horizontal, vertical);  // keeps a distance when there is nothing, or a point
  const double along = std::min(horizontal.along(), vertical.along());
  camera.eye = *here.origin_ + horizontal.across() * right_ + vertical.across() * upward_ + along * forward_;
  camera.target = camera.eye + std::max(dot(center - camera.eye, forward_), 0.1 * size) * forward_;
  return camera;
}

}  // namespace tendril::render
