#include "solvers/block/strands.h"

namespace tendril::block {

using T = StrandLanes;

struct Strands::Open {
  T exact;
  T energy = T(0);
  Mask is_definite = T(0) < T(1);
  std::size_t held = 0;                            // the next bend with a frame that is no unknown
  OpenRow<T> vertex = {}, turn = {};               // of the next that are eliminated
  Mat3<T> coupling = {};                           // of the later with the earlier of them
  Border<T> vertex_border = {}, turn_border = {};  // of pieces
};

// What a segment or a bend adds to the row after the next, and its couplings with the next and with that in turn. Put
// together only when they are needed: registers are few.
template <bool isotropic>
struct Strands::SegmentReach {
  Sym3<T> xx;
  Mat3<T> x_theta;
  Vec3<T> force;
  OpenRow<T> row() const { return {xx, force}; }
  Mat3<T> coupling() const { return T(-1) * x_theta; }
  Mat3<T> after() const { return T(-1) * full(xx); }
};
template <>
struct Strands::SegmentReach<true> {
  T k;
  Vec3<T> arm, force;
  OpenRow<T> row() const { return {{k, T(0), T(0), k, T(0), k}, force}; }
  Mat3<T> coupling() const { return skew(-arm); }
  T after() const { return -k; }  // times 1
};
struct Strands::BendReach {
  BendDerivatives<T> d;
  OpenRow<T> row() const { return {d.S, d.moment}; }
  Mat3<T> coupling() const { return {}; }
  Mat3<T> after() const { return skew(d.half_moment) + T(-1) * full(d.S); }
};

Strands::Pass Strands::factorise(T exact) {
  const bool fresh = at_goal_ && constants_->round && !any(exact < T(1));
  if (at_goal_ && !fresh) load_all();
  if (constants_->isotropic) return fresh ? factorise<true, true, true>(exact) : factorise<true, true, false>(exact);
  if (constants_->round) return fresh ? factorise<false, true, true>(exact) : factorise<false, true, false>(exact);
  return factorise<false, false, false>(exact);
}
Strands::Pass Strands::factorise_pieces(T exact) {
  if (constants_->isotropic) return factorise_pieces<true, true>(exact);
  return constants_->round ? factorise_pieces<false, true>(exact) : factorise_pieces<false, false>(exact);
}

template <bool isotropic, bool round, bool fresh>
Strands::Pass Strands::factorise(T exact) {
  const int segments = segment_count();
  Open open{.exact = exact};
  if constexpr (fresh) load_vertex(0), load_segment(0);
  Mat3<T> R = rotation_matrix(at_.q[0]);
  for (int s = 0; s < segments; ++s) {
    fetch_ahead(s);
    if constexpr (fresh) load_vertex(s + 1);
    add_vertex(s, open);
    add_held_bends(s, open);
    eliminate_vertex<false>(s, add_segment<isotropic, round, fresh>(s, R, open), open);
    if (s + 1 == segments) break;
    if constexpr (fresh) load_segment(s + 1);
    R = rotation_matrix(at_.q[s + 1]);
    eliminate_turn<false>(s, add_bend<isotropic, fresh>(s, R, open), open);
  }
  // the last turn and the last vertex, which nothing comes after
  Mat3<T> none{};
  open.is_definite &= begin_elimination(open.turn, open.coupling, open.vertex, rows_[2 * segments - 1]);
  end_elimination(none, open.turn, none, rows_[2 * segments - 1]);
  add_vertex(segments, open);
  if (constants_->is_held[segments]) hold(free_axes(segments), open.vertex, none, none);
  open.is_definite &= begin_elimination(open.vertex, none, open.turn, rows_[2 * segments]);
  end_elimination(none, open.vertex, none, rows_[2 * segments]);
  return {open.energy, open.is_definite};
}

template <bool isotropic, bool round>
Strands::Pass Strands::factorise_pieces(T exact) {
  const int segments = segment_count();
  Open open{.exact = exact};
  Mat3<T> R = rotation_matrix(at_.q[0]);
  for (int s = 0; s < segments; ++s) {
    add_vertex(s, open);
    add_held_bends(s, open);
    const auto segment = add_segment<isotropic, round>(s, R, open);
    R = rotation_matrix(at_.q[s + 1]);
    if (s == 0) {
      begin_piece(segment, add_bend<isotropic>(s, R, open), open);
      continue;
    }
    eliminate_vertex<true>(s, segment, open);
    eliminate_turn<true>(s, add_bend<isotropic>(s, R, open), open);
  }
  add_vertex(segments, open);
  ends_.last = {open.vertex, open.turn, open.coupling};
  ends_.last_vertex = open.vertex_border, ends_.last_turn = open.turn_border;
  return {open.energy, open.is_definite};
}

// its first vertex and turn become its border
template <bool isotropic>
void Strands::begin_piece(const SegmentReach<isotropic>& segment, const BendReach& bend, Open& open) {
  borders_.resize(rows_.size());
  ends_.first = {open.vertex, open.turn, open.coupling};
  open.vertex = segment.row(), open.turn = bend.row(), open.coupling = bend.coupling();
  open.vertex_border.second = transpose(segment.coupling()), open.turn_border.second = transpose(bend.after());
  if constexpr (isotropic)
    open.vertex_border.first.c0.x = open.vertex_border.first.c1.y = open.vertex_border.first.c2.z = segment.after();
  else
    open.vertex_border.first = segment.after();  // symmetric
}

Vec3<T> Strands::free_axes(int i) const {
  const LaneIndex vertex = bundle_->lineup.vertices(i);
  return vectors<T>([&](int k) -> const Vec3d& { return problem_->free_axes(vertex[k]); });
}

[[gnu::always_inline]] inline void Strands::load_vertex(int i) {
  at_.x[i] = vectors<T>(model_.x(i)), goal_[i] = vectors<T>(model_.goal(i)), weight_[i] = numbers<T>(model_.weight(i));
}

[[gnu::always_inline]] inline void Strands::load_segment(int s) {
  at_.q[s] = spin_goal_[s] = quaternions<T>(model_.q(s)), prediction_[s] = vectors<T>(model_.prediction(s));
  if (!moment_.empty()) moment_[s] = vectors<T>(model_.moment(s));
}

void Strands::load_all() {
  for (int i = 0; i <= segment_count(); ++i) load_vertex(i);
  for (int s = 0; s < segment_count(); ++s) load_segment(s);
}

// The next bundle comes from memory while this one is worked on, for each segment eight vertices and segments of it.
[[gnu::always_inline]] inline void Strands::fetch_ahead(int s) const {
  if (!ahead_.x) return;
  const auto fetch = [&](const auto* first) __attribute__((always_inline)) {
    const char* from = reinterpret_cast<const char*>(first + strand_lanes * s);
    for (std::size_t line = 0; line < strand_lanes * sizeof *first; line += 64) __builtin_prefetch(from + line, 0, 2);
  };
  fetch(ahead_.x), fetch(ahead_.goal), fetch(ahead_.weight), fetch(ahead_.q), fetch(ahead_.prediction);
}

// its inertia
[[gnu::always_inline]] inline void Strands::add_vertex(int i, Open& open) const {
  const Vec3<T> away = at_.x[i] - goal_[i], force = weight_[i] * away;
  open.vertex.diagonal += weight_[i];
  open.vertex.right -= force;
  open.energy += T(0.5) * dot(force, away);
}

// of segment s
[[gnu::always_inline]] inline void Strands::add_held_bends(int s, Open& open) const {
  for (; open.held < held_frames_.size() && bundle_->held[open.held].segment == s; ++open.held) {
    const BendPull pull = held_bend(open.held, open.exact);
    open.turn.diagonal += pull.S, open.turn.right += pull.moment;
    open.energy += pull.energy;
  }
}

// segment s joins vertex s to its turn and to the next vertex
template <bool isotropic, bool round, bool fresh>
[[gnu::always_inline]] inline auto Strands::add_segment(int s, const Mat3<T>& R, Open& open) const
    -> SegmentReach<isotropic> {
  const auto& [stretch, per_length, weight] = constants_->segments[s];
  if constexpr (fresh) {
    open.turn.diagonal += spin_terms_at_goal<round>(weight, R);
  } else {
    const SpinTerms<T> spin = spin_terms<round>(weight, R, spin_turn(spin_goal_[s], at_.q[s]));
    open.turn.diagonal += spin.theta_theta, open.turn.right -= spin.torque;
    open.energy += spin.energy;
  }
  const Vec3<T> e = edge(s, at_);
  StretchTerms<T> d;
  if constexpr (isotropic) {
    const Vec3<T> gamma = e - R.c2;
    if constexpr (fresh)
      d = isotropic_stretch_terms(stretch, e, R, gamma, prediction_[s]);
    else
      d = isotropic_stretch_terms(stretch, e, R, gamma, prediction_[s], open.exact);
    open.energy += T(0.5) * stretch.length * dot(gamma, d.force);
  } else {
    const Vec3<T> gamma = strain(stretch, e, R);
    d = stretch_terms(stretch, e, R, gamma, prediction_[s], open.exact);
    open.energy += stretch_energy(stretch, gamma);
  }
  open.turn.diagonal += d.theta_theta;
  open.turn.right -= d.torque;
  if (!moment_.empty()) open.turn.right += moment_[s];
  open.vertex.right -= d.force;

  const T k = constants_->segments[s].shear();
  if constexpr (isotropic) {
    open.vertex.diagonal += k;
    open.coupling += skew(-d.arm);
    return {k, d.arm, d.force};
  } else {
    const T excess = stretch.EA - stretch.GA;
    Sym3<T> xx = square(excess * per_length, R.c2);
    xx += k;
    const Mat3<T> x_theta = skew(d.arm) + outer(-excess * R.c2, d.side);
    open.vertex.diagonal += xx;
    open.coupling += transpose(x_theta);
    return {xx, x_theta, d.force};
  }
}

// a bend joins the turn of segment s to that of the next
template <bool isotropic, bool fresh>
[[gnu::always_inline]] inline auto Strands::add_bend(int s, const Mat3<T>& next_R, Open& open) const -> BendReach {
  const Bend<T>& bend = constants_->bends[s];
  const Vec3<T> angle = bend_angle(bend, at_.q[s + 1], second_frame(s, at_));
  const BendDerivatives<T> d = derivatives<isotropic>(bend, next_R, angle, fresh ? T(1) : open.exact);
  open.energy += bend_energy<isotropic>(bend, angle);
  open.turn.diagonal += d.S, open.turn.right -= d.moment;
  return {d};
}

template <bool pieces, bool isotropic>
[[gnu::always_inline]] inline void Strands::eliminate_vertex(int s, const SegmentReach<isotropic>& beyond, Open& open) {
  auto after = beyond.after();
  if constexpr (!isotropic)
    if (constants_->is_held[s]) {
      const Vec3<T> free = free_axes(s);
      hold(free, open.vertex, open.coupling, after);
      if constexpr (pieces) hold(free, open.vertex_border);
    }
  DoneRow<T>& done = rows_[2 * s];
  open.is_definite &= begin_elimination(open.vertex, open.coupling, open.turn, done);
  open.vertex = beyond.row(), open.coupling = beyond.coupling();
  end_elimination(after, open.vertex, open.coupling, done);
  if constexpr (pieces && isotropic)
    open.vertex_border = eliminate_border<true>(done, done.after_of(after), open.vertex_border, open.turn_border,
                                                ends_.first, borders_[2 * s]);
  else if constexpr (pieces)
    open.vertex_border =
        eliminate_border<false>(done, done.after, open.vertex_border, open.turn_border, ends_.first, borders_[2 * s]);
}

template <bool pieces>
[[gnu::always_inline]] inline void Strands::eliminate_turn(int s, const BendReach& beyond, Open& open) {
  DoneRow<T>& done = rows_[2 * s + 1];
  open.is_definite &= begin_elimination(open.turn, open.coupling, open.vertex, done);
  open.turn = beyond.row(), open.coupling = beyond.coupling();
  end_elimination(beyond.after(), open.turn, open.coupling, done);
  if constexpr (pieces)
    open.turn_border = eliminate_border<false>(done, done.after, open.turn_border, open.vertex_border, ends_.first,
                                               borders_[2 * s + 1]);
}

// on the turn of its segment
Strands::BendPull Strands::held_bend(std::size_t n, T exact) const {
  const HeldBend& held = bundle_->held[n];
  const auto [a, b] = frames(n, at_);
  const Vec3<T> angle = bend_angle(held.bend, a, b);
  const BendDerivatives<T> d = derivatives(held.bend, a, angle, exact);
  return {d.S, held.held_is_a ? -d.moment : d.moment, bend_energy(held.bend, angle)};
}

void Strands::solve() { constants_->isotropic ? solve_all<true, false>() : solve_all<false, false>(); }
void Strands::solve_pieces() { constants_->isotropic ? solve_all<true, true>() : solve_all<false, true>(); }

// from its turn and the vertex after it
template <bool isotropic>
[[gnu::always_inline]] inline Vec3<T> Strands::solve_vertex(int s, const Vec3<T>& theta, const Vec3<T>& x,
                                                            const Vec3<T>& pull) const {
  if constexpr (isotropic) return rows_[2 * s].solve_backwards(theta, x, -constants_->segments[s].shear(), pull);
  return rows_[2 * s].solve_backwards(theta, x, pull);
}

template <bool isotropic, bool pieces>
void Strands::solve_all() {
  const int segments = segment_count();
  Vec3<T> x{}, theta{};  // of the next vertex and segment
  if constexpr (pieces) {
    x = u_[2 * segments], theta = u_[2 * segments + 1];
  } else {
    u_[2 * segments + 1] = u_[2 * segments + 2] = {};
    x = u_[2 * segments] = rows_[2 * segments].solve_backwards(theta, x);
  }
  const Vec3<T> first_x = u_[0], first_theta = u_[1];  // of pieces
  T longest(0), turn(0), sum = norm_squared(x);
  for (int s = segments - 1; s >= 0; --s) {
    const Vec3<T> before = x;
    if constexpr (!pieces) {
      theta = rows_[2 * s + 1].solve_backwards(x, theta);
      x = solve_vertex<isotropic>(s, theta, x);
    } else if (s == 0) {
      theta = first_theta, x = first_x;
    } else {
      theta = rows_[2 * s + 1].solve_backwards(x, theta, borders_[2 * s + 1].pull(first_x, first_theta));
      x = solve_vertex<isotropic>(s, theta, x, borders_[2 * s].pull(first_x, first_theta));
    }
    u_[2 * s + 1] = theta, u_[2 * s] = x;
    const T turn2 = norm_squared(theta), per_length = constants_->segments[s].per_length;
    longest = max(longest, norm_squared(x - before) * (per_length * per_length));
    turn = max(turn, turn2);
    sum += norm_squared(x) + turn2;
  }
  turn_size_ = sqrt(turn);
  step_size_ = select(sum < T(forever), sqrt(max(longest, turn)), T(forever));  // not where it is no number
}

}  // namespace tendril::block
