#include "scene/generators/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <numbers>
#include <numeric>

#include "math/quat.h"
#include "math/random.h"
#include "scene/curves/chain.h"
#include "scene/curves/curve_error.h"
#include "scene/curves/share.h"

namespace tendril {
namespace {

using std::numbers::pi;

enum Part { trunk, branch, twig, leaf };

// one shoot before it is cut into segments
struct Shoot {
  Part part = trunk;
  int level = 0;
  int parent = -1;
  double at = 0;                 // fraction of the parent's length where it grows
  double length = 0;             // [m]
  double angle = 0;              // from the parent's direction [rad]
  double azimuth = 0;            // about it [rad]
  std::array<double, 4> wander;  // amplitudes of its waves, two across each way [rad]
};

void check(const TreeOptions& o) {
  const auto positive = [](double value, const char* key) {
    require(value > 0 && std::isfinite(value), key, "must be greater than 0");
  };
  require(is_finite(o.base), "base", "must be finite");
  positive(o.height, "height");
  positive(o.trunk_radius, "trunk_radius");
  positive(o.twig_radius, "twig_radius");
  require(o.twig_radius <= o.trunk_radius, "twig_radius", "must not exceed `trunk_radius`");
  require(o.levels >= 1 && o.levels <= 8, "levels", "must lie between 1 and 8");
  require(o.branching >= 1 && o.branching <= 1000, "branching", "must lie between 1 and 1000");
  require(o.crown_base >= 0 && o.crown_base < 1, "crown_base", "must lie between 0 and 1");
  require(o.angle > 0 && o.angle < pi, "angle", "must lie between 0 and pi");
  require(o.length_ratio > 0 && o.length_ratio <= 1, "length_ratio", "must lie between 0 and 1");
  require(std::abs(o.gravitropism) <= pi, "gravitropism", "must lie between -pi and pi");
  require(o.crookedness >= 0 && o.crookedness <= pi, "crookedness", "must lie between 0 and pi");
  require(o.leaves >= 0 && o.leaves <= 1000, "leaves", "must lie between 0 and 1000");
  positive(o.leaf_length, "leaf_length");
  positive(o.leaf_radius, "leaf_radius");
  require(o.vertices >= 2 && o.vertices <= most_segments, "vertices", "must lie between 2 and ten million");

  // every shoot takes a segment, so a tree with more shoots than vertices is refused before it grows
  double shoots = 1, last = 1;
  for (int level = 1; level < o.levels; ++level) shoots += last *= o.branching;
  const double all = shoots + last * o.leaves;
  if (all > o.vertices - 1.0)
    throw CurveError("vertices", fmt::format("is {}, but this tree has {} shoots and leaves, and each needs a segment: "
                                             "raise it, or lower `levels`, `branching` or `leaves`",
                                             o.vertices, all));
}

// a crown that is widest a third of the way up; the leader stays the longest (apical dominance)
double shoot_length(const TreeOptions& o, const Shoot& parent, double f) {
  const double outline = parent.level == 0 ? 0.35 + 0.65 * std::sin(pi * (0.25 + 0.75 * f)) : 1 - 0.6 * f;
  return o.length_ratio * parent.length * outline;
}

// the side shoots of one shoot, in the spiral of the golden angle
void sprout(const TreeOptions& o, int parent_index, Random& random, std::vector<Shoot>& shoots) {
  const Shoot parent = shoots[parent_index];
  const bool leaves = parent.level == o.levels - 1;
  const int count = leaves ? o.leaves : o.branching;
  const double bare = leaves ? 0.25 : parent.level == 0 ? o.crown_base : 0.2;
  const double golden = pi * (3 - std::sqrt(5.0));
  const double turn = random.uniform(0, 2 * pi);
  for (int k = 0; k < count; ++k) {
    const double f = (k + random.uniform(0.2, 0.8)) / count;  // through the crown of the parent
    Shoot shoot;
    shoot.level = parent.level + 1;
    shoot.part = leaves ? leaf : shoot.level == o.levels - 1 && o.levels > 2 ? twig : branch;
    shoot.parent = parent_index;
    shoot.at = leaves && k == count - 1 ? 1 : bare + (0.98 - bare) * f;
    shoot.length = (leaves ? o.leaf_length : shoot_length(o, parent, f)) * random.uniform(0.8, 1.1);
    shoot.angle = o.angle * (parent.level == 0 ? 1.25 - 0.6 * f : 1.0) * random.uniform(0.85, 1.15);
    if (leaves && k == count - 1) shoot.angle *= 0.3;
    shoot.azimuth = turn + golden * k + random.uniform(-0.25, 0.25);
    for (double& wave : shoot.wander) wave = leaves ? 0 : o.crookedness * random.uniform(-1, 1);
    shoots.push_back(shoot);
  }
}

std::vector<Shoot> grow(const TreeOptions& o) {
  Random random(static_cast<std::uint64_t>(o.seed));
  Shoot first;
  first.length = o.height;
  for (double& wave : first.wander) wave = 0.4 * o.crookedness * random.uniform(-1, 1);
  std::vector<Shoot> shoots{first};
  for (size_t k = 0; k < shoots.size(); ++k)
    if (shoots[k].part != leaf) sprout(o, static_cast<int>(k), random, shoots);
  return shoots;
}

// a leaf is one segment; the wood shares the rest by length
std::vector<int> segment_counts(const TreeOptions& o, const std::vector<Shoot>& shoots) {
  std::vector<double> lengths;
  for (const Shoot& shoot : shoots) lengths.push_back(shoot.part == leaf ? 0 : shoot.length);
  return share_out(o.vertices - 1, lengths, std::vector<int>(shoots.size(), 1));
}

// the direction of a shoot after a fraction of its length: it wanders in two slow waves and turns toward the sky
Vec3d direction_at(const TreeOptions& o, const Shoot& shoot, const Quatd& frame, double f) {
  const auto& w = shoot.wander;
  const double one = std::sin(pi * f), two = std::sin(2 * pi * f);
  const Vec3d wandered =
      rotate(frame * quaternion_exp({w[0] * one + w[1] * two, w[2] * one + w[3] * two, 0}), Vec3d{0, 0, 1});
  const Vec3d up{0, 0, 1};
  const Vec3d lift = cross(wandered, up);  // its length is the sine of the angle to the sky
  const double share = shoot.part == trunk ? 0 : shoot.part == leaf ? -0.5 : 1;
  return rotate(quaternion_exp((share * o.gravitropism * f) * lift), wandered);
}

// cuts every shoot into its segments, parents first
class Builder {
 public:
  Builder(const TreeOptions& options, const std::vector<Shoot>& shoots)
      : o_(options), shoots_(shoots), counts_(segment_counts(options, shoots)), inner_(shoots.size()) {
    curve_.chain = false;
    curve_.part_names = {"trunk", "branch", "twig", "leaf"};
    curve_.points.push_back(o_.base);
  }

