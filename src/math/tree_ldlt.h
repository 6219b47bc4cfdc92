#pragma once

#include <vector>

#include "math/prefetch.h"
#include "math/three.h"
#include "math/tree_layout.h"

namespace tendril::math {

// A symmetric positive definite matrix of nodes with six unknowns each, a place u and a turn theta, factorised in the
// order of its Elimination as L D Lᵀ with D diagonal.
//
// A node may be joined to a later one, its parent p, by a spring K between the two ends of a rigid arm:
//   energy 1/2 rᵀ K r,   r = J u_n - u_p,   J = 1 [arm]
//                                               0   1
// Instead of u_n it is r that is eliminated, u_n = J⁻¹ (u_p + r), so that with Q, what there is of u_n without the
// spring, seen from the other end of the arm,
//   p gets Q, r has Q + K and couples with p by Q,
// and p is left with Q - Q (Q + K)⁻¹ Q. That is the inverse of the compliance K⁻¹ + Q⁻¹ which a multiplier of the joint
// would be eliminated with: no digit is lost however stiff the spring is, as there would be with K - K (Q + K)⁻¹ K.
//
// Once eliminated a node is G = H⁻¹ O of each coupling O, with its own H, and what its right-hand side alone makes of
// it, u_n = H⁻¹ b - sum G u_later. Of its last coupling G stands where the node was (tree_layout.h). Where only turns
// couple, with g for the turn, G is M g for the place: M = -H_xx⁻¹ H_xt is the same for all of them.
//
//   clear
//   foreach node: add to it, its couplings and its right-hand side; eliminate
//   foreach node backwards: solve_backwards
class TreeLdlt {
 public:
  // a 6x6 block by its rows, in three columns each; the fourth place of `place` holds H⁻¹ b, once eliminated, and those
  // of `turn` the arm and the first column of M
  struct Block {
    Three turn[6], place[6];
  };
  struct Rows {
    Three *turn, *place;  // likewise
  };
  // one on the diagonal; xx and tt are symmetric. The right-hand side is the fourth place of xx and tt.
  struct Node {
    Three xx[3], xt[3], tt[3];
  };
  struct Joint {
    Three place[3], turn[3];  // K, which has no more
    Three arm;
    Three twist;        // w: the turn of the node and that of its parent are coupled by [w], too
    Three axis, shear;  // energy (u_n - u_p)·axis shear·theta_n, where it is `sheared`
    bool sheared = false;
  };

  // `keeps_factors` for further right-hand sides
  void reset(const Elimination& plan, const TreeLayout& layout, bool keeps_factors = false);
  void clear();

  Node& node(int n) {
    Node& node = blocks_[n].before;
    if (!is_known_[n]) {
      for (int k = 0; k < 3; ++k) node.xx[k] = node.xt[k] = node.tt[k] = Three{};
      is_known_[n] = true;
    }
    return node;
  }
  // of the earlier node (rows) with the later one; of turns alone where nothing else couples them
  Rows coupling(int c) {
    if (kind_[c] != Kind::full) widen(c);
    return rows(c);
  }
  Three* turns(int c) {
    Three* rows = this->rows(c).turn + 3;
    if (kind_[c] == Kind::none) rows[0] = rows[1] = rows[2] = Three{}, kind_[c] = Kind::turns;
    return rows;
  }

  // some nodes before its turn, for what the elimination of n is the first to write to
  [[gnu::always_inline]] void ask_for_later(int n) const {
    for (int c = plan_->first[n]; c < plan_->first[n + 1]; ++c) {
      const int later = plan_->later[c];
      if (is_known_[later]) continue;
      const Block& block = blocks_[later].after;
      for (int k = 0; k < 6; k += 2) ask_for(block.turn[k]), ask_for(block.place[k]);
    }
  }

  // whether the matrix is positive definite so far
  bool eliminate(int n);
  // the same, with unknowns that stay zero: `free` is 1 or 0 for each
  bool eliminate_partly(int n, const Three (&free)[2]);
  // the same, of a node that is joined to the later one of the coupling
  bool eliminate(int n, int coupling, const Joint& joint);

  // u of a node, place and turn
  struct Unknowns {
    Three place, turn;
  };
  // of(later) are those of the nodes that it couples with
  template <class Of>
  [[gnu::always_inline]] Unknowns solve_backwards(int n, Of of) const {
    return carried_along(n, right(n), of);
  }
  // another right-hand side in u of all nodes, with the factors at hand
  void solve(std::vector<Unknowns>& u) const;

