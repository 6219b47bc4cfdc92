#include "render/floor_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "math/random.h"

namespace tendril::render {
namespace {

constexpr int width = 64, height = 48, samples = 8;

// each pixel's light from a few samples that are 0 or 1
template <class Light>
FloorMap noisy(Light light, int planes = 1) {
  FloorMap map(width, height);
  Random random(7);
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      float sum = 0;
      for (int k = 0; k < samples; ++k) sum += random.uniform(0, 1) < light(column) ? 1.0f : 0.0f;
      map.set(std::size_t(row) * width + column, planes > 1 && column >= width / 2, samples, sum, sum);
    }
  return map;
}

double deviation(const FloorMap& map, double expected, int from, int to) {
  double sum = 0;
  for (int row = 0; row < height; ++row)
    for (int column = from; column < to; ++column)
      sum += std::pow(map.light[std::size_t(row) * width + column] - expected, 2);
  return std::sqrt(sum / (height * (to - from)));
}

// p (1 - p) / n is the variance before; the average of some hundred neighbours leaves a small part of it
TEST(FloorMap, NoiseOfAnEvenShadowGoes) {
  FloorMap map = noisy([](int) { return 0.5; });
  EXPECT_NEAR(deviation(map, 0.5, 0, width), std::sqrt(0.25 / samples), 0.01);
  smooth(map, 1);
  EXPECT_LT(deviation(map, 0.5, 0, width), 0.03);
}

TEST(FloorMap, AnEdgeBetweenLightAndShadowStays) {
  FloorMap map = noisy([](int column) { return column < width / 2 ? 1.0 : 0.0; });
  smooth(map, 1);
  EXPECT_LT(deviation(map, 1, 0, width / 2), 0.02);
  EXPECT_LT(deviation(map, 0, width / 2, width), 0.02);
}

TEST(FloorMap, FloorsDoNotMix) {
  const auto step = [](int column) { return column < width / 2 ? 0.55 : 0.45; };
  FloorMap one = noisy(step), two = noisy(step, 2);
  smooth(one, 1), smooth(two, 1);
  const auto jump = [](const FloorMap& map) {
    double sum = 0;
    for (int row = 0; row < height; ++row) {
      const std::size_t i = std::size_t(row) * width + width / 2;
      sum += map.light[i - 1] - map.light[i];
    }
    return sum / height;
  };
  EXPECT_LT(jump(one), 0.03);  // within the noise: smoothed away
  EXPECT_GT(jump(two), 0.06);
}

TEST(FloorMap, PixelsWithoutFloorAreLeftAlone) {
  FloorMap map(4, 4);
  map.set(5, 0, 4, 2, 2);
  smooth(map, 1);
  EXPECT_EQ(map.light[5], 0.5f);
  EXPECT_EQ(map.light[6], 0.0f);
}

TEST(FloorMap, TheSameOnAnyNumberOfThreads) {
  FloorMap one = noisy([](int) { return 0.3; }), four = one;
  smooth(one, 1), smooth(four, 4);
  EXPECT_EQ(one.light, four.light);
}

}  // namespace
}  // namespace tendril::render
