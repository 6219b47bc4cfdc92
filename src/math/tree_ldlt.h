#pragma once

#include <vector>

#include "math/elimination.h"
#include "math/three.h"

namespace tendril {

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
//   clear
//   foreach node: add to it, its couplings and its right-hand side; eliminate
//   solve_backwards
class TreeLdlt {
 public:
  // a 6x6 block by its rows, in three columns each
  struct Rows {
    Three place[6], turn[6];
  };
  // one on the diagonal; xx and tt are symmetric. The right-hand side is the fourth place of xx and tt.
  struct Node {
    Three xx[3], xt[3], tt[3];
    Three arm;  // once eliminated
  };
  struct Joint {
    Three place[3], turn[3];  // K, which has no more
    Three arm;
    Three twist;  // w: the turn of the node and that of its parent are coupled by [w], too
  };

  void reset(const Elimination& plan);
  void clear();

  Node& node(int n) {
    if (!is_known_[n]) nodes_[n] = Node{}, is_known_[n] = true;
    return nodes_[n];
  }
  // of the earlier node (rows) with the later one; of turns alone where nothing else couples them
  Rows& coupling(int c) {
    if (kind_[c] != Kind::full) widen(c);
    return couplings_[c];
  }
  Three* turns(int c) {
    Three* rows = couplings_[c].turn + 3;
    if (kind_[c] == Kind::none) rows[0] = rows[1] = rows[2] = Three{}, kind_[c] = Kind::turns;
    return rows;
  }

  // whether the matrix is positive definite so far
  bool eliminate(int n);
  // the same, with unknowns that stay zero: `free` is 1 or 0 for each
  bool eliminate_partly(int n, const Three (&free)[2]);
  // the same, of a node that is joined to the later one of the coupling
  bool eliminate(int n, int coupling, const Joint& joint);

  // u of all nodes, place and turn
  struct Unknowns {
    Three place, turn;
  };
  void solve_backwards(std::vector<Unknowns>& u) const;
  void solve_backwards(int begin, int end,
                       std::vector<Unknowns>& u) const;  // of some, after those that they couple with
  // another right-hand side in u, with the factors at hand
  void solve(std::vector<Unknowns>& u) const;

 private:
  bool factorise(int n);
  bool factorise_for_many(int n);
  void couple_later(const Rows& rows, bool turns, const Rows& other, bool other_turns, int target);
  void widen(int c);
  void add_to_coupling(int a, int from);
  void solve_backwards(int n, std::vector<Unknowns>& u) const;

  const Elimination* plan_ = nullptr;
  std::vector<Node> nodes_;
  std::vector<char> is_known_;  // something has been added (node)
  std::vector<Rows> couplings_;
  enum class Kind : char { none, turns, full };
  std::vector<Kind> kind_;   // what has been added (coupling)
  std::vector<int> parent_;  // coupling by which a node is joined, -1: none (node)
};

}  // namespace tendril
