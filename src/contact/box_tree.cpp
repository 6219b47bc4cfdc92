#include "contact/box_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tendril::contact {

namespace {

constexpr int bits_per_axis = 21;
constexpr double cells_per_axis = 1 << bits_per_axis;
constexpr float infinity = std::numeric_limits<float>::infinity();

// the middle of a side; not finite if the box is not
double middle(double low, double high) { return 0.5 * low + 0.5 * high; }

// two empty bits between each two of the lowest 21
std::uint64_t spread(std::uint64_t x) {
  x = (x | x << 32) & 0x1f00000000ffff;
  x = (x | x << 16) & 0x1f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  x = (x | x << 2) & 0x1249249249249249;
  return x;
}

void empty(BoxTree::Node& node, int lane) {
  for (int axis = 0; axis < 3; ++axis) node.low[axis][lane] = infinity, node.high[axis][lane] = -infinity;
  node.last[lane] = node.below[lane] = -1;
}

}  // namespace

// The cube is fifty times as wide as what holds fifteen of sixteen boxes of a sample: few boxes far away cannot make
// the cells coarse for all others.
Grid Grid::around(std::span<const Bounds> boxes) {
  constexpr std::size_t sample_size = 1024;
  const std::size_t stride = boxes.size() / sample_size + 1;
  Grid grid;
  double widest = 0;
  std::vector<double> sample;
  for (int axis = 0; axis < 3; ++axis) {
    sample.clear();
    for (std::size_t i = 0; i < boxes.size(); i += stride) {
      const double x = middle(boxes[i].low[axis], boxes[i].high[axis]);
      if (std::isfinite(x)) sample.push_back(x);
    }
    if (sample.empty()) continue;
    std::sort(sample.begin(), sample.end());
    const double low = sample[sample.size() / 32], high = sample[sample.size() - 1 - sample.size() / 32];
    grid.origin[axis] = middle(low, high);
    widest = std::max(widest, high - low);
  }
  if (widest > 0) grid.cells_per_metre = std::min(cells_per_axis / 50 / widest, 1e300);
  return grid;
}

std::uint64_t Grid::place_on_curve(const Bounds& box) const {
  std::uint64_t cell[3];
  for (int axis = 0; axis < 3; ++axis) {
    const double x = middle(box.low[axis], box.high[axis]) - origin[axis];
    const double at = std::isfinite(x) ? x * cells_per_metre : 0.0;
    cell[axis] = static_cast<std::uint64_t>(std::clamp(at + 0.5 * cells_per_axis, 0.0, cells_per_axis - 1));
  }
  return spread(cell[0]) | spread(cell[1]) << 1 | spread(cell[2]) << 2;
}

void BoxTree::build(std::span<const Bounds> boxes, const Grid& grid, ThreadTeam& team) {
  const int box_count = static_cast<int>(boxes.size());
  lay_out(box_count);
  team.for_each(box_count, [&](int i, int) { keys_[i] = {grid.place_on_curve(boxes[i]), i}; });
  sort_keys(team);
  team.for_each(leaf_count(), [&](int leaf, int) { fill_leaf(boxes, grid.origin, leaf); });
  for (std::size_t level = 1; level + 1 < level_start_.size(); ++level) {
    const int start = level_start_[level];
    team.for_each(level_start_[level + 1] - start, [&](int node, int) {
      const int first_child = level_start_[level - 1] + width * node;
      fill_above(start + node, first_child, std::min(width, start - first_child));
    });
  }
}

void BoxTree::lay_out(int box_count) {
  level_start_ = {0};
  int above = box_count;
  do {
    above = (above + width - 1) / width;
    level_start_.push_back(level_start_.back() + above);
  } while (above > 1);
  keys_.resize(box_count);
  scratch_.resize(box_count);
  nodes_.resize(level_start_.back());
}

// by digits, the last one first; each pass keeps the order of equal digits
void BoxTree::sort_keys(ThreadTeam& team) {
  constexpr int digit_bits = 8, digits = 1 << digit_bits;
  const int shares = team.size();
  places_.resize(shares);
  const auto keys_of = [&](const std::vector<Key>& keys, int share) {
    const auto [begin, end] = share_of(static_cast<int>(keys.size()), share, shares);
    return std::span(keys).subspan(begin, end - begin);
  };
  for (int shift = 0; shift < 3 * bits_per_axis; shift += digit_bits) {
    const auto digit = [shift](const Key& key) { return key.code >> shift & (digits - 1); };
    team.run(shares, [&](int share, int) {  // how many keys have each digit
      places_[share].assign(digits, 0);
      for (const Key& key : keys_of(keys_, share)) ++places_[share][digit(key)];
    });
    int before = 0;
    for (int d = 0; d < digits; ++d)
      for (std::vector<int>& place : places_) before += std::exchange(place[d], before);
    team.run(shares, [&](int share, int) {
      for (const Key& key : keys_of(keys_, share)) scratch_[places_[share][digit(key)]++] = key;
    });
    std::swap(keys_, scratch_);
  }
}

void BoxTree::fill_leaf(std::span<const Bounds> boxes, const Vec3d& origin, int leaf) {
  Node& node = nodes_[leaf];
  for (int lane = 0; lane < width; ++lane) {
    const std::size_t position = static_cast<std::size_t>(leaf) * width + lane;
    if (position >= keys_.size()) {
      empty(node, lane);
      continue;
    }
    const Bounds& box = boxes[keys_[position].box];
    for (int axis = 0; axis < 3; ++axis) {
      node.low[axis][lane] = static_cast<float>(box.low[axis] - origin[axis]);
      node.high[axis][lane] = static_cast<float>(box.high[axis] - origin[axis]);
    }
    node.last[lane] = leaf;
    node.below[lane] = keys_[position].box;
  }
}

void BoxTree::fill_above(int number, int first_child, int child_count) {
  Node& node = nodes_[number];
  for (int lane = 0; lane < width; ++lane) {
    if (lane >= child_count) {
      empty(node, lane);
      continue;
    }
    const Node& child = nodes_[first_child + lane];
    const Query hull = hull_of(child);
    for (int axis = 0; axis < 3; ++axis) node.low[axis][lane] = hull.low[axis], node.high[axis][lane] = hull.high[axis];
    node.last[lane] = *std::max_element(child.last, child.last + width);
    node.below[lane] = first_child + lane;
  }
}

BoxTree::Query BoxTree::hull_of(const Node& node) {
  Query hull;
  for (int axis = 0; axis < 3; ++axis) {
    hull.low[axis] = *std::min_element(node.low[axis], node.low[axis] + width);
    hull.high[axis] = *std::max_element(node.high[axis], node.high[axis] + width);
  }
  return hull;
}

}  // namespace tendril::contact
