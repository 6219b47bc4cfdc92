#include "solvers/block/strands.h"

#include <limits>

#include "math/quat_pack.h"

namespace tendril::block {

template <class T>
void Strands<T>::load(Bundle<T>& bundle, Iterate& at, const Iterate& start) {
  bundle_ = &bundle, constants_ = bundle.constants.get(), shape_ = &(*parts_)[bundle.parts[0]];
  start_ = &start;
  ahead_ = {};
  const Problem& p = *problem_;
  const int segments = segment_count(), frames = static_cast<int>(constants_->bends.size()) + 1;
  for (Places* places : {&at_, &trial_}) places->x.resize(segments + 1), places->turn.resize(frames);
  guess_.x.resize(segments + 1), guess_.q.resize(frames);
  if constexpr (!is_exact<T>) edge_.resize(segments), frame_.resize(frames);
  goal_.resize(segments + 1), moment_.resize(p.moment.empty() ? 0 : segments);
  rows_.resize(2 * segments + 1), u_.resize(2 * segments + 3);
  if (bundle.is_stiff) springs_.resize(segments);
  const Lineup<T>& lineup = bundle.lineup;
  model_ = {lineup.of_vertices(at.x.data()), lineup.of_segments(at.q.data()), lineup.of_vertices(p.goal.data()), {}};
  if (!p.moment.empty()) model_.moment = lineup.of_segments(p.moment.data());
  at_guess_ = true, is_moving_ = is_stored_ = false;
  held_frames_.clear();
  for (const HeldBend<T>& held : bundle.held) {
    const Quat<T> frame = quaternions<T>([&](int k) -> const Quatd& {
      const tendril::Bend& bend = p.model->bends[held.in_model[k]];
      return p.frame(at, held.held_is_a ? bend.a : bend.b);
    });
    held_frames_.push_back(held.held_is_a ? frame : frame * held.turn);
  }
}

template <class T>
void Strands<T>::begin_moving() {
  if (is_moving_) return;
  is_moving_ = true;
  std::fill(at_.x.begin(), at_.x.end(), Vec3<T>{T(0), T(0), T(0)});
  std::fill(at_.turn.begin(), at_.turn.end(), Quat<T>{T(1), T(0), T(0), T(0)});
}

// strands that follow each other in the Model
template <class T>
void Strands<T>::expect(const Bundle<T>& next, const Iterate& at) {
  const int i = next.lineup.last_vertex[0] - segment_count(), s = next.lineup.last_segment[0] - segment_count() + 1;
  if (next.lineup.last_vertex.back() - i + 1 != T::lanes * (segment_count() + 1)) return;
  ahead_ = {&at.x[i], &problem_->goal[i], &at.q[s], next.prediction.data(), next.weight.data()};
}

template <class T>
void Strands<T>::load_places(const Iterate& from, Places& to) const {
  const auto x = bundle_->lineup.of_vertices(from.x.data());
  const auto q = bundle_->lineup.of_segments(from.q.data());
  for (int i = 0; i <= segment_count(); ++i) to.x[i] = narrowed(vectors<Exact<T>>(x(i)) - guess_.x[i]);
  for (int s = 0; s < segment_count(); ++s) to.turn[s] = narrowed(quaternions<Exact<T>>(q(s)) * conjugate(guess_.q[s]));
}

template <class T>
struct Strands<T>::ToLanes {
  Places& at;

  void vertex(int i, const Vec3<T>& x) const { at.x[i] = x; }
  void turn(int s, const Quat<T>& turn) const { at.turn[s] = turn; }
};

template <class T>
struct Strands<T>::ToModel {
  const InModel& model;
  const Guess& guess;

