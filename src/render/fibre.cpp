#include "render/fibre.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendril::render {
namespace {

constexpr float pi = std::numbers::pi_v<float>;
constexpr double keratin = 1.55;  // refractive index

// of unpolarised light at a cosine of its angle of incidence
double fresnel(double cosine) {
  const double inside = std::sqrt(1 - (1 - cosine * cosine) / (keratin * keratin));
  const double across = (cosine - keratin * inside) / (cosine + keratin * inside);
  const double along = (keratin * cosine - inside) / (keratin * cosine + inside);
  return 0.5 * (across * across + along * along);
}

double mean_over_width() {
  constexpr int parts = 1000;
  double sum = 0;
  for (int k = 0; k < parts; ++k) {
    const double offset = (k + 0.5) / parts;  // of the ray from the axis, over the radius
    sum += fresnel(std::sqrt(1 - offset * offset)) / parts;
  }
  return sum;
}

// log of the modified Bessel function of order zero: its series, or its asymptote
float log_bessel(float x) {
  if (x > 12) return x + 0.5f * (std::log(1 / (2 * pi * x)) + 1 / (4 * x));
  float sum = 1, term = 1;
  for (int k = 1; k < 30; ++k) term *= 0.25f * x * x / float(k * k), sum += term;
  return std::log(sum);
}

// M: of what goes to inclination b, how much is from light at a; times cos a and over all a it adds to one
float band(float a, float b, float shift, float width) {
  const float v = width * width, from = shift - b;
  const float along = std::cos(from) * std::cos(a) / v, across = std::sin(from) * std::sin(a) / v;
  // csch(1/v) / 2v = exp(-1/v) / v (1 - exp(-2/v)), and the last factor is one to all digits
  return std::exp(across + log_bessel(std::abs(along)) - 1 / v) / v;
}

float inclination(const Vec3f& direction, const Vec3f& tangent) {
  return std::asin(std::clamp(dot(direction, tangent), -1.0f, 1.0f));
}

// cosine of the angle between two directions around the fibre
float cosine_around(const Vec3f& a, const Vec3f& b, const Vec3f& tangent) {
  const Vec3f across_a = a - dot(a, tangent) * tangent, across_b = b - dot(b, tangent) * tangent;
  const float square = norm_squared(across_a) * norm_squared(across_b);
  return square > 0 ? std::clamp(dot(across_a, across_b) / std::sqrt(square), -1.0f, 1.0f) : 1;
}

}  // namespace

float mean_reflection() {
  static const float mean = float(mean_over_width());
  return mean;
}

Vec3f fibre_scattering(const Vec3f& tangent, const Vec3f& color, const Vec3f& light, const Vec3f& view) {
  const float a = inclination(light, tangent), b = inclination(view, tangent);
  const float cosine = cosine_around(light, view, tangent);
  const float f = mean_reflection(), through = (1 - f) * (1 - f) * f;
  const float half = std::sqrt(0.5f * (1 + cosine));  // cos(phi / 2)
  const float first = f * band(a, b, 2 * scale_tilt, lobe_width) * half / 4;
  const float back = through * band(a, b, -3 * scale_tilt, 2 * lobe_width) * (1 + cosine) * (1 + cosine) / (3 * pi);
  const float rest = (1 - f - through) * std::cos(a) / (pi * pi);
  return Vec3f{first, first, first} + back * scale(color, color) + rest * color;
}

}  // namespace tendril::render
