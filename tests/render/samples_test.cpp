#include "render/samples.h"

#include <gtest/gtest.h>

#include <array>

namespace tendril::render {
namespace {

const Vec3f sun = normalized(Vec3f{-0.35f, -0.65f, 1.0f});

// sixteen rays put one point into each cell of a 4 x 4 grid of the unit square, and so one ring and sector of the sun
TEST(Samples, EveryPixelSpreadsItsRaysEvenly) {
  const SampleTable table(16, sun, 0.1f);
  for (int pixel = 0; pixel < 50; ++pixel) {
    const Samples samples = table.of(pixel, 3 * pixel);
    std::array<int, 16> cells{};
    for (int k = 0; k < 16; ++k) {
      const auto [x, y] = samples.lens[k];
      const auto cell = [](float t) {
        return int(4 * (t < 0 ? 0.5f * (1 + t) * (1 + t) : 1 - 0.5f * (1 - t) * (1 - t)));
      };
      ++cells[std::size_t(4 * cell(x) + cell(y))];  // undoes the tent
    }
    for (const int count : cells) EXPECT_EQ(count, 1);
  }
}

TEST(Samples, TheSunIsADiscAndTheSkyFollowsTheCosine) {
  constexpr int rays = 64;
  const SampleTable table(rays, sun, 0.1f);
  double height = 0;
  for (int pixel = 0; pixel < 100; ++pixel) {
    const Samples samples = table.of(pixel, 7);
    for (int k = 0; k < rays; ++k) {
      EXPECT_NEAR(norm(samples.sun[k]), 1, 1e-6);
      EXPECT_LE(norm(cross(samples.sun[k], sun)), 0.1f);  // tan of the spread bounds the sine
      EXPECT_NEAR(norm(samples.sky[k]), 1, 1e-5);
      EXPECT_GE(samples.sky[k].z, 0);
      height += samples.sky[k].z;
    }
  }
  EXPECT_NEAR(height / (100 * rays), 2.0 / 3, 2e-3);  // mean of the cosine: ∫ cos² / ∫ cos over the half sphere
}

TEST(Samples, APixelAlwaysDrawsTheSameAndNeighboursDiffer) {
  const SampleTable table(8, sun, 0.1f);
  EXPECT_EQ(table.of(5, 9).lens, table.of(5, 9).lens);
  int same = 0;
  for (int c = 0; c < 256; ++c) same += table.of(c, 0).sun == table.of(c + 1, 0).sun;
  EXPECT_LT(same, 20);  // one in 64 by chance
}

}  // namespace
}  // namespace tendril::render
