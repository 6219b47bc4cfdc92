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

}  // namespace

Gust::Gust(const Field& field, std::uint64_t seed) {
  Random random(seed);
  const double amplitude = field.gust_amplitude * std::sqrt(2.0 / double(waves_.size()));
  for (Wave& wave : waves_) {
    const Vec3d along = random_direction(random), side = any_perpendicular(along);
    const double roll = random.uniform(0, turn);
    wave.direction = amplitude * (std::cos(roll) * side + std::sin(roll) * cross(along, side));
    wave.number = (turn / field.gust_scale * random.uniform(0.5, 1.5)) * along;
    wave.frequency = turn * field.gust_frequency * random.uniform(0.5, 1.5);
    wave.phase = random.uniform(0, turn);
  }
}

Vec3d Gust::velocity(const Vec3d& x, double time) const {
  Vec3d u;
  for (const Wave& wave : waves_)
    u += std::cos(dot(wave.number, x) + wave.frequency * time + wave.phase) * wave.direction;
  return u;
}

}  // namespace tendril
