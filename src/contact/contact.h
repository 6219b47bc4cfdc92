#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contact/body_path.h"
#include "contact/body_region.h"
#include "contact/half_space.h"
#include "contact/leg_check.h"
#include "contact/options.h"
#include "contact/pair.h"
#include "math/stopwatch.h"

namespace tendril {

class Candidates;
class Reader;
class ThreadTeam;
class Writer;
struct Forces;
struct Model;

// Rods and bodies among each other. A step is a path of straight legs from corner to corner. At a corner every
// pair that may come close gets a plane between the two; during the leg all vertices stay on their sides of the planes
// and in boxes inside which the list of pairs is complete. These regions are convex, so whatever a solver does inside
// them, nothing passes through anything. Bodies that move freely have such regions, too.
//
//   find_candidates                     (the simulation)
//   roll_from                           (solvers whose segments turn about their axes where friction pulls at them)
//   repeat
//     begin_leg                         where everything may be until the next corner
//     the solver iterates; region(i) keeps vertex i where it may be, body_region(b) a body, pairs() push
//     end_leg                           the geometry anew
//   end_path, end_step                  (the simulation) what has slid stays where it is
//
// Every leg is checked when it ends, whoever made it: crossing() names what met. A solver that knows nothing of contact
// makes no legs; then the whole step is one.
class Contact {
 public:
  Contact();  // nothing collides
  Contact(const ContactOptions& options, const State& start);
  ~Contact();

  // for another Model over the same vertices
  void reset(const Model& model);

  // the pairs of the coming step and the first corner of its path; bodies go from where `state` has them to `body_end`
  void find_candidates(const Model& model, const State& state, std::span<const Pose> body_end, double h,
                       ThreadTeam& team);
  bool is_enabled() const { return options_.enabled; }
  const ContactOptions& options() const { return options_; }

  // From now on in this step surfaces turn with the frames of their segments, which are these at the corner.
  void roll_from(std::span<const Quatd> frames);

  // Lays planes for a leg on which the driven bodies, and in `wanted` all that is held, go `share` of their way to the
  // end of the step. Where the wanted positions are not allowed the nearest that are take their place. False when there
  // are none: then a smaller share leaves more room.
  bool begin_leg(double share, State& wanted);
  Region region(int vertex) const;  // of displacements from the corner
  bool is_bounded(int vertex) const { return first_entry_[vertex] < first_entry_[vertex + 1]; }  // by planes
  const BodyRegion& body_region(int body) const { return body_regions_[body]; }  // of one that moves freely
  double room(int vertex) const { return room_[vertex]; }  // around where begin_leg put it, see Region [m]
  // takes those that are not in their regions back towards where they were allowed to start
  void bring_back(const std::vector<Vec3d>& start, std::vector<Vec3d>& x) const;
  // ends a leg for vertices that are not bounded: those that left their boxes stop at the wall; whether any did
  bool stop_at_walls(std::vector<Vec3d>& x) const;
  // whether the list of pairs is complete for a vertex, or a body that moves freely, there
  bool is_inside_walls(int vertex, const Vec3d& x) const;
  bool is_inside_walls(int body, const Pose& pose) const;
  // whether on straight ways from the first corner to there no two come within the reach of their barrier
  bool stays_apart(const State& to);
  void end_leg(const State& state);
  // one more leg, if the solver left something elsewhere than at its last corner
  void end_path(const State& state);
  void end_step();

  // what met on a leg of this step
  const std::optional<Crossing>& crossing() const { return crossing_; }
  bool is_followed() const { return is_followed_; }  // the solver makes legs

  // asks another judge about every leg, too
  using Judge = std::function<std::optional<Crossing>(const Leg& leg, ThreadTeam& team)>;
  void judge_legs_by(Judge judge) { judge_ = std::move(judge); }

  std::span<const Pair> pairs() const { return pairs_; }
  const Vec3d& corner(int vertex) const { return corner_[vertex]; }  // the last one of the path [m]
  const Pose& body_corner(int body) const { return pose_[body]; }
  double reached() const { return reached_; }      // the share of the step that the bodies have gone
  bool reaches_end() const { return next_ == 1; }  // this leg does

