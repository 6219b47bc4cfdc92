#include "solvers/block/obstacle_terms.h"

#include "math/quat_pack.h"

namespace tendril::solvers::block {
namespace {

using T = StrandLanes;
using Mask = T::Mask;

constexpr double settled = 1e-3;  // relative accuracy of gaps and of friction, of which the next step leaves the square

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
  core_.radius = of_pairs([](const Pair& p) { return p.radius; });
  reach_ = of_pairs([](const Pair& p) { return p.barrier.reach; });
  stiffness_ = of_pairs([](const Pair& p) { return p.barrier.stiffness; });
  spring_ = of_pairs([](const Pair& p) { return p.spring.stiffness; });
  friction_ = of_pairs([](const Pair& p) { return p.spring.friction; });
  slack_ = of_pairs([](const Pair& p) { return p.spring.slack; });
  for (int k = 0; k < 2; ++k) start_weight_[k] = of_pairs([k](const Pair& p) { return p.weight[k]; });
  rubs_ = any(friction_ > T(0));

  place_core(slot, contact);
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
  at_.s = start_weight_[1];
}

// where it is at the end of the step; where there is none, far below everything
void ObstacleTerm::place_core(const ObstacleSlot& slot, const Contact& contact) {
  Vec3d points[3][T::lanes], ups[T::lanes], middles[T::lanes];
  double extents[T::lanes] = {}, knows_side[T::lanes] = {};
  for (int lane = 0; lane < T::lanes; ++lane) {
    const Vec3d nowhere{0, 0, -far_away};
    points[0][lane] = nowhere, points[1][lane] = nowhere + Vec3d{1, 0, 0}, points[2][lane] = nowhere + Vec3d{0, 1, 0};
    ups[lane] = {0, 0, 1}, middles[lane] = nowhere;
    if (slot.pair[lane] < 0) continue;
    const Pair& pair = contact.pairs()[slot.pair[lane]];
    const Solid& solid = contact.solids()[pair.b];
    const Pose& pose = contact.end_of_way(solid.body);
    const int count = solid.core == Solid::Core::triangle ? 3 : 1;
    Vec3d sum;
    for (int k = 0; k < count; ++k) sum += points[k][lane] = pose.x + rotate(pose.q, solid.p[k]);
    middles[lane] = (1.0 / count) * sum;
    for (int k = 0; k < count; ++k) extents[lane] = std::max(extents[lane], norm(points[k][lane] - middles[lane]));
    if (solid.core == Solid::Core::half_space) ups[lane] = rotate(pose.q, solid.p[1]);
    if (solid.core != Solid::Core::triangle) continue;
    const Vec3d up =
        (slot.is_on_back[lane] ? -1.0 : 1.0) * normalized(cross(solid.p[1] - solid.p[0], solid.p[2] - solid.p[0]));
    ups[lane] = rotate(pose.q, up);
    knows_side[lane] = dot(rotate(contact.body_waypoint(solid.body).q, up), pair.normal) >= 0;
  }
  core_.kind = slot.core;
  for (int k = 0; k < 3; ++k) core_.p[k] = vectors<T>([&](int lane) -> const Vec3d& { return points[k][lane]; });
  core_.up = vectors<T>([&](int lane) -> const Vec3d& { return ups[lane]; });
  core_.middle = vectors<T>([&](int lane) -> const Vec3d& { return middles[lane]; });
  core_.extent = numbers<T>([&](int lane) { return extents[lane]; });
  core_.cone = numbers<T>([&](int lane) { return slot.cone[lane]; });
  core_.knows_side = numbers<T>([&](int lane) { return knows_side[lane]; }) > T(0);
}

void ObstacleTerm::measure(const Vec3<T>& x0, const Vec3<T>& x1, const Quat<T>& q) {
  const T s = at_.s;
  if (core_.kind != Solid::Core::half_space) at_ = distant_gap(core_, x0, x1), at_.s = s;
  if (core_.kind == Solid::Core::half_space || any(is_pressed_ | is_near())) at_ = gap_of(core_, x0, x1, s);
  if (core_.kind == Solid::Core::triangle) {  // from afar only what is nearest counts: the others are its neighbours
    const Mask beside = (at_.gap > reach_) & (dot(at_.normal, core_.up) < core_.cone - T(settled));
    at_.gap = select(beside, T(far_away), at_.gap);
    is_pressed_ = is_pressed_ | is_near();
  }
  is_pressed_ = is_pressed_ & (at_.gap < T(far_away / 2)), pressure_ = select(is_pressed_, pressure_, T(0));
  const Vec3<T> along = x1 - x0;
  axis_ = reciprocal_root(norm_squared(along)) * along;
  arm_ = -rolling_radius_ * cross(axis_, at_.normal);
  if (!rubs_) return;
  Vec3<T> slip = start_slip_ + start_weight_[0] * x0 + start_weight_[1] * x1;
  if (turns_) slip += start_lever_ * turn_between(start_frame_, q);
  slip_ = along_surface(slip, at_.normal);
  slid_ = along_surface(slid_, at_.normal);
}

// what slides has no stiffness along its way
void ObstacleTerm::linearise() {
  const T none(0), normal_force = at_.slope * pressure_, k = select(is_pressed_, curvature_of(pressure_), none);
  const T push = select(is_pressed_, pressure_ - k * (at_.gap - gap_under(pressure_)), none);
  force_ = (at_.slope * push) * at_.normal;
  K_ = square(k * at_.slope * at_.slope, at_.normal);
  if (!rubs_) return;
  const T length2 = norm_squared(slid_), length = sqrt(length2);
  const T hold = select(is_pressed_, secant(length, normal_force), none);
  const Mask slides = length > slip_length(normal_force);
  const T along = select(slides, hold / max(length2, T(1e-300)), none);
  const Vec3<T> back = slip_ - slid_;
  force_ -= hold * slip_ - (along * dot(slid_, back)) * slid_;
  K_ += square(-hold, at_.normal) + square(-along, slid_);
  K_ += hold;
}

void ObstacleTerm::add(TouchBlocks<T>& to, T hessian_share) {
  linearise();
  const T w1 = at_.s, w0 = T(1) - w1;
  const T share = hessian_share * pressure_;
  const Sym3<T> K = K_ + share * at_.bend.slide, turning = square(pressure_ * at_.bend.aa, at_.normal);
  const Vec3<T> a = share * at_.bend.a;
  const Sym3<T> sliding = symmetric_outer(a, at_.normal);
  to.xx[0] += (w0 * w0) * K + turning + (T(-2) * w0) * sliding;
  to.xx[1] += (w1 * w1) * K + turning + (T(2) * w1) * sliding;
  to.x0_x1 += full((w0 * w1) * K + T(-1) * turning) + outer(w0 * a, at_.normal) + outer(-w1 * at_.normal, a);
  to.force[0] += w0 * force_, to.force[1] += w1 * force_;
  if (!turns_) return;
  const Vec3<T> pull = K_ * arm_;
  to.x_turn[0] += outer(w0 * pull, axis_), to.x_turn[1] += outer(w1 * pull, axis_);
  to.turn += square(dot(arm_, pull), axis_), to.moment += dot(arm_, force_) * axis_;
}

auto ObstacleTerm::follow(const Vec3<T>& u0, const Vec3<T>& u1, const Vec3<T>& theta, T share) -> Mask {
  const T none(0), enough(settled);
  const Vec3<T> way = (T(1) - at_.s) * u0 + at_.s * u1;
  Vec3<T> surface_way = way;
  if (turns_) surface_way += dot(axis_, theta) * arm_;
  const T next_gap = at_.gap + at_.slope * dot(at_.normal, way);
  const T k = curvature_of(pressure_);
  const T found = select(is_pressed_, pressure_ - k * (next_gap - gap_under(pressure_)), none);
  const T next = max(found, none), found_gap = gap_under(next);
  const Mask is_away = ~(is_pressed_ | (next_gap < reach_));
  Mask is_there = is_pressed_ & ~(found < none) & (abs(next_gap - found_gap) <= enough * found_gap);
  if (rubs_) {
    const Vec3<T> next_slip = slip_ + along_surface(surface_way, at_.normal);
    const T limit = at_.slope * next;
    const Vec3<T> predicted = along_surface(force_ - K_ * surface_way, at_.normal);
    const Vec3<T> error = predicted + secant(sqrt(norm_squared(next_slip)), limit) * next_slip;
    const T allowed = enough * friction_ * limit;
    is_there = is_there & (norm_squared(error) <= allowed * allowed);
    const Mask slides_back =
        (sqrt(norm_squared(slid_)) > slip_length(at_.slope * pressure_)) & (dot(slid_, next_slip) < none);
    const Vec3<T> nowhere{none, none, none};
    slid_ = select(slides_back, nowhere, next_slip);
  }
  pressure_ += share * (next - pressure_);
  is_pressed_ = (is_pressed_ & (~(found < none) | (pressure_ > none))) | (~is_pressed_ & (next_gap < reach_));
  return is_there | is_away;
}

}  // namespace tendril::solvers::block
