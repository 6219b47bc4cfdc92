#include "math/tree_ldlt.h"

#include <algorithm>
#include <cassert>

#include "math/large_pages.h"

namespace tendril::math {
namespace {

using Node = TreeLdlt::Node;
using Rows = TreeLdlt::Rows;
using Block = TreeLdlt::Block;

// row by row, in registers: as a whole they are large enough for a call
[[gnu::always_inline]] inline void copy(const Node& from, Node& to) {
  for (int k = 0; k < 3; ++k) to.xx[k] = from.xx[k], to.xt[k] = from.xt[k], to.tt[k] = from.tt[k];
}
[[gnu::always_inline]] inline void copy(const Block& from, Block& to) {
  for (int k = 0; k < 6; ++k) to.turn[k] = from.turn[k], to.place[k] = from.place[k];
}

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
template <class SixRows>
[[gnu::always_inline]] inline void shift(SixRows& rows, const Three& arm) {
  const Three place[3] = {rows.place[0], rows.place[1], rows.place[2]},
              turn[3] = {rows.turn[0], rows.turn[1], rows.turn[2]};
  Three by_place[3], by_turn[3];
  cross_columns(arm, place, by_place), cross_columns(arm, turn, by_turn);
  for (int k = 0; k < 3; ++k) rows.place[3 + k] += by_place[k], rows.turn[3 + k] += by_turn[k];
}

// rows + rowsᵀ
inline void add_twice(const Block& rows, Node& to) {
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
template <class SixRows>
[[gnu::always_inline]] inline void divide(SixRows& rows, const Node& n) {
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
template <class SixRows>
[[gnu::always_inline]] inline void leave(const Node& n, SixRows& rows, Node& later) {
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
[[gnu::always_inline]] inline void divide_turns(const Rows& rows, const Node& n) {
  for (int k = 0; k < 3; ++k)
    for (int i = k + 1; i < 3; ++i) rows.turn[3 + i] -= all(n.tt[k][i]) * rows.turn[3 + k];
}
[[gnu::always_inline]] inline void leave_turns(const Node& n, const Rows& rows, Node& later) {
  for (int k = 0; k < 3; ++k) {
    const Three factor = n.tt[k], turn = rows.turn[3 + k], scaled = with_fourth(turn * all(factor[k]), factor);
    for (int i = 0; i < 3; ++i) later.tt[i] -= all(turn[i]) * scaled;
    rows.turn[3 + k] = scaled;
  }
}

// L⁻ᵀ of D⁻¹ L⁻¹ rows, with what there is in their fourth places
template <class SixRows>
[[gnu::always_inline]] inline void divide_upper(SixRows& rows, const Node& n) {
  const auto subtract = [&](int k, int i, double l) __attribute__((always_inline)) {
    rows.place[k] -= all(l) * rows.place[i], rows.turn[k] -= all(l) * rows.turn[i];
  };
  for (int k = 2; k >= 0; --k)
    for (int i = k + 1; i < 3; ++i) subtract(3 + k, 3 + i, n.tt[k][i]);
  for (int k = 2; k >= 0; --k) {
    for (int i = 0; i < 3; ++i) subtract(k, 3 + i, n.xt[k][i]);
    for (int i = k + 1; i < 3; ++i) subtract(k, i, n.xx[k][i]);
  }
}
// the same where only turns couple
[[gnu::always_inline]] inline void divide_turns_upper(const Rows& rows, const Node& n) {
  for (int k = 2; k >= 0; --k)
    for (int i = k + 1; i < 3; ++i) rows.turn[3 + k] -= all(n.tt[k][i]) * rows.turn[3 + i];
}

// u <- L⁻ᵀ u
inline void solve_upper(const Node& n, Three& place, Three& turn) {
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

void TreeLdlt::reset(const Elimination& plan, const TreeLayout& layout, bool keeps_factors) {
  plan_ = &plan, layout_ = &layout, keeps_factors_ = keeps_factors;
  is_known_.resize(plan.row_count());
  resize_in_large_pages(blocks_, plan.row_count()), resize_in_large_pages(rows_, layout.size);
  kind_.resize(plan.coupling_count()), parent_.resize(plan.row_count());
  if (keeps_factors) factors_.resize(plan.row_count());
}

void TreeLdlt::clear() {
  std::fill(is_known_.begin(), is_known_.end(), false);
  std::fill(kind_.begin(), kind_.end(), Kind::none);
}

// of a coupling, as far as there are any
Block TreeLdlt::known_rows(int c) const {
  Block out;
  const Three* from = kind_[c] == Kind::none ? nullptr : rows_.data() + layout_->place[c];
  for (int k = 0; kind_[c] == Kind::full && k < 6; ++k) out.turn[k] = from[k], out.place[k] = from[6 + k];
  if (kind_[c] == Kind::full) return out;
  for (int k = 0; k < 3; ++k) {
    out.turn[k] = out.place[k] = out.place[3 + k] = Three{};
    out.turn[3 + k] = kind_[c] == Kind::turns ? from[3 + k] : Three{};
  }
  return out;
}

Block TreeLdlt::rows_of_last(int n) const {
  return plan_->first[n] < plan_->first[n + 1] ? known_rows(plan_->first[n + 1] - 1) : Block{};
}

bool TreeLdlt::eliminate(int n) {
  Node node = this->node(n);
  Block last = rows_of_last(n);
  parent_[n] = -1;
  return factorise(n, node, last);
}

bool TreeLdlt::eliminate_partly(int n, const Three (&free)[2]) {
  Node node = this->node(n);
  Block last = rows_of_last(n);
  const Three place = with_fourth(free[0], all(1)), turn = with_fourth(free[1], all(1));
  for (int k = 0; k < 3; ++k) {
    node.xx[k] *= place * all(free[0][k]), node.xt[k] *= free[1] * all(free[0][k]);
    node.tt[k] *= turn * all(free[1][k]);
    node.xx[k][k] += 1 - free[0][k], node.tt[k][k] += 1 - free[1][k];
  }
  const auto hold = [&](auto& rows) {
    for (int k = 0; k < 6; ++k) rows.place[k] *= all(free[k / 3][k % 3]), rows.turn[k] *= all(free[k / 3][k % 3]);
  };
  hold(last);
  for (int c = plan_->first[n]; c + 1 < plan_->first[n + 1]; ++c) {
    Rows rows = this->rows(c);
    if (kind_[c] == Kind::full) hold(rows);
    for (int k = 0; kind_[c] == Kind::turns && k < 3; ++k) rows.turn[3 + k] *= all(free[1][k]);
  }
  parent_[n] = -1;
  const bool is_definite = factorise(n, node, last);
  for (int k = 0; keeps_factors_ && k < 3; ++k) factors_[n].xx[k][k] *= free[0][k], factors_[n].tt[k][k] *= free[1][k];
  return is_definite;
}

bool TreeLdlt::eliminate(int n, int coupling, const Joint& joint) {
  const int parent_node = plan_->later[coupling], last = plan_->first[n + 1] - 1;
  Node node;
  copy(this->node(n), node);
  Node& parent = this->node(parent_node);
  for (int k = 0; joint.sheared && k < 3; ++k) node.xt[k] += all(joint.axis[k]) * joint.shear;
  shift(node, joint.arm);
  const bool is_coupled = joint.sheared || kind_[coupling] != Kind::none;
  Block rows;
  if (is_coupled) {
    rows = known_rows(coupling);
    for (int k = 0; joint.sheared && k < 3; ++k) rows.place[3 + k] -= all(joint.shear[k]) * joint.axis;
    shift(rows, joint.arm);
    add_twice(rows, parent);  // u_nᵀ O u_p = (u_p + r)ᵀ O u_p
  }
  for (int c = plan_->first[n]; c <= last; ++c) {
    if (c == coupling || kind_[c] == Kind::none) continue;
    Rows others = this->rows(c);
    if (kind_[c] == Kind::full) shift(others, joint.arm);
    const int to = plan_->coupling_of(n, std::min(c, coupling), std::max(c, coupling));
    add_to_coupling(parent_node, c, to);  // u_nᵀ O u_o = (u_p + r)ᵀ O u_o
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
  parent_[n] = coupling;
  if (coupling != last) {
    const Rows to = this->rows(coupling);
    for (int k = 0; k < 6; ++k) to.place[k] = rows.place[k], to.turn[k] = rows.turn[k];
    kind_[coupling] = Kind::full;
    rows = known_rows(last);
  }
  const bool is_definite = factorise(n, node, rows);
  for (int k = 0; k < 3; ++k) blocks_[n].after.turn[k][3] = joint.arm[k];
  return is_definite;
}

// the rows of a coupling with o, to that of a with o, both later
void TreeLdlt::add_to_coupling(int a, int from, int to) {
  const int o = plan_->later[from];
  const Rows rows = this->rows(from);
  const auto add = [&](const Three* block, Three* out) {
    Three copy[3] = {block[0], block[1], block[2]};
    if (a > o) transpose({block[0], block[1], block[2]}, copy);
    for (int k = 0; k < 3; ++k) out[k] += copy[k];
  };
  if (kind_[from] == Kind::turns) {
    Three* out = turns(to);
    return add(rows.turn + 3, out);
  }
  const Rows out = coupling(to);
  add(rows.place, out.place), add(rows.turn + 3, out.turn + 3);
  add(rows.turn, a < o ? out.turn : out.place + 3), add(rows.place + 3, a < o ? out.place + 3 : out.turn);
}

// all that is not there yet is zero
void TreeLdlt::widen(int c) {
  const Rows rows = this->rows(c);
  for (int k = 0; k < 3; ++k) {
    rows.place[k] = rows.turn[k] = rows.place[3 + k] = Three{};
    if (kind_[c] == Kind::none) rows.turn[3 + k] = Three{};
  }
  kind_[c] = Kind::full;
}

// what is left when the rows of n are eliminated; most nodes couple with one other
bool TreeLdlt::factorise(int n, Node& node, Block& last) {
  const int couplings = plan_->first[n + 1] - plan_->first[n];
  bool is_definite = true;
  if (couplings == 1) {
    is_definite = factorise_node(node, last);
    leave(node, last, this->node(plan_->later[plan_->first[n]]));
  } else if (couplings == 0) {
    is_definite = factorise_node(node);
    for (int k = 0; k < 3; ++k)
      last.place[k] = with_fourth(Three{}, node.xx[k]), last.place[3 + k] = with_fourth(Three{}, node.tt[k]);
  } else {
    is_definite = factorise_for_many(n, node, last);
  }
  divide_upper(last, node);
  copy(last, blocks_[n].after);
  if (couplings > 1) keep_place_by_turn(n, node);
  if (keeps_factors_) factors_[n] = node;
  return is_definite;
}

bool TreeLdlt::factorise_for_many(int n, Node& node, Block& last) {
  const bool is_definite = factorise_node(node, last);
  const int begin = plan_->first[n], end = plan_->first[n + 1] - 1;  // of those before the last
  const int* target = plan_->target.data() + plan_->first_target[n];
  const Rows last_rows{last.turn, last.place};
  const auto of_turns = [&](int c) { return kind_[c] == Kind::turns; };
  for (int j = begin; j < end; ++j) {
    turns(j);  // there is at least that
    Rows rows = this->rows(j);
    of_turns(j) ? divide_turns(rows, node) : divide(rows, node);
  }
  for (int j = begin; j < end; ++j) {
    Node& later = this->node(plan_->later[j]);
    Rows rows = this->rows(j);
    of_turns(j) ? leave_turns(node, rows, later) : leave(node, rows, later);
    for (int next = j + 1; next < end; ++next)  // those after j are not scaled yet
      couple_later(rows, of_turns(j), this->rows(next), of_turns(next), *target++);
    couple_later(rows, of_turns(j), last_rows, false, *target++);
    of_turns(j) ? divide_turns_upper(rows, node) : divide_upper(rows, node);
  }
  leave(node, last, this->node(plan_->later[end]));
  return is_definite;
}

// M, in fourth places and in the row behind the first coupling of turns
void TreeLdlt::keep_place_by_turn(int n, const Node& node) {
  const int first = first_of_turns(n);
  if (first < 0) return;
  Three M[3], columns[3];
  for (int k = 2; k >= 0; --k) {  // L⁻ᵀ
    M[k] = -node.xt[k];
    for (int i = k + 1; i < 3; ++i) M[k] -= all(node.xx[k][i]) * M[i];
  }
  transpose(M, columns);
  Three *block = blocks_[n].after.turn + 3, *g = rows(first).turn + 3;
  for (int k = 0; k < 3; ++k) block[k][3] = columns[0][k], g[k][3] = columns[1][k];
  g[3] = columns[2];
}

// what the elimination of a node leaves between two that it couples with
void TreeLdlt::couple_later(const Rows& rows, bool turns_only, const Rows& other, bool other_turns_only, int target) {
  if (turns_only && other_turns_only) {
    Three* out = turns(target);
    for (int k = 3; k < 6; ++k)
      for (int i = 0; i < 3; ++i) out[i] -= all(rows.turn[k][i]) * other.turn[k];
    return;
  }
  const Rows out = coupling(target);
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

void TreeLdlt::solve(std::vector<Unknowns>& u) const {
  assert(keeps_factors_);
  for (int n = 0; n < plan_->row_count(); ++n) {
    Unknowns& own = u[n];
    if (parent_[n] >= 0) {
      own.turn += cross(arm(n), own.place);
      Unknowns& parent = u[plan_->later[parent_[n]]];
      parent.place += own.place, parent.turn += own.turn;
    }
    Three turning = own.turn;  // of couplings of turns, gᵀ (turn + Mᵀ place)
    if (const int first = first_of_turns(n); first >= 0) {
      const PlaceByTurn M = place_by_turn(n, first);
      turning += sums({M.column[0] * own.place, M.column[1] * own.place, M.column[2] * own.place});
    }
    const int last = plan_->first[n + 1] - 1;
    for (int c = plan_->first[n]; c <= last; ++c) {
      const bool in_block = c == last;
      const Three* turn = in_block ? blocks_[n].after.turn : rows_.data() + layout_->place[c];
      const Three* place = in_block ? blocks_[n].after.place : turn + 6;
      Unknowns& later = u[plan_->later[c]];
      if (!in_block && kind_[c] == Kind::turns) {
        for (int k = 0; k < 3; ++k) later.turn -= only_three(all(turning[k]) * turn[3 + k]);
        continue;
      }
      for (int k = 0; k < 6; ++k) {
        const Three y = all(k < 3 ? own.place[k] : own.turn[k - 3]);
        later.place -= only_three(y * place[k]), later.turn -= only_three(y * turn[k]);
      }
    }
    const Node& factors = factors_[n];
    solve_lower(factors, own.place, own.turn);
    for (int k = 0; k < 3; ++k) own.place[k] *= factors.xx[k][k], own.turn[k] *= factors.tt[k][k];
    solve_upper(factors, own.place, own.turn);
  }
  for (int n = plan_->row_count() - 1; n >= 0; --n) u[n] = carried_along(n, u[n], [&](int later) { return u[later]; });
}

}  // namespace tendril::math
