#include "rod/motion.h"

#include <algorithm>
#include <cassert>
#include <numbers>

namespace tendril::rod {
namespace {

// displacement and turn of one motion, with their rates; constant before `from` and after `until`
struct Drive {
  Vec3d shift, shift_rate;           // in the motion's frame [m], [m/s]
  double angle = 0, angle_rate = 0;  // [rad], [rad/s]
};

Drive drive_at(const Motion& motion, double time) {
  if (!later(time, motion.from)) return {};
  const double t = std::min(time, motion.until), elapsed = t - motion.from;
  const double pulse = 2 * std::numbers::pi * motion.sine_frequency;
  const double phase = pulse * elapsed + motion.sine_phase;

  Drive drive;
  drive.shift =
      elapsed * motion.velocity + interpolate(motion.translation_keys, t) + std::sin(phase) * motion.sine_amplitude;
  drive.angle = elapsed * motion.rate + interpolate(motion.angle_keys, t).x;
  if (later(time, motion.until)) return drive;
  drive.shift_rate =
      motion.velocity + interpolated_rate(motion.translation_keys, t) + pulse * std::cos(phase) * motion.sine_amplitude;
  drive.angle_rate = motion.rate + interpolated_rate(motion.angle_keys, t).x;
  return drive;
}

// one motion on top of a frame that moves already; `frame` is how the driven thing was turned at `from`
//   x <- p + R (x - p) + d,  q <- R q,  p the pivot, fixed in the world or the driven point itself
Moving apply(const Motion& motion, const Moving& below, const Quatd& frame, double time) {
  const Drive drive = drive_at(motion, time);
  const auto to_world = [&](const Vec3d& a) { return motion.in_material_frame ? rotate(frame, a) : a; };
  const Vec3d axis = to_world(normalized(motion.axis));
  const Quatd turn = quaternion_exp(drive.angle * axis);
  const Vec3d spin = drive.angle_rate * axis;

  Moving above;
  above.pose.q = normalized(turn * below.pose.q);
  above.pose.x = below.pose.x + to_world(drive.shift);
  above.twist.omega = spin + rotate(turn, below.twist.omega);
  above.twist.v = below.twist.v + to_world(drive.shift_rate);
  if (motion.about_is_set) {
    const Vec3d arm = rotate(turn, below.pose.x - motion.about);
    above.pose.x += motion.about + arm - below.pose.x;
    above.twist.v += cross(spin, arm) + rotate(turn, below.twist.v) - below.twist.v;
  }
  return above;
}

Moving apply_all(std::span<const Motion> motions, const Pose& start, double time) {
  Moving moving{start, {}};
  for (std::size_t k = 0; k < motions.size(); ++k) {
    const bool turned = motions[k].in_material_frame && k > 0;
    const Quatd frame = turned ? apply_all(motions.first(k), start, motions[k].from).pose.q : start.q;
    moving = apply(motions[k], moving, frame, time);
  }
  return moving;
}

// the interval of keys in which time lies, as its right end; a corner belongs to the interval on its left
std::size_t right_key(const Keys& keys, double time) {
  std::size_t k = 0;
  while (k < keys.size() && later(time, keys[k].time)) ++k;
  return k;
}

}  // namespace

Vec3d interpolate(const Keys& keys, double time) {
  if (keys.empty()) return {};
  const std::size_t k = right_key(keys, time);
  if (k == 0) return keys.front().value;
  if (k == keys.size()) return keys.back().value;
  const double u = (time - keys[k - 1].time) / (keys[k].time - keys[k - 1].time);
  return (1 - u) * keys[k - 1].value + u * keys[k].value;
}

Vec3d interpolated_rate(const Keys& keys, double time) {
  const std::size_t k = right_key(keys, time);
  if (k == 0 || k == keys.size()) return {};
  return (keys[k].value - keys[k - 1].value) / (keys[k].time - keys[k - 1].time);
}

Pose moved(const Motion& motion, const Pose& start, double time) { return apply_all({&motion, 1}, start, time).pose; }

Twist motion_rate(const Motion& motion, const Pose& start, double time) {
  return apply_all({&motion, 1}, start, time).twist;
}

Moving moving(std::span<const Motion> motions, const Pose& start, double time) {
  return apply_all(motions, start, time);
}

Pose moved(std::span<const Motion> motions, const Pose& start, double time) {
  return apply_all(motions, start, time).pose;
}

Twist motion_rate(std::span<const Motion> motions, const Pose& start, double time) {
  return apply_all(motions, start, time).twist;
}

}  // namespace tendril::rod