  [[gnu::always_inline]] void vertex(int i, const Vec3<T>& x) const { scatter(guess.x[i] + exact(x), model.x(i)); }
  [[gnu::always_inline]] void turn(int s, const Quat<T>& turn) const {
    const Quat<Exact<T>> q = exact(turn) * guess.q[s];  // of length one but for the round-off of T
    scatter((Exact<T>(1.5) - Exact<T>(0.5) * dot(q, q)) * q, model.q(s));
  }
  // q is the guess; what T adds to it has the digits of T, and its length those of a double
  [[gnu::always_inline]] void first_turn(int s, const Vec3<T>& theta, const Quat<T>& q) const {
    if constexpr (is_exact<T>) {
      scatter(turned(theta, q), model.q(s));
    } else {
      const Vec3<T> half = T(0.5) * theta, v = q.imaginary(), more = q.w * half + cross(half, v);
      const Quat<Exact<T>> p = guess.q[s] + exact(Quat<T>{-dot(half, v), more.x, more.y, more.z});
      const Exact<T> nearly = exact(reciprocal_root(T(1) + dot(half, half)));
      scatter((nearly * (Exact<T>(1.5) - Exact<T>(0.5) * dot(p, p) * nearly * nearly)) * p, model.q(s));
    }
  }
};

template <class T>
void Strands<T>::store() {
  if (is_stored_ || at_guess_) return;
  const ToModel to{model_, guess_};
  for (int i = 0; i <= segment_count(); ++i) to.vertex(i, at_.x[i]);
  for (int s = 0; s < segment_count(); ++s) to.turn(s, at_.turn[s]);
}

template <class T>
void Strands<T>::give_back(int lane) {
  for (int i = 0; i <= segment_count(); ++i) {
    const Vec3<Exact<T>>& x = guess_.x[i];
    model_.x(i)(lane) = {x.x[lane], x.y[lane], x.z[lane]};
  }
  for (int s = 0; s < segment_count(); ++s) {
    const Quat<Exact<T>>& q = guess_.q[s];
    model_.q(s)(lane) = {q.w[lane], q.x[lane], q.y[lane], q.z[lane]};
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
  load_places(*start_, trial_);
  return energy(trial_);
}

template <class T>
T Strands<T>::energy_along(T share) {
  begin_moving();
  for (std::size_t i = 0; i < trial_.x.size(); ++i) trial_.x[i] = at_.x[i] + share * u_[2 * i];
  for (std::size_t s = 0; s < trial_.turn.size(); ++s) trial_.turn[s] = turned(share * u_[2 * s + 1], at_.turn[s]);
  return energy(trial_);
}

// after the last step nothing but the Model asks where they are, unless their momentum is set right
template <class T>
void Strands<T>::advance(T share, Mask where, bool is_last) {
  is_stored_ = is_last && !bundle_->is_free;
  if (!is_stored_) begin_moving();
  if (!is_stored_)
    advance<false>(ToLanes{at_}, share, where);
  else if (is_moving_)
    advance<false>(ToModel{model_, guess_}, share, where);
  else
    advance<true>(ToModel{model_, guess_}, share, where);
  at_guess_ = false;
  for (std::size_t s = segment_count(); s < at_.turn.size(); ++s)  // behind a piece
    at_.turn[s] = select(where, turned(share * u_[2 * s + 1], at_.turn[s]), at_.turn[s]);
}

// `fresh`: from the first guess
template <class T>
template <bool fresh, class To>
[[gnu::always_inline]] inline void Strands<T>::advance(const To& to, T share, Mask where) {
  const Vec3<T> none{T(0), T(0), T(0)};
  const auto place = [&](int i) __attribute__((always_inline)) { return fresh ? none : at_.x[i]; };
  const auto step = [&](int row) __attribute__((always_inline)) { return select(where, share * u_[row], none); };
  Vec3<T> x = place(0), dx = step(0);
  to.vertex(0, x + dx);
  for (int s = 0; s < segment_count(); ++s) {
    const StrandSegment<T>& segment = constants_->segments[s];
    const Vec3<T> x1 = x, dx1 = dx, theta = step(2 * s + 1);
    x = place(s + 1), dx = step(2 * s + 2);
    to.vertex(s + 1, x + dx);
    Vec3<T> e = guessed_edge(s);
    Quat<T> q = guessed_frame(s);
    if constexpr (fresh) {
      to.first_turn(s, theta, q);
    } else {
      const Quat<T> turn = at_.turn[s];
      to.turn(s, select(where, turned(theta, turn), turn));
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
  at_guess_ = false;
  load_places(*start_, trial_);
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
