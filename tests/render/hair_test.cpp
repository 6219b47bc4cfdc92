#include "render/hair.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "render/render.h"
#include "render/rods.h"

namespace tendril::render {
namespace {

constexpr int width = 160, height = 90;

RenderOptions see_through() {
  RenderOptions options;
  options.width = width, options.height = height;
  options.samples = 64;
  options.ground = false, options.transparent = true;
  options.hair = HairStyle::all;
  return options;
}

// looks along y from so far that a pixel is as wide everywhere
Camera from_afar() { return {.eye = {0, -100, 0}, .target = {}, .field_of_view = 0.02}; }
constexpr double pixel = 2.0 / height;  // where the strands are: 100 tan(0.01) is half of the picture [m]

// an upright strand from below the picture to above it
void add_strand(Drawing& drawing, double x, double radius, double y = 0) {
  drawing.add_chain(4, radius, red, [=](double t) { return Vec3d{x + 0.3 * pixel, y, 4 * t - 2}; });
}

double mean_coverage(const Picture& picture) {
  return std::accumulate(picture.alpha.begin(), picture.alpha.end(), 0.0) / double(picture.alpha.size());
}

TEST(Hair, ATenthOfAPixelCoversATenth) {
  for (const double pixels : {0.1, 0.4, 1.0, 3.0}) {
    Drawing drawing;
    add_strand(drawing, 0, 0.5 * pixels * pixel);
    const double covered = width * mean_coverage(render(drawing.model, drawing.state, from_afar(), see_through()));
    EXPECT_NEAR(covered / pixels, 1, 0.03) << pixels;
  }
}

// without gaps or dots along it: each row covers its share, within the noise of its samples
TEST(Hair, IsNotDotted) {
  Drawing drawing;
  add_strand(drawing, 0, 0.25 * pixel);
  const Picture picture = render(drawing.model, drawing.state, from_afar(), see_through());
  for (int row = 0; row < height; ++row) {
    const auto begin = picture.alpha.begin() + row * width;
    EXPECT_NEAR(std::accumulate(begin, begin + width, 0.0), 0.5, 0.25) << row;
  }
}

// behind one another, n hairs leave what each of them leaves: (1 - coverage)^n
TEST(Hair, HairBehindHairIsSeenThroughIt) {
  Drawing drawing;
  for (int k = 0; k < 3; ++k)
    for (double x = -1.9; x < 1.9; x += pixel) add_strand(drawing, x, 0.25 * pixel, k);
  const double covered = mean_coverage(render(drawing.model, drawing.state, from_afar(), see_through()));
  EXPECT_GT(covered, 0.8);
  EXPECT_LT(covered, 0.95);
}

// a curtain of hair between the sun and a wall of hair takes as much light as it covers
TEST(Hair, StandsInTheShadowOfHair) {
  const auto brightness = [](double curtain) {
    Drawing drawing;
    for (double x = -0.3; x < 0.3; x += pixel) add_strand(drawing, x, pixel);
    if (curtain > 0)
      for (double x = -5; x < 5; x += pixel) {
        drawing.add_chain(1, 0.5 * curtain * pixel, red, [=](double t) { return Vec3d{x, -20 - 10 * t, 22 + 10 * t}; });
      }
    RenderOptions options = see_through();
    options.sun = {0, -1, 1};
    const Picture picture = render(drawing.model, drawing.state, from_afar(), options);
    return double(picture.color(width / 2, height / 2).x);
  };
  const double open = brightness(0), half = brightness(0.5), closed = brightness(1);
  EXPECT_LT(closed, half);
  EXPECT_LT(half, open);
}

std::vector<char> hair_in(const Drawing& drawing, HairStyle style = HairStyle::automatic) {
  return hair_among(drawing.model, find_chains(drawing.model, drawing.state), style);
}

TEST(Hair, IsManyThinStrands) {
  const auto head = [](int strands, double radius) {
    Drawing drawing;
    for (int k = 0; k < strands; ++k) add_strand(drawing, 0.01 * k, radius);
    return drawing;
  };
  EXPECT_EQ(hair_in(head(fewest_hairs, 9e-5)), std::vector<char>(fewest_hairs, true));
  EXPECT_EQ(hair_in(head(fewest_hairs - 1, 9e-5)), std::vector<char>(fewest_hairs - 1, false)) << "lines";
  EXPECT_EQ(hair_in(head(fewest_hairs, 1.1e-4)), std::vector<char>(fewest_hairs, false)) << "yarn";
  EXPECT_EQ(hair_in(head(3, 1), HairStyle::all), std::vector<char>(3, true));
  EXPECT_EQ(hair_in(head(fewest_hairs, 9e-5), HairStyle::none), std::vector<char>(fewest_hairs, false));
  Drawing mixed = head(fewest_hairs, 9e-5);
  add_strand(mixed, 0, 0.1);
  EXPECT_FALSE(hair_in(mixed).back()) << "a rope beside hair";
  EXPECT_TRUE(hair_in(mixed).front());
}

TEST(Hair, TheSamePictureOnAnyNumberOfThreads) {
  Drawing drawing;
  for (int k = 0; k < 200; ++k) add_strand(drawing, 0.002 * k - 0.2, 0.3 * pixel, 0.01 * (k % 7));
  RenderOptions options = see_through();
  options.samples = 4;
  options.threads = 1;
  const Picture one = render(drawing.model, drawing.state, from_afar(), options);
  options.threads = 3;
  EXPECT_EQ(one.rgb, render(drawing.model, drawing.state, from_afar(), options).rgb);
}

}  // namespace
}  // namespace tendril::render