  const State& start() const { return start_; }  // of the scene, without velocities

  std::string obstruction() const;  // what stood in the way when begin_leg found no room

  // how far one radian about its axis takes the surface of a segment of a pair, as it counts in Pair::relative
  struct Rolling {
    Vec3d axis;
    Vec3d way;  // zero: it does not roll [m]
  };
  Rolling rolling(const Pair& pair, int side) const;    // 0: a, 1: b; at the last corner
  bool rolls() const { return !frames_.empty(); }       // in this step
  Vec3d turned(int segment, const Quatd& frame) const;  // from the last corner to this frame [rad]

  // what this step took so far
  struct Effort {
    Stopwatch detection;     // lists of pairs, nearest points, checks of legs
    double before_path = 0;  // of it, in find_candidates [s]
    Stopwatch planes;        // where everything may go
    int searches = 0, legs = 0;
  };
  const Effort& effort() const { return effort_; }

  // at the last corner
  int touching() const { return survey_.touching; }             // pairs within the reach of their barriers
  double smallest_gap() const { return survey_.smallest_gap; }  // infinite when no pair is near [m]
  void add_forces(Forces& forces) const;                        // on vertices, segments and bodies
  double friction_work() const { return friction_work_; }       // taken by sliding, since the start [J]

  void save(Writer& out) const;
  void load(Reader& in, ThreadTeam& team);

 private:
  // how the two of a pair lie along its normal, at the corner
  struct Clearance {
    double between = 0;     // from surface to surface, along the normal [m]
    double beyond[4] = {};  // how far each vertex is from the one that is nearest to the other side [m]
  };

  // what a look at many pairs found
  struct Survey {
    int touching = 0;
    double smallest_gap = Bounds::infinity;
    std::size_t first_crossing = std::numeric_limits<std::size_t>::max();  // the first pair that met, by number

    void take(const Pair& pair) {
      touching += pair.gap < pair.barrier.reach;
      smallest_gap = std::min(smallest_gap, pair.gap);
    }
    void take(const Survey& other) {
      touching += other.touching, smallest_gap = std::min(smallest_gap, other.smallest_gap);
      first_crossing = std::min(first_crossing, other.first_crossing);
    }
  };

  void set_movers(const Model& model);
  bool set_bodies(const State& state, std::span<const Pose> body_end, double h);
  bool set_corner(const State& state, double h);
  void search_beyond_boxes(const std::vector<Vec3d>& x);
  void slide(Pair& pair, const Leg& leg) const;
  template <class Visit>
  void survey_pairs(std::size_t first, Visit visit);
  void evaluate_pairs(std::size_t first);
  void evaluate_new_pairs();

  // pair_list.cpp
  std::vector<Bounds> solid_boxes() const;
  void search_where_needed();
  void search(double room, std::span<const Vec3d> ways);
  void take_pairs();
  void list_entries();
  bool roams(int body, const Pose& pose) const;

  // apart.cpp
  double longest_way(int body, const Pose& to) const;
  double least_gap(const Pair& pair, const State& to) const;
  double gap_across_plane(const Pair& pair, const State& to) const;

  // pair_geometry.cpp
  Vec3d carried(int body, const Vec3d& point) const;
  void evaluate(std::size_t pair, std::span<const Vec3d> x, std::span<const Pose> poses);
  void evaluate_solid(std::size_t pair, std::span<const Vec3d> x, std::span<const Pose> poses);

