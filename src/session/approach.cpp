#include "session/approach.h"

#include <algorithm>
#include <cmath>

namespace tendril::session {
namespace {

// `way` shortened to what is gone in h
Vec3d part(const Vec3d& way, double h, double most_speed) {
  constexpr double time_to_target = 0.1;  // [s]
  const double length = norm(way);
  if (length == 0) return way;
  return std::min(-std::expm1(-h / time_to_target), most_speed * h / length) * way;
}

}  // namespace

Pose approach(const Pose& from, const Pose& target, double h, const HandSpeed& speed) {
  const Vec3d way = part(target.x - from.x, h, speed.way);
  const Vec3d turn = part(turn_between(from.q, target.q), h, speed.turn);
  return {from.x + way, normalized(quaternion_exp(turn) * from.q)};
}

bool is_within_reach(const Pose& from, const Pose& target, double h, const HandSpeed& speed) {
  return norm(target.x - from.x) <= speed.way * h && norm(turn_between(from.q, target.q)) <= speed.turn * h;
}

}  // namespace tendril::session
