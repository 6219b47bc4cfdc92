#pragma once

#include <array>
#include <vector>

#include "contact/contact.h"
#include "solvers/stable/regions/body_region.h"
#include "solvers/stable/regions/entries.h"
#include "solvers/stable/regions/movers.h"
#include "solvers/stable/regions/plane_gap.h"
#include "solvers/stable/regions/vertex_region.h"

namespace tendril::solvers::stable {

// Where everything may be until the end of a substep, so that sweeps that move one vertex at a time need not ask who
// else moves. At a waypoint every pair that may come close gets a plane between the two; during the substep all
// vertices stay on their sides of the planes and in boxes inside which the list of pairs is complete. These regions are
// convex, so whatever is done inside them, nothing passes through anything. Bodies that move freely have such regions,
// too.
//
//   begin_step
//   repeat
//     begin_substep           lays the planes; where everything may start
//     sweeps              region(i) keeps vertex i where it may be, body_region(b) a body
//     bring_back, stop_at_walls
//     Contact::end_substep    checks the substep; its end is the next waypoint
class Regions {
 public:
  void reset(const Model& model);
  void begin_step(Contact& contact, ThreadTeam& team);

  // Lays planes for a substep on which the driven bodies, and in `wanted` all that is held, go `share` of what is left
  // of their way. Where the wanted positions are not allowed the nearest that are take their place. False when there
  // are none: then a smaller share leaves more room.
  bool begin_substep(double share, State& wanted);
  void end_substep() { reached_ = next_; }
  bool is_at_start() const { return reached_ == 0; }  // what is driven has not moved yet in this step
  bool reaches_end() const { return next_ == 1; }     // with this substep it does

  const Contact& contact() const { return *contact_; }
  VertexRegion region(int vertex) const;  // of displacements from the waypoint
  bool is_bounded(int vertex) const { return entries_.first[vertex] < entries_.first[vertex + 1]; }  // by planes
  const BodyRegion& body_region(int body) const { return body_regions_[body]; }  // of one that moves freely
  double room(int vertex) const { return room_[vertex]; }  // around where begin_substep put it, see VertexRegion [m]

  // moves each vertex that is outside its region back along the segment from its start, as far as the region's border
  void bring_back(const std::vector<Vec3d>& start, std::vector<Vec3d>& x) const;
  // ends a substep for vertices that are not bounded: those that left their boxes stop at the wall; whether any did
  bool stop_at_walls(std::vector<Vec3d>& x) const;
  // whether the list of pairs is complete for a vertex, or a body that moves freely, there
  bool is_inside_walls(int vertex, const Vec3d& x) const { return contains(contact_->box(vertex), x); }
  bool is_inside_walls(int body, const Pose& pose) const;

 private:
  struct PlaneRange {  // of a plane between two, measured from b's surface along the normal [m]
    double low, high;
  };
  struct Tilt {  // of the plane of a pair with a vertex that is held
    std::size_t pair;
    Vec3d end_normal;  // zero: it does not tilt
    bool tilts() const { return !(end_normal == Vec3d{}); }
  };

  // regions.cpp
  void list_planes();
  std::vector<Vec3d> pushed_ways() const;
  Vec3d held_part(std::size_t vertex) const {
    return wanted_[vertex] - scale(movers_.free_axes[vertex], wanted_[vertex]);
  }
  bool find_places(State& wanted);
  bool settle_in(State& wanted);
  bool slide_in(std::size_t vertex, const VertexRegion& allowed, Vec3d& d) const;
  bool go_straight(std::size_t vertex, const VertexRegion& allowed, Vec3d& d) const;
  bool settle_body(int body, State& wanted);

  // planes.cpp
  double wanted_along(const Pair& pair, const Vec3d& normal, bool of_a) const;
  void lay_all_planes();
  void lay_plane(std::size_t pair);
  BodyPlane body_plane(std::size_t pair, bool of_a) const;

  // make_way.cpp
  PlaneGap plane_gap(const Pair& pair) const { return plane_gap_at_end(*contact_, pair, next_ - reached_); }
  HalfSpace side(const Pair& pair, const PlaneGap& gap, int k, double plane) const {
    return movers_.meets_driven(pair) ? side_of_driven(gap, k) : side_of_plane(gap, k, plane);
  }
  PlaneRange plane_range(const Pair& pair, const PlaneGap& gap) const;
  void make_way();
  bool push_apart(const Pair& pair, const PlaneGap& gap, bool evenly);
  bool push(int mover, const HalfSpace& half);

  // tilting_planes.cpp
  bool may_tilt(const Pair& pair) const;
  bool push_apart(Tilt& tilt, bool evenly);
  MovingSegment least_way(const Pair& pair, int side) const;
  Vec3d end_normal(const Pair& pair) const;
  std::array<PlaneGap, 2> plane_gaps(const Tilt& tilt) const;
  void lay_planes(const Tilt& tilt);

  Contact* contact_ = nullptr;  // of this step
  ThreadTeam* team_ = nullptr;
  Movers movers_;
  int list_number_ = -1;           // of the pairs that entries_, tilts_ and sides_ were made for
  double reached_ = 0, next_ = 0;  // shares of the way of what is driven: at the waypoint, at the end of the substep

  std::vector<Vec3d> wanted_;      // motion from the waypoint (vertex) [m]
  std::vector<Pose> wanted_pose_;  // of those that move freely (body)
  std::vector<Vec3d> least_;       // motion that makes way for what is driven; empty: not asked for (mover) [m]
  Entries entries_;                // in half_spaces_
  std::vector<HalfSpace> half_spaces_;
  std::vector<Tilt> tilts_;                               // by pair
  std::vector<double> plane_;                             // where it stands, see PlaneRange (pair) [m]
  std::vector<double> room_;                              // (vertex) [m]
  std::vector<BodyRegion> body_regions_;                  // (body)
  std::vector<std::vector<std::pair<int, bool>>> sides_;  // pairs, and whether it is a, of one that moves freely (body)
};

}  // namespace tendril::solvers::stable
