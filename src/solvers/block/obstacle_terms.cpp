#include "solvers/block/obstacle_terms.h"

#include "contact/closest.h"
#include "math/quat_pack.h"

namespace tendril::block {
namespace {

using T = StrandLanes;
using Mask = T::Mask;

constexpr double settled = 1e-3;  // relative accuracy of gaps and of friction, of which the next step leaves the square
constexpr int most_searches =
    6;  // for the point of a segment that counts: Newton's method doubles its digits each time

const Pair& nothing() {  // far from everything
  static const Pair pair = [] {
    Pair out;
    out.barrier = {1, 1}, out.spring = {1, 0, 1};
    return out;
  }();
  return pair;
}
constexpr double far_away = 1e12;  // [m]

[[gnu::always_inline]] inline Vec3<T> along_surface(const Vec3<T>& v, const Vec3<T>& n) { return v - dot(v, n) * n; }
[[gnu::always_inline]] inline T clamped(T s) { return min(max(s, T(0)), T(1)); }

// the rotation vector from one frame to another [rad, world]
[[gnu::always_inline]] inline Vec3<T> turn_between(const Quat<T>& from, const Quat<T>& to) {
  const SpinTurn<T> turn = spin_turn(from, to);
  return log_factor(turn.w, norm_squared(turn.v)) * turn.v;
}

}  // namespace

ObstacleTerm::ObstacleTerm(const ObstacleSlot& slot, const Contact& contact, const State& start,
                           const Lineup<T>& lineup)
    : segment_(slot.segment), pair_(slot.pair) {
  const auto pair = [&](int lane) -> const Pair& {
    return slot.pair[lane] >= 0 ? contact.pairs()[slot.pair[lane]] : nothing();
  };
  const auto of_pairs = [&](auto number) { return numbers<T>([&](int lane) { return number(pair(lane)); }); };
  const auto vectors_of = [&](auto vector) {
    Vec3d of_lanes[T::lanes];
    for (int lane = 0; lane < T::lanes; ++lane)
      if (slot.pair[lane] >= 0) of_lanes[lane] = vector(pair(lane));
    return vectors<T>([&](int lane) -> const Vec3d& { return of_lanes[lane]; });
  };
  radius_ = of_pairs([](const Pair& p) { return p.radius; });
  reach_ = of_pairs([](const Pair& p) { return p.barrier.reach; });
  stiffness_ = of_pairs([](const Pair& p) { return p.barrier.stiffness; });
  spring_ = of_pairs([](const Pair& p) { return p.spring.stiffness; });
  friction_ = of_pairs([](const Pair& p) { return p.spring.friction; });
  slack_ = of_pairs([](const Pair& p) { return p.spring.slack; });
  for (int k = 0; k < 2; ++k) start_weight_[k] = of_pairs([k](const Pair& p) { return p.weight[k]; });
  rubs_ = any(friction_ > T(0));

  Vec3d centres[T::lanes], ups[T::lanes];
  is_round_ = slot.core == Solid::Core::point;
  for (int lane = 0; lane < T::lanes; ++lane) {
    centres[lane] = {far_away, far_away, -far_away}, ups[lane] = {0, 0, 1};
    if (slot.pair[lane] < 0) continue;
    const Solid& solid = contact.solids()[pair(lane).b];
    const Pose& pose = contact.end_of_way(solid.body);
    centres[lane] = pose.x + rotate(pose.q, solid.p[0]);
    if (!is_round_) ups[lane] = rotate(pose.q, solid.p[1]);
  }
  centre_ = vectors<T>([&](int lane) -> const Vec3d& { return centres[lane]; });
  up_ = vectors<T>([&](int lane) -> const Vec3d& { return ups[lane]; });

  start_slip_ = vectors_of([&](const Pair& p) {
    return p.slip - contact.way_left(p.body, p.point) - p.weight[0] * contact.waypoint(p.vertex[0]) -
           p.weight[1] * contact.waypoint(p.vertex[1]);
  });
  rolling_radius_ = T(0);
  for (int lane = 0; lane < T::lanes; ++lane)
    if (slot.pair[lane] >= 0 && pair(lane).spring.friction > 0)
      rolling_radius_.v[lane] = contact.rolling_radius(pair(lane));
  turns_ = any(rolling_radius_ > T(0));
  if (turns_) {
    Mat3d levers[T::lanes];
    for (int lane = 0; lane < T::lanes; ++lane)
      if (slot.pair[lane] >= 0) levers[lane] = contact.lever(pair(lane), 0);
    start_lever_ = {vectors<T>([&](int lane) -> const Vec3d& { return levers[lane].c0; }),
                    vectors<T>([&](int lane) -> const Vec3d& { return levers[lane].c1; }),
                    vectors<T>([&](int lane) -> const Vec3d& { return levers[lane].c2; })};
    start_frame_ = quaternions<T>(lineup.of_segments(start.q.data())(segment_));
  }

  const auto gap = of_pairs([](const Pair& p) { return p.gap; });
  const T x = gap / reach_;
  is_pressed_ =
      (x < T(1)) & (x > T(0)) & (numbers<T>([&](int lane) { return slot.pair[lane] >= 0 ? 1.0 : 0.0; }) > T(0));
  pressure_ = select(is_pressed_, T(0.5) * stiffness_ * reach_ * (T(1) / (x * x) - T(1)), T(0));
  slid_ = vectors_of([](const Pair& p) { return p.slip; });
}

void ObstacleTerm::measure(const Vec3<T>& x0, const Vec3<T>& x1, const Quat<T>& q) {
  is_round_ ? measure_round(x0, x1) : measure_flat(x0, x1);
  const Vec3<T> along = x1 - x0;
  axis_ = reciprocal_root(norm_squared(along)) * along;
  arm_ = -rolling_radius_ * cross(axis_, normal_);
  if (!rubs_) return;
  Vec3<T> slip = start_slip_ + start_weight_[0] * x0 + start_weight_[1] * x1;
  if (turns_) slip += start_lever_ * turn_between(start_frame_, q);
  slip_ = along_surface(slip, normal_);
  slid_ = along_surface(slid_, normal_);
}

// The point of the segment that counts is where (d(s) - r) m(s) is least, m = 1 + c (s - ½)², see Steady, and the bend
// is that of gap_curvature.h for a point. Inside, where d < r, the nearest point counts.
void ObstacleTerm::measure_round(const Vec3<T>& x0, const Vec3<T>& x1) {
  const T c(steadiness), one(1), half(0.5);
  const Vec3<T> u = x1 - x0, w = x0 - centre_;
  const T uu = norm_squared(u), uw = dot(u, w), ww = norm_squared(w), per_uu = reciprocal(uu);
  const T nearest = clamped(-uw * per_uu);
  T s = nearest;
  for (int n = 0; n < most_searches; ++n) {
    const T off = s - half, d2 = ww + s * (T(2) * uw + s * uu), per_d = reciprocal_root(d2), d = d2 * per_d;
    const T g = d - radius_, rate = (uw + s * uu) * per_d, m = one + c * off * off;
    const T slope = m * rate + T(2) * c * off * g;
    const T bend = m * (uu - rate * rate) * per_d + T(4) * c * off * rate + T(2) * c * g;
    const T next = select((g > T(0)) & (bend > T(0)), clamped(s - slope / bend), nearest);
    const bool is_there = !any(abs(next - s) > T(1e-13));
    s = next;
    if (is_there) break;
  }
  const Vec3<T> between = w + s * u;
  const T d2 = norm_squared(between), per_d = reciprocal_root(d2), d = d2 * per_d, g = d - radius_;
  const Mask outside = g > T(0);
  const T off = s - half;
  normal_ = per_d * between;
  slope_ = select(outside, one + c * off * off, one);
  gap_ = slope_ * g;
  weight_[0] = one - s, weight_[1] = s;

  const T bend = slope_ * per_d, rise = select(outside, T(2) * c * off, T(0)), nu = dot(normal_, u);
  const Vec3<T> across = u - nu * normal_, by = bend * across + rise * normal_;
  const T A = bend * norm_squared(across) + T(2) * rise * nu + T(2) * c * max(g, T(0));
  const Mask slides = (s > T(0)) & (s < one) & (A > T(0));
  const T ss = select(slides, reciprocal(A), T(0));
  bend_.slide = square(ss, by) + square(bend, normal_);
  bend_.slide += -bend;
  bend_.a = (slope_ * ss) * by, bend_.aa = slope_ * slope_ * ss;
}

// The height of a segment above a plane is linear along it, h + climb σ with σ = s - ½, and (height - r) m is least
// where
//   3 c climb σ² + 2 c (h - r) σ + climb = 0
void ObstacleTerm::measure_flat(const Vec3<T>& x0, const Vec3<T>& x1) {
  const T c(steadiness), one(1), half(0.5), none(0);
  const Vec3<T> u = x1 - x0;
  const T climb = dot(up_, u), middle = dot(up_, T(0.5) * (x0 + x1) - centre_) - radius_;
  const T root = c * c * middle * middle - T(3) * c * climb * climb;
  const Mask has_root = (root > none) & (middle > none);
  const T inner = clamped(half - climb / (c * middle + sqrt(max(root, none))));
  const T end = select(climb > none, none, select(climb < none, one, half));
  T s = select(has_root, inner, end);
  const T g = middle + climb * (s - half);
  const Mask outside = g > none;
  s = select(outside, s, end);
  const T off = s - half, height = middle + climb * off, rise = select(outside, T(2) * c * off, none);
  normal_ = up_;
  slope_ = select(outside, one + c * off * off, one);
  gap_ = slope_ * height;
  weight_[0] = one - s, weight_[1] = s;
  const T A = T(2) * rise * climb + T(2) * c * max(height, none);
  const Mask slides = (s > none) & (s < one) & (A > none);
  const T ss = select(slides, reciprocal(A), none);
  bend_.slide = square(ss * rise * rise, up_);
  bend_.a = (slope_ * ss * rise) * up_, bend_.aa = slope_ * slope_ * ss;
}

// what slides has no stiffness along its way
void ObstacleTerm::linearise() {
  const T none(0), normal_force = slope_ * pressure_, k = select(is_pressed_, curvature_of(pressure_), none);
  const T push = select(is_pressed_, pressure_ - k * (gap_ - gap_of(pressure_)), none);
  force_ = (slope_ * push) * normal_;
  K_ = square(k * slope_ * slope_, normal_);
  if (!rubs_) return;
  const T length2 = norm_squared(slid_), length = sqrt(length2);
  const T hold = select(is_pressed_, secant(length, normal_force), none);
  const Mask slides = length > slip_length(normal_force);
  const T along = select(slides, hold / max(length2, T(1e-300)), none);
  const Vec3<T> back = slip_ - slid_;
  force_ -= hold * slip_ - (along * dot(slid_, back)) * slid_;
  K_ += square(-hold, normal_) + square(-along, slid_);
  K_ += hold;
}

void ObstacleTerm::add(TouchBlocks<T>& to, T hessian_share) {
  linearise();
  const T &w0 = weight_[0], &w1 = weight_[1];
  const T share = hessian_share * pressure_;
  const Sym3<T> K = K_ + share * bend_.slide, turning = square(pressure_ * bend_.aa, normal_);
  const Vec3<T> a = share * bend_.a;
  const Sym3<T> sliding = symmetric_outer(a, normal_);
  to.xx[0] += (w0 * w0) * K + turning + (T(-2) * w0) * sliding;
  to.xx[1] += (w1 * w1) * K + turning + (T(2) * w1) * sliding;
  to.x0_x1 += full((w0 * w1) * K + T(-1) * turning) + outer(w0 * a, normal_) + outer(-w1 * normal_, a);
  to.force[0] += w0 * force_, to.force[1] += w1 * force_;
  if (!turns_) return;
  const Vec3<T> pull = K_ * arm_;
  to.x_turn[0] += outer(w0 * pull, axis_), to.x_turn[1] += outer(w1 * pull, axis_);
  to.turn += square(dot(arm_, pull), axis_), to.moment += dot(arm_, force_) * axis_;
}

auto ObstacleTerm::follow(const Vec3<T>& u0, const Vec3<T>& u1, const Vec3<T>& theta, T share) -> Mask {
  const T none(0), enough(settled);
  const Vec3<T> way = weight_[0] * u0 + weight_[1] * u1;
  Vec3<T> surface_way = way;
  if (turns_) surface_way += dot(axis_, theta) * arm_;
  const T next_gap = gap_ + slope_ * dot(normal_, way);
  const T k = curvature_of(pressure_);
  const T found = select(is_pressed_, pressure_ - k * (next_gap - gap_of(pressure_)), none);
  const T next = max(found, none), found_gap = gap_of(next);
  const Mask is_away = ~(is_pressed_ | (next_gap < reach_));
  Mask is_there = is_pressed_ & ~(found < none) & (abs(next_gap - found_gap) <= enough * found_gap);
  if (rubs_) {
    const Vec3<T> next_slip = slip_ + along_surface(surface_way, normal_);
    const T limit = slope_ * next;
    const Vec3<T> predicted = along_surface(force_ - K_ * surface_way, normal_);
    const Vec3<T> error = predicted + secant(sqrt(norm_squared(next_slip)), limit) * next_slip;
    const T allowed = enough * friction_ * limit;
    is_there = is_there & (norm_squared(error) <= allowed * allowed);
    const Mask slides_back =
        (sqrt(norm_squared(slid_)) > slip_length(slope_ * pressure_)) & (dot(slid_, next_slip) < none);
    const Vec3<T> nowhere{none, none, none};
    slid_ = select(slides_back, nowhere, next_slip);
  }
  pressure_ += share * (next - pressure_);
  is_pressed_ = (is_pressed_ & (~(found < none) | (pressure_ > none))) | (~is_pressed_ & (next_gap < reach_));
  return is_there | is_away;
}

}  // namespace tendril::block
