#include "sim/gust.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/pack.h"
#include "math/random.h"

namespace tendril::sim {
namespace {

using P = Pack<double>;

constexpr double turn = 2 * std::numbers::pi;

// evenly over the unit sphere
Vec3d random_direction(Random& random) {
  const double z = random.uniform(-1, 1), angle = random.uniform(0, turn), r = std::sqrt(1 - z * z);
  return {r * std::cos(angle), r * std::sin(angle), z};
}

// cos(2 pi t), to 1e-9: t is brought to [-1/4, 1/4] and the sign kept, then the series of cos
P cosine_of_turns(P t) {
  t -= floor(t + P(0.5));        // [-1/2, 1/2)
  const P a = P(0.25) - abs(t);  // cos(2 pi t) = sin(2 pi a)
  const P x = P(turn) * a, x2 = x * x;
  P series(-1.0 / 39916800);
  for (double c : {1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6, 1.0}) series = P(c) + x2 * series;
  return x * series;
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
    waves_[n] = {direction, number, field.gust_frequency * random.uniform(0.5, 1.5), random.uniform()};
  }
}

[[gnu::flatten]] void Gust::add(const Vec3d* x, int count, double time, Vec3d* velocity) const {
  for (int first = 0; first < count; first += P::lanes) {
    const int used = std::min(P::lanes, count - first);
    Vec3<P> place{P(0), P(0), P(0)}, u = place;
    for (int lane = 0; lane < used; ++lane)
      for (int k = 0; k < 3; ++k) place[k].v[lane] = x[first + lane][k];
    for (const Wave& wave : waves_) {
      const P turns = P(wave.number.x) * place.x + P(wave.number.y) * place.y + P(wave.number.z) * place.z;
      const P height = cosine_of_turns(turns + P(wave.frequency * time + wave.phase));
      for (int k = 0; k < 3; ++k) u[k] += height * P(wave.direction[k]);
    }
    for (int lane = 0; lane < used; ++lane)
      for (int k = 0; k < 3; ++k) velocity[first + lane][k] += u[k].v[lane];
  }
}

Vec3d Gust::velocity(const Vec3d& x, double time) const {
  Vec3d u;
  add(&x, 1, time, &u);
  return u;
}

}  // namespace tendril::sim
