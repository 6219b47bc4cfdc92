#pragma once

#include <cstdint>

#include "rod/model.h"

namespace tendril::sim {

// A gusty wind: a sum of random waves, smooth in space and time and the same for the same seed.
//   u(x, t) = A sqrt(2/N) Σ_n e_n cos(k_n · x + w_n t + p_n),   e_n ⊥ k_n
// with wave lengths about `gust_scale` and frequencies about `gust_frequency`; e_n ⊥ k_n makes it free of divergence,
// the factor makes A = `gust_amplitude` the root mean square of |u|.
class Gust {
 public:
  Gust(const Field& field, std::uint64_t seed);
  void add(const Vec3d* x, int count, double time, Vec3d* velocity) const;  // [m/s], at each x
  Vec3d velocity(const Vec3d& x, double time) const;

 private:
  static constexpr int wave_count = 8;
  struct Wave {
    Vec3d direction;   // e_n, times the amplitude [m/s]
    Vec3d number;      // k_n [turns/m]
    double frequency;  // [Hz]
    double phase;      // [turns]
  } waves_[wave_count];
};

}  // namespace tendril::sim
