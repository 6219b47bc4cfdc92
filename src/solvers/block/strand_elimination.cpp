#include "solvers/block/strands.h"

namespace tendril::block {

using T = StrandLanes;

struct Strands::Open {
  T exact;
  T energy = T(0);
  Mask is_definite = T(0) < T(1);
  OpenRow<T> vertex = {}, turn = {};  // of the next that are eliminated
  Mat3<T> coupling = {};              // of the later with the earlier of them
};

Strands::Pass Strands::factorise(T exact) {
  if (constants_->isotropic) return factorise<true, true>(exact);
  return constants_->round ? factorise<false, true>(exact) : factorise<false, false>(exact);
}

template <bool isotropic, bool round>
Strands::Pass Strands::factorise(T exact) {
  const int segments = segment_count();
  Open open{.exact = exact};
  std::size_t held = 0;
  Mat3<T> R = rotation_matrix(at_.q[0]);
  for (int s = 0; s < segments; ++s) {
    add_vertex(s, open);
    for (; held < held_frames_.size() && constants_->held[held].segment == s; ++held) {
      const BendPull pull = held_bend(held, exact);
      open.turn.diagonal += pull.S, open.turn.right += pull.moment;
      open.energy += pull.energy;
    }
    eliminate_vertex<isotropic, round>(s, R, open);
    if (s + 1 == segments) break;
    R = rotation_matrix(at_.q[s + 1]);
    eliminate_turn<isotropic>(s, R, open);
  }
  // the last turn and the last vertex, which nothing comes after
  Mat3<T> none{};
  const Pivot<T> turn = begin_elimination(open.turn, open.coupling, open.vertex);
  end_elimination(turn, none, open.turn, none, rows_[2 * segments - 1]);
  open.is_definite = open.is_definite & turn.is_definite;
  add_vertex(segments, open);
  if (is_held(segments)) hold(free_axes(segments), open.vertex, none, none);
  const Pivot<T> last = begin_elimination(open.vertex, none, open.turn);
  end_elimination(last, none, open.vertex, none, rows_[2 * segments]);
  return {open.energy, open.is_definite & last.is_definite};
}

Vec3<T> Strands::free_axes(int i) const {
  return vectors<T>([&](int k) -> const Vec3d& { return problem_->free_axes(vertex(i, k)); });
}

// its inertia
[[gnu::always_inline]] inline void Strands::add_vertex(int i, Open& open) const {
  const Vec3<T> away = at_.x[i] - goal_[i], force = weight_[i] * away;
  open.vertex.diagonal += weight_[i];
  open.vertex.right -= force;
  open.energy += T(0.5) * dot(force, away);
}

// vertex s: segment s joins it to its turn and to the next vertex
template <bool isotropic, bool round>
[[gnu::always_inline]] inline void Strands::eliminate_vertex(int s, const Mat3<T>& R, Open& open) {
  const auto& [stretch, per_length, weight] = constants_->segments[s];
  const SpinTerms<T> spin = spin_terms<round>(weight, R, spin_turn(spin_goal_[s], at_.q[s]));
  const Vec3<T> e = edge(s, at_), gamma = strain(stretch, e, R);
  const StretchTerms<T> d = stretch_terms<isotropic>(stretch, e, R, gamma, prediction_[s], open.exact);
  open.energy += stretch_energy(stretch, gamma) + spin.energy;
  open.turn.diagonal += d.theta_theta, open.turn.diagonal += spin.theta_theta;
  open.turn.right -= d.torque + spin.torque;
  if (!moment_.empty()) open.turn.right += moment_[s];
  open.vertex.right -= d.force;

  const T k = stretch.GA * per_length;
  if constexpr (isotropic) {
    open.vertex.diagonal += k;
    open.coupling += skew(-d.arm);
    const Pivot<T> pivot = begin_elimination(open.vertex, open.coupling, open.turn);
    open.is_definite = open.is_definite & pivot.is_definite;
    open.vertex = {{k, T(0), T(0), k, T(0), k}, d.force};
    open.coupling = skew(-d.arm);
    end_elimination(pivot, -k, open.vertex, open.coupling, rows_[2 * s]);
  } else {
    const T excess = stretch.EA - stretch.GA;
    Sym3<T> xx = square(excess * per_length, R.c2);
    xx += k;
    const Mat3<T> x_theta = skew(d.arm) + outer(-excess * R.c2, d.side);
    Mat3<T> after = T(-1) * full(xx);
    open.vertex.diagonal += xx;
    open.coupling += transpose(x_theta);
    if (is_held(s)) hold(free_axes(s), open.vertex, open.coupling, after);
    const Pivot<T> pivot = begin_elimination(open.vertex, open.coupling, open.turn);
    open.is_definite = open.is_definite & pivot.is_definite;
    open.vertex = {xx, d.force};
    open.coupling = T(-1) * x_theta;
    end_elimination(pivot, after, open.vertex, open.coupling, rows_[2 * s]);
  }
}

// the turn of segment s: a bend joins it to that of the next
template <bool isotropic>
[[gnu::always_inline]] inline void Strands::eliminate_turn(int s, const Mat3<T>& next_R, Open& open) {
  const Bend<T>& bend = constants_->bends[s];
  const Vec3<T> angle = bend_angle(bend, at_.q[s + 1], second_frame(s, at_));
  const BendDerivatives<T> d = derivatives<isotropic>(bend, next_R, angle, open.exact);
  open.energy += bend_energy(bend, angle);
  open.turn.diagonal += d.S, open.turn.right -= d.moment;
  const Pivot<T> pivot = begin_elimination(open.turn, open.coupling, open.vertex);
  open.is_definite = open.is_definite & pivot.is_definite;
  open.turn = {d.S, d.moment};
  open.coupling = {};
  end_elimination(pivot, skew(d.half_moment) + T(-1) * full(d.S), open.turn, open.coupling, rows_[2 * s + 1]);
}

// on the turn of its segment
Strands::BendPull Strands::held_bend(std::size_t n, T exact) const {
  const HeldBend& held = constants_->held[n];
  const auto [a, b] = frames(n, at_);
  const Vec3<T> angle = bend_angle(held.bend, a, b);
  const BendDerivatives<T> d = derivatives(held.bend, a, angle, exact);
  return {d.S, held.held_is_a ? -d.moment : d.moment, bend_energy(held.bend, angle)};
}

void Strands::solve() { constants_->isotropic ? solve<true>() : solve<false>(); }

template <bool isotropic>
void Strands::solve() {
  const int segments = segment_count();
  Vec3<T> x{}, theta{};  // of the next vertex and segment
  u_[2 * segments + 1] = u_[2 * segments + 2] = {};
  x = u_[2 * segments] = rows_[2 * segments].solve_backwards(theta, x);
  T longest(0), turn(0), sum = norm_squared(x);
  for (int s = segments - 1; s >= 0; --s) {
    theta = u_[2 * s + 1] = rows_[2 * s + 1].solve_backwards(x, theta);
    const Vec3<T> first = x;
    if constexpr (isotropic)
      x = rows_[2 * s].solve_backwards_upper(theta, x);
    else
      x = rows_[2 * s].solve_backwards(theta, x);
    u_[2 * s] = x;
    const T turn2 = norm_squared(theta), per_length = constants_->segments[s].per_length;
    longest = max(longest, norm_squared(x - first) * (per_length * per_length));
    turn = max(turn, turn2);
    sum += norm_squared(x) + turn2;
  }
  turn_size_ = sqrt(turn);
  step_size_ = select(sum < T(forever), sqrt(max(longest, turn)), T(forever));  // not where it is no number
}

}  // namespace tendril::block
