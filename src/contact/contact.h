#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contact/body_path.h"
#include "contact/gap_curvature.h"
#include "contact/options.h"
#include "contact/pair.h"
#include "contact/search_range.h"
#include "contact/substep_check.h"
#include "math/stopwatch.h"

namespace tendril::math {
class ThreadTeam;
}

namespace tendril::rod {
class Reader;
class Writer;
struct Forces;
struct Model;
}  // namespace tendril::rod

namespace tendril::contact {

class Candidates;

// Rods and bodies among each other: which pairs are near, how far apart they are, what pushes them, how far things may
// go before they meet, and whether they met. README.md beside this file says how; this is what a solver calls.
//
// A step is a path of straight substeps from waypoint to waypoint; the first waypoint is the state at its start.
// Everything that is known of a pair (its normal, its gap, how far it has slipped) is known at the last waypoint.
//
//   find_candidates            by the simulation: the list of pairs, the first waypoint
//   roll_from                  if segments turn about their axes where friction pulls at them; once
//   repeat, until all_at_end() and the solver is content
//     pairs()                  barriers and friction at the waypoint; gap_at() elsewhere, for a line search
//     drive                    how much of what is left of their ways the driven bodies shall go
//     follow                   if only some things move from here on
//     cover                    now the list of pairs is complete for the straight way from there to a trial state
//     safe_fraction            how far along that way a pair may go; shorten it, drive less, and cover again
//     end_substep              the trial state is the next waypoint: the substep is checked, slip is noted
//   end_path                   by the simulation: one more substep, if the solver left something elsewhere
//
// Where rods do not meet rods, nor bodies that move freely, each shares its path with nobody. Some vertices may go
// first, by themselves, from the start to the end of the step on one substep, on which what is driven goes all of its
// way:
//
//   pairs_near                 which other pairs come within reach of each other on the straight way there
//   end_of_way                 where what is driven then is
//   keeps_apart_to_end         the check that this substep will have to pass
//   go_alone                   the substep; then what is driven is back, and they stay where they are
//   end_step                   by the simulation: springs of friction that are stretched too far slide
//
// Shortcuts: stays_apart() says that nothing comes near anything on the way to a state, then a solver needs no substeps
// at all. One that knows nothing of contact makes none either, and the whole step is one substep. A solver that keeps
// vertices in regions between planes asks no fractions: see solvers/stable/regions.
//
// Every substep is checked when it ends, whoever made it: crossing() names what met.
class Contact {
 public:
  Contact();  // nothing collides
  Contact(const ContactOptions& options, const State& start);
  ~Contact();

  // for another Model over the same vertices
  void reset(const Model& model);
  bool is_enabled() const { return options_.enabled; }
  const ContactOptions& options() const { return options_; }
  const State& start() const { return start_; }  // of the scene, without velocities

  // ---- the path of a step, by the simulation

  // bodies go from where `state` has them to `body_end`
  void find_candidates(const Model& model, const State& state, std::span<const Pose> body_end, double h,
                       ThreadTeam& team);
  void end_path(const State& state);
  void end_step();
  // what friction remembers at the start of a step, and back to it
  void remember();
  void go_back();
  void save(Writer& out) const;
  void load(Reader& in, ThreadTeam& team);

  // ---- and by a solver

  // From now on in this step surfaces turn with the frames of their segments, which are these at the waypoint.
  void roll_from(std::span<const Quatd> frames);
  // no two come within the reach of their barrier on straight ways to there
  bool stays_apart(const State& to) { return pairs_near(to, {}).empty(); }
  // those that do, by their numbers; of pairs of vertices that are left out only new ones count (vertex; empty: none)
  std::vector<int> pairs_near(const State& to, std::span<const char> left_out);

  // ---- vertices that go alone, see above

  bool keeps_apart_to_end(const Pair& pair, const State& to) const;
  const Pose& end_of_way(int body) const { return end_pose_[body]; }  // of this step
  double rolling_radius(const Pair& pair) const;  // of a's surface, about its axis; 0: it does not turn [m]
  void go_alone(std::vector<char> vertices, const State& to);  // those that are not zero (vertex)

  // each driven body goes a share of what is left of its way on this substep (body)
  void drive(std::span<const double> shares);
  bool is_at_end(int body) const { return !bodies_[body].moves || progress_[body] == 1; }
  bool all_at_end() const;
  Vec3d way_left(int body,
                 const Vec3d& point) const;  // of a point of a driven body, in its frame, to the end of the step [m]
  std::string obstruction() const;           // says that there is no room for what is driven

  // From now on in this step only these move, and driven bodies that are not at their end: what is known of pairs of
  // which neither moves stays as it is. It costs what the moving ones do.
  struct Movers {
    std::vector<int> vertices, segments, bodies;
  };
  void follow(Movers movers);
  void follow_all();                                           // as at the start of a step
  std::span<const int> followed() const { return followed_; }  // numbers of pairs of which one may move, ascending