  Curve build() {
    for (size_t k = 0; k < shoots_.size(); ++k) add(static_cast<int>(k));
    set_radii();
    return std::move(curve_);
  }

 private:
  // vertices of shoot k after `steps` of its segments
  int vertex(int k, int steps) const { return steps == 0 ? start_[k] : inner_[k] + steps - 1; }

  Quatd start_frame(const Shoot& shoot, int parent_steps) const {
    if (shoot.parent < 0) return {};
    const Shoot& parent = shoots_[shoot.parent];
    const double f = double(parent_steps) / counts_[shoot.parent];
    const Vec3d along = direction_at(o_, parent, frames_[shoot.parent], f);
    const Quatd frame = frame_from_tangent(along, any_perpendicular(along));
    return frame * quaternion_exp({0, 0, shoot.azimuth}) * quaternion_exp({0, shoot.angle, 0});
  }

  void add(int k) {
    const Shoot& shoot = shoots_[k];
    const int steps = counts_[k];
    int before = 0, parent_steps = 0;
    if (shoot.parent >= 0) {
      const int parent_count = counts_[shoot.parent];
      parent_steps = std::clamp(static_cast<int>(std::lround(shoot.at * parent_count)), 1, parent_count);
      before = vertex(shoot.parent, parent_steps);
    }
    frames_.push_back(start_frame(shoot, parent_steps));
    start_.push_back(before);
    inner_[k] = static_cast<int>(curve_.points.size());
    for (int step = 0; step < steps; ++step) {
      const Vec3d direction = direction_at(o_, shoot, frames_[k], (step + 0.5) / steps);
      curve_.points.push_back(curve_.points[before] + (shoot.length / steps) * direction);
      const int next = static_cast<int>(curve_.points.size()) - 1;
      curve_.edges.push_back({before, next});
      curve_.part.push_back(shoot.part);
      before = next;
    }
  }

  // the pipe model: a section is as large as the wood that it feeds is long
  //   r² = r_twig² + (r_trunk² - r_twig²) fed / all
  void set_radii() {
    const int count = static_cast<int>(curve_.edges.size());
    std::vector<double> fed(curve_.points.size(), 0);  // length of wood beyond each vertex
    curve_.radius.assign(count, o_.leaf_radius);
    std::vector<double> middle(count, 0);
    for (int e = count - 1; e >= 0; --e) {
      const auto [a, b] = curve_.edges[e];
      if (curve_.part[e] == leaf) continue;
      const double length = norm(curve_.points[b] - curve_.points[a]);
      middle[e] = fed[b] + 0.5 * length;
      fed[a] += fed[b] + length;
    }
    const double thin = o_.twig_radius * o_.twig_radius, thick = o_.trunk_radius * o_.trunk_radius;
    for (int e = 0; e < count; ++e)
      if (curve_.part[e] != leaf) curve_.radius[e] = std::sqrt(thin + (thick - thin) * middle[e] / fed[0]);
  }

  const TreeOptions& o_;
  const std::vector<Shoot>& shoots_;
  std::vector<int> counts_, start_, inner_;
  std::vector<Quatd> frames_;
  Curve curve_;
};

}  // namespace

Curve tree_curve(const TreeOptions& options) {
  check(options);
  const std::vector<Shoot> shoots = grow(options);
  Curve curve = Builder(options, shoots).build();
  assert(static_cast<int>(curve.points.size()) == options.vertices);
  check_edges(curve);
  return curve;
}

}  // namespace tendril
