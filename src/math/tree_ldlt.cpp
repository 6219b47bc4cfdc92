#include "math/tree_ldlt.h"

#include <algorithm>

namespace tendril {
namespace {

using Node = TreeLdlt::Node;
using Rows = TreeLdlt::Rows;

// seen from the other end of the arm, J⁻ᵀ N J⁻¹
[[gnu::always_inline]] inline void shift(Node& n, const Three& arm) {
  Three xt[3], old[3], by_old[3], by_new[3], by_new_transposed[3];
  for (int k = 0; k < 3; ++k) old[k] = only_three(n.xt[k]), xt[k] = old[k] - cross(n.xx[k], arm);
  cross_columns(arm, old, by_old), cross_columns(arm, xt, by_new);
  transpose(by_new, by_new_transposed);
  const Three moment = cross(arm, Three{n.xx[0][3], n.xx[1][3], n.xx[2][3], 0});
  for (int k = 0; k < 3; ++k) {
    n.xt[k] = xt[k];
    n.tt[k] += by_old[k] + by_new_transposed[k] + Three{0, 0, 0, moment[k]};
  }
}

// J⁻ᵀ of the rows
[[gnu::always_inline]] inline void shift(Rows& rows, const Three& arm) {
  const Three place[3] = {rows.place[0], rows.place[1], rows.place[2]},
              turn[3] = {rows.turn[0], rows.turn[1], rows.turn[2]};
  Three by_place[3], by_turn[3];
  cross_columns(arm, place, by_place), cross_columns(arm, turn, by_turn);
  for (int k = 0; k < 3; ++k) rows.place[3 + k] += by_place[k], rows.turn[3 + k] += by_turn[k];
}

// rows + rowsᵀ
inline void add_twice(const Rows& rows, Node& to) {
  const auto transposed = [](const Three* block, Three(&out)[3]) {
    const Three copy[3] = {block[0], block[1], block[2]};
    transpose(copy, out);
  };
  Three xx[3], xt[3], tt[3];
  transposed(rows.place, xx), transposed(rows.place + 3, xt), transposed(rows.turn + 3, tt);
  for (int k = 0; k < 3; ++k) {
    to.xx[k] += only_three(rows.place[k]) + xx[k], to.xt[k] += only_three(rows.turn[k]) + xt[k];
    to.tt[k] += only_three(rows.turn[3 + k]) + tt[k];
  }
}

// L D Lᵀ in the place of the matrix, by rows of Lᵀ, with D⁻¹ on its diagonal; L⁻¹ of `rows`, where there are any. The
// right-hand side comes along.
template <class... Blocks>
[[gnu::always_inline]] inline bool factorise_node(Node& n, Blocks&... rows) {
  bool is_definite = true;
  [[maybe_unused]] const auto subtract = [&]([[maybe_unused]] int i, [[maybe_unused]] int k,
                                             [[maybe_unused]] const Three& l) __attribute__((always_inline)) {
    ((rows.place[i] -= l * rows.place[k], rows.turn[i] -= l * rows.turn[k]), ...);
  };
  for (int k = 0; k < 3; ++k) n.xt[k] = with_fourth(n.xt[k], n.xx[k]);
  for (int k = 0; k < 3; ++k) {
    const Three row = n.xx[k], side = n.xt[k];
    is_definite &= row[k] > 0;
    const double pivot = 1 / row[k];
    const Three l = row * all(pivot), l_side = side * all(pivot);
    for (int i = k + 1; i < 3; ++i) {
      const Three li = all(l[i]);
      n.xx[i] -= li * row, n.xt[i] -= li * side;
      subtract(i, k, li);
    }
    for (int i = 0; i < 3; ++i) {
      const Three li = all(l_side[i]);
      n.tt[i] -= li * side;
      subtract(3 + i, k, li);
    }
    n.xx[k] = l, n.xt[k] = l_side, n.xx[k][k] = pivot;
  }
  for (int k = 0; k < 3; ++k) {
    const Three row = n.tt[k];
    is_definite &= row[k] > 0;
    const double pivot = 1 / row[k];
    const Three l = row * all(pivot);
    for (int i = k + 1; i < 3; ++i) {
      const Three li = all(l[i]);
      n.tt[i] -= li * row;
      subtract(3 + i, 3 + k, li);
    }
    n.tt[k] = l, n.tt[k][k] = pivot;
  }
  return is_definite;
}

// L⁻¹ of the rows
[[gnu::always_inline]] inline void divide(Rows& rows, const Node& n) {
  const auto subtract = [&](int i, int k, double l) __attribute__((always_inline)) {
    rows.place[i] -= all(l) * rows.place[k], rows.turn[i] -= all(l) * rows.turn[k];
  };
  for (int k = 0; k < 3; ++k) {
    for (int i = k + 1; i < 3; ++i) subtract(i, k, n.xx[k][i]);
    for (int i = 0; i < 3; ++i) subtract(3 + i, k, n.xt[k][i]);
  }
  for (int k = 0; k < 3; ++k)
    for (int i = k + 1; i < 3; ++i) subtract(3 + i, 3 + k, n.tt[k][i]);
}

// what the elimination leaves of the later node of L⁻¹ rows, which become D⁻¹ L⁻¹ of them
[[gnu::always_inline]] inline void leave(const Node& n, Rows& rows, Node& later) {
  Three xx[3], xt[3], tt[3];  // in registers
  for (int i = 0; i < 3; ++i) xx[i] = later.xx[i], xt[i] = later.xt[i], tt[i] = later.tt[i];
  for (int k = 0; k < 6; ++k) {
    const Three factor = k < 3 ? n.xx[k] : n.tt[k - 3], place = rows.place[k], turn = rows.turn[k];
    const Three pivot = all(factor[k % 3]);
    const Three scaled_place = with_fourth(place * pivot, factor), scaled_turn = with_fourth(turn * pivot, factor);
    for (int i = 0; i < 3; ++i) {
      const Three by_place = all(place[i]);
      xx[i] -= by_place * scaled_place, xt[i] -= by_place * scaled_turn;
      tt[i] -= all(turn[i]) * scaled_turn;
    }
    rows.place[k] = scaled_place, rows.turn[k] = scaled_turn;
  }
  for (int i = 0; i < 3; ++i) later.xx[i] = xx[i], later.xt[i] = xt[i], later.tt[i] = tt[i];
}

// the same where only turns couple
[[gnu::always_inline]] inline void divide_turns(Rows& rows, const Node& n) {
  for (int k = 0; k < 3; ++k)
    for (int i = k + 1; i < 3; ++i) rows.turn[3 + i] -= all(n.tt[k][i]) * rows.turn[3 + k];
}
[[gnu::always_inline]] inline void leave_turns(const Node& n, Rows& rows, Node& later) {
  for (int k = 0; k < 3; ++k) {
    const Three factor = n.tt[k], turn = rows.turn[3 + k], scaled = with_fourth(turn * all(factor[k]), factor);
    for (int i = 0; i < 3; ++i) later.tt[i] -= all(turn[i]) * scaled;
    rows.turn[3 + k] = scaled;
  }
}

// D⁻¹ L⁻¹ of the right-hand side, which the fourth places of the factors hold
[[gnu::always_inline]] inline Three place_right(const Node& n) { return Three{n.xx[0][3], n.xx[1][3], n.xx[2][3], 0}; }
[[gnu::always_inline]] inline Three turn_right(const Node& n) { return Three{n.tt[0][3], n.tt[1][3], n.tt[2][3], 0}; }

// u <- L⁻ᵀ u
[[gnu::always_inline]] inline void solve_upper(const Node& n, Three& place, Three& turn) {
  double t[3] = {turn[0], turn[1], turn[2]}, x[3];
  t[1] -= n.tt[1][2] * t[2];
  t[0] -= n.tt[0][1] * t[1] + n.tt[0][2] * t[2];
  turn = Three{t[0], t[1], t[2], 0};
  const Three side[3] = {n.xt[0] * turn, n.xt[1] * turn, n.xt[2] * turn};
  const Three left = place - sums(side);
  x[2] = left[2];
  x[1] = left[1] - n.xx[1][2] * x[2];
  x[0] = left[0] - n.xx[0][1] * x[1] - n.xx[0][2] * x[2];
  place = Three{x[0], x[1], x[2], 0};
}

// u <- L⁻¹ u
inline void solve_lower(const Node& n, Three& place, Three& turn) {
  double x[3] = {place[0], place[1], place[2]};
  x[1] -= n.xx[0][1] * x[0];
  x[2] -= n.xx[0][2] * x[0] + n.xx[1][2] * x[1];
  place = Three{x[0], x[1], x[2], 0};
  const Three left = turn - only_three(all(x[0]) * n.xt[0] + all(x[1]) * n.xt[1] + all(x[2]) * n.xt[2]);
  const double t0 = left[0], t1 = left[1] - n.tt[0][1] * t0, t2 = left[2] - n.tt[0][2] * t0 - n.tt[1][2] * t1;
  turn = Three{t0, t1, t2, 0};
}

}  // namespace

void TreeLdlt::reset(const Elimination& plan) {
  plan_ = &plan;
  is_known_.resize(plan.row_count());
  nodes_.resize(plan.row_count()), couplings_.resize(plan.coupling_count());
  kind_.resize(plan.coupling_count()), parent_.resize(plan.row_count());
}

void TreeLdlt::clear() {
  std::fill(is_known_.begin(), is_known_.end(), false);
  std::fill(kind_.begin(), kind_.end(), Kind::none);
}

bool TreeLdlt::eliminate(int n) {
  parent_[n] = -1;
  return factorise(n);
}

bool TreeLdlt::eliminate_partly(int n, const Three (&free)[2]) {
  Node& node = this->node(n);
  const Three place = with_fourth(free[0], all(1)), turn = with_fourth(free[1], all(1));
  for (int k = 0; k < 3; ++k) {
    node.xx[k] *= place * all(free[0][k]), node.xt[k] *= free[1] * all(free[0][k]);
    node.tt[k] *= turn * all(free[1][k]);
    node.xx[k][k] += 1 - free[0][k], node.tt[k][k] += 1 - free[1][k];
  }
  for (int c = plan_->first[n]; c < plan_->first[n + 1]; ++c) {
    Rows& rows = couplings_[c];
    for (int k = 0; kind_[c] == Kind::full && k < 6; ++k)
      rows.place[k] *= all(free[k / 3][k % 3]), rows.turn[k] *= all(free[k / 3][k % 3]);
    for (int k = 0; kind_[c] == Kind::turns && k < 3; ++k) rows.turn[3 + k] *= all(free[1][k]);
  }
  const bool is_definite = eliminate(n);
  for (int k = 0; k < 3; ++k) node.xx[k][k] *= free[0][k], node.tt[k][k] *= free[1][k];  // for further right-hand sides
  return is_definite;
}

bool TreeLdlt::eliminate(int n, int coupling, const Joint& joint) {
  const int parent_node = plan_->later[coupling];
  Node &node = this->node(n), &parent = this->node(parent_node);
  Rows& rows = couplings_[coupling];
  shift(node, joint.arm);
  const bool is_coupled = kind_[coupling] != Kind::none;
  if (is_coupled) {
    this->coupling(coupling);
    shift(rows, joint.arm);
    add_twice(rows, parent);  // u_nᵀ O u_p = (u_p + r)ᵀ O u_p
  }
  for (int c = plan_->first[n]; c < plan_->first[n + 1]; ++c) {
    if (c == coupling || kind_[c] == Kind::none) continue;
    if (kind_[c] == Kind::full) shift(couplings_[c], joint.arm);
    add_to_coupling(parent_node, c);  // u_nᵀ O u_o = (u_p + r)ᵀ O u_o
  }
  Three tx[3];
  transpose(node.xt, tx);
  const Three w = joint.twist;
  const Three twist[3] = {Three{0, -w[2], w[1], 0}, Three{w[2], 0, -w[0], 0}, Three{-w[1], w[0], 0, 0}};
  for (int k = 0; k < 3; ++k) {
    parent.xx[k] += node.xx[k], parent.xt[k] += node.xt[k], parent.tt[k] += node.tt[k];
    const Three rest[4] = {node.xx[k], node.xt[k], tx[k], node.tt[k] + twist[k]};
    Three* const to[4] = {&rows.place[k], &rows.turn[k], &rows.place[3 + k], &rows.turn[3 + k]};
    for (int i = 0; i < 4; ++i) *to[i] = is_coupled ? *to[i] + rest[i] : rest[i];
    node.xx[k] += joint.place[k], node.tt[k] += joint.turn[k];
  }
  kind_[coupling] = Kind::full;
  node.arm = joint.arm;
  parent_[n] = coupling;
  return factorise(n);
}

// the rows of a coupling with o, to that of a with o, both later
void TreeLdlt::add_to_coupling(int a, int from) {
  const int o = plan_->later[from], to = plan_->coupling(std::min(a, o), std::max(a, o));
  const Rows& rows = couplings_[from];
  const auto add = [&](const Three* block, Three* out) {
    Three copy[3] = {block[0], block[1], block[2]};
    if (a > o) transpose({block[0], block[1], block[2]}, copy);
    for (int k = 0; k < 3; ++k) out[k] += copy[k];
  };
  if (kind_[from] == Kind::turns) return add(rows.turn + 3, turns(to));
  Rows& out = coupling(to);
  add(rows.place, out.place), add(rows.turn + 3, out.turn + 3);
  add(rows.turn, a < o ? out.turn : out.place + 3), add(rows.place + 3, a < o ? out.place + 3 : out.turn);
}

// all that is not there yet is zero
void TreeLdlt::widen(int c) {
  Rows& rows = couplings_[c];
  for (int k = 0; k < 3; ++k) {
    rows.place[k] = rows.turn[k] = rows.place[3 + k] = Three{};
    if (kind_[c] == Kind::none) rows.turn[3 + k] = Three{};
  }
  kind_[c] = Kind::full;
}

// what is left when the rows of n are eliminated; most nodes couple with one other
bool TreeLdlt::factorise(int n) {
  const int c = plan_->first[n];
  if (plan_->first[n + 1] - c != 1) return factorise_for_many(n);
  Rows& rows = coupling(c);
  const bool is_definite = factorise_node(node(n), rows);
  leave(nodes_[n], rows, node(plan_->later[c]));
  return is_definite;
}

bool TreeLdlt::factorise_for_many(int n) {
  Node& node = this->node(n);
  const bool is_definite = factorise_node(node);
  const int begin = plan_->first[n], end = plan_->first[n + 1];
  const int* target = plan_->target.data() + plan_->first_target[n];
  const auto of_turns = [&](int c) { return kind_[c] == Kind::turns; };
  for (int j = begin; j < end; ++j) {
    turns(j);  // there is at least that
    of_turns(j) ? divide_turns(couplings_[j], node) : divide(couplings_[j], node);
  }
  for (int j = begin; j < end; ++j) {
    Node& later = this->node(plan_->later[j]);
    of_turns(j) ? leave_turns(node, couplings_[j], later) : leave(node, couplings_[j], later);
    for (int next = j + 1; next < end; ++next)  // those after j are not scaled yet
      couple_later(couplings_[j], of_turns(j), couplings_[next], of_turns(next), *target++);
  }
  return is_definite;
}

// what the elimination of a node leaves between two that it couples with
void TreeLdlt::couple_later(const Rows& rows, bool turns_only, const Rows& other, bool other_turns_only, int target) {
  if (turns_only && other_turns_only) {
    Three* out = turns(target);
    for (int k = 3; k < 6; ++k)
      for (int i = 0; i < 3; ++i) out[i] -= all(rows.turn[k][i]) * other.turn[k];
    return;
  }
  Rows& out = coupling(target);
  for (int k = turns_only || other_turns_only ? 3 : 0; k < 6; ++k)
    for (int i = 0; i < 3; ++i) {
      const Three by_turn = all(rows.turn[k][i]);
      out.turn[3 + i] -= by_turn * other.turn[k];
      if (!other_turns_only) out.place[3 + i] -= by_turn * other.place[k];
      if (turns_only) continue;
      const Three by_place = all(rows.place[k][i]);
      out.turn[i] -= by_place * other.turn[k];
      if (!other_turns_only) out.place[i] -= by_place * other.place[k];
    }
}

// u of the node holds D⁻¹ L⁻¹ of its right-hand side
void TreeLdlt::solve_backwards(int n, std::vector<Unknowns>& u) const {
  const Node& node = nodes_[n];
  Three place = u[n].place, turn = u[n].turn;
  for (int c = plan_->first[n]; c < plan_->first[n + 1]; ++c) {
    const Rows& rows = couplings_[c];
    const Unknowns& later = u[plan_->later[c]];
    Three by_place[3], by_turn[3];
    if (kind_[c] == Kind::turns) {
      for (int k = 0; k < 3; ++k) by_turn[k] = rows.turn[3 + k] * later.turn;
      turn -= sums(by_turn);
      continue;
    }
    for (int k = 0; k < 3; ++k) {
      by_place[k] = rows.place[k] * later.place + rows.turn[k] * later.turn;
      by_turn[k] = rows.place[3 + k] * later.place + rows.turn[3 + k] * later.turn;
    }
    place -= sums(by_place), turn -= sums(by_turn);
  }
  solve_upper(node, place, turn);
  if (parent_[n] >= 0) {
    const Unknowns& parent = u[plan_->later[parent_[n]]];
    turn += parent.turn;
    place += parent.place - cross(node.arm, turn);
  }
  u[n] = {place, turn};
}

void TreeLdlt::solve_backwards(std::vector<Unknowns>& u) const {
  u.resize(nodes_.size());
  solve_backwards(0, plan_->row_count(), u);
}

void TreeLdlt::solve_backwards(int begin, int end, std::vector<Unknowns>& u) const {
  for (int n = end - 1; n >= begin; --n) {
    u[n] = {place_right(nodes_[n]), turn_right(nodes_[n])};
    solve_backwards(n, u);
  }
}

void TreeLdlt::solve(std::vector<Unknowns>& u) const {
  for (int n = 0; n < plan_->row_count(); ++n) {
    const Node& node = nodes_[n];
    if (parent_[n] >= 0) {
      u[n].turn += cross(node.arm, u[n].place);
      Unknowns& parent = u[plan_->later[parent_[n]]];
      parent.place += u[n].place, parent.turn += u[n].turn;
    }
    solve_lower(node, u[n].place, u[n].turn);
    for (int c = plan_->first[n]; c < plan_->first[n + 1]; ++c) {
      const Rows& rows = couplings_[c];
      Unknowns& later = u[plan_->later[c]];
      const bool turns_only = kind_[c] == Kind::turns;
      for (int k = turns_only ? 3 : 0; k < 6; ++k) {
        const Three y = all(k < 3 ? u[n].place[k] : u[n].turn[k - 3]);
        if (!turns_only) later.place -= only_three(y * rows.place[k]);
        later.turn -= only_three(y * rows.turn[k]);
      }
    }
    for (int k = 0; k < 3; ++k) u[n].place[k] *= node.xx[k][k], u[n].turn[k] *= node.tt[k][k];
  }
  for (int n = plan_->row_count() - 1; n >= 0; --n) solve_backwards(n, u);
}

}  // namespace tendril
