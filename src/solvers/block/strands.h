#pragma once

#include <vector>

#include "math/chain_ldlt.h"
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

  void load(const Bundle& bundle, const Iterate& at, const Iterate& start, const Prediction& prediction);
  void store(Iterate& at, Prediction& prediction) const;

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
  void advance(Number share, Mask where);
  void go_back(Mask where);
  void keep_momentum(Mask where);

 private:
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

  // see bundles.h
  int segment_count() const { return static_cast<int>(constants_->segments.size()); }
  int vertex(int i, int lane) const { return bundle_->last_vertex[lane] - i; }
  int segment(int s, int lane) const { return bundle_->last_segment[lane] - s; }
  bool is_held(int i) const { return problem_->role[vertex(i, 0)] != Role::free; }
  Vec3<T> free_axes(int i) const;

  void load_places(const Iterate& from, Places& to) const;
  Vec3<T> edge(int s, const Places& at) const { return constants_->segments[s].per_length * (at.x[s] - at.x[s + 1]); }
  Quat<T> second_frame(int s, const Places& at) const {
    return constants_->turns.empty() ? at.q[s] : at.q[s] * constants_->turns[s];
  }
  std::array<Quat<T>, 2> frames(std::size_t held, const Places& at) const;
  T energy(const Places& at) const;

  template <bool isotropic, bool round>
  Pass factorise(T exact);
  void add_vertex(int i, Open& open) const;
  template <bool isotropic, bool round>
  void eliminate_vertex(int s, const Mat3<T>& R, Open& open);
  template <bool isotropic>
  void eliminate_turn(int s, const Mat3<T>& next_R, Open& open);
  BendPull held_bend(std::size_t held, T exact) const;
  template <bool isotropic>
  void solve();

  const Problem* problem_;
  const Parts* parts_;
  const Bundle* bundle_ = nullptr;
  const StrandConstants* constants_ = nullptr;
  const Part* shape_ = nullptr;  // the first of the parts
  const Iterate* start_ = nullptr;
  Places at_, trial_;
  std::vector<T> weight_;             // (vertex)
  std::vector<Vec3<T>> goal_;         // (vertex)
  std::vector<Quat<T>> spin_goal_;    // (segment)
  std::vector<Vec3<T>> prediction_;   // (segment)
  std::vector<Vec3<T>> moment_;       // (segment); empty: none
  std::vector<Quat<T>> held_frames_;  // of bends with a frame that is no unknown, b's with its fixed turn
  std::vector<DoneRow<T>> rows_;      // of vertices and segments in turn, from vertex 0 on
  std::vector<Vec3<T>> u_;            // likewise, and two zeros
  T step_size_ = T(0), turn_size_ = T(0);
};

}  // namespace tendril::block
