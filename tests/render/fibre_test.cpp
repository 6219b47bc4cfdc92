#include "render/fibre.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace tendril::render {
namespace {

constexpr Vec3f tangent{0, 0, 1}, white{1, 1, 1}, brown{0.3f, 0.15f, 0.06f};

Vec3f direction(double inclination, double around) {
  return {float(std::cos(inclination) * std::cos(around)), float(std::cos(inclination) * std::sin(around)),
          float(std::sin(inclination))};
}

// over all directions of the light
Vec3d sum_over_lights(const Vec3f& color, const Vec3f& view) {
  constexpr int rows = 400, columns = 90;
  constexpr double pi = std::numbers::pi;
  Vec3d sum;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const double a = pi * ((j + 0.5) / rows - 0.5), solid_angle = pi / rows * 2 * pi / columns * std::cos(a);
      sum += solid_angle * cast<double>(fibre_scattering(tangent, color, direction(a, 2 * pi * i / columns), view));
    }
  return sum;
}

// Under light from everywhere, a fibre that absorbs nothing sends all of it back and no more, whichever way one looks;
// and a coloured one less of each colour.
TEST(Fibre, SendsBackNoMoreThanTheLight) {
  for (const double inclination : {0.0, 0.4, -0.4, 0.9, -0.9, 1.3}) {
    const Vec3d all = sum_over_lights(white, direction(inclination, 0.3)),
                some = sum_over_lights(brown, direction(inclination, 0.3));
    for (int k = 0; k < 3; ++k) {
      EXPECT_LE(all[k], 1 + 1e-3) << inclination;
      EXPECT_GE(all[k], 0.95) << inclination;
      EXPECT_LT(some[k], brown[k] + mean_reflection()) << inclination;
      EXPECT_GT(some[k], 0.8 * brown[k]) << inclination;
    }
  }
}

// the inclination of the view at which a channel is brightest, light and eye on opposite or the same side
double brightest(double light, double around, int channel) {
  double best = 0;
  float most = 0;
  for (double b = -1.4; b < 1.4; b += 0.002) {
    const float value = fibre_scattering(tangent, brown, direction(light, 0), direction(b, around))[channel];
    if (value > most) most = value, best = b;
  }
  return best;
}

// A mirror's cone would be b = -a. R lies twice the tilt of the scales nearer to the root. Where blue is absorbed, it
// alone shows in the blue.
TEST(Fibre, TheHighlightMovesAlongTheFibre) {
  double last = 2;
  for (const double a : {-0.6, -0.3, 0.0, 0.3, 0.6}) {
    const double b = brightest(a, 0.5, 2);
    EXPECT_NEAR(b, -a + 2 * scale_tilt, 0.04) << a;
    EXPECT_LT(b, last);
    last = b;
  }
}

// around the second cone, nearer to the tip, there is more of the fibre's colour
TEST(Fibre, TheSecondHighlightIsColoredAndNearerToTheTip) {
  const auto at = [](double b) {
    return fibre_scattering(tangent, {0.9f, 0.5f, 0.2f}, direction(0, 0), direction(b, 0));
  };
  const Vec3f first = at(2 * scale_tilt), second = at(-3 * scale_tilt);
  EXPECT_GT(second.x / second.z, 1.5f * first.x / first.z);
}

// The mean over the width of a cylinder with n = 1.55, by Fresnel's formulas in angles: sin² and tan² of their
// difference and sum.
TEST(Fibre, ReflectsAsKeratinDoes) {
  constexpr int parts = 20000;
  double mean = 0;
  for (int k = 0; k < parts; ++k) {
    const double outside = std::asin((k + 0.5) / parts), inside = std::asin(std::sin(outside) / 1.55);
    const double s = std::sin(outside - inside) / std::sin(outside + inside),
                 t = std::tan(outside - inside) / std::tan(outside + inside);
    mean += 0.5 * (s * s + t * t) / parts;
  }
  EXPECT_NEAR(mean_reflection(), mean, 1e-3 * mean);
}

}  // namespace
}  // namespace tendril::render
