#include "render/floor_map.h"

#include <algorithm>
#include <cmath>

#include "render/rows.h"

namespace tendril::render {

namespace {

constexpr int scales = 4;
constexpr float tolerance = 4;   // difference that still counts as noise [standard deviations]
constexpr float unseen = 0.03f;  // difference of light that nobody sees
constexpr float doubt = 0.05f;   // variance of one sample where all agree: a few may agree by chance
constexpr float spline[3] = {6.0f / 16, 4.0f / 16, 1.0f / 16};

struct Mean {
  float light = 0, variance = 0;
};

// over a pixel and its eight neighbours: what is seen of a pixel alone is too noisy to compare by
Mean mean_nearby(const FloorMap& map, int column, int row) {
  Mean mean;
  float weights = 0;
  for (int r = std::max(0, row - 1); r <= std::min(map.height - 1, row + 1); ++r)
    for (int c = std::max(0, column - 1); c <= std::min(map.width - 1, column + 1); ++c) {
      const std::size_t i = std::size_t(r) * map.width + c;
      if (!(map.weight[i] > 0)) continue;
      const float w = (r == row ? 2.0f : 1.0f) * (c == column ? 2.0f : 1.0f);
      mean.light += w * map.light[i];
      mean.variance += w * map.variance[i];
      weights += w;
    }
  return {mean.light / weights, mean.variance / weights};
}

// over 25 pixels, `step` apart, that are alike
Mean mean_around(const FloorMap& map, const std::vector<Mean>& nearby, int column, int row, int step) {
  const std::size_t here = std::size_t(row) * map.width + column;
  const float scale = 1 / (tolerance * std::sqrt(nearby[here].variance) + unseen);
  Mean mean;
  float weights = 0;
  for (int dr = -2; dr <= 2; ++dr) {
    const int r = row + step * dr;
    if (r < 0 || r >= map.height) continue;
    for (int dc = -2; dc <= 2; ++dc) {
      const int c = column + step * dc;
      if (c < 0 || c >= map.width) continue;
      const std::size_t i = std::size_t(r) * map.width + c;
      if (!(map.weight[i] > 0) || map.plane[i] != map.plane[here]) continue;
      const float difference = (nearby[i].light - nearby[here].light) * scale;
      const float alike = std::max(0.0f, 1 - difference * difference);
      const float w = spline[std::abs(dr)] * spline[std::abs(dc)] * alike * alike * map.weight[i];
      mean.light += w * map.light[i];
      mean.variance += w * w * map.variance[i];
      weights += w;
    }
  }
  return {mean.light / weights, mean.variance / (weights * weights)};
}

}  // namespace

FloorMap::FloorMap(int width, int height)
    : width(width),
      height(height),
      light(std::size_t(width) * height),
      variance(light.size()),
      weight(light.size()),
      plane(light.size()) {}

void FloorMap::set(std::size_t pixel, int floor, float count, float sum, float sum_squares) {
  const float mean = sum / count;
  light[pixel] = mean;
  variance[pixel] = std::max(0.0f, sum_squares / count - mean * mean) / count + doubt / (count * count);
  weight[pixel] = count;
  plane[pixel] = std::uint8_t(floor);
}

void smooth(FloorMap& map, int threads) {
  std::vector<Mean> nearby(map.light.size()), result(map.light.size());
  const auto for_each_floor_pixel = [&](const auto& work) {
    for_each_row(map.height, threads, [&](int row) {
      for (int column = 0; column < map.width; ++column)
        if (const std::size_t i = std::size_t(row) * map.width + column; map.weight[i] > 0) work(i, column, row);
    });
  };
  for (int scale = 0; scale < scales; ++scale) {
    for_each_floor_pixel([&](std::size_t i, int column, int row) { nearby[i] = mean_nearby(map, column, row); });
    for_each_floor_pixel(
        [&](std::size_t i, int column, int row) { result[i] = mean_around(map, nearby, column, row, 1 << scale); });
    for_each_floor_pixel([&](std::size_t i, int, int) {
      map.light[i] = result[i].light;
      map.variance[i] = result[i].variance;
    });
  }
}

}  // namespace tendril::render
