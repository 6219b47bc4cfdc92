#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "rod/state.h"

namespace tendril::rod {

constexpr double forever = std::numeric_limits<double>::infinity();

// whether `time` lies after `instant` by more than the rounding of n h: a step that ends at an instant is not past it
inline bool later(double time, double instant) {
  return time > instant + 4 * std::numeric_limits<double>::epsilon() * std::abs(instant);
}

// a value known at some instants, linear between them and constant outside
struct Keyframe {
  double time = 0;
  Vec3d value;
};
using Keys = std::vector<Keyframe>;
Vec3d interpolate(const Keys& keys, double time);
Vec3d interpolated_rate(const Keys& keys,
                        double time);  // the slope from the left at a corner: what a step that ends there saw

// a prescribed movement: a displacement and a turn, added to where the driven thing stood at `from`
struct Motion {
  // translation [m]
  Vec3d velocity;             // [m/s], from `from` on
  Keys translation_keys;      // displacement [m] at instants [s]
  Vec3d sine_amplitude;       // [m]: amplitude sin(2 pi frequency (t - from) + phase)
  double sine_frequency = 0;  // [Hz]
  double sine_phase = 0;      // [rad]
  // rotation [rad] about an axis through `about`
  Vec3d axis{0, 0, 1};
  double rate = 0;                   // [rad/s]
  Keys angle_keys;                   // angle [rad] (x component) at instants [s]
  Vec3d about;                       // pivot [m, world]
  bool about_is_set = false;         // otherwise the driven point itself
  bool in_material_frame = false;    // translation and axis are given in the frame of the driven thing at `from`
  double from = 0, until = forever;  // [s]; after `until` it stays where it was left
};

// a frame that stood at `start` when the motion began, at `time`
Pose moved(const Motion& motion, const Pose& start, double time);
Twist motion_rate(const Motion& motion, const Pose& start, double time);

// several motions of one frame, each on top of those before it: a turn about the driven point follows the point
Pose moved(std::span<const Motion> motions, const Pose& start, double time);
Twist motion_rate(std::span<const Motion> motions, const Pose& start, double time);
struct Moving {
  Pose pose;
  Twist twist;
};
Moving moving(std::span<const Motion> motions, const Pose& start, double time);  // both at once

}  // namespace tendril::rod
