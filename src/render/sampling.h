#pragma once

#include <cmath>
#include <cstdint>

#include "math/vec3.h"

namespace tendril::render {

// mixes all bits of a number
inline std::uint32_t hash(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

// to [0, 1)
inline float unit_float(std::uint32_t bits) { return float(bits >> 8) * 0x1.0p-24f; }

inline std::uint32_t reverse_bits(std::uint32_t x) {
  x = ((x & 0x55555555u) << 1) | ((x >> 1) & 0x55555555u);
  x = ((x & 0x33333333u) << 2) | ((x >> 2) & 0x33333333u);
  x = ((x & 0x0f0f0f0fu) << 4) | ((x >> 4) & 0x0f0f0f0fu);
  return __builtin_bswap32(x);
}

// a random permutation that keeps binary intervals together, so that a stratified sequence stays one
// (hash-based Owen scrambling, Burley 2020)
inline std::uint32_t scramble(std::uint32_t x, std::uint32_t seed) {
  x = reverse_bits(x) + seed;
  x ^= x * 0x6c50b47cu;
  x ^= x * 0xb82f1e52u;
  x ^= x * 0xc7afe638u;
  x ^= x * 0x8d22f6e6u;
  return reverse_bits(x);
}

// Pascal's triangle modulo two as a matrix over bits, which makes Sobol's second dimension of the first
inline std::uint32_t pascal_bits(std::uint32_t x) {
  x ^= (x & 0xaaaaaaaau) >> 1;
  x ^= (x & 0xccccccccu) >> 2;
  x ^= (x & 0xf0f0f0f0u) >> 4;
  x ^= (x & 0xff00ff00u) >> 8;
  return x ^ (x >> 16);
}

struct Point2 {
  float x = 0, y = 0;
};

// points of the unit square: the first two dimensions of Sobol's sequence, shuffled and scrambled by a seed.
// Each power of two of them covers the square evenly
class SquareSequence {
 public:
  explicit SquareSequence(std::uint32_t seed) : order_(hash(seed)), x_(hash(order_ + 1)), y_(hash(order_ + 2)) {}

  Point2 operator[](std::uint32_t index) const {
    const std::uint32_t i = scramble(index, order_);
    return {unit_float(scramble(reverse_bits(i), x_)), unit_float(scramble(reverse_bits(pascal_bits(i)), y_))};
  }

 private:
  std::uint32_t order_, x_, y_;
};

// two unit vectors across a unit vector n, without a branch that could jump near the poles
struct Tangents {
  Vec3f a, b;
};
inline Tangents tangents(const Vec3f& n) {
  const float sign = std::copysign(1.0f, n.z);
  const float p = -1 / (sign + n.z), q = n.x * n.y * p;
  return {{1 + sign * n.x * n.x * p, sign * q, -sign * n.x}, {q, sign + n.y * n.y * p, -n.y}};
}

// a point of the unit disc, evenly
inline Point2 sample_disc(const Point2& u) {
  const float radius = std::sqrt(u.x), angle = 6.2831853f * u.y;
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

// a direction above the plane across n, as often as its cosine
inline Vec3f sample_hemisphere(const Vec3f& n, const Point2& u) {
  const Point2 d = sample_disc(u);
  const Tangents t = tangents(n);
  return d.x * t.a + d.y * t.b + std::sqrt(std::fmax(0.0f, 1 - u.x)) * n;
}

}  // namespace tendril::render
