#pragma once

#include <cstdint>

#include "rod/model.h"

namespace tendril {

// A gusty wind: a sum of random waves, smooth in space and time and the same for the same seed.
//   u(x, t) = A sqrt(2/N) Σ_n e_n cos(k_n · x + w_n t + p_n),   e_n ⊥ k_n
// with wave lengths about `gust_scale` and frequencies about `gust_frequency`; e_n ⊥ k_n makes it free of divergence,
// the factor makes A = `gust_amplitude` the root mean square of |u|.
class Gust {
 public:
  Gust(const Field& field, std::uint64_t seed);
  Vec3d velocity(const Vec3d& x, double time) const;  // [m/s]

 private:
  static constexpr int wave_count = 8;
  double direction_[3][wave_count];   // e_n, times the amplitude [m/s]
  double number_[3][wave_count];      // k_n [turns/m]
  double frequency_[wave_count];      // [Hz]
  double phase_[wave_count];          // [turns]
};

}  // namespace tendril