  void set_trial(const State& at);  // where free bodies are for gap_at and safe_fraction
  void cover(const State& to);      // the same; and completes the list of pairs
  void end_substep(const State& state);

  // ---- pairs

  std::span<const Pair> pairs() const { return pairs_; }
  int list_number() const { return list_number_; }          // another one with every new list
  bool is_new(int pair) const { return is_new_[pair]; }     // it was not in the list before this one
  const std::vector<Solid>& solids() const;                 // what Pair::b is, of bodies
  const std::vector<Solid>& edges() const;                  // what Pair::a is, of bodies
  double gap_at(const Pair& pair, const State& at) const {  // see Pair::gap
    return gap_at(pair, at.x, next_pose_);
  }
  Pair pair_at(const Pair& pair, const State& there) const;  // with its geometry there
  GapCurvature curvature(const Pair& pair) const;            // of its gap, at the waypoint
  // as the two are to each other after a fraction of the straight way from the waypoint to there; the gap is the one
  // that those points have at the waypoint, along the normal of then
  Pair on_its_way(const Pair& pair, const State& there, double fraction) const;
  // of the points of a pair, along its normal
  double gap_along(const Pair& pair, const State& at) const { return gap_along(pair, at.x, next_pose_); }
  Vec3d edge(const Pair& pair, int side) const;  // of a body, that it turns for it (0: a, 1: b), in its frame [m]
  bool is_far(const Pair& pair, const State& there) const {  // it stays beyond the reach of its barrier on the way
    return pair.true_gap - longest_approach(pair, there) > pair.barrier.reach;
  }
  // a fraction of the straight way from the waypoint to there on which a pair keeps half of its gap, or of its
  // barrier's reach
  double safe_fraction(const Pair& pair, const State& to) const;
  bool meets(const Pair& pair, const Vec3d (&way)[4]) const;  // two segments whose vertices go straight these ways
  // of pairs by their numbers, those below one
  std::vector<std::pair<int, double>> pairs_that_meet(std::span<const int> asked, const State& to) const;
  // A turn theta of a segment of a pair takes the point of its surface that touches, as it counts in Pair::relative,
  // lever theta further (0: a, 1: b). [m]
  Mat3d lever(const Pair& pair, int side) const;
  bool turns(const Pair& pair, int side) const;         // else it is zero
  bool rolls() const { return !frames_.empty(); }       // in this step
  Vec3d turned(int segment, const Quatd& frame) const;  // from the last waypoint to this frame [rad]
  // how far the surfaces of a pair of pairs() have slipped over one another there, see FrictionSpring; bodies as for
  // gap_at [m]
  Vec3d slip_at(const Pair& pair, const State& there) const;
  Vec3d driven(const Pair& pair) const;  // how far b's point is driven against a's on this substep [m]

  // ---- where things are

  const Vec3d& waypoint(int vertex) const { return waypoint_[vertex]; }  // the last one of the path [m]
  const Pose& body_waypoint(int body) const { return pose_[body]; }
  const Pose& body_end_of_substep(int body) const { return next_pose_[body]; }  // as it is driven, or tried
  const BodyPath& body_path(int body) const { return bodies_[body]; }

  // The list of pairs is complete while every vertex is in its box, and every free body within its search range.
  const Bounds& box(int vertex) const;
  const SearchRange& search_range(int body) const { return search_ranges_[body]; }
  bool is_in_search_range(int body, const Pose& pose) const;
  void search_widely(std::span<const Vec3d> ways);  // in larger boxes, around these ways from the waypoint (vertex) [m]

  // ---- what happened

  const std::optional<Crossing>& crossing() const { return crossing_; }  // what met on a substep of this step
  bool is_followed() const { return is_followed_; }                      // the solver makes substeps
  // asks another judge about every substep, too
  using Judge = std::function<std::optional<Crossing>(const Substep& substep, ThreadTeam& team)>;
  void judge_substeps_by(Judge judge) { judge_ = std::move(judge); }

  // at the last waypoint
  int touching() const { return survey_.touching; }             // pairs within the reach of their barriers
  double smallest_gap() const { return survey_.smallest_gap; }  // infinite when no pair is near [m]
  void add_forces(Forces& forces) const;                        // on vertices, segments and bodies
  // What contact has taken from everything that moves, since the start [J]: the work of the forces with which a step
  // ends over its way, as implicit Euler counts it; what springs of friction and barriers hold for a while included.
  double friction_work() const { return friction_work_; }  // by forces along the surfaces
  double contact_loss() const { return contact_loss_; }    // by those that push apart

  // what this step took so far
  struct Effort {
    Stopwatch detection;     // lists of pairs, nearest points, checks of substeps
    double before_path = 0;  // of it, in find_candidates [s]
    int searches = 0, substeps = 0;
  };
  const Effort& effort() const { return effort_; }

 private:
  // what a look at many pairs found
  struct Survey {
    int touching = 0;
    double smallest_gap = Bounds::infinity;
    std::size_t first_crossing = std::numeric_limits<std::size_t>::max();  // the first pair that met, by number

