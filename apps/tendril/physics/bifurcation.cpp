#include "physics/bifurcation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "math/random.h"

namespace tendril::app::physics {

State displaced(const Model& model, State state, const std::function<Vec3d(double fraction)>& by) {
  std::vector<Vec3d> free_axes(state.x.size(), {1, 1, 1});
  for (const Tie& tie : model.ties)
    for (int k = 0; k < 3; ++k)
      if (tie.held[k]) free_axes[tie.vertex][k] = 0;
  const Rod& rod = model.rods[0];
  const std::vector<Vec3d> before = state.x;
  for (std::size_t k = 0; k < rod.vertices.size(); ++k) {
    const int i = rod.vertices[k];
    state.x[i] += scale(free_axes[i], by(double(k) / rod.segment_count));
  }
  for (std::size_t s = 0; s < state.q.size(); ++s) {
    const auto [a, b] = model.segments[s].vertex;
    const Vec3d was = normalized(before[b] - before[a]), is = normalized(state.x[b] - state.x[a]);
    state.q[s] = normalized(rotation_between(was, is) * state.q[s]);
  }
  return state;
}

std::function<Vec3d(double fraction)> smooth_noise(std::uint64_t seed) {
  constexpr int waves = 4;
  std::array<Vec3d, waves> amplitude;
  Random random(seed);
  for (Vec3d& a : amplitude) a = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  return [=](double fraction) {
    Vec3d sum;
    for (int k = 0; k < waves; ++k) sum += (std::sin((k + 1) * std::numbers::pi * fraction) / waves) * amplitude[k];
    return sum;
  };
}

bool grows(Simulation& rod, int steps, const std::function<double(const State&)>& size) {
  const double start = size(rod.state());
  double early = 0, late = 0;
  for (int n = 1; n <= steps; ++n) {
    rod.step();
    const double now = size(rod.state());
    if (now > 10 * start) return true;
    if (4 * n > steps && 2 * n <= steps) early = std::max(early, now);
    if (4 * n > 3 * steps) late = std::max(late, now);
  }
  return late > 1.5 * early;
}

double critical_value(const Range& range, const std::function<bool(double)>& is_unstable, double precision) {
  auto [low, high] = range;
  if (is_unstable(low) || !is_unstable(high)) return std::numeric_limits<double>::quiet_NaN();
  while (high - low > precision * std::abs(high)) {
    const double middle = (low + high) / 2;
    (is_unstable(middle) ? high : low) = middle;
  }
  return (low + high) / 2;
}

}  // namespace tendril::app::physics
