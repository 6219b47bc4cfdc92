#include "solvers/block/strands.h"

#include <limits>

#include "math/quat_pack.h"

namespace tendril::block {

using T = StrandLanes;

void Strands::load(const Bundle& bundle, Iterate& at, const Iterate& start, Prediction& prediction) {
  bundle_ = &bundle, constants_ = bundle.constants.get(), shape_ = &(*parts_)[bundle.parts[0]];
  start_ = &start;
  ahead_ = {};
  const Problem& p = *problem_;
  const int segments = segment_count();
  for (Places* places : {&at_, &trial_}) places->x.resize(segments + 1), places->q.resize(constants_->bends.size() + 1);
  weight_.resize(segments + 1), goal_.resize(segments + 1);
  spin_goal_.resize(segments), prediction_.resize(segments), moment_.resize(p.moment.empty() ? 0 : segments);
  rows_.resize(2 * segments + 1), u_.resize(2 * segments + 3);
  const Lineup& lineup = bundle.lineup;
  model_ = {lineup.of_vertices(at.x.data()),       lineup.of_segments(at.q.data()),
            lineup.of_vertices(p.weight.data()),   lineup.of_vertices(p.goal.data()),
            lineup.of_segments(prediction.data()), {}};
  if (!p.moment.empty()) model_.moment = lineup.of_segments(p.moment.data());
  at_goal_ = true, is_stored_ = false;
  held_frames_.clear();
  for (const HeldBend& held : bundle.held) {
    const Quat<T> frame = quaternions<T>([&](int k) -> const Quatd& {
      const tendril::Bend& bend = p.model->bends[held.in_model[k]];
      return p.frame(at, held.held_is_a ? bend.a : bend.b);
    });
    held_frames_.push_back(held.held_is_a ? frame : frame * held.turn);
  }
}

// strands that follow each other in the Model
void Strands::expect(const Lineup& next, const Iterate& at, const Prediction& prediction) {
  const int i = next.last_vertex[0] - segment_count(), s = next.last_segment[0] - segment_count() + 1;
  if (next.last_vertex.back() - i + 1 != strand_lanes * (segment_count() + 1)) return;
  ahead_ = {&at.x[i], &problem_->goal[i], &prediction[s], &at.q[s], &problem_->weight[i]};
}

void Strands::load_places(const Iterate& from, Places& to) const {
  const auto x = bundle_->lineup.of_vertices(from.x.data());
  const auto q = bundle_->lineup.of_segments(from.q.data());
  for (int i = 0; i <= segment_count(); ++i) to.x[i] = vectors<T>(x(i));
  for (int s = 0; s < segment_count(); ++s) to.q[s] = quaternions<T>(q(s));
}

struct Strands::ToLanes {
  Places& at;
  std::vector<Vec3<T>>& predictions;

  void vertex(int i, const Vec3<T>& x) const { at.x[i] = x; }
  void segment(int s, const Quat<T>& q, const Vec3<T>& prediction) const { at.q[s] = q, predictions[s] = prediction; }
};

struct Strands::ToModel {
  const InModel& model;

