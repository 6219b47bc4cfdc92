#pragma once

#include <array>
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
  struct Wave {
    Vec3d direction;               // e_n, times the amplitude [m/s]
    Vec3d number;                  // k_n [rad/m]
    double frequency = 0, phase = 0;  // w_n [rad/s], p_n [rad]
  };
  std::array<Wave, 16> waves_;
};

}  // namespace tendril
