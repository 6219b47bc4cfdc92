#pragma once

#include <vector>

#include "math/chain_border.h"
#include "solvers/block/bundles.h"
#include "solvers/newton/strains.h"

namespace tendril::block {

// Newton's method of a bundle: the linear system of a step and what follows from its solution, with all that it needs
// at hand in lanes. A segment's terms are worked out, its vertex and its turn eliminated, and the factors written down,
// all in one go.
class Strands {
 public:
  using Number = StrandLanes;
  using Mask = Number::Mask;

  Strands(const Problem& problem, const Parts& parts) : problem_(&problem), parts_(&parts) {}

  // at the first guess every frame is where it would turn to by itself
  void load(const Bundle& bundle, Iterate& at, const Iterate& start, Prediction& prediction);
  void expect(const Lineup& next, const Iterate& at, const Prediction& prediction);
  void store();  // to where it was loaded from

  // what Newton asks for
  struct Pass {
    Number energy;  // see System
    Mask is_definite;
  };
  Pass factorise(Number exact);
  void solve();
  Number step_size() const { return step_size_; }
  Number turn_size() const { return turn_size_; }
  Number moment_work() const;
  Number round_off(Number energy) const;
  Number start_energy();
  Number energy_along(Number share);
  void advance(Number share, Mask where, bool is_last);
  void go_back(Mask where);
  void keep_momentum(Mask where);

 protected:
  using T = Number;
  struct Places {
    std::vector<Vec3<T>> x;  // (vertex)
    std::vector<Quat<T>> q;  // (segment)
  };
  struct BendPull {
    Sym3<T> S;
    Vec3<T> moment;
    T energy;
  };
  struct Open;  // what the elimination has before it, and what it has met
  template <bool isotropic>
  struct SegmentReach;
  struct BendReach;

  // see bundles.h
  int segment_count() const { return static_cast<int>(constants_->segments.size()); }
  Vec3<T> free_axes(int i) const;

  // of the first guess, by the first pass on its way or all at once
  void load_vertex(int i);
  void load_segment(int s);
  void load_all();
  // where the outcome of a step goes
  struct ToLanes;
  struct ToModel;
  template <class To>
  void advance(const To& to, T share, Mask where);
  void load_places(const Iterate& from, Places& to) const;
  Vec3<T> edge(int s, const Places& at) const { return constants_->segments[s].per_length * (at.x[s] - at.x[s + 1]); }
  Quat<T> second_frame(int s, const Places& at) const {
    return constants_->turns.empty() ? at.q[s] : at.q[s] * constants_->turns[s];
  }
  std::array<Quat<T>, 2> frames(std::size_t held, const Places& at) const;
  T energy(const Places& at) const;
  T farthest() const;  // end of a segment from the origin, over its length

  // all rows of a strand; `fresh`: frames are at their goals and `exact` is 1, as a rule so in the first Newton step
  template <bool isotropic, bool round, bool fresh>
  Pass factorise(T exact);
  // of a piece all but its first vertex and turn, which become its border; two rows are left open behind its last
  Pass factorise_pieces(T exact);
  template <bool isotropic, bool round>
  Pass factorise_pieces(T exact);
  void solve_pieces();  // from u_ of its first and last vertex and turn
  template <bool isotropic, bool pieces>
  void solve_all();
  template <bool isotropic>
  Vec3<T> solve_vertex(int s, const Vec3<T>& theta, const Vec3<T>& x, const Vec3<T>& pull = {}) const;

  void fetch_ahead(int s) const;
  void add_vertex(int i, Open& open) const;
  void add_held_bends(int s, Open& open) const;
  template <bool isotropic, bool round, bool fresh = false>
  auto add_segment(int s, const Mat3<T>& R, Open& open) const -> SegmentReach<isotropic>;
  template <bool isotropic, bool fresh = false>
  auto add_bend(int s, const Mat3<T>& next_R, Open& open) const -> BendReach;
  template <bool isotropic>
  void begin_piece(const SegmentReach<isotropic>& segment, const BendReach& bend, Open& open);
  template <bool pieces, bool isotropic>
  void eliminate_vertex(int s, const SegmentReach<isotropic>& beyond, Open& open);
  template <bool pieces>
  void eliminate_turn(int s, const BendReach& beyond, Open& open);
  BendPull held_bend(std::size_t held, T exact) const;

  const Problem* problem_;
  const Parts* parts_;
  const Bundle* bundle_ = nullptr;
  const StrandConstants* constants_ = nullptr;
  const Part* shape_ = nullptr;  // the first of the parts
  const Iterate* start_ = nullptr;
  // the first guess, where the solution goes, too, and what belongs to it
  struct InModel {
    LaneItems<Vec3d> x;
    LaneItems<Quatd> q;
    LaneItems<const double> weight;
    LaneItems<const Vec3d> goal;
    LaneItems<Vec3d> prediction;
    LaneItems<const Vec3d> moment;
  };
  InModel model_;
  bool is_stored_ = false;
  // what the next bundle will load; nullptr: nothing is known of it
  struct Ahead {
    const Vec3d *x = nullptr, *goal = nullptr, *prediction = nullptr;
    const Quatd* q = nullptr;
    const double* weight = nullptr;
  };
  Ahead ahead_;
  Places at_, trial_;
  bool at_goal_ = false;              // every frame is still where it would turn to by itself
  std::vector<T> weight_;             // (vertex)
  std::vector<Vec3<T>> goal_;         // (vertex)
  std::vector<Quat<T>> spin_goal_;    // (segment)
  std::vector<Vec3<T>> prediction_;   // (segment)
  std::vector<Vec3<T>> moment_;       // (segment); empty: none
  std::vector<Quat<T>> held_frames_;  // of bends with a frame that is no unknown, b's with its fixed turn
  std::vector<DoneRow<T>> rows_;      // of vertices and segments in turn, from vertex 0 on
  std::vector<Vec3<T>> u_;            // likewise, and two zeros
  T step_size_ = T(0), turn_size_ = T(0);

  // of pieces
  struct Ends {
    OpenPair<T> first, last;           // vertex and turn
    Border<T> last_vertex, last_turn;  // coupled with the first
  };
  Ends ends_;
  std::vector<Border<T>> borders_;  // of rows_, likewise
};

}  // namespace tendril::block