  // regions.cpp. What can be pushed has a number: a vertex its own, a body that moves freely one after those; the
  // vertices that follow it have that one, too.
  int mover(const Pair& pair, int k) const;
  bool is_driven(int body) const { return body >= 0 && !bodies_[body].is_free; }
  bool meets_driven(const Pair& pair) const { return is_driven(pair.body) || is_driven(pair.body_a); }
  struct Facing {  // what a plane between two asks of the end of a leg
    Vec3d normal;
    double between, beyond[4];  // see Clearance
    double kept;                // of what is between [m]
    double advance = 0;         // of the surface of a driven solid [m]
  };
  struct Stand {  // of a plane between two, measured from b's surface along the normal [m]
    double low, high;
  };
  Facing facing(std::size_t pair) const;
  void go_with(int body, const Solid& solid, double sign, const Pair& pair, Facing& facing) const;
  Stand stand(const Pair& pair, const Facing& facing, bool at_rest) const;
  HalfSpace side(const Pair& pair, const Facing& facing, int k, double plane) const;
  double wanted_along(const Pair& pair, bool of_a) const;
  Vec3d held_part(std::size_t vertex) const { return wanted_[vertex] - scale(free_axes_[vertex], wanted_[vertex]); }
  void lay_all_planes();
  void lay_planes(std::size_t pair);
  BodyPlane body_plane(std::size_t pair, bool of_a) const;
  std::vector<Vec3d> pushed_ways() const;
  bool find_places(State& wanted);
  bool settle_between_planes(State& wanted);
  bool settle_in(State& wanted);
  bool slide_in(std::size_t vertex, const Region& allowed, Vec3d& d) const;
  bool go_straight(std::size_t vertex, const Region& allowed, Vec3d& d) const;
  bool settle_body(int body, State& wanted);
  void make_way();
  bool push_apart(const Pair& pair, const Facing& facing, bool evenly);
  bool push(int mover, const HalfSpace& half);

  // tilting_planes.cpp
  struct Tilt {  // of the plane of a pair with a vertex that is held
    std::size_t pair;
    Vec3d end_normal;  // zero: it does not tilt
    bool tilts() const { return !(end_normal == Vec3d{}); }
  };
  bool may_tilt(const Pair& pair) const;
  bool does_not_yield(int vertex, const Vec3d& normal) const;
  bool push_apart(Tilt& tilt, bool evenly);
  MovingSegment least_way(const Pair& pair, int side) const;
  Vec3d end_normal(std::size_t pair) const;
  std::array<Facing, 2> facings(const Tilt& tilt) const;
  void lay_planes(const Tilt& tilt);

  ContactOptions options_;
  State start_;
  std::unique_ptr<Candidates> candidates_;
  std::vector<Vec3d> free_axes_;  // (vertex)
  std::vector<int> mover_;        // (vertex)
  struct Follower {
    int vertex;
    Vec3d offset;  // in the frame of its body [m]
  };
  std::vector<std::vector<Follower>> followers_;  // (body)
  std::vector<Pair> pairs_, old_pairs_;
  std::vector<Clearance> clearances_;   // (pair)
  std::vector<Tilt> tilts_;             // by pair
  std::vector<int> entry_;              // of each vertex of a pair in half_spaces_ (4 pair)
  std::vector<int> first_entry_;        // (vertex, and the end)
  std::vector<HalfSpace> half_spaces_;  // vertex by vertex
  std::vector<Vec3d> corner_;           // (vertex) [m]
  std::vector<Quatd> frames_;           // there; empty: surfaces do not turn (segment)
  std::vector<Vec3d> turns_;            // of the frames on the leg that ends [rad] (segment)
  std::vector<Vec3d> wanted_;           // motion from there (vertex) [m]
  std::vector<Vec3d> least_;            // motion that makes way for what is driven; empty: not asked for (mover) [m]
  std::vector<double> room_;            // (vertex) [m]
  std::vector<BodyPath> bodies_;        // (body)
  std::vector<Pose> pose_, next_pose_;  // at the corner, and at the end of the leg (body)
  std::vector<Pose> wanted_pose_;       // of those that move freely (body)
  std::vector<Roam> roams_;             // (body)
  std::vector<double> plane_;           // where it stands, see Stand (pair) [m]
  std::vector<BodyRegion> body_regions_;
  std::vector<std::vector<std::pair<int, bool>>> sides_;  // pairs and whether it is a, of a body that moves freely
  double reached_ = 0, next_ = 0;                         // shares of the step: at the corner, at the end of the leg
  double friction_work_ = 0;
  Survey survey_;
  Effort effort_;
  std::optional<Crossing> crossing_;
  bool is_followed_ = false;
  Judge judge_;
  ThreadTeam* team_ = nullptr;
};

}  // namespace tendril
