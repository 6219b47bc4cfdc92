#include "physics/oscillation.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace tendril::app::physics {

namespace {

struct Peak {
  double time = 0, height = 0;
};

// where the parabola through three samples has its extremum
Peak peak_at(const std::vector<double>& u, std::size_t k, double h) {
  const double slope = (u[k + 1] - u[k - 1]) / 2, curvature = u[k + 1] - 2 * u[k] + u[k - 1];
  const double shift = curvature == 0 ? 0 : -slope / curvature;
  return {(double(k) + shift) * h, std::abs(u[k] + slope * shift / 2)};
}

// minus the slope of log height over time, by least squares
double fitted_decay(const std::vector<Peak>& peaks) {
  double n = 0, t = 0, y = 0, tt = 0, ty = 0;
  for (const Peak& peak : peaks) {
    const double log_height = std::log(peak.height);
    n += 1, t += peak.time, y += log_height, tt += peak.time * peak.time, ty += peak.time * log_height;
  }
  return -(n * ty - t * y) / (n * tt - t * t);
}

}  // namespace

Oscillation oscillation(const std::vector<double>& u, double h) {
  std::vector<double> crossings;
  std::vector<Peak> peaks;
  std::size_t highest = 0;  // since the last crossing
  for (std::size_t k = 1; k + 1 < u.size(); ++k) {
    if (highest == 0 || std::abs(u[k]) > std::abs(u[highest])) highest = k;
    if ((u[k] < 0) == (u[k + 1] < 0)) continue;
    if (!crossings.empty()) peaks.push_back(peak_at(u, highest, h));
    crossings.push_back((double(k) + u[k] / (u[k] - u[k + 1])) * h);
    highest = 0;
  }
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (crossings.size() < 3) return {0, nan, nan};
  const double half_periods = double(crossings.size() - 1);
  return {int(half_periods / 2), std::numbers::pi * half_periods / (crossings.back() - crossings.front()),
          fitted_decay(peaks)};
}

}  // namespace tendril::app::physics
