#include "solvers/block/strands.h"

namespace tendril::solvers::block {

template <class T>
struct Strands<T>::Open {
  T hessian_share;
  T energy = T(0);
  Mask is_definite = T(0) < T(1);
  std::size_t held = 0;                            // the next bend with a frame that is no unknown
  OpenRow<T> vertex = {}, turn = {};               // of the next that are eliminated
  Mat3<T> coupling = {};                           // of the later with the earlier of them
  Border<T> vertex_border = {}, turn_border = {};  // of pieces
};

// What a segment or a bend adds to the row after the next, and its couplings with the next and with that in turn. Put
// together only when they are needed: registers are few.
template <class T, bool isotropic, bool springs>
struct SegmentReach {
  Sym3<T> xx;
  Mat3<T> x_theta;
  Vec3<T> force;
  OpenRow<T> row() const { return {xx, force}; }
  Mat3<T> coupling() const { return T(-1) * x_theta; }
  Mat3<T> after() const { return T(-1) * full(xx); }
};
template <class T>
struct SegmentReach<T, true, false> {
  T k;
  Vec3<T> arm, force;
  OpenRow<T> row() const { return {{k, T(0), T(0), k, T(0), k}, force}; }
  Mat3<T> coupling() const { return skew(-arm); }
  T after() const { return -k; }  // times 1
};
template <class T>
struct SegmentReach<T, true, true> {
  RoundSpring<T> spring;
  Vec3<T> arm, force;
  void finish(OpenRow<T>& row, Mat3<T>&) const { row.right += force; }
};
template <class T>
struct SegmentReach<T, false, true> {
  AxialSpring<T> spring;
  Vec3<T> arm, force, n;
  void finish(OpenRow<T>& row, Mat3<T>& coupling) const { row.right += force, coupling += skew(n); }
};
template <class T>
struct BendReach {
  BendDerivatives<T> d;
  OpenRow<T> row() const { return {d.S, d.moment}; }
  Mat3<T> coupling() const { return {}; }
  Mat3<T> after() const { return skew(d.half_moment) + T(-1) * full(d.S); }
};

template <class T>
auto Strands<T>::factorise(T hessian_share) -> Pass {
  const bool fresh = !is_moving_ && constants_->kind >= StrandKind::round && !any(hessian_share < T(1));
  if (!fresh) begin_moving();
  if constexpr (!is_exact<T>)
    if (bundle_->is_stiff) return factorise_kind<true>(hessian_share, fresh);
  return factorise_kind<false>(hessian_share, fresh);
}
template <class T>
template <bool springs>
auto Strands<T>::factorise_kind(T hessian_share, bool fresh) -> Pass {
  using enum StrandKind;
  switch (constants_->kind) {
    case straight:
      return fresh ? factorise<straight, springs, true>(hessian_share)
                   : factorise<straight, springs, false>(hessian_share);
    case isotropic:
      return fresh ? factorise<isotropic, springs, true>(hessian_share)
                   : factorise<isotropic, springs, false>(hessian_share);
    case round:
      return fresh ? factorise<round, springs, true>(hessian_share) : factorise<round, springs, false>(hessian_share);
    default:
      return factorise<general, springs, false>(hessian_share);
  }
}
template <class T>
auto Strands<T>::factorise_pieces(T hessian_share) -> Pass {
  using enum StrandKind;
  switch (constants_->kind) {
    case straight:
      return factorise_pieces<straight>(hessian_share);
    case isotropic:
      return factorise_pieces<isotropic>(hessian_share);
    case round:
      return factorise_pieces<round>(hessian_share);
    default:
      return factorise_pieces<general>(hessian_share);
  }
}

template <class T>
template <StrandKind kind, bool springs, bool fresh>
auto Strands<T>::factorise(T hessian_share) -> Pass {
  const int segments = segment_count();
  Open open{.hessian_share = hessian_share};
  const auto frame_of = [&](int s) __attribute__((always_inline)) {
    const Quat<T> q = frame<fresh>(s, at_);
    return Frame{q, rotation_matrix(q)};
  };
  Frame now = frame_of(0);
  for (int s = 0; s < segments; ++s) {
    next_.fetch(s);  // while this bundle is worked on
    add_vertex<fresh>(s, open);
    add_held_bends(s, now.q, open);
    eliminate_vertex<false>(s, add_segment<kind, springs, fresh>(s, now, open), open);
    if (s + 1 == segments) break;
    const Frame next = frame_of(s + 1);
    eliminate_turn<false>(s, add_bend<kind, fresh>(s, now, next, open), open);
    now = next;
  }
  eliminate_last_rows<fresh>(open);
  return {open.energy, open.is_definite};
}

template <class T>
auto Strands<T>::factorise_touching(T hessian_share, const std::vector<TouchBlocks<T>>& touch,
                                    const std::vector<char>& is_touched) -> Pass requires is_exact<T> {
  if (constants_->kind >= StrandKind::round)
    return factorise_touching<StrandKind::round>(hessian_share, touch, is_touched);
  return factorise_touching<StrandKind::general>(hessian_share, touch, is_touched);
}

// The first vertex of a segment is the one that is eliminated later.
template <class T>
template <StrandKind kind>
auto Strands<T>::factorise_touching(T hessian_share, const std::vector<TouchBlocks<T>>& touch,
                                    const std::vector<char>& is_touched) -> Pass {
  const int segments = segment_count();
  Open open{.hessian_share = hessian_share};
  const auto frame_of = [&](int s) __attribute__((always_inline)) {
    const Quat<T> q = frame(s, at_);
    return Frame{q, rotation_matrix(q)};
  };
  Frame now = frame_of(0);
  for (int s = 0; s < segments; ++s) {
    add_vertex(s, open);
    add_held_bends(s, now.q, open);
    const auto segment = add_segment<kind>(s, now, open);
    OpenRow<T> next_vertex = segment.row();
    Mat3<T> coupling = segment.coupling(), after = segment.after();
    if (is_touched[s]) {
      const TouchBlocks<T>& t = touch[s];
      open.vertex.diagonal += t.xx[1], open.vertex.right += t.force[1];
      open.turn.diagonal += t.turn, open.turn.right += t.moment;
      open.coupling += transpose(t.x_turn[1]);
      next_vertex.diagonal += t.xx[0], next_vertex.right += t.force[0];
      coupling += t.x_turn[0], after += t.x0_x1;
    }
    if (constants_->is_held[s]) hold(free_axes(s), open.vertex, open.coupling, after);
    DoneRow<T>& done = rows_[2 * s];
    open.is_definite &= begin_elimination(open.vertex, open.coupling, open.turn, done);
    open.vertex = next_vertex, open.coupling = coupling;
    end_elimination(after, open.vertex, open.coupling, done);
    if (s + 1 == segments) break;
    const Frame next = frame_of(s + 1);
    eliminate_turn<false>(s, add_bend<kind>(s, now, next, open), open);
    now = next;
  }
  eliminate_last_rows<false>(open);
  return {open.energy, open.is_definite};
}

template <class T>
template <StrandKind kind>
auto Strands<T>::factorise_pieces(T hessian_share) -> Pass {
  const int segments = segment_count();
  Open open{.hessian_share = hessian_share};
  const auto frame_of = [&](int s) __attribute__((always_inline)) {
    const Quat<T> q = frame(s, at_);
    return Frame{q, rotation_matrix(q)};
  };
  Frame now = frame_of(0);
  for (int s = 0; s < segments; ++s) {
    add_vertex(s, open);
    add_held_bends(s, now.q, open);
    const auto segment = add_segment<kind>(s, now, open);
    const Frame next = frame_of(s + 1);
    const auto bend = [&]() __attribute__((always_inline)) { return add_bend<kind>(s, now, next, open); };
    if (s == 0) {
      begin_piece(segment, bend(), open);
    } else {
      eliminate_vertex<true>(s, segment, open);
      eliminate_turn<true>(s, bend(), open);
    }
    now = next;
  }
  add_vertex(segments, open);
  ends_.last = {open.vertex, open.turn, open.coupling};
  ends_.last_vertex = open.vertex_border, ends_.last_turn = open.turn_border;
  return {open.energy, open.is_definite};
}

// its first vertex and turn become its border
template <class T>
template <bool isotropic>
void Strands<T>::begin_piece(const Reach<isotropic, false>& segment, const BendReach<T>& bend, Open& open) {
  borders_.resize(rows_.size());
  ends_.first = {open.vertex, open.turn, open.coupling};
  open.vertex = segment.row(), open.turn = bend.row(), open.coupling = bend.coupling();
  open.vertex_border.second = transpose(segment.coupling()), open.turn_border.second = transpose(bend.after());
  if constexpr (isotropic)
    open.vertex_border.first.c0.x = open.vertex_border.first.c1.y = open.vertex_border.first.c2.z = segment.after();
  else
    open.vertex_border.first = segment.after();  // symmetric
}

template <class T>
Vec3<T> Strands<T>::free_axes(int i) const {
  const LaneIndices<T> vertex = bundle_->lineup.vertices(i);
  return vectors<T>([&](int k) -> const Vec3d& { return problem_->free_axes(vertex[k]); });
}

// its inertia
template <class T>
template <bool fresh>
[[gnu::always_inline]] inline void Strands<T>::add_vertex(int i, Open& open) const {
  const T& weight = bundle_->weight[i];
  const Vec3<T> away = fresh ? -goal_[i] : at_.x[i] - goal_[i], force = weight * away;
  open.vertex.diagonal += weight;
  open.vertex.right -= force;
  open.energy += T(0.5) * dot(force, away);
}

// the last turn and the last vertex, which nothing comes after
template <class T>
template <bool fresh>
[[gnu::always_inline]] inline void Strands<T>::eliminate_last_rows(Open& open) {
  const int segments = segment_count();
  Mat3<T> none{};
  open.is_definite &= begin_elimination(open.turn, open.coupling, open.vertex, rows_[2 * segments - 1]);
  end_elimination(none, open.turn, none, rows_[2 * segments - 1]);
  add_vertex<fresh>(segments, open);
  if (constants_->is_held[segments]) hold(free_axes(segments), open.vertex, none, none);
  open.is_definite &= begin_elimination(open.vertex, none, open.turn, rows_[2 * segments]);
  end_elimination(none, open.vertex, none, rows_[2 * segments]);
}

// of segment s
template <class T>
[[gnu::always_inline]] inline void Strands<T>::add_held_bends(int s, const Quat<T>& q, Open& open) const {
  for (; open.held < held_frames_.size() && bundle_->held[open.held].segment == s; ++open.held) {
    const BendPull pull = held_bend(open.held, q, open.hessian_share);
    open.turn.diagonal += pull.S, open.turn.right += pull.moment;
    open.energy += pull.energy;
  }
}

// segment s joins vertex s to its turn and to the next vertex
template <class T>
template <StrandKind kind, bool springs, bool fresh>
[[gnu::always_inline]] inline auto Strands<T>::add_segment(int s, const Frame& frame, Open& open) const
    -> Reach<(kind >= StrandKind::isotropic), springs> {
  constexpr bool isotropic = kind >= StrandKind::isotropic, round = kind >= StrandKind::round;
  const auto& [stretch, per_length, weight] = constants_->segments[s];
  const Mat3<T>& R = frame.R;
  if constexpr (!fresh) {
    const SpinTerms<T> spin = spin_terms<round>(weight, R, spin_turn(at_.turn[s]));
    open.turn.diagonal += spin.theta_theta, open.turn.right -= spin.torque;
    open.energy += spin.energy;
  } else if constexpr (!isotropic) {
    open.turn.diagonal += spin_terms_at_goal<round>(weight, R);
  }
  const Vec3<T> e = edge<fresh>(s, at_), &predicted = bundle_->prediction[s];
  StretchTerms<T> d;
  if constexpr (isotropic) {
    const Vec3<T> gamma = e - R.c2;
    if constexpr (fresh)
      d = isotropic_terms_at_goal<springs>(stretch, weight, e, R.c2, gamma, predicted.z,
                                           kind == StrandKind::straight ? rotate(frame.q, predicted) : R * predicted);
    else
      d = isotropic_stretch_terms<springs>(stretch, e, R, gamma, predicted, open.hessian_share);
    open.energy += T(0.5) * stretch.length * dot(gamma, d.force);
  } else {
    const Vec3<T> gamma = strain(stretch, e, R);
    d = stretch_terms<springs>(stretch, e, R, gamma, predicted, open.hessian_share);
    open.energy += stretch_energy(stretch, gamma);
  }
  open.turn.diagonal += d.theta_theta;
  open.turn.right -= d.torque;
  if (!moment_.empty()) open.turn.right += moment_[s];
  open.vertex.right -= d.force;

  const T k = constants_->segments[s].shear();
  if constexpr (springs && isotropic) {
    return {{k}, -stretch.length * d.e, d.force};
  } else if constexpr (springs) {
    open.coupling += skew(-d.arm);
    return {{k, (stretch.EA - stretch.GA) * per_length, R.c2}, -stretch.length * d.e, d.force, -d.arm};
  } else if constexpr (isotropic) {
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
template <class T>
template <StrandKind kind, bool fresh>
[[gnu::always_inline]] inline auto Strands<T>::add_bend(int s, const Frame& frame, const Frame& next, Open& open) const
    -> BendReach<T> {
  const Bend<T>& bend = constants_->bends[s];
  BendDerivatives<T> d;
  if constexpr (kind == StrandKind::straight) {
    const Vec3<T> phi = straight_bend_angle(next.q, frame.q);
    d = straight_derivatives<fresh>(bend.K.x, phi, open.hessian_share);
    open.energy += T(0.5) * dot(phi, d.moment);
  } else {
    constexpr bool isotropic = kind == StrandKind::isotropic;
    const Vec3<T> angle = bend_angle(bend, next.q, second_frame(s, frame.q));
    d = derivatives<isotropic>(bend, next.R, angle, fresh ? T(1) : open.hessian_share);
    open.energy += bend_energy<isotropic>(bend, angle);
  }
  open.turn.diagonal += d.S, open.turn.right -= d.moment;
  return {d};
}

template <class T>
template <bool pieces, bool isotropic, bool springs>
[[gnu::always_inline]] inline void Strands<T>::eliminate_vertex(int s,
                                                                const SegmentReach<T, isotropic, springs>& beyond,
                                                                Open& open) {
  if constexpr (springs) {
    if constexpr (!isotropic)
      if (constants_->is_held[s]) return eliminate_held_vertex(s, beyond, open);
    open.is_definite &= eliminate_spring(beyond.spring, beyond.arm, open.vertex, open.coupling, open.turn, springs_[s]);
    beyond.finish(open.vertex, open.coupling);
  } else {
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
}

// what is held leaves all of the spring to the others
template <class T>
void Strands<T>::eliminate_held_vertex(int s, const Reach<false, true>& beyond, Open& open) {
  const Sym3<T> S = beyond.spring.matrix();
  const Mat3<T> Q = skew(beyond.arm), SQ = full(S) * Q;
  open.vertex.diagonal += S, open.coupling += T(-1) * transpose(SQ);
  open.turn.diagonal += diagonal_of(transpose(Q) * SQ);
  Mat3<T> after = T(-1) * full(S);
  hold(free_axes(s), open.vertex, open.coupling, after);
  DoneRow<T>& done = rows_[2 * s];
  open.is_definite &= begin_elimination(open.vertex, open.coupling, open.turn, done);
  open.vertex = {S, {}}, open.coupling = SQ;
  beyond.finish(open.vertex, open.coupling);
  end_elimination(after, open.vertex, open.coupling, done);
}

template <class T>
template <bool pieces>
[[gnu::always_inline]] inline void Strands<T>::eliminate_turn(int s, const BendReach<T>& beyond, Open& open) {
  DoneRow<T>& done = rows_[2 * s + 1];
  open.is_definite &= begin_elimination(open.turn, open.coupling, open.vertex, done);
  open.turn = beyond.row(), open.coupling = beyond.coupling();
  end_elimination(beyond.after(), open.turn, open.coupling, done);
  if constexpr (pieces)
    open.turn_border = eliminate_border<false>(done, done.after, open.turn_border, open.vertex_border, ends_.first,
                                               borders_[2 * s + 1]);
}

// on the turn of its segment
template <class T>
auto Strands<T>::held_bend(std::size_t n, const Quat<T>& q, T hessian_share) const -> BendPull {
  const HeldBend<T>& held = bundle_->held[n];
  const auto [a, b] = frames(n, q);
  const Vec3<T> angle = bend_angle(held.bend, a, b);
  const BendDerivatives<T> d = derivatives(held.bend, a, angle, hessian_share);
  return {d.S, held.held_is_a ? -d.moment : d.moment, bend_energy(held.bend, angle)};
}

template <class T>
void Strands<T>::solve() {
  solve_direction();
  if (!bundle_->is_open && retracts_) bend_way();
}
template <class T>
void Strands<T>::solve_direction() {
  const bool isotropic = constants_->kind >= StrandKind::isotropic;
  if constexpr (!is_exact<T>)
    if (bundle_->is_stiff) return isotropic ? solve_all<true, true, false>() : solve_all<false, true, false>();
  isotropic ? solve_all<true, false, false>() : solve_all<false, false, false>();
}
template <class T>
void Strands<T>::solve_pieces() {
  constants_->kind >= StrandKind::isotropic ? solve_all<true, false, true>() : solve_all<false, false, true>();
}

// from its turn and the vertex after it
template <class T>
template <bool isotropic, bool springs>
[[gnu::always_inline]] inline Vec3<T> Strands<T>::solve_vertex(int s, const Vec3<T>& theta, const Vec3<T>& x,
                                                               const Vec3<T>& pull) const {
  if constexpr (springs)
    if (isotropic || !constants_->is_held[s]) return springs_[s].solve_backwards(theta, x);
  if constexpr (isotropic) return rows_[2 * s].solve_backwards(theta, x, -constants_->segments[s].shear(), pull);
  return rows_[2 * s].solve_backwards(theta, x, pull);
}

template <class T>
template <bool isotropic, bool springs, bool pieces>
void Strands<T>::solve_all() {
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
      x = solve_vertex<isotropic, springs>(s, theta, x);
    } else if (s == 0) {
      theta = first_theta, x = first_x;
    } else {
      theta = rows_[2 * s + 1].solve_backwards(x, theta, borders_[2 * s + 1].pull(first_x, first_theta));
      x = solve_vertex<isotropic, springs>(s, theta, x, borders_[2 * s].pull(first_x, first_theta));
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

template <class T>
void Strands<T>::bend_way() {
  begin_moving();
  const T step = step_size_, turn = turn_size_;
  add_excess_forces();
  solve_forwards<false>();
  u_.swap(second_order_);
  solve_direction();
  u_.swap(second_order_);
  step_size_ = step, turn_size_ = turn;
}

// on vertices and turns, of the strains at x + u, exp(theta) q beyond those that the linear equations led to
template <class T>
void Strands<T>::add_excess_forces() {
  second_order_.assign(u_.size(), Vec3<T>{T(0), T(0), T(0)});
  for (int s = 0; s < segment_count(); ++s) {
    const Stretch<T>& stretch = constants_->segments[s].stretch;
    const Quat<T> q = frame(s, at_);
    const Vec3<T> e = edge(s, at_), &theta = u_[2 * s + 1];
    const Vec3<T> de = constants_->segments[s].per_length * (u_[2 * s] - u_[2 * s + 2]);
    const Vec3<T> linear = rotate(conjugate(q), e + linear_change(s, T(1), e));
    const Vec3<T> excess = rotate(conjugate(turned(theta, q)), e + de) - linear;
    const Vec3<T> force = rotate(q, stress(stretch, excess));
    second_order_[2 * s] -= force, second_order_[2 * s + 2] += force;
    second_order_[2 * s + 1] -= stretch.length * cross(force, e);
  }
}

template <class T>
template <bool pieces>
void Strands<T>::solve_forwards() {
  const bool isotropic = constants_->kind >= StrandKind::isotropic;
  const int segments = segment_count();
  std::vector<Vec3<T>>& r = second_order_;
  for (int row = pieces ? 2 : 0; row < (pieces ? 2 * segments : 2 * segments + 1); ++row) {
    const bool is_vertex = row % 2 == 0;
    if (is_vertex && constants_->is_held[row / 2]) r[row] = scale(free_axes(row / 2), r[row]);
    DoneRow<T>& done = rows_[row];
    const Vec3<T> y = done.factors.forwards(r[row]);
    done.right = scale(done.factors.w, y);
    math::detail::take_off(done.next, y, r[row + 1]);
    const bool is_short = is_vertex && isotropic && row < 2 * segments;  // `after` is not written down
    math::detail::take_off(is_short ? done.after_of(-constants_->segments[row / 2].shear()) : done.after, y,
                           r[row + 2]);
    if constexpr (pieces) {
      math::detail::take_off(borders_[row].first, y, r[0]);
      math::detail::take_off(borders_[row].second, y, r[1]);
    }
  }
}

template void Strands<StrandLanes>::solve_forwards<true>();
template void Strands<StrandLanes>::solve_forwards<false>();
template void Strands<StrandLanes>::solve_all<false, false, false>();
template class Strands<WideLanes>;
template class Strands<FloatLanes>;

}  // namespace tendril::solvers::block
