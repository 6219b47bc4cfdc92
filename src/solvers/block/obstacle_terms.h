#pragma once

#include <vector>

#include "contact/contact.h"
#include "solvers/block/gap_in_lanes.h"
#include "solvers/block/strands.h"

namespace tendril::solvers::block {

// A pair of each lane: a segment of its strand and a part of what is driven, by its number in the list of Contact; all
// parts have cores of one kind.
struct ObstacleSlot {
  int segment = 0;  // counted as in bundles.h
  Solid::Core core = Solid::Core::point;
  LaneIndex pair = {};        // -1: none
  LaneIndex is_on_back = {};  // of a triangle: the strand is where its corners go round clockwise
  std::array<double, StrandLanes::lanes> cone = {};  // of a triangle, see ObstacleSlots
};

// Contact of strands side by side with what is driven, one pair in each lane, as it is when that has gone all of its
// way: the barrier of the gap and the spring of friction, linearised where the last linear equations led to, see
// newton/contact_terms.h. As the force leads, places may be anywhere meanwhile, and even inside, see CoreInLanes.
class ObstacleTerm {
 public:
  using T = StrandLanes;
  using Mask = T::Mask;

  ObstacleTerm(const ObstacleSlot& slot, const Contact& contact, const State& start, const Lineup<T>& lineup);

  int segment() const { return segment_; }
  const LaneIndex& pairs() const { return pair_; }
  Mask is_pressed() const { return is_pressed_; }
  Mask is_near() const { return at_.gap < reach_; }  // where segments are

  // where segments are now; x0 and x1 in the order of the Model, q of their frames
  void measure(const Vec3<T>& x0, const Vec3<T>& x1, const Quat<T>& q);
  void add(TouchBlocks<T>& to, T hessian_share);
  // by the direction; whether barrier and friction are linearised where it leads
  Mask follow(const Vec3<T>& u0, const Vec3<T>& u1, const Vec3<T>& theta, T share);

 private:
  void place_core(const ObstacleSlot& slot, const Contact& contact);
  void linearise();
  T slip_length(T normal_force) const { return max(friction_ * normal_force / spring_, slack_); }
  T secant(T slip, T normal_force) const { return friction_ * normal_force / max(slip, slip_length(normal_force)); }
  T bend_of(T force) const { return T(1) + T(2) * force / (stiffness_ * reach_); }
  T gap_under(T force) const { return reach_ * reciprocal_root(bend_of(force)); }
  T curvature_of(T force) const { return stiffness_ * bend_of(force) * sqrt(bend_of(force)); }

  int segment_;
  LaneIndex pair_;
  bool turns_ = false, rubs_ = false;  // some surface turns, has friction
  T reach_, stiffness_, spring_, friction_, slack_, rolling_radius_;
  CoreInLanes core_;
  // what the slip is made of, see Contact::slip_at
  Vec3<T> start_slip_;
  T start_weight_[2];
  Mat3<T> start_lever_;
  Quat<T> start_frame_;

  // where the last direction led
  Mask is_pressed_;
  T pressure_;    // [N]
  Vec3<T> slid_;  // [m]
  // where segments are
  GapInLanes at_;
  Vec3<T> slip_, axis_, arm_;
  // linearised there
  Vec3<T> force_;
  Sym3<T> K_;
};

}  // namespace tendril::solvers::block
