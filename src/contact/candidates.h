#pragma once

#include <span>
#include <vector>

#include "contact/broad_phase.h"
#include "contact/neighbourhood.h"
#include "contact/options.h"
#include "contact/pair.h"
#include "contact/solid.h"
#include "rod/model.h"
#include "rod/stream.h"

namespace tendril::contact {

// Which pairs may touch while every vertex stays in its box, and every solid in its own. The boxes are wide enough for
// a few steps, so that a search is seldom. There are wider ones for many steps, and a list of the pairs in those: most
// searches only pick from it, and a search through space is seldomer yet.
class Candidates {
 public:
  void reset(const Model& model, const State& start, const ContactOptions& options);

  // whether the list is complete for vertices that go from x to x + motion, and solids inside these boxes
  bool cover(std::span<const Vec3d> x, std::span<const Vec3d> motion, std::span<const Bounds> solids,
             ThreadTeam* team) const;
  // `room` widens the boxes of vertices
  void search(std::span<const Vec3d> x, std::span<const Vec3d> motion, std::span<const Bounds> solids, double room,
              ThreadTeam& team);

  const std::vector<Solid>& solids() const { return solids_; }
  const std::vector<Solid>& edges() const { return edges_; }  // of solids that may meet others
  const Neighbourhood& neighbours() const { return neighbours_; }
  const Bounds& box(int vertex) const { return list_.boxes[vertex]; }
  bool holds(int vertex, const Vec3d& x) const { return contains(list_.boxes[vertex], x); }

  // the pairs, those of two segments first, then those of a segment and a solid, by number; constants only
  std::size_t pair_count() const {
    return list_.segment_pairs.size() + list_.solid_pairs.size() + list_.edge_pairs.size();
  }
  std::size_t first_solid_pair() const { return list_.segment_pairs.size(); }
  Pair pair(std::size_t p) const;

  std::span<const int> segments_at(int vertex) const { return at_vertex_[vertex]; }
  int first_vertex(int segment) const { return segments_[segment].vertex[0]; }

  // of a segment that turns about its axis when friction pulls at its surface; 0: it has no inertia against that [m]
  double rolling_radius(int segment) const { return segments_[segment].spins ? segments_[segment].radius : 0; }

  void save(Writer& out) const;
  void load(Reader& in, ThreadTeam& team);

 private:
  struct Touchable {  // a segment
    int vertex[2];
    double radius, reach;
    double stiffness;  // of its barrier [N/m]
    double spring;     // stiffness along its surface [N/m]
    double friction;
    bool spins = false;  // it has inertia about its axis
  };
  struct BodySurface {  // of a body
    bool is_free = false;
    double reach = forever, stiffness = forever;  // of its surface [m, N/m]
  };
  static Pair constants(const Touchable& a, const Touchable& b);
  void take_bodies(const Model& model, const ContactOptions& options);
  void excuse(const Model& model, const State& start);
  void join(int body, int other) { joined_bodies_.push_back({std::min(body, other), std::max(body, other)}); }
  bool may_meet(int edge, int solid) const;
  Touchable surface(const Solid& solid, double reach, double stiffness, double spring) const;

  // pairs, and where everything may be while there are no others
  struct List {
    std::vector<Bounds> boxes, solid_boxes;                         // (vertex), (solid)
    std::vector<Bounds> segment_boxes;                              // around those of the vertices (segment)
    std::vector<IndexPair> segment_pairs, solid_pairs, edge_pairs;  // by number
  };
  static bool is_inside(const List& inner, const List& outer, ThreadTeam& team);
  void find_wide_list(ThreadTeam& team);
  void find_wide_segment_pairs(ThreadTeam& team);
  void pick_from_wide_list(ThreadTeam& team);
  void box_segments(List& list, ThreadTeam& team) const;
  bool may_touch(const List& list, int a, int b) const;
  bool may_touch_solid(const List& list, int segment, int solid) const;

  std::vector<Touchable> segments_;
  std::vector<std::vector<int>> at_vertex_;  // segments (vertex)
  std::vector<double> margin_;               // of a vertex's box [m]
  std::vector<Solid> solids_;
  std::vector<Solid> edges_;
  std::vector<int> solid_of_edge_;
  std::vector<BodySurface> surfaces_;     // (body)
  std::vector<double> body_friction_;     // (body)
  std::vector<int> whole_;                // the first of the bodies that are one obstacle: faces of a mesh (body)
  std::vector<IndexPair> excused_;        // a segment and the whole_ of a body that never count as touching, sorted
  std::vector<IndexPair> joined_bodies_;  // nor these, sorted
  bool rods_collide_ = true;              // with rods
  Neighbourhood neighbours_;              // empty if they do not
  BroadPhase broad_phase_;
  List list_, wide_;
  std::vector<std::vector<IndexPair>> picked_;  // (share)
};

}  // namespace tendril::contact