 private:
  using Kind = TreeLayout::Kind;
  union Slot {
    Node before;
    Block after;
  };

  Rows rows(int c) {
    Three* first = rows_.data() + layout_->place[c];
    return {first, first + 6};
  }
  bool factorise(int n, Node& node, Block& last);
  bool factorise_for_many(int n, Node& node, Block& last);
  Block known_rows(int c) const;
  Block rows_of_last(int n) const;
  void couple_later(const Rows& rows, bool turns, const Rows& other, bool other_turns, int target);
  void widen(int c);
  void add_to_coupling(int a, int from, int to);

  // what the fourth places of three rows hold
  static Three fourths(const Three* rows) { return Three{rows[0][3], rows[1][3], rows[2][3], 0}; }
  // H⁻¹ b
  Unknowns right(int n) const { return {fourths(blocks_[n].after.place), fourths(blocks_[n].after.place + 3)}; }
  Three arm(int n) const { return fourths(blocks_[n].after.turn); }
  // M by its columns, of a node whose first coupling of turns is c
  struct PlaceByTurn {
    Three column[3];
    Three operator*(const Three& turn) const {
      return column[0] * all(turn[0]) + column[1] * all(turn[1]) + column[2] * all(turn[2]);
    }
  };
  PlaceByTurn place_by_turn(int n, int c) const {
    const Three* g = rows_.data() + layout_->place[c] + 3;
    return {{fourths(blocks_[n].after.turn + 3), fourths(g), g[3]}};
  }
  void keep_place_by_turn(int n, const Node& node);
  // -1: none
  int first_of_turns(int n) const {
    for (int c = plan_->first[n]; c + 1 < plan_->first[n + 1]; ++c)
      if (kind_[c] == Kind::turns) return c;
    return -1;
  }
  // less G of those that come later
  [[gnu::always_inline]] static Unknowns without(const Unknowns& u, const Three* place, const Three* turn,
                                                 const Unknowns& later) {
    Three by_place[3], by_turn[3];
    for (int k = 0; k < 3; ++k) {
      by_place[k] = place[k] * later.place + turn[k] * later.turn;
      by_turn[k] = place[3 + k] * later.place + turn[3 + k] * later.turn;
    }
    return {u.place - sums(by_place), u.turn - sums(by_turn)};
  }
  template <class Of>
  [[gnu::always_inline]] Unknowns carried_along(int n, Unknowns u, Of of) const;

  const Elimination* plan_ = nullptr;
  const TreeLayout* layout_ = nullptr;
  std::vector<Slot> blocks_;    // (node)
  std::vector<char> is_known_;  // something has been added (node)
  std::vector<Three> rows_;     // of couplings
  std::vector<Kind> kind_;      // what has been added (coupling)
  std::vector<int> parent_;     // coupling by which a node is joined, -1: none (node)
  bool keeps_factors_ = false;
  std::vector<Node> factors_;  // L D Lᵀ by rows of Lᵀ, with D⁻¹ on its diagonal (node)
};

template <class Of>
inline TreeLdlt::Unknowns TreeLdlt::carried_along(int n, Unknowns u, Of of) const {
  const int begin = plan_->first[n], last = plan_->first[n + 1] - 1;
  if (begin > last) return u;
  const Block& block = blocks_[n].after;
  const Unknowns later = of(plan_->later[last]);
  u = without(u, block.place, block.turn, later);
  Three turned{};  // by couplings of turns
  for (int c = begin; c < last; ++c) {
    const Three* turn = rows_.data() + layout_->place[c];
    const Unknowns other = of(plan_->later[c]);
    if (kind_[c] == Kind::full) {
      u = without(u, turn + 6, turn, other);
      continue;
    }
    const Three by_turn[3] = {turn[3] * other.turn, turn[4] * other.turn, turn[5] * other.turn};
    turned += sums(by_turn);
  }
  if (const int first = first_of_turns(n); first >= 0) u.turn -= turned, u.place -= place_by_turn(n, first) * turned;
  if (parent_[n] < 0) return u;
  const Unknowns parent = parent_[n] == last ? later : of(plan_->later[parent_[n]]);  // u = J⁻¹ (u_p + r)
  u.turn += parent.turn;
  u.place += parent.place - cross(arm(n), u.turn);
  return u;
}

}  // namespace tendril::math
