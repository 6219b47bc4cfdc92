#include "solvers/block/strands.h"

#include <limits>

#include "math/quat_pack.h"

namespace tendril::block {

using T = StrandLanes;

void Strands::load(const Bundle& bundle, const Iterate& first_guess, const Iterate& start,
                   const Prediction& prediction) {
  bundle_ = &bundle, constants_ = bundle.constants.get(), shape_ = &(*parts_)[bundle.parts[0]], start_ = &start;
  ahead_ = {};
  const Problem& p = *problem_;
  const int segments = segment_count();
  for (Places* places : {&at_, &trial_}) places->x.resize(segments + 1), places->q.resize(constants_->bends.size() + 1);
  weight_.resize(segments + 1), goal_.resize(segments + 1);
  spin_goal_.resize(segments), prediction_.resize(segments), moment_.resize(p.moment.empty() ? 0 : segments);
  rows_.resize(2 * segments + 1), u_.resize(2 * segments + 3);
  load_places(first_guess, at_);
  at_goal_ = true;
  bundle.lineup.for_vertices(segments + 1, [&](int i, auto vertex) {
    weight_[i] = numbers<T>([&](int k) { return p.weight[vertex(k)]; });
    goal_[i] = vectors<T>([&](int k) -> const Vec3d& { return p.goal[vertex(k)]; });
  });
  bundle.lineup.for_segments(segments, [&](int s, auto segment) {
    spin_goal_[s] = at_.q[s];
    prediction_[s] = vectors<T>([&](int k) -> const Vec3d& { return prediction[segment(k)]; });
    if (!moment_.empty()) moment_[s] = vectors<T>([&](int k) -> const Vec3d& { return p.moment[segment(k)]; });
  });
  held_frames_.clear();
  for (const HeldBend& held : bundle.held) {
    const Quat<T> frame = quaternions<T>([&](int k) -> const Quatd& {
      const tendril::Bend& bend = p.model->bends[held.in_model[k]];
      return p.frame(first_guess, held.held_is_a ? bend.a : bend.b);
    });
    held_frames_.push_back(held.held_is_a ? frame : frame * held.turn);
  }
}

// strands that follow each other in the Model
void Strands::expect(const Lineup& next, const Iterate& first_guess, const Prediction& prediction) {
  const int i = next.last_vertex[0] - segment_count(), s = next.last_segment[0] - segment_count() + 1;
  if (next.last_vertex.back() - i + 1 != strand_lanes * (segment_count() + 1)) return;
  ahead_ = {&first_guess.x[i], &problem_->goal[i], &prediction[s], &first_guess.q[s], &problem_->weight[i]};
}

void Strands::load_places(const Iterate& from, Places& to) const {
  bundle_->lineup.for_vertices(segment_count() + 1, [&](int i, auto vertex) {
    to.x[i] = vectors<T>([&](int k) -> const Vec3d& { return from.x[vertex(k)]; });
  });
  bundle_->lineup.for_segments(segment_count(), [&](int s, auto segment) {
    to.q[s] = quaternions<T>([&](int k) -> const Quatd& { return from.q[segment(k)]; });
  });
}

void Strands::store(Iterate& at, Prediction& prediction) const {
  bundle_->lineup.for_vertices(segment_count() + 1, [&](int i, auto vertex) {
    scatter(at_.x[i], [&](int k) -> Vec3d& { return at.x[vertex(k)]; });
  });
  bundle_->lineup.for_segments(segment_count(), [&](int s, auto segment) {
    scatter(at_.q[s], [&](int k) -> Quatd& { return at.q[segment(k)]; });
    scatter(prediction_[s], [&](int k) -> Vec3d& { return prediction[segment(k)]; });
  });
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

void Strands::advance(T share, Mask where) {
  at_goal_ = false;
  Vec3<T> x = at_.x[0];
  at_.x[0] = select(where, x + share * u_[0], x);
  for (int s = 0; s < segment_count(); ++s) {
    const StrandSegment& segment = constants_->segments[s];
    const Vec3<T> x1 = x, theta = share * u_[2 * s + 1];
    x = at_.x[s + 1];
    const Vec3<T> e = segment.per_length * (x1 - x);
    const Vec3<T> longer = (share * segment.per_length) * (u_[2 * s] - u_[2 * s + 2]);
    const Vec3<T> predicted = rotate(conjugate(at_.q[s]), e + longer + cross(e, theta)) - segment.stretch.p;
    prediction_[s] = select(where, predicted, prediction_[s]);
    at_.x[s + 1] = select(where, x + share * u_[2 * s + 2], x);
    at_.q[s] = select(where, turned(theta, at_.q[s]), at_.q[s]);
  }
  for (std::size_t s = segment_count(); s < at_.q.size(); ++s)  // behind a piece
    at_.q[s] = select(where, turned(share * u_[2 * s + 1], at_.q[s]), at_.q[s]);
}

void Strands::go_back(Mask where) {
  at_goal_ = false;
  load_places(*start_, trial_);
  for (std::size_t i = 0; i < at_.x.size(); ++i) at_.x[i] = select(where, trial_.x[i], at_.x[i]);
  for (std::size_t s = 0; s < at_.q.size(); ++s) at_.q[s] = select(where, trial_.q[s], at_.q[s]);
}

void Strands::keep_momentum(Mask where) {
  if (!shape_->is_free) return;
  T weight(0);
  Vec3<T> away{T(0), T(0), T(0)};
  for (std::size_t i = 0; i < at_.x.size(); ++i) weight += weight_[i], away += weight_[i] * (at_.x[i] - goal_[i]);
  const Vec3<T> shift = (T(1) / weight) * away;
  for (Vec3<T>& x : at_.x) x = select(where, x - shift, x);
}

}  // namespace tendril::block