    void take(const Pair& pair) {
      touching += pair.gap < pair.barrier.reach;
      smallest_gap = std::min(smallest_gap, pair.true_gap);
    }
    void take(const Survey& other) {
      touching += other.touching, smallest_gap = std::min(smallest_gap, other.smallest_gap);
      first_crossing = std::min(first_crossing, other.first_crossing);
    }
  };

  bool set_bodies(const State& state, std::span<const Pose> body_end, double h);
  bool set_waypoint(const State& state, double h);
  void search_beyond_boxes(const std::vector<Vec3d>& x);
  template <class Visit>
  void survey_pairs(std::size_t first, Visit visit);
  void list_followed();
  bool moves(const Pair& pair) const;
  bool has_gone_alone(const Pair& pair) const { return !alone_.empty() && pair.body_a < 0 && alone_[pair.vertex[0]]; }
  void evaluate_pairs(std::size_t first);
  void evaluate_new_pairs();

  // sliding.cpp
  struct Loss {
    double friction = 0, normal = 0;  // [J]
  };
  template <class Way, class Carried, class Turn>
  Vec3d motion(const Pair& pair, Way way, Carried carried, Turn turn) const;
  void slide(Pair& pair, const Substep& substep) const;
  Vec3d moved_in_step(const Pair& pair) const;
  Loss let_slide(Pair& pair) const;
  void hand_over_slips();
  void hand_over_slips_to_new();
  template <class IsSource, class Takes>
  void hand_over_slips(IsSource is_source, Takes takes);
  std::optional<Vec3d> slip_of_neighbours(const Pair& pair, std::span<const int> sources) const;

  // pair_list.cpp
  std::vector<Bounds> solid_boxes() const;
  void search_where_needed();
  void search(double room, std::span<const Vec3d> ways);
  void take_pairs();

  // apart.cpp
  double longest_way(int body, const Pose& to) const;
  double least_gap(const Pair& pair, const State& to) const;
  double longest_approach(const Pair& pair, const State& to) const;
  double solid_safe_fraction(const Pair& pair, const State& to, const Pose& body_to, double share) const;
  double edge_safe_fraction(const Pair& pair, double kept) const;
  double gap_across_plane(const Pair& pair, const State& to) const;

  // pair_geometry.cpp
  Vec3d carried(int body, const Vec3d& point) const;
  double gap_at(const Pair& pair, std::span<const Vec3d> x, std::span<const Pose> poses) const;
  double gap_along(const Pair& pair, std::span<const Vec3d> x, std::span<const Pose> poses) const;
  void measure(Pair& pair, std::span<const Vec3d> x, std::span<const Pose> poses) const;
  std::pair<Vec3d, Vec3d> in_frame_of_solid(const Pair& pair, std::span<const Vec3d> x,
                                            std::span<const Pose> poses) const;
  void measure_solid(Pair& pair, std::span<const Vec3d> x, std::span<const Pose> poses) const;

  ContactOptions options_;
  State start_;
  std::unique_ptr<Candidates> candidates_;
  std::vector<Pair> pairs_, old_pairs_;
  std::vector<char> is_new_;  // see is_new() (pair)
  int list_number_ = 0;       // of pairs_
  Movers movers_;
  std::vector<int> vertex_moves_, body_moves_;  // movers have the present number
  int movers_number_ = 0;
  std::vector<int> followed_;
  std::vector<double> longest_way_;               // of a point of a body on this substep [m] (body)
  std::vector<Vec3d> waypoint_;                   // (vertex) [m]
  std::vector<Quatd> frames_;                     // there; empty: surfaces do not turn (segment)
  std::vector<Vec3d> turns_;                      // of the frames on the substep that ends [rad] (segment)
  std::vector<Vec3d> wanted_;                     // motion from there (vertex) [m]
  std::vector<BodyPath> bodies_;                  // (body)
  std::vector<Pose> pose_, next_pose_;            // at the waypoint, and at the end of the substep (body)
  std::vector<Pose> end_pose_;                    // of what is driven, at the end of the step (body)
  std::vector<char> alone_;                       // has gone alone; empty: nothing has (vertex)
  std::vector<char> meets_bodies_;                // see Substep
  std::vector<Pose> wanted_pose_;                 // of those that move freely (body)
  std::vector<SearchRange> search_ranges_;        // (body)
  std::vector<double> progress_, next_progress_;  // shares of their ways gone, there and there (body)
  struct Begin {                                  // of the step
    std::vector<Vec3d> x;                         // (vertex) [m]
    std::vector<Quatd> frames;                    // see frames_
    std::vector<Pose> poses;                      // (body)
  };
  Begin begin_;
  double friction_work_ = 0, contact_loss_ = 0;
  std::vector<std::pair<Pair, Vec3d>> remembered_;  // slips of pairs
  Survey survey_;
  Effort effort_;
  std::optional<Crossing> crossing_;
  bool is_followed_ = false;
  Judge judge_;
  ThreadTeam* team_ = nullptr;
};

}  // namespace tendril::contact
