#include "solvers/block/strands.h"

#include <limits>

#include "math/quat_pack.h"
#include "solvers/inertia.h"
#include "solvers/newton/retraction.h"

namespace tendril::solvers::block {
namespace {

// exp(step w) q, with w after a turn at constant angular momentum; J in any unit
constexpr auto turned_freely = [](const Quat<WideLanes>& q, const Vec3<WideLanes>& omega, const Vec3<WideLanes>& J,
                                  WideLanes h, WideLanes step) {
  return q * quaternion_exp(step * free_spin(J, rotate(conjugate(q), omega), h));
};
// strains that go on, see newton/retraction.h: edge, its way ahead, frame, its turn ahead, the prediction, p
using StrainAhead = Vec3<WideLanes> (*)(const Vec3<WideLanes>&, const Vec3<WideLanes>&, const Quat<WideLanes>&,
                                        const Vec3<WideLanes>&, const Vec3<WideLanes>&, const Vec3<WideLanes>&);
constexpr StrainAhead by_chord = [](const Vec3<WideLanes>& e, const Vec3<WideLanes>& de, const Quat<WideLanes>& q,
                                    const Vec3<WideLanes>& theta, const Vec3<WideLanes>&, const Vec3<WideLanes>& p) {
  return strain_ahead_by_chord({e, q}, p, de, quaternion_exp(-theta) * q);
};
constexpr StrainAhead by_rate = [](const Vec3<WideLanes>& e, const Vec3<WideLanes>& de, const Quat<WideLanes>& q,
                                   const Vec3<WideLanes>& theta, const Vec3<WideLanes>& now, const Vec3<WideLanes>&) {
  return strain_ahead_by_rate({e, q}, now, de, theta);
};

// log(q q̄_old) / h
constexpr auto rate_of_turn = [](const Quat<WideLanes>& q_old, const Quat<WideLanes>& q, WideLanes per_step) {
  const SpinTurn<WideLanes> turn = spin_turn(q_old, q);
  return (per_step * log_factor(turn.w, norm_squared(turn.v))) * turn.v;
};

}  // namespace

template <class T>
void Strands<T>::begin(Bundle<T>& bundle, Iterate& at, const Iterate& start, const State& moving) {
  bundle_ = &bundle, constants_ = bundle.constants.get(), shape_ = &(*parts_)[bundle.parts[0]];
  model_ = &at, start_ = &start, moving_ = &moving;
  next_ = {};
  is_moving_ = false;
  retracts_ = std::any_of(bundle.parts.begin(), bundle.parts.end(),
                          [&](int part) { return newton::retracts((*parts_)[part], *problem_); });
  second_order_.clear();
  make_room();
  held_frames_.clear();
  for (const HeldBend<T>& held : bundle.held) {
    const Quat<T> frame = quaternions<T>([&](int k) -> const Quatd& {
      const rod::Bend& bend = problem_->model->bends[held.in_model[k]];
      return problem_->frame(at, held.held_is_a ? bend.a : bend.b);
    });
    held_frames_.push_back(held.held_is_a ? frame : frame * held.turn);
  }
  if (problem_->moment.empty()) return;
  const auto moment = bundle.lineup.of_segments(problem_->moment.data());
  for (int s = 0; s < segment_count(); ++s) moment_[s] = vectors<T>(moment(s));
}

template <class T>
void Strands<T>::make_room() {
  const int segments = segment_count(), frames = static_cast<int>(constants_->bends.size()) + 1;
  for (Places* places : {&at_, &trial_}) places->x.resize(segments + 1), places->turn.resize(frames);
  guess_.x.resize(segments + 1), guess_.q.resize(frames);
  if constexpr (!is_exact<T>) edge_.resize(segments), frame_.resize(frames);
  beyond_.resize(segments + 1), beyond_guess_.resize(segments + 1);
  goal_.resize(segments + 1), moment_.resize(problem_->moment.empty() ? 0 : segments);
  rows_.resize(2 * segments + 1), u_.resize(2 * segments + 3);
  if (bundle_->is_stiff) springs_.resize(segments);
}

template <class T>
[[gnu::always_inline]] inline void Strands<T>::set_guess(int i, const Vec3<Exact<T>>& x) {
  if constexpr (!is_exact<T>)
    if (i > 0) edge_[i - 1] = constants_->segments[i - 1].per_length * narrowed(guess_.x[i - 1] - x);
  guess_.x[i] = x;
}
template <class T>
[[gnu::always_inline]] inline void Strands<T>::set_guess(int s, const Quat<Exact<T>>& q) {
  guess_.q[s] = q;
  if constexpr (!is_exact<T>) frame_[s] = narrowed(q);
}

template <class T>
void Strands<T>::load_guess() {
  read_guess();
  place_guess();
}

template <class T>
void Strands<T>::read_guess() {
  const Lineup<T>& lineup = bundle_->lineup;
  const auto x = lineup.of_vertices(model_->x.data());
  const auto goal = lineup.of_vertices(problem_->goal.data());
  const auto q = lineup.of_segments(model_->q.data());
  for (int i = 0; i <= segment_count(); ++i) {
    set_guess(i, vectors<Exact<T>>(x(i)));
    goal_[i] = narrowed(vectors<Exact<T>>(goal(i)) - guess_.x[i]);
  }
  for (int s = 0; s < segment_count(); ++s) set_guess(s, quaternions<Exact<T>>(q(s)));
}

// With the weight w = m/h² + c/h of a vertex, c its damping, x + h v is h²/w (f - c_m v) off its goal, c_m but for
// drag.
template <class T>
void Strands<T>::load_start(const Motion& motion) {
  const Lineup<T>& lineup = bundle_->lineup;
  Ahead stored;
  if (const auto first = first_of(*bundle_))
    stored = {{&model_->x[first->vertex], &(*motion.v)[first->vertex], &(*motion.omega)[first->segment]},
              &model_->q[first->segment]};
  const auto x = lineup.of_vertices(start_->x.data()), v = lineup.of_vertices(start_->v.data());
  const auto force = lineup.of_vertices(problem_->inputs->end.force.data());
  const auto held = lineup.of_vertices(static_cast<const Iterate*>(model_)->x.data());
  const Exact<T> h(problem_->scheme.h);
  for (int i = 0; i <= segment_count(); ++i) {
    const Vec3<Exact<T>> v_old = vectors<Exact<T>>(v(i)), ahead = vectors<Exact<T>>(x(i)) + h * v_old;
    Vec3<T> pull = vectors<T>(force(i));
    if (!bundle_->damped_mass.empty()) pull -= bundle_->damped_mass[i] * narrowed(v_old);
    const T weight = bundle_->weight[i];
    goal_[i] = select(weight > T(0), reciprocal(weight), T(0)) * pull;
    set_guess(i, ahead);
    if (!constants_->is_held[i]) continue;
    set_guess(i, vectors<Exact<T>>(held(i)));
    goal_[i] += narrowed(ahead - guess_.x[i]);
  }
  const auto q = lineup.of_segments(start_->q.data());
  const auto omega = lineup.of_segments(start_->omega.data());
  for (int s = 0; s < segment_count(); ++s) {
    stored.fetch(s);
    Exact<T> step = h;
    if (!constants_->damping.empty()) step = h / (Exact<T>(1) + exact(constants_->damping[s]) * h);
    set_guess(s, by_halves(turned_freely, quaternions<Exact<T>>(q(s)), vectors<Exact<T>>(omega(s)),
                           exact(constants_->segments[s].spin), h, step));
  }
  place_guess();
}

// x from the frames and the strains that the last step ended with; goals are counted from there, too
template <class T>
void Strands<T>::place_guess() {
  if (!follows()) return;
  follow_guessed_frames();
  const Exact<T> none(0);
  take_guess(is_rooted() ? Vec3<Exact<T>>{none, none, none} : shift_of(beyond_guess_));
}

template <class T>
void Strands<T>::follow_guessed_frames() {
  const int segments = segment_count();
  // joints of pieces are not among those that are held
  const auto may_be_held = [&](int i) { return constants_->is_held[i] || i == 0 || i == segments; };
  const auto held_lanes = [&](int s) {  // 1 where an end of segment s is, else 0
    const LaneIndices<T> far = bundle_->lineup.vertices(s), near = bundle_->lineup.vertices(s + 1);
    const auto is_held = [&](int i) { return problem_->role[i] == Role::held; };
    return numbers<Exact<T>>([&](int k) { return is_held(far[k]) || is_held(near[k]) ? 1.0 : 0.0; });
  };
  const Exact<T> none(0), ahead(problem_->scheme.share() * problem_->scheme.h);
  const Lineup<T>& lineup = bundle_->lineup;
  const auto x_old = lineup.of_vertices(moving_->x.data()), v_old = lineup.of_vertices(moving_->v.data());
  const auto q_old = lineup.of_segments(moving_->q.data());
  const auto omega_old = lineup.of_segments(moving_->omega.data());
  const auto strain_ahead = problem_->scheme.remembers ? by_rate : by_chord;
  Vec3<Exact<T>> place = guess_.x[segments];
  Vec3<Exact<T>> x = vectors<Exact<T>>(x_old(segments)), v = vectors<Exact<T>>(v_old(segments));
  beyond_guess_[segments] = {none, none, none};
  for (int s = segments - 1; s >= 0; --s) {
    const auto& [stretch, per_length, spin] = constants_->segments[s];
    const Vec3<Exact<T>> x0 = x, v0 = v;
    x = vectors<Exact<T>>(x_old(s)), v = vectors<Exact<T>>(v_old(s));
    const Vec3<Exact<T>> e = exact(per_length) * (x - x0), p = exact(stretch.p);
    const Quat<Exact<T>> q = quaternions<Exact<T>>(q_old(s));
    Vec3<Exact<T>> strain = by_halves(strain_ahead, e, (ahead * exact(per_length)) * (v - v0), q,
                                      ahead * vectors<Exact<T>>(omega_old(s)), exact(bundle_->prediction[s]), p);
    if (may_be_held(s) || may_be_held(s + 1)) {  // whose velocity is prescribed, and no chord
      const Vec3<Exact<T>> last =
          problem_->scheme.remembers ? exact(bundle_->prediction[s]) : rotate(conjugate(q), e) - p;
      strain = strain + held_lanes(s) * (last - strain);
    }
    place = place + exact(stretch.length) * rotate(guess_.q[s], exact(stretch.p) + strain);
    beyond_guess_[s] = place - guess_.x[s];
  }
}

template <class T>
void Strands<T>::take_guess(const Vec3<Exact<T>>& shift) {
  for (int i = 0; i <= segment_count(); ++i) {
    const Vec3<Exact<T>> moved = beyond_guess_[i] - shift;
    set_guess(i, guess_.x[i] + moved);
    goal_[i] -= narrowed(moved);
  }
}

template <class T>
void Strands<T>::begin_moving() {
  if (is_moving_) return;
  is_moving_ = true;
  std::fill(at_.x.begin(), at_.x.end(), Vec3<T>{T(0), T(0), T(0)});
  std::fill(at_.turn.begin(), at_.turn.end(), Quat<T>{T(1), T(0), T(0), T(0)});
}

// nothing where others lie between them
template <class T>
auto Strands<T>::first_of(const Bundle<T>& bundle) const -> std::optional<First> {
  const int segments = segment_count(), vertex = bundle.lineup.last_vertex[0] - segments;
  if (bundle.lineup.last_vertex.back() - vertex + 1 != T::lanes * (segments + 1)) return {};
  return First{vertex, bundle.lineup.last_segment[0] - segments + 1};
}

template <class T>
void Strands<T>::expect(const Bundle<T>& next) {
  if (const auto first = first_of(next))
    next_ = {{&start_->x[first->vertex], &start_->v[first->vertex], &problem_->inputs->end.force[first->vertex],
              &start_->omega[first->segment]},
             &start_->q[first->segment],
             next.prediction.data(),
             next.weight.data()};
}

// what is held is where it must be from the first guess on
template <class T>
void Strands<T>::load_start(Places& to) const {
  const auto x = bundle_->lineup.of_vertices(start_->x.data());
  const auto q = bundle_->lineup.of_segments(start_->q.data());
  for (int i = 0; i <= segment_count(); ++i) {
    to.x[i] = narrowed(vectors<Exact<T>>(x(i)) - guess_.x[i]);
    if (constants_->is_held[i]) to.x[i] = scale(free_axes(i), to.x[i]);
  }
  for (int s = 0; s < segment_count(); ++s) to.turn[s] = narrowed(quaternions<Exact<T>>(q(s)) * conjugate(guess_.q[s]));
}

template <class T>
[[gnu::always_inline]] inline Quat<Exact<T>> Strands<T>::frame(int s) const {
  const Quat<Exact<T>> q = exact(at_.turn[s]) * guess_.q[s];  // of length one but for the round-off of T
  return (Exact<T>(1.5) - Exact<T>(0.5) * dot(q, q)) * q;
}

template <class T>
void Strands<T>::store() {
  begin_moving();
  const auto x = bundle_->lineup.of_vertices(model_->x.data());
  const auto q = bundle_->lineup.of_segments(model_->q.data());
  for (int i = 0; i <= segment_count(); ++i) scatter(place(i), x(i));
  for (int s = 0; s < segment_count(); ++s) scatter(frame(s), q(s));
}

template <class T>
void Strands<T>::store(const Motion& motion) {
  begin_moving();
  const Lineup<T>& lineup = bundle_->lineup;
  const auto x = lineup.of_vertices(model_->x.data()), v = lineup.of_vertices(motion.v->data());
  const auto q = lineup.of_segments(model_->q.data());
  const auto omega = lineup.of_segments(motion.omega->data());
  const auto x_old = lineup.of_vertices(start_->x.data());
  const auto q_old = lineup.of_segments(start_->q.data());
  const Exact<T> per_step(1 / problem_->scheme.h);
  for (int i = 0; i <= segment_count(); ++i) {
    const Vec3<Exact<T>> now = place(i);
    scatter(per_step * (now - vectors<Exact<T>>(x_old(i))), v(i));
    scatter(now, x(i));
  }
  for (int s = 0; s < segment_count(); ++s) {
    const Quat<Exact<T>> now = frame(s);
    scatter(by_halves(rate_of_turn, quaternions<Exact<T>>(q_old(s)), now, per_step), omega(s));
    scatter(now, q(s));
  }
}

template <class T>
std::array<Quat<T>, 2> Strands<T>::frames(std::size_t n, const Quat<T>& q) const {
  const HeldBend<T>& held = bundle_->held[n];
  if (held.held_is_a) return {held_frames_[n], q * held.turn};
  return {q, held_frames_[n]};
}

template <class T>
T Strands<T>::energy(const Places& at) const {
  T sum(0);
  for (int i = 0; i <= segment_count(); ++i) sum += T(0.5) * bundle_->weight[i] * norm_squared(at.x[i] - goal_[i]);
  for (int s = 0; s < segment_count(); ++s) {
    const StrandSegment<T>& segment = constants_->segments[s];
    const Vec3<T> half_turn = rotate(conjugate(guessed_frame(s)), at.turn[s].imaginary());
    sum += stretch_energy(segment.stretch, strain(segment.stretch, {edge(s, at), frame(s, at)})) +
           T(2) * dot(half_turn, scale(segment.spin, half_turn));
  }
  for (std::size_t s = 0; s < constants_->bends.size(); ++s) {
    const Bend<T>& bend = constants_->bends[s];
    sum += bend_energy(bend, bend_angle(bend, frame(s + 1, at), second_frame(s, frame(s, at))));
  }
  for (std::size_t n = 0; n < held_frames_.size(); ++n) {
    const auto [a, b] = frames(n, frame(bundle_->held[n].segment, at));
    sum += bend_energy(bundle_->held[n].bend, bend_angle(bundle_->held[n].bend, a, b));
  }
  return sum;
}

template <class T>
T Strands<T>::moment_work() const {
  T work(0);
  for (std::size_t s = 0; s < moment_.size(); ++s) work += dot(moment_[s], u_[2 * s + 1]);
  return work;
}

template <class T>
T Strands<T>::farthest() const {
  T farthest(0);
  for (int s = 0; s < segment_count(); ++s) {
    const Vec3<T>& x = at_.x[s];
    farthest = max(farthest, (abs(x.x) + abs(x.y) + abs(x.z)) * constants_->segments[s].per_length);
  }
  return farthest;
}

template <class T>
T Strands<T>::round_off(T energy_now) {
  begin_moving();
  const T epsilon(math::round_off<T>());
  const T stiffness = numbers<T>([&](int k) { return (*parts_)[bundle_->parts[k]].stiffness; });
  const T strain = T(2) * epsilon * (T(1) + farthest());
  return strain * sqrt(T(2) * energy_now * stiffness) + strain * strain * stiffness + T(8) * epsilon * energy_now;
}

template <class T>
T Strands<T>::start_energy() {
  load_start(trial_);
  return energy(trial_);
}

template <class T>
T Strands<T>::energy_along(T share) {
  begin_moving();
  go<false>(share, T(0) < T(1), trial_, false);
  keep_anchor(trial_);
  return energy(trial_);
}

template <class T>
void Strands<T>::advance(T share, Mask where) {
  is_moving_ ? go<false>(share, where, at_, true) : go<true>(share, where, at_, true);
  is_moving_ = true;
  keep_anchor(at_);
}

// of an edge as its frame sees it, along u
template <class T>
[[gnu::always_inline]] inline Vec3<T> Strands<T>::linear_change(int s, T share, const Vec3<T>& e) const {
  return share * (constants_->segments[s].per_length * (u_[2 * s] - u_[2 * s + 2]) + cross(e, u_[2 * s + 1]));
}

// Frames turn and strains change linearly, positions follow; `fresh`: from the first guess.
template <class T>
template <bool fresh>
void Strands<T>::go(T share, Mask where, Places& to, bool predicts) {
  const Vec3<T> none{T(0), T(0), T(0)};
  const int segments = segment_count();
  const auto place = [&](int i) __attribute__((always_inline)) { return fresh ? none : at_.x[i]; };
  const bool follows = this->follows(), is_bent = !second_order_.empty();
  const auto step = [&](int row) __attribute__((always_inline)) {
    return select(where, is_bent ? share * (u_[row] + share * second_order_[row]) : share * u_[row], none);
  };
  for (std::size_t s = segments; s < at_.turn.size(); ++s)  // behind a piece
    to.turn[s] = select(where, turned(step(2 * s + 1), at_.turn[s]), at_.turn[s]);
  Vec3<T> x = place(segments), dx = step(2 * segments), beyond = none;
  to.x[segments] = x + dx, beyond_[segments] = none;
  for (int s = segments - 1; s >= 0; --s) {
    const StrandSegment<T>& segment = constants_->segments[s];
    const Vec3<T> x0 = x, dx0 = dx, theta = step(2 * s + 1);
    x = place(s), dx = step(2 * s);
    Vec3<T> e = guessed_edge(s);
    if constexpr (!fresh) e += segment.per_length * (x - x0);
    const Vec3<T> de = segment.per_length * (dx - dx0);
    if (predicts) {
      Quat<T> q = guessed_frame(s);
      if constexpr (!fresh) q = at_.turn[s] * q;
      const Vec3<T> linear = is_bent ? e + linear_change(s, share, e) : e + de + cross(e, theta);
      Vec3<T>& prediction = bundle_->prediction[s];
      prediction = select(where, rotate(conjugate(q), linear) - segment.stretch.p, prediction);
    }
    if constexpr (fresh)
      to.turn[s] = turn_by(theta);
    else
      to.turn[s] = select(where, turned(theta, at_.turn[s]), at_.turn[s]);
    if (follows) beyond += segment.stretch.length * beyond_linear(e, de, theta);
    to.x[s] = x + dx + beyond, beyond_[s] = beyond;
  }
}

template <class T>
bool Strands<T>::is_rooted() const {
  return bundle_->anchor == segment_count() &&
         problem_->role[bundle_->lineup.vertices(bundle_->anchor)[0]] == Role::held;
}

// what all vertices are taken back by: the way of the anchor, and the mean way along the axes on which it is free
template <class T>
template <class Real>
Vec3<Real> Strands<T>::shift_of(const std::vector<Vec3<Real>>& beyond) const {
  Real weight(0);
  Vec3<Real> sum{Real(0), Real(0), Real(0)};
  const auto as_real = [](const auto& a) {
    if constexpr (std::is_same_v<Real, T>)
      return a;
    else
      return exact(a);
  };
  for (int i = 0; i <= segment_count(); ++i) {
    const Real w = as_real(bundle_->weight[i]);
    weight = weight + w, sum = sum + w * beyond[i];
  }
  const Vec3<Real> mean = (Real(1) / weight) * sum;
  if (bundle_->anchor < 0) return mean;
  const Vec3<Real> free = as_real(free_axes(bundle_->anchor)), &held = beyond[bundle_->anchor];
  return held + scale(free, mean - held);
}

template <class T>
void Strands<T>::keep_anchor(Places& to) const {
  if (!follows() || is_rooted()) return;
  const Vec3<T> shift = shift_of(beyond_);
  for (int i = 0; i <= segment_count(); ++i) to.x[i] -= shift;
}

template <class T>
void Strands<T>::go_back(Mask where) {
  begin_moving();
  load_start(trial_);
  for (std::size_t i = 0; i < at_.x.size(); ++i) at_.x[i] = select(where, trial_.x[i], at_.x[i]);
  for (std::size_t s = 0; s < at_.turn.size(); ++s) at_.turn[s] = select(where, trial_.turn[s], at_.turn[s]);
}

template <class T>
void Strands<T>::keep_momentum(Mask where) {
  if (!bundle_->is_free) return;
  T weight(0);
  Vec3<T> away{T(0), T(0), T(0)};
  for (std::size_t i = 0; i < at_.x.size(); ++i)
    weight += bundle_->weight[i], away += bundle_->weight[i] * (at_.x[i] - goal_[i]);
  const Vec3<T> shift = (T(1) / weight) * away;
  for (Vec3<T>& x : at_.x) x = select(where, x - shift, x);
}

template class Strands<WideLanes>;
template class Strands<FloatLanes>;

}  // namespace tendril::solvers::block
