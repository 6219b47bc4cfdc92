#include "physics/beam_mode.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace tendril::app::physics {

namespace {

// both solutions, one in each column: w, φ, M, Q
using Solutions = Eigen::Matrix<double, 4, 2>;

Solutions at_start(const Beam& beam, BeamStart start) {
  Solutions y = Solutions::Zero();
  if (start == BeamStart::clamped)
    y(2, 0) = beam.EI, y(3, 1) = beam.EI;
  else
    y(0, 0) = 1, y(1, 1) = 1;
  return y;
}

// by Runge-Kutta steps over `distance`
Solutions carried(const Beam& beam, double omega, Solutions y, double distance) {
  Eigen::Matrix4d rate = Eigen::Matrix4d::Zero();
  rate(0, 1) = 1, rate(0, 3) = 1 / beam.GA;
  rate(1, 2) = 1 / beam.EI;
  rate(2, 1) = -omega * omega * beam.linear_inertia, rate(2, 3) = -1;
  rate(3, 0) = -omega * omega * beam.linear_density;
  constexpr int steps = 4;
  const Eigen::Matrix4d a = (distance / steps) * rate;
  for (int k = 0; k < steps; ++k) {
    const Solutions k1 = a * y, k2 = a * (y + k1 / 2), k3 = a * (y + k2 / 2), k4 = a * (y + k3);
    y += (k1 + 2 * k2 + 2 * k3 + k4) / 6;
  }
  return y;
}

constexpr int parts = 100;

// zero when M = Q = 0 can be had at the end
double determinant(const Beam& beam, BeamStart start, double omega) {
  Solutions y = at_start(beam, start);
  for (int k = 0; k < parts; ++k) y = carried(beam, omega, y, beam.length / parts);
  return y(2, 0) * y(3, 1) - y(2, 1) * y(3, 0);
}

double natural_omega(const Beam& beam, BeamStart start, int number) {
  const double unit = std::sqrt(beam.EI / beam.linear_density) / (beam.length * beam.length);
  const auto value = [&](double beta) { return determinant(beam, start, beta * beta * unit); };
  double high = 1, at_low = 0, at_high = value(high);  // of βL
  for (int found = 0; found < number; found += (at_low < 0) != (at_high < 0)) {
    high += 0.1;
    at_low = at_high, at_high = value(high);
  }
  double low = high - 0.1;
  for (int k = 0; k < 50; ++k) {
    const double middle = (low + high) / 2;
    ((value(middle) < 0) == (at_low < 0) ? low : high) = middle;
  }
  return low * low * unit;
}

}  // namespace

BeamMode beam_mode(const Beam& beam, BeamStart start, int number, int segments) {
  BeamMode mode;
  mode.omega = natural_omega(beam, start, number);
  const double half = beam.length / (2 * segments);
  std::vector<Solutions> y{at_start(beam, start)};
  for (int k = 0; k < 2 * segments; ++k) y.push_back(carried(beam, mode.omega, y.back(), half));
  const Eigen::Vector2d mixture{-y.back()(2, 1), y.back()(2, 0)};
  double largest = 0;
  for (int k = 0; k <= 2 * segments; ++k) largest = std::max(largest, std::abs(y[k].row(0).dot(mixture)));
  for (int k = 0; k <= 2 * segments; ++k) {
    const Eigen::Vector4d mixed = y[k] * (mixture / largest);
    if (k % 2 == 0)
      mode.deflection.push_back(mixed[0]);
    else
      mode.turn.push_back(mixed[1]);
  }
  return mode;
}

}  // namespace tendril::app::physics
