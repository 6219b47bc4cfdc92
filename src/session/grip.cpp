#include "session/grip.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendril::session {
namespace {

struct Connected {
  double mass = 0, length = 0;  // [kg], [m]
};

// all segments that hang together with this one
Connected connected_to(const Model& model, int segment) {
  std::vector<std::vector<int>> at(model.vertices.size());
  for (std::size_t s = 0; s < model.segments.size(); ++s)
    for (int i : model.segments[s].vertex) at[i].push_back(int(s));
  std::vector<char> is_seen(model.segments.size(), false);
  std::vector<int> next{segment};
  is_seen[segment] = true;
  Connected sum;
  while (!next.empty()) {
    const Segment& s = model.segments[next.back()];
    next.pop_back();
    sum.length += s.rest_length, sum.mass += s.rest_length * s.linear_density;
    for (int i : s.vertex)
      for (int other : at[i])
        if (!is_seen[other]) is_seen[other] = true, next.push_back(other);
  }
  return sum;
}

}  // namespace

Vec3d position(const Grip& grip, const Model& model, const State& state) {
  if (grip.segment < 0) return state.body_x[grip.body] + rotate(state.body_q[grip.body], grip.point);
  const auto [a, b] = model.segments[grip.segment].vertex;
  return (1 - grip.fraction) * state.x[a] + grip.fraction * state.x[b];
}

GripStrength grip_strength(const Grip& grip, const Model& model, double time_step) {
  constexpr double once_a_second = 2 * std::numbers::pi;  // [rad/s]
  const double g = std::max(norm(model.gravity), 1.0);
  if (grip.segment < 0) {  // explicit, so slow against the step; a lever makes a body lighter
    const Body& body = model.bodies[grip.body];
    const double inertia = std::min({body.inertia.x, body.inertia.y, body.inertia.z});
    const double mass = 1 / (1 / body.mass + norm_squared(grip.point) / inertia);
    const double rate = std::min(2 * once_a_second, 0.25 / time_step);
    return {mass * rate * rate, mass * rate, 20 * body.mass * g};
  }
  const Segment& s = model.segments[grip.segment];
  const auto [mass, length] = connected_to(model, grip.segment);
  const double k = mass * std::max(10 * g / length, once_a_second * once_a_second) +
                   3 * std::max(s.EI1, s.EI2) / (length * length * length);
  return {k, 2 * std::sqrt(k * mass), k * length};
}

std::vector<Spring> springs_of(const Grip& grip, const Model& model, const State& state, const Vec3d& target,
                               const GripStrength& strength) {
  if (grip.segment < 0)
    return {{-1, grip.body, grip.point, target, strength.stiffness, strength.damping, strength.most_force}};
  const Vec3d way = target - position(grip, model, state);
  std::vector<Spring> springs;
  for (int end : {0, 1}) {
    const int i = model.segments[grip.segment].vertex[end];
    const double share = end == 0 ? 1 - grip.fraction : grip.fraction;
    if (share > 0)
      springs.push_back({i,
                         -1,
                         {},
                         state.x[i] + way,
                         share * strength.stiffness,
                         share * strength.damping,
                         share * strength.most_force});
  }
  return springs;
}

}  // namespace tendril::session
