#include "sim/gust.h"

#include <cmath>
#include <numbers>

#include "math/random.h"

namespace tendril {
namespace {

constexpr double turn = 2 * std::numbers::pi;

// evenly over the unit sphere
Vec3d random_direction(Random& random) {
  const double z = random.uniform(-1, 1), angle = random.uniform(0, turn), r = std::sqrt(1 - z * z);
  return {r * std::cos(angle), r * std::sin(angle), z};
}

// cos(2 pi t), to 1e-9: t is brought to [-1/4, 1/4] and the sign kept, then the series of cos; no branch, so that the compiler
// can do several waves at once
double cosine_of_turns(double t) {
  t -= std::floor(t + 0.5);                        // [-1/2, 1/2)
  const double a = 0.25 - std::abs(t);             // cos(2 pi t) = sin(2 pi a)
  const double x = turn * a, x2 = x * x;
  return x * (1 + x2 * (-1.0 / 6 + x2 * (1.0 / 120 + x2 * (-1.0 / 5040 + x2 * (1.0 / 362880 - x2 / 39916800)))));
}

}  // namespace

Gust::Gust(const Field& field, std::uint64_t seed) {
  Random random(seed);
  const double amplitude = field.gust_amplitude * std::sqrt(2.0 / wave_count);
  for (int n = 0; n < wave_count; ++n) {
    const Vec3d along = random_direction(random), side = any_perpendicular(along);
    const double roll = random.uniform(0, turn);
    const Vec3d direction = amplitude * (std::cos(roll) * side + std::sin(roll) * cross(along, side));
    const Vec3d number = (random.uniform(0.5, 1.5) / field.gust_scale) * along;
    for (int k = 0; k < 3; ++k) direction_[k][n] = direction[k], number_[k][n] = number[k];
    frequency_[n] = field.gust_frequency * random.uniform(0.5, 1.5);
    phase_[n] = random.uniform();
  }
}

Vec3d Gust::velocity(const Vec3d& x, double time) const {
  double wave[wave_count];
  for (int n = 0; n < wave_count; ++n)
    wave[n] = cosine_of_turns(number_[0][n] * x.x + number_[1][n] * x.y + number_[2][n] * x.z + frequency_[n] * time + phase_[n]);
  Vec3d u;
  for (int n = 0; n < wave_count; ++n) u += wave[n] * Vec3d{direction_[0][n], direction_[1][n], direction_[2][n]};
  return u;
}

}  // namespace tendril
