#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contact/body_path.h"
#include "contact/half_space.h"
#include "contact/leg_check.h"
#include "contact/options.h"
#include "contact/pair.h"

namespace tendril {

class Candidates;
class Reader;
class ThreadTeam;
class Writer;
struct Model;

// Rods among each other and among solids. A step is a path of straight legs from corner to corner. At a corner every
// pair that may come close gets a plane between the two; during the leg all vertices stay on their sides of the planes
// and in boxes inside which the list of pairs is complete. These regions are convex, so whatever a solver does inside
// them, nothing passes through anything.
//
//   find_candidates                     (the simulation)
//   repeat
//     begin_leg                         where everything may be until the next corner
//     the solver iterates; region(i) keeps vertex i where it may be, pairs() push
//     end_leg                           the geometry anew
//   end_path, end_step                  (the simulation) what has slid stays where it is
//
// Every leg is checked when it ends, whoever made it: crossing() names what met. A solver that knows nothing of contact
// makes no legs; then the whole step is one.
class Contact {
 public:
  Contact();  // nothing collides
  Contact(const ContactOptions& options, std::vector<Vec3d> start);
  ~Contact();

  // for another Model over the same vertices
  void reset(const Model& model);

  // the pairs of the coming step and the first corner of its path; bodies go from where `state` has them to `body_end`
  void find_candidates(const Model& model, const State& state, std::span<const Pose> body_end, double h,
                       ThreadTeam& team);
  bool is_enabled() const { return options_.enabled; }

  // Lays planes for a leg on which the bodies, and in `wanted` all that is held, go `share` of their way to the end of
  // the step. Where the wanted positions are not allowed the nearest that are take their place. False when there are
  // none: then a smaller share leaves more room.
  bool begin_leg(double share, std::vector<Vec3d>& wanted);
  Region region(int vertex) const;  // of displacements from the corner
  bool is_bounded(int vertex) const { return first_entry_[vertex] < first_entry_[vertex + 1]; }  // by planes
  double room(int vertex) const { return room_[vertex]; }  // around where begin_leg put it, see Region [m]
  // takes those that are not in their regions back towards where they were allowed to start
  void bring_back(const std::vector<Vec3d>& start, std::vector<Vec3d>& x) const;
  // ends a leg for vertices that are not bounded: those that left their boxes stop at the wall; whether any did
  bool stop_at_walls(std::vector<Vec3d>& x) const;
  void end_leg(const std::vector<Vec3d>& x);
  // one more leg, if the solver left the vertices elsewhere than at its last corner
  void end_path(const std::vector<Vec3d>& x);
  void end_step();

  // what met on a leg of this step
  const std::optional<Crossing>& crossing() const { return crossing_; }
  bool is_followed() const { return is_followed_; }  // the solver makes legs

  // asks another judge about every leg, too
  using Judge = std::function<std::optional<Crossing>(const Leg& leg, ThreadTeam& team)>;
  void judge_legs_by(Judge judge) { judge_ = std::move(judge); }

  std::span<const Pair> pairs() const { return pairs_; }
  const Vec3d& corner(int vertex) const { return corner_[vertex]; }  // the last one of the path [m]
  double reached() const { return reached_; }                        // the share of the step that the bodies have gone
  bool reaches_end() const { return next_ == 1; }                    // this leg does

  const std::vector<Vec3d>& start() const { return start_; }  // of the scene (vertex) [m]

  std::string obstruction() const;  // what stood in the way when begin_leg found no room

  // at the last corner
  int touching() const;                                    // pairs within the reach of their barriers
  double smallest_gap() const;                             // infinite when no pair is near [m]
  void add_forces(std::vector<Vec3d>& force) const;        // (vertex) [N]
  double friction_work() const { return friction_work_; }  // taken by sliding, since the start [J]

  void save(Writer& out) const;
  void load(Reader& in, ThreadTeam& team);

 private:
  // how the two of a pair lie along its normal, at the corner
  struct Clearance {
    double between = 0;     // from surface to surface, along the normal [m]
    double beyond[4] = {};  // how far each vertex is from the one that is nearest to the other side [m]
  };

  bool search_where_needed();
  void take_pairs();
  void check_leg(const std::vector<Vec3d>& x);
  void evaluate(std::size_t pair);
  void evaluate_solid(std::size_t pair);
  bool settle_in(std::vector<char>& unsettled, std::vector<Vec3d>& wanted);
  void make_way();
  bool push_apart(std::size_t pair, bool evenly);
  bool push(int vertex, const HalfSpace& half);
  bool give_way(std::vector<char>& unsettled, bool all);
  struct Stand {  // of a plane between two, measured from b's surface along the normal [m]
    double low, high;
  };
  Stand stand(std::size_t pair, const std::vector<Vec3d>& motion) const;
  HalfSpace side(std::size_t pair, int k, double plane) const;
  Vec3d held_part(std::size_t vertex) const { return wanted_[vertex] - scale(free_axes_[vertex], wanted_[vertex]); }
  void lay_planes(std::size_t pair);
  void lay_planes_at_solid(std::size_t pair);
  void lay_turning_plane(std::size_t pair, const Solid& solid, const Pose& to);
  void set_plane(std::size_t pair, int k, const Vec3d& normal, double bound);
  void set_free_axes(const Model& model);

  ContactOptions options_;
  std::vector<Vec3d> start_;  // positions at the start of the scene (vertex)
  std::unique_ptr<Candidates> candidates_;
  std::vector<Vec3d> free_axes_;  // (vertex)
  std::vector<bool> follows_;     // a dynamic body (vertex)
  std::vector<Pair> pairs_;
  std::vector<Clearance> clearances_;   // (pair)
  std::vector<int> entry_;              // of each vertex of a pair in half_spaces_ (4 pair)
  std::vector<int> first_entry_;        // (vertex, and the end)
  std::vector<HalfSpace> half_spaces_;  // vertex by vertex
  std::vector<Vec3d> corner_;           // (vertex) [m]
  std::vector<Vec3d> wanted_;           // motion from there (vertex) [m]
  std::vector<Vec3d> least_;            // motion that makes way for what is driven; empty: not asked for (vertex) [m]
  std::vector<char> gives_way_;         // its plane lets both sides have the least motion (pair)
  std::vector<double> room_;            // (vertex) [m]
  std::vector<BodyPath> bodies_;        // (body)
  std::vector<Pose> pose_, next_pose_;  // at the corner, and at the end of the leg (body)
  double reached_ = 0, next_ = 0;       // shares of the step: at the corner, at the end of the leg
  double friction_work_ = 0;
  std::optional<Crossing> crossing_;
  bool is_followed_ = false;
  Judge judge_;
  ThreadTeam* team_ = nullptr;
};

}  // namespace tendril
