#pragma once

#include "render/sampling.h"
#include "render/stage.h"

namespace tendril {

// the random numbers of one ray through a pixel: the same for the same pixel and ray, whoever asks
struct Samples {
  SquareSequence lens, sun, sky;
  std::uint32_t index = 0;

  explicit Samples(std::uint32_t seed) : lens(seed), sun(seed ^ 0x2545f491u), sky(seed ^ 0x9e3779b9u) {}
};

// a soft sun and an even sky
class Light {
 public:
  explicit Light(const Vec3d& sun) : sun_(normalized(cast<float>(sun))) {}

  // light that a surface sends towards the eye, before the film
  Vec3f shade(const Stage& stage, const Surface& surface, const Vec3f& view, const Samples& samples) const;

  // the part of its full light that reaches a floor: 1 in the open, near 0 under a solid
  float floor_light(const Stage& stage, const Vec3f& point, const Vec3f& normal, const Samples& samples) const;

  // what the open sky, or the light ground below the horizon, sends along a direction
  static Vec3f sky(const Vec3f& direction);

 private:
  Vec3f towards_sun(const Samples& samples) const;

  Vec3f sun_;
};

// film: linear in the darks and middle tones, a soft shoulder towards white
Vec3f develop(const Vec3f& radiance);

}  // namespace tendril