  void vertex(int i, const Vec3<T>& x) const { scatter(x, model.x(i)); }
  void segment(int s, const Quat<T>& q, const Vec3<T>& prediction) const {
    scatter(q, model.q(s)), scatter(prediction, model.prediction(s));
  }
};

void Strands::store() {
  if (is_stored_ || at_goal_) return;  // or nothing has moved
  const ToModel to{model_};
  for (int i = 0; i <= segment_count(); ++i) to.vertex(i, at_.x[i]);
  for (int s = 0; s < segment_count(); ++s) to.segment(s, at_.q[s], prediction_[s]);
}

// of a and b
std::array<Quat<T>, 2> Strands::frames(std::size_t n, const Places& at) const {
  const HeldBend& held = bundle_->held[n];
  if (held.held_is_a) return {held_frames_[n], at.q[held.segment] * held.turn};
  return {at.q[held.segment], held_frames_[n]};
}

T Strands::energy(const Places& at) const {
  T sum(0);
  for (int i = 0; i <= segment_count(); ++i) sum += T(0.5) * weight_[i] * norm_squared(at.x[i] - goal_[i]);
  for (int s = 0; s < segment_count(); ++s) {
    const StrandSegment& segment = constants_->segments[s];
    const Spin<T> spin{segment.spin, spin_goal_[s]};
    sum += stretch_energy(segment.stretch, strain(segment.stretch, {edge(s, at), at.q[s]})) +
           spin_energy(spin, half_turn(spin, at.q[s]));
  }
  for (std::size_t s = 0; s < constants_->bends.size(); ++s) {
    const Bend<T>& bend = constants_->bends[s];
    sum += bend_energy(bend, bend_angle(bend, at.q[s + 1], second_frame(s, at)));
  }
  for (std::size_t n = 0; n < held_frames_.size(); ++n) {
    const auto [a, b] = frames(n, at);
    sum += bend_energy(bundle_->held[n].bend, bend_angle(bundle_->held[n].bend, a, b));
  }
  return sum;
}

T Strands::moment_work() const {
  T work(0);
  for (std::size_t s = 0; s < moment_.size(); ++s) work += dot(moment_[s], u_[2 * s + 1]);
  return work;
}

T Strands::farthest() const {
  T farthest(0);
  for (int s = 0; s < segment_count(); ++s) {
    const Vec3<T>& x = at_.x[s];
    farthest = max(farthest, (abs(x.x) + abs(x.y) + abs(x.z)) * constants_->segments[s].per_length);
  }
  return farthest;
}

T Strands::round_off(T energy_now) const {
  const T epsilon(std::numeric_limits<double>::epsilon());
  const T stiffness = numbers<T>([&](int k) { return (*parts_)[bundle_->parts[k]].stiffness; });
  const T strain = T(2) * epsilon * (T(1) + farthest());
  return strain * sqrt(T(2) * energy_now * stiffness) + strain * strain * stiffness + T(8) * epsilon * energy_now;
}

T Strands::start_energy() {
  load_places(*start_, trial_);
  return energy(trial_);
}

T Strands::energy_along(T share) {
  for (std::size_t i = 0; i < trial_.x.size(); ++i) trial_.x[i] = at_.x[i] + share * u_[2 * i];
  for (std::size_t s = 0; s < trial_.q.size(); ++s) trial_.q[s] = turned(share * u_[2 * s + 1], at_.q[s]);
  return energy(trial_);
}

// after the last step nothing but the Model asks where they are, unless their momentum is set right
void Strands::advance(T share, Mask where, bool is_last) {
  at_goal_ = false;
  is_stored_ = is_last && !bundle_->is_free;
  if (is_stored_)
    advance(ToModel{model_}, share, where);
  else
    advance(ToLanes{at_, prediction_}, share, where);
  for (std::size_t s = segment_count(); s < at_.q.size(); ++s)  // behind a piece
    at_.q[s] = select(where, turned(share * u_[2 * s + 1], at_.q[s]), at_.q[s]);
}

template <class To>
[[gnu::always_inline]] inline void Strands::advance(const To& to, T share, Mask where) {
  Vec3<T> x = at_.x[0];
  to.vertex(0, select(where, x + share * u_[0], x));
  for (int s = 0; s < segment_count(); ++s) {
    const StrandSegment& segment = constants_->segments[s];
    const Vec3<T> x1 = x, theta = share * u_[2 * s + 1];
    const Quat<T> q = at_.q[s];
    x = at_.x[s + 1];
    const Vec3<T> e = segment.per_length * (x1 - x);
    const Vec3<T> longer = (share * segment.per_length) * (u_[2 * s] - u_[2 * s + 2]);
    const Vec3<T> predicted = rotate(conjugate(q), e + longer + cross(e, theta)) - segment.stretch.p;
    to.vertex(s + 1, select(where, x + share * u_[2 * s + 2], x));
    to.segment(s, select(where, turned(theta, q), q), select(where, predicted, prediction_[s]));
  }
}

void Strands::go_back(Mask where) {
  at_goal_ = false;
  load_places(*start_, trial_);
  for (std::size_t i = 0; i < at_.x.size(); ++i) at_.x[i] = select(where, trial_.x[i], at_.x[i]);
  for (std::size_t s = 0; s < at_.q.size(); ++s) at_.q[s] = select(where, trial_.q[s], at_.q[s]);
}

void Strands::keep_momentum(Mask where) {
  if (!bundle_->is_free) return;
  T weight(0);
  Vec3<T> away{T(0), T(0), T(0)};
  for (std::size_t i = 0; i < at_.x.size(); ++i) weight += weight_[i], away += weight_[i] * (at_.x[i] - goal_[i]);
  const Vec3<T> shift = (T(1) / weight) * away;
  for (Vec3<T>& x : at_.x) x = select(where, x - shift, x);
}

}  // namespace tendril::block
