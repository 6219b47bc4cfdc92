#include "scene/generators/tree_shoots.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/random.h"

namespace tendril::scene {
namespace {

using std::numbers::pi;

const double golden_angle = pi * (3 - std::sqrt(5.0));

// where a side shoot leaves its parent
struct Position {
  double f = 0;        // from 0 to 1 through the crown of the parent
  double azimuth = 0;  // [rad]
};

// in the spiral of the golden angle
Position on_spiral(int k, int count, double turn, Random& random) {
  const double f = (k + random.uniform(0.2, 0.8)) / count;
  return {f, turn + golden_angle * k};
}

// several at one height, evenly round about
Position in_whorl(int k, int count, int whorl, double turn, Random& random) {
  const int tier = k / whorl, tiers = (count + whorl - 1) / whorl;
  const double f = (tier + random.uniform(0.4, 0.6)) / tiers;
  return {f, turn + golden_angle * tier + 2 * pi * (k % whorl) / whorl};
}

// in turn to the left and to the right
Position in_spray(int k, int count, Random& random) {
  const double f = (k + random.uniform(0.3, 0.7)) / count;
  return {f, pi * (k % 2)};
}

Position position(const TreeOptions& o, const Shoot& parent, int k, int count, double turn, Random& random) {
  const bool leaves = parent.level == o.levels - 1;
  if (o.habit != Habit::whorled || leaves) return on_spiral(k, count, turn, random);
  return parent.level == 0 ? in_whorl(k, count, o.whorl, turn, random) : in_spray(k, count, random);
}

// the longest shoot at this height of the crown is 1: a dome, a cone, or widest a third of the way up, where the leader
// stays the longest (apical dominance)
double outline(Habit habit, const Shoot& parent, double f) {
  switch (habit) {
    case Habit::weeping:
      return parent.level == 0 ? 1 - 0.45 * f * f : 1 - 0.35 * f;
    case Habit::whorled:
      return parent.level == 0 ? 1 - 0.93 * f : 1 - 0.7 * f;
    default:
      return parent.level == 0 ? 0.35 + 0.65 * std::sin(pi * (0.25 + 0.75 * f)) : 1 - 0.6 * f;
  }
}

double shoot_length(const TreeOptions& o, const Shoot& parent, double f) {
  if (parent.level == o.levels - 1) return o.leaf_length;
  if (parent.level == o.levels - 2 && o.twig_length > 0) return o.twig_length;
  return o.length_ratio * parent.length * outline(o.habit, parent, f);
}

// wider below than above on the trunk; the twigs and needles of a conifer point ahead
double shoot_angle(const TreeOptions& o, const Shoot& parent, double f) {
  if (o.habit == Habit::whorled) return o.angle * (parent.level == 0 ? 1.1 - 0.4 * f : 0.65);
  return o.angle * (parent.level == 0 ? 1.25 - 0.6 * f : 1.0);
}

// the stretch of a shoot that has side shoots, as fractions of its length
struct Crown {
  double from = 0, to = 0.98;
};

// a hanging twig has leaves from its start; the leader of a conifer stands above its last whorl
Crown crown_of(const TreeOptions& o, const Shoot& shoot) {
  if (shoot.level == o.levels - 1) return {o.habit == Habit::weeping ? 0.05 : 0.25};
  if (shoot.level > 0) return {0.2};
  return {o.crown_base, o.habit == Habit::whorled ? 0.97 : 0.98};
}

void sprout(const TreeOptions& o, int parent_index, Random& random, std::vector<Shoot>& shoots) {
  const Shoot parent = shoots[parent_index];
  const bool leaves = parent.level == o.levels - 1;
  const int count = leaves ? o.leaves : o.side_shoots(parent.level);
  const Crown crown = crown_of(o, parent);
  const double turn = random.uniform(0, 2 * pi);
  for (int k = 0; k < count; ++k) {
    const Position p = position(o, parent, k, count, turn, random);
    Shoot shoot;
    shoot.level = parent.level + 1;
    shoot.part = leaves ? Shoot::leaf : shoot.level == o.levels - 1 && o.levels > 2 ? Shoot::twig : Shoot::branch;
    shoot.parent = parent_index;
    shoot.at = leaves && k == count - 1 ? 1 : crown.from + (crown.to - crown.from) * p.f;
    shoot.length = shoot_length(o, parent, p.f) * random.uniform(0.8, 1.1);
    shoot.angle = shoot_angle(o, parent, p.f) * random.uniform(0.85, 1.15);
    if (leaves && k == count - 1) shoot.angle *= 0.3;
    shoot.azimuth = p.azimuth + random.uniform(-0.25, 0.25);
    for (double& wave : shoot.wander) wave = leaves ? 0 : o.crookedness * random.uniform(-1, 1);
    shoots.push_back(shoot);
  }
}

bool hangs(const TreeOptions& o, const Shoot& shoot) {
  return o.habit == Habit::weeping && shoot.level == o.levels - 1 && shoot.level > 0;
}

// a twig that hangs has turned to the ground after the first third of its length
Vec3d hanging(const Vec3d& direction, double f) {
  const Vec3d down{0, 0, -1}, axis = cross(direction, down);
  if (norm(axis) < 1e-9) return direction;
  const double angle = std::atan2(norm(axis), dot(direction, down));
  const double rest = std::pow(1 - f, 6);
  return rotate(quaternion_exp((0.97 * (1 - rest) * angle) * normalized(axis)), direction);
}

}  // namespace

std::vector<Shoot> grow(const TreeOptions& o) {
  Random random(static_cast<std::uint64_t>(o.seed));
  Shoot first;
  first.length = o.height;
  for (double& wave : first.wander)
    wave = (o.habit == Habit::whorled ? 0.1 : 0.4) * o.crookedness * random.uniform(-1, 1);
  std::vector<Shoot> shoots{first};
  for (size_t k = 0; k < shoots.size(); ++k)
    if (shoots[k].part != Shoot::leaf) sprout(o, static_cast<int>(k), random, shoots);
  return shoots;
}

Vec3d direction_at(const TreeOptions& o, const Shoot& shoot, const Quatd& frame, double f) {
  const auto& w = shoot.wander;
  const double one = std::sin(pi * f), two = std::sin(2 * pi * f);
  const Vec3d wandered =
      rotate(frame * quaternion_exp({w[0] * one + w[1] * two, w[2] * one + w[3] * two, 0}), Vec3d{0, 0, 1});
  if (hangs(o, shoot)) return hanging(wandered, f);
  const Vec3d up{0, 0, 1};
  const Vec3d lift = cross(wandered, up);  // its length is the sine of the angle to the sky
  const double share = shoot.part == Shoot::trunk ? 0 : shoot.part == Shoot::leaf ? -0.5 : 1;
  return rotate(quaternion_exp((share * o.gravitropism * f) * lift), wandered);
}

// the sprays of a conifer are level
Quatd start_frame(const TreeOptions& o, const Shoot& shoot, const Vec3d& along) {
  const Vec3d side = cross(Vec3d{0, 0, 1}, along);
  const bool level = o.habit == Habit::whorled && shoot.part != Shoot::leaf && shoot.level > 1 && norm(side) > 1e-3;
  const Quatd frame = frame_from_tangent(along, level ? normalized(side) : any_perpendicular(along));
  return frame * quaternion_exp({0, 0, shoot.azimuth}) * quaternion_exp({0, shoot.angle, 0});
}

}  // namespace tendril::scene
