#include "scene/generators/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <numbers>

#include "scene/curves/chain.h"
#include "scene/curves/curve_error.h"
#include "scene/curves/share.h"
#include "scene/generators/tree_shoots.h"

namespace tendril::scene {
namespace {

using std::numbers::pi;

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
  require(o.boughs >= 0 && o.boughs <= 1000, "boughs", "must lie between 0 and 1000");
  require(o.branching >= 1 && o.branching <= 1000, "branching", "must lie between 1 and 1000");
  require(o.whorl >= 1 && o.whorl <= 1000, "whorl", "must lie between 1 and 1000");
  require(o.crown_base >= 0 && o.crown_base < 1, "crown_base", "must lie between 0 and 1");
  require(o.angle > 0 && o.angle < pi, "angle", "must lie between 0 and pi");
  require(o.length_ratio > 0 && o.length_ratio <= 1, "length_ratio", "must lie between 0 and 1");
  require(o.twig_length >= 0 && std::isfinite(o.twig_length), "twig_length", "must be 0 or greater");
  require(std::abs(o.gravitropism) <= pi, "gravitropism", "must lie between -pi and pi");
  require(o.crookedness >= 0 && o.crookedness <= pi, "crookedness", "must lie between 0 and pi");
  require(o.leaves >= 0 && o.leaves <= 1000, "leaves", "must lie between 0 and 1000");
  positive(o.leaf_length, "leaf_length");
  positive(o.leaf_radius, "leaf_radius");
  require(o.vertices >= 2 && o.vertices <= most_segments, "vertices", "must lie between 2 and ten million");

  // every shoot takes a segment, so a tree with more shoots than vertices is refused before it grows
  double shoots = 1, last = 1;
  for (int level = 1; level < o.levels; ++level) shoots += last *= o.side_shoots(level - 1);
  const double all = shoots + last * o.leaves;
  if (all > o.vertices - 1.0)
    throw CurveError("vertices", fmt::format("is {}, but this tree has {} shoots and leaves, and each needs a segment: "
                                             "raise it, or lower `levels`, `boughs`, `branching` or `leaves`",
                                             o.vertices, all));
}

// a leaf is one segment; the wood shares the rest by length
std::vector<int> segment_counts(const TreeOptions& o, const std::vector<Shoot>& shoots) {
  std::vector<double> lengths;
  for (const Shoot& shoot : shoots) lengths.push_back(shoot.part == Shoot::leaf ? 0 : shoot.length);
  return share_out(o.vertices - 1, lengths, std::vector<int>(shoots.size(), 1));
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

  Quatd frame_at_start(const Shoot& shoot, int parent_steps) const {
    if (shoot.parent < 0) return {};
    const double f = double(parent_steps) / counts_[shoot.parent];
    return start_frame(o_, shoot, direction_at(o_, shoots_[shoot.parent], frames_[shoot.parent], f));
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
    frames_.push_back(frame_at_start(shoot, parent_steps));
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
      if (curve_.part[e] == Shoot::leaf) continue;
      const double length = norm(curve_.points[b] - curve_.points[a]);
      middle[e] = fed[b] + 0.5 * length;
      fed[a] += fed[b] + length;
    }
    const double thin = o_.twig_radius * o_.twig_radius, thick = o_.trunk_radius * o_.trunk_radius;
    for (int e = 0; e < count; ++e)
      if (curve_.part[e] != Shoot::leaf) curve_.radius[e] = std::sqrt(thin + (thick - thin) * middle[e] / fed[0]);
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

}  // namespace tendril::scene
