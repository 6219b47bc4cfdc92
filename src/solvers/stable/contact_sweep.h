#pragma once

#include <atomic>
#include <vector>

#include "math/thread_team.h"
#include "solvers/stable/position_sweep.h"
#include "solvers/stable/published_contact.h"
#include "solvers/stable/regions/regions.h"

namespace tendril::solvers::stable {

// Contact in the position sweep: what pushes at the vertices, and where they may go. Pairs are evaluated together
// before each colour; then every vertex sums up its own.
template <class S>
class ContactSweep {
 public:
  using P = Pack<S>;

  void reset(const Layout& layout, ContactRule rule);
  void begin_substep(const Regions& regions, const StepProblem& problem, const Layout& layout, const State& start,
                     ThreadTeam& team);

  bool concerns(int pack) const { return regions_ && concerned_[pack]; }
  bool needs_a_look() const { return !pairs_.empty() || was_cut_; }  // at the geometry, after a few sweeps
  int pair_count() const { return static_cast<int>(pairs_.size()); }
  void evaluate(const Rows<S>& rows, Share pairs);
  ContactPull<P> pull_at(int pack) const;  // of the vertices of a pack

  // takes the vertices of a pack back to where they may be, coming from `before`
  void keep_in_region(int pack, const RowPack<P>& before, Rows<S>& rows);

  // calls free(packs) for stretches of packs that contact does not concern, touched(pack) for the others
  template <class Free, class Touched>
  void split(Share packs, Free free, Touched touched) const {
    int begin = packs.begin;
    for (int p = packs.begin; regions_ && p < packs.end; ++p) {
      if (!concerned_[p]) continue;
      if (begin < p) free(Share{begin, p});
      touched(p);
      begin = p + 1;
    }
    if (begin < packs.end) free(Share{begin, packs.end});
  }

  // of one vertex, by its row
  struct Pull {
    Vec3d force;
    Mat3d stiffness;
    double scale = 0;  // sum of the forces' sizes [N]
  };
  Pull pull_at_row(int row) const;
  // the part of a way from u, where the vertex may be, that stays where it may be
  double allowed_share(int row, const Vec3d& u, const Vec3d& way) const {
    const int i = vertex_of_row_[row];
    if (!regions_ || !regions_->is_bounded(i)) return 1;
    return regions_->region(i).share(u - waypoint_[row], way);
  }
  // one of the two of a pair: a row of vertices, or a body that moves freely; neither: it is driven
  struct Side {
    int row = -1, body = -1;
  };
  // calls visit(side a, side b, force on a, stiffness) for every pair that pushes
  template <class Visit>
  void for_each_push(Visit visit) const {
    for (const NearPair& near : pairs_) {
      if (near.now.normal_stiffness == 0) continue;
      visit(Side{near.row[0], near.body[0]}, Side{near.row[2], near.body[1]}, near.now.force, stiffness_of(near));
    }
  }
  void set_cut_off(int row, const Vec3d& way) { cut_off_[row] = way; }
  const Vec3d& cut_off(int row) const { return cut_off_[row]; }  // what the last update was not allowed [m]

  // bodies that move freely
  void set_pose(int body, const Pose& pose) {
    if (regions_) poses_[body] = pose;
  }
  void evaluate_body(const Rows<S>& rows, int body);
  struct BodyPush {
    Vec3d point;  // in the body's frame [m]
    Vec3d force;  // [N]
    Mat3d stiffness;
  };
  std::vector<BodyPush> pushes_at(int body) const;
  // shifts a body to where it may be, if it is not; whether there is such a place
  bool keep_in_region(int body, Pose& pose) {
    if (!regions_ || regions_->body_region(body).contains(pose)) return true;
    was_cut_.store(true, std::memory_order_relaxed);
    return regions_->body_region(body).shift_in(pose);
  }
  // where the last update of a body wanted it to be
  void set_aim(int body, const Pose& pose) {
    if (regions_) aims_[body] = pose;
  }
  const Pose& aim(int body) const { return aims_[body]; }
  double allowed_share(int body, const Pose& pose, const Vec3d& way) const {
    return regions_ ? regions_->body_region(body).share(pose, way) : 1;
  }

 private:
  struct NearPair {
    const Pair* pair;
    int row[4];    // -1: of a body
    int body[2];   // of a and b, if it moves freely; else -1
    Vec3d base;    // what the displacements from the start of the step have in `relative` at the waypoint [m]
    Vec3d before;  // how the points moved against each other from the start of the step to the waypoint [m]
    PairForce now;
    GapCurvature turning;  // of which aa to bb count, times the normal force at the waypoint [N/m]
    double turn[2] = {};   // of a and b since the waypoint: normal·(u1 - u0) [m]
  };
  PairForce push(const NearPair& near, const Vec3d& relative) const {
    return rule_ == ContactRule::published ? published_force(*near.pair, relative, near.before + relative)
                                           : force_of(*near.pair, relative);
  }
  Vec3d moved_before(const NearPair& near, const StepProblem& problem) const;
  static Mat3d stiffness_of(const NearPair& near) {
    const double t = near.now.tangent_stiffness;
    const Vec3d& n = near.pair->normal;
    return (near.now.normal_stiffness - t) * outer(n, n) + Mat3d::diagonal({t, t, t});
  }
  void find_near_pairs(const StepProblem& problem, const Layout& layout, const State& start, ThreadTeam& team);
  void list_entries();
  void evaluate(const Rows<S>& rows, NearPair& near) const;
  Vec3d shifted(int body, const Vec3d& point) const;
  struct Entry {
    int pair;
    double weight;
    double crowd;  // |weight| of all vertices of the pair that move at the same time
    int number;    // of the vertex in the pair
  };

  ContactRule rule_ = ContactRule::lasting;
  const Regions* regions_ = nullptr;  // of the substep; nullptr: nothing collides
  std::vector<int> vertex_of_row_, colour_of_row_;
  std::vector<Vec3d> waypoint_;  // displacement from the start of the step (row) [m]
  struct Ball {                  // where a vertex is allowed without another look: around the start of the substep
    Vec3d u;
    double radius = 0;
  };
  std::vector<Ball> free_;             // (row)
  std::vector<Vec3d> cut_off_;         // (row)
  std::atomic<bool> was_cut_ = false;  // some vertex, in this substep
  std::vector<char> concerned_;        // by contact (pack)
  std::vector<NearPair> pairs_;
  std::vector<std::vector<NearPair>> found_;    // (share)
  std::vector<Pose> poses_, aims_;              // (body)
  std::vector<std::vector<int>> body_entries_;  // pairs of those that move freely (body)
  std::vector<int> first_entry_;                // (row, and the end)
  std::vector<Entry> entries_;
};

}  // namespace tendril::solvers::stable
