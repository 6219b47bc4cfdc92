#include "physics/heavy_cantilever.h"

#include <array>
#include <cmath>
#include <numbers>

namespace tendril::app::physics {

namespace {

using Unknowns = std::array<double, 4>;  // φ, φ', ∫ sin φ, ∫ cos φ

Unknowns operator+(const Unknowns& a, const Unknowns& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]};
}
Unknowns operator*(double s, const Unknowns& a) { return {s * a[0], s * a[1], s * a[2], s * a[3]}; }

// from the tip to the clamp; ends early when φ has passed π/2 by far
Unknowns at_clamp(double gamma, double alpha, double delta) {
  constexpr int steps = 4000;
  constexpr double du = 1.0 / steps;
  const auto rate = [&](double u, const Unknowns& y) -> Unknowns {
    const double s = std::sin(y[0]);
    return {y[1], (alpha + gamma * u) * s, s, std::cos(y[0])};
  };
  Unknowns y{delta, 0, 0, 0};
  for (int k = 0; k < steps && y[0] < 3; ++k) {
    const double u = k * du;
    const Unknowns k1 = rate(u, y);
    const Unknowns k2 = rate(u + du / 2, y + (du / 2) * k1);
    const Unknowns k3 = rate(u + du / 2, y + (du / 2) * k2);
    const Unknowns k4 = rate(u + du, y + du * k3);
    y = y + (du / 6) * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return y;
}

}  // namespace

CantileverShape heavy_cantilever(double gamma, double alpha) {
  constexpr double right_angle = std::numbers::pi / 2;
  double low = -100, high = std::log(right_angle);  // of log δ
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    (at_clamp(gamma, alpha, std::exp(middle))[0] < right_angle ? low : high) = middle;
  }
  const Unknowns y = at_clamp(gamma, alpha, std::exp(low));
  return {y[2], y[3], right_angle - std::exp(low)};
}

}  // namespace tendril::app::physics
