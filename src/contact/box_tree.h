#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "math/bounds.h"
#include "math/pack.h"
#include "math/thread_team.h"

namespace tendril::contact {

// A cube that holds most boxes, cut into cells; boxes are sorted along a space-filling curve through them.
struct Grid {
  Vec3d origin;  // the middle [m]
  double cells_per_metre = 0;

  static Grid around(std::span<const Bounds> boxes);
  std::uint64_t place_on_curve(const Bounds& box) const;
};

// A hierarchy of boxes: in the order of a grid's curve, eight to a leaf, eight nodes to a node above, up to the root.
// Its numbers are float, relative to the grid's origin, so that one instruction looks at eight boxes. Rounding keeps
// the order of numbers: the tree may find boxes that only nearly overlap, but misses none.
class BoxTree {
 public:
  static constexpr int width = 8;

  // the eight boxes below a node; those of a leaf are the boxes themselves
  struct alignas(64) Node {
    float low[3][width], high[3][width];
    std::int32_t last[width];   // the last leaf in there, in a leaf this one; -1: nothing there
    std::int32_t below[width];  // the number of the node whose hull this is, in a leaf that of the box
  };

  // a box as the tree sees it
  struct Query {
    float low[3], high[3];
  };

  void build(std::span<const Bounds> boxes, const Grid& grid, ThreadTeam& team);

  int leaf_count() const { return level_start_[1]; }
  const Node& leaf(int number) const { return nodes_[number]; }

  static Query query(const Bounds& box, const Vec3d& origin) {
    const auto seen = [](const Vec3d& x, int axis) { return static_cast<float>(x[axis]); };
    const Vec3d low = box.low - origin, high = box.high - origin;
    return {{seen(low, 0), seen(low, 1), seen(low, 2)}, {seen(high, 0), seen(high, 1), seen(high, 2)}};
  }
  static Query hull_of(const Node& node);
  static Query box_below(const Node& node, int lane);

  // one bit for each box below the node that overlaps the query, from leaf `first` on
  static unsigned overlapping(const Node& node, const Query& query, int first);

  // call(leaf, lanes) for every leaf with such boxes
  template <class Visit>
  void visit(const Query& query, int first, const Visit& call) const;

 private:
  struct Key {
    std::uint64_t code;  // place on the curve
    int box;
  };

  void lay_out(int box_count);
  void sort_keys(ThreadTeam& team);
  void fill_leaf(std::span<const Bounds> boxes, const Vec3d& origin, int leaf);
  void fill_above(int number, int first_child, int child_count);

  std::vector<Key> keys_, scratch_;       // one per box, sorted
  std::vector<std::vector<int>> places_;  // of the next key with a digit (share, digit)
  std::vector<int> level_start_{0, 0};    // first node of each level, the leaves' being zero, and the end
  std::vector<Node> nodes_;               // the root is the last
};

namespace detail {
// one bit for each lane in which the mask is set
inline unsigned bits_of(math::detail::Int8 mask) {
#if defined(__AVX__)
  return __builtin_ia32_movmskps256(reinterpret_cast<math::detail::Float8>(mask));
#else
  unsigned bits = 0;
  for (int lane = 0; lane < 8; ++lane) bits |= (mask[lane] & 1u) << lane;
  return bits;
#endif
}
}  // namespace detail

inline unsigned BoxTree::overlapping(const Node& node, const Query& query, int first) {
  using Float = Pack<float>;
  Float::Mask apart = *reinterpret_cast<const Float::Mask*>(node.last) < first;
  for (int axis = 0; axis < 3; ++axis) {
    apart |= Float::load(node.low[axis]) > Float(query.high[axis]);
    apart |= Float::load(node.high[axis]) < Float(query.low[axis]);
  }
  return 0xffu & ~detail::bits_of(apart);
}

inline BoxTree::Query BoxTree::box_below(const Node& node, int lane) {
  return {{node.low[0][lane], node.low[1][lane], node.low[2][lane]},
          {node.high[0][lane], node.high[1][lane], node.high[2][lane]}};
}

template <class Visit>
void BoxTree::visit(const Query& query, int first, const Visit& call) const {
  if (nodes_.empty()) return;
  int waiting[80];  // eleven levels hold all numbers, and each leaves at most width - 1 behind
  int count = 0;
  waiting[count++] = static_cast<int>(nodes_.size()) - 1;
  while (count > 0) {
    const int number = waiting[--count];
    const Node& node = nodes_[number];
    unsigned lanes = overlapping(node, query, first);
    if (number >= leaf_count())
      for (; lanes != 0; lanes &= lanes - 1) waiting[count++] = node.below[std::countr_zero(lanes)];
    else if (lanes != 0)
      call(node, lanes);
  }
}

}  // namespace tendril::contact
