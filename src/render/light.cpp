#include "render/light.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "render/fibre.h"

namespace tendril::render {

namespace {

constexpr Vec3f sun_light{1.02f, 0.97f, 0.88f};
constexpr Vec3f zenith{0.84f, 0.92f, 1.04f};
constexpr Vec3f horizon{0.82f, 0.84f, 0.86f};
constexpr Vec3f ground_glow{0.42f, 0.40f, 0.37f};
constexpr float sky_share = 0.48f;    // of the sky beside the sun
constexpr float floor_least = 0.12f;  // light that finds its way under a solid
constexpr float highlight_sharpness = 70;
constexpr float floor_offset = 1e-4f;

float power5(float x) { return x * x * x * x * x; }

// a direction about z, turned to lie about n
Vec3f turned(const Vec3f& d, const Vec3f& n) {
  const Tangents t = tangents(n);
  return d.x * t.a + d.y * t.b + d.z * n;
}

}  // namespace

Vec3f Light::sky(const Vec3f& direction) {
  if (direction.z < 0) {
    const float f = std::min(1.0f, -4 * direction.z);
    return (1 - f) * horizon + f * ground_glow;
  }
  return (1 - direction.z) * horizon + direction.z * zenith;
}

// The sun is as bright as makes sun_light of a white wall that faces it. A fibre stands in nobody's light but that of
// others: rays start beside it. What blocks the sky sends back some of it.
Vec3f Light::shade_fibre(const Stage& stage, const Surface& surface, const Vec3f& view, const Samples& samples) const {
  const auto open = [&](const Vec3f& way) {
    return !stage.occluded({surface.point + (2 * surface.fibre + surface.offset) * way, way});
  };
  const Vec3f l = samples.sun[samples.index], up = turned(samples.sky[samples.index], surface.normal);
  Vec3f light = sky_share * scale(surface.albedo, open(up) ? sky(up) : 0.35f * surface.albedo);
  if (open(l))
    light += scale(std::numbers::pi_v<float> * sun_light, fibre_scattering(surface.tangent, surface.albedo, l, view));
  return light;
}

Vec3f Light::shade(const Stage& stage, const Surface& surface, const Vec3f& view, const Samples& samples) const {
  if (surface.fibre > 0) return shade_fibre(stage, surface, view, samples);
  const Vec3f& n = surface.normal;
  const Vec3f origin = surface.point + surface.offset * n;

  // the sun: diffuse and a highlight about the half vector
  Vec3f diffuse, specular;
  const Vec3f l = samples.sun[samples.index];
  const float cosine = dot(n, l);
  if (cosine > 0 && !stage.occluded({origin, l})) {
    const float aligned = std::max(0.0f, dot(n, normalized(l + view)));
    diffuse += cosine * sun_light;
    specular += (surface.gloss * std::pow(aligned, highlight_sharpness)) * sun_light;
  }

  // the sky; what blocks it sends back some light of the surface's own colour
  const Vec3f up = turned(samples.sky[samples.index], n);
  if (stage.occluded({origin, up}))
    diffuse += sky_share * 0.35f * surface.albedo;
  else
    diffuse += sky_share * sky(up);

  // a faint mirror of the sky at grazing angles
  const float fresnel = surface.gloss * power5(1 - std::max(0.0f, dot(n, view)));
  specular += (0.6f * fresnel) * sky(2 * dot(n, view) * n - view);
  return scale(surface.albedo, diffuse) + specular;
}

// a ray asks in turn for the sun and for the sky, which each give half of the light
float Light::floor_light(const Stage& stage, const Vec3f& point, const Vec3f& normal, const Samples& samples) const {
  const bool asks_sun = samples.index % 2 == 0;
  const Vec3f l = asks_sun ? samples.sun[samples.index] : turned(samples.sky[samples.index], normal);
  const bool away = dot(normal, l) <= 0;  // a floor away from the sun stays clean
  return away || !stage.occluded({point + floor_offset * normal, l}) ? 1 : floor_least;
}

Vec3f develop(const Vec3f& radiance) {
  constexpr float knee = 0.5f;  // where the shoulder begins
  const auto tone = [](float x) { return x <= knee ? x : 1 - (1 - knee) * std::exp((knee - x) / (1 - knee)); };
  return {tone(radiance.x), tone(radiance.y), tone(radiance.z)};
}

}  // namespace tendril::render
