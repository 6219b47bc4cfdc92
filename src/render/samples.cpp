#include "render/samples.h"

#include <algorithm>

namespace tendril::render {

namespace {

constexpr std::size_t most_patterns = 64;
constexpr std::size_t table_size = 16384;  // rays of all patterns: small enough to stay near the processor

float tent(float u) { return u < 0.5f ? std::sqrt(2 * u) - 1 : 1 - std::sqrt(2 - 2 * u); }

}  // namespace

SampleTable::SampleTable(int rays, const Vec3f& sun, float sun_spread)
    : rays_(std::size_t(rays)), patterns_(std::clamp<std::size_t>(table_size / rays_, 8, most_patterns)) {
  const Tangents across = tangents(sun);
  for (std::uint32_t p = 0; p < patterns_; ++p) {
    const SquareSequence lens(3 * p), disc(3 * p + 1), dome(3 * p + 2);
    for (std::uint32_t k = 0; k < rays_; ++k) {
      const Point2 u = lens[k], d = sample_disc(disc[k]);
      lens_.push_back({tent(u.x), tent(u.y)});
      sun_.push_back(normalized(sun + sun_spread * (d.x * across.a + d.y * across.b)));
      sky_.push_back(sample_hemisphere({0, 0, 1}, dome[k]));
    }
  }
}

Samples SampleTable::of(int column, int row) const {
  const std::uint32_t place = hash(std::uint32_t(row) * 0x9e3779b9u ^ hash(std::uint32_t(column)));
  const auto pattern = [&](int shift) { return rays_ * ((place >> shift) % patterns_); };
  return {&lens_[pattern(0)], &sun_[pattern(8)], &sky_[pattern(16)]};
}

}  // namespace tendril::render
