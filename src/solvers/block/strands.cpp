#include "solvers/block/strands.h"

#include <limits>

#include "math/quat_pack.h"
#include "solvers/inertia.h"

namespace tendril::block {
namespace {

// exp(step w) q, with w after a turn at constant angular momentum; J in any unit
constexpr auto turned_freely = [](const Quat<WideLanes>& q, const Vec3<WideLanes>& omega, const Vec3<WideLanes>& J,
                                  WideLanes h, WideLanes step) {
  return q * quaternion_exp(step * free_spin(J, rotate(conjugate(q), omega), h));
};
// log(q q̄_old) / h
constexpr auto rate_of_turn = [](const Quat<WideLanes>& q_old, const Quat<WideLanes>& q, WideLanes per_step) {
  const SpinTurn<WideLanes> turn = spin_turn(q_old, q);
  return (per_step * log_factor(turn.w, norm_squared(turn.v))) * turn.v;
};

}  // namespace

template <class T>
void Strands<T>::begin(Bundle<T>& bundle, Iterate& at, const Iterate& start) {
  bundle_ = &bundle, constants_ = bundle.constants.get(), shape_ = &(*parts_)[bundle.parts[0]];
  model_ = &at, start_ = &start;
  next_ = {};
  is_moving_ = false;
  make_room();
  held_frames_.clear();
  for (const HeldBend<T>& held : bundle.held) {
    const Quat<T> frame = quaternions<T>([&](int k) -> const Quatd& {
      const tendril::Bend& bend = problem_->model->bends[held.in_model[k]];
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
  const T epsilon(tendril::round_off<T>());
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
  for (std::size_t i = 0; i < trial_.x.size(); ++i) trial_.x[i] = at_.x[i] + share * u_[2 * i];
  for (std::size_t s = 0; s < trial_.turn.size(); ++s) trial_.turn[s] = turned(share * u_[2 * s + 1], at_.turn[s]);
  return energy(trial_);
}

template <class T>
void Strands<T>::advance(T share, Mask where, bool) {
  is_moving_ ? advance_from<false>(share, where) : advance_from<true>(share, where);
  is_moving_ = true;
  for (std::size_t s = segment_count(); s < at_.turn.size(); ++s)  // behind a piece
    at_.turn[s] = select(where, turned(share * u_[2 * s + 1], at_.turn[s]), at_.turn[s]);
}

// `fresh`: from the first guess
template <class T>
template <bool fresh>
[[gnu::always_inline]] inline void Strands<T>::advance_from(T share, Mask where) {
  const Vec3<T> none{T(0), T(0), T(0)};
  const auto place = [&](int i) __attribute__((always_inline)) { return fresh ? none : at_.x[i]; };
  const auto step = [&](int row) __attribute__((always_inline)) { return select(where, share * u_[row], none); };
  Vec3<T> x = place(0), dx = step(0);
  at_.x[0] = x + dx;
  for (int s = 0; s < segment_count(); ++s) {
    const StrandSegment<T>& segment = constants_->segments[s];
    const Vec3<T> x1 = x, dx1 = dx, theta = step(2 * s + 1);
    x = place(s + 1), dx = step(2 * s + 2);
    at_.x[s + 1] = x + dx;
    Vec3<T> e = guessed_edge(s);
    Quat<T> q = guessed_frame(s);
    if constexpr (fresh) {
      at_.turn[s] = turn_by(theta);
    } else {
      const Quat<T> turn = at_.turn[s];
      at_.turn[s] = select(where, turned(theta, turn), turn);
      e += segment.per_length * (x1 - x), q = turn * q;
    }
    const Vec3<T> linear = e + segment.per_length * (dx1 - dx) + cross(e, theta);
    Vec3<T>& prediction = bundle_->prediction[s];
    prediction = select(where, rotate(conjugate(q), linear) - segment.stretch.p, prediction);
  }
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

}  // namespace tendril::block
