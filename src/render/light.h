#pragma once

#include "render/samples.h"
#include "render/stage.h"

namespace tendril::render {

constexpr float sun_spread = 0.09f;  // half the angle of the sun, which makes shadows soft [rad]

// a soft sun and an even sky
class Light {
 public:
  // light that a surface sends towards the eye, before the film
  Vec3f shade(const Stage& stage, const Surface& surface, const Vec3f& view, const Samples& samples) const;

  // the same of hair
  Vec3f shade_fibre(const Stage& stage, const Surface& surface, const Vec3f& view, const Samples& samples) const;

  // the part of its full light that reaches a floor: 1 in the open, near 0 under a solid
  float floor_light(const Stage& stage, const Vec3f& point, const Vec3f& normal, const Samples& samples) const;

  // what the open sky, or the light ground below the horizon, sends along a direction
  static Vec3f sky(const Vec3f& direction);
};

// film: linear in the darks and middle tones, a soft shoulder towards white
Vec3f develop(const Vec3f& radiance);

}  // namespace tendril::render
