#pragma once

#include <vector>

#include "math/chain_border.h"
#include "math/chain_spring.h"
#include "solvers/block/bundles.h"
#include "solvers/newton/newton_block.h"
#include "solvers/newton/strains.h"

namespace tendril::solvers::block {

// what a segment or a bend adds beyond the next row, see strand_elimination.cpp
template <class T, bool isotropic, bool springs>
struct SegmentReach;
template <class T>
struct BendReach;

// What contact with obstacles adds to the rows of a segment: forces on its vertices, 0 and 1 as in the Model, and on
// its turn, and second derivatives between them. It fits the band: elimination takes it with the segment.
template <class T>
struct TouchBlocks {
  Vec3<T> force[2] = {}, moment = {};
  Sym3<T> xx[2] = {}, turn = {};
  Mat3<T> x0_x1 = {}, x_turn[2] = {};  // (row, column)
};

// Newton's method of a bundle: the linear system of a step and what follows from its solution, with all that it needs
// at hand in lanes. A segment's terms are worked out, its vertex and its turn eliminated, and the factors written down,
// all in one go. Where vertices and frames are is counted from the first guess, which is kept in double: what a Newton
// step moves is small, so that floats have digits enough for it.
template <class T>
class Strands {
 public:
  using Number = T;
  using Mask = typename T::Mask;

  Strands(const Problem& problem, const Parts& parts) : problem_(&problem), parts_(&parts) {}

  // Where the first guess is, at which every frame is where it would turn to by itself, and where the solution goes;
  // `start` is where the step begins, `moving` has the velocities there.
  void begin(Bundle<T>& bundle, Iterate& at, const Iterate& start, const State& moving);
  void load_guess();
  void store();
  // the same without a first guess: from the start of an implicit Euler step to its end
  struct Motion {
    std::vector<Vec3d>*v, *omega;  // at the end
  };
  void load_start(const Motion& motion);
  void store(const Motion& motion);
  void expect(const Bundle<T>& next);

  // see NewtonBlock
  struct Pass {
    Number energy;  // see System
    Mask is_definite;
  };
  Pass factorise(Number hessian_share);
  void solve();
  Number step_size() const { return step_size_; }
  Number turn_size() const { return turn_size_; }
  Number moment_work() const;
  Number round_off(Number energy);
  Number start_energy();
  Number energy_along(Number fraction);
  void advance(Number fraction, Mask where);
  void go_back(Mask where);
  void keep_momentum(Mask where);

 protected:
  // from the first guess
  struct Places {
    std::vector<Vec3<T>> x;     // (vertex)
    std::vector<Quat<T>> turn;  // in the world's frame (segment)
  };
  struct BendPull {
    Sym3<T> S;
    Vec3<T> moment;
    T energy;
  };
  struct Frame {  // of a segment
    Quat<T> q;
    Mat3<T> R;
  };
  // `springs`: the stretch of segments is kept apart, see Bundle::is_stiff
  template <bool isotropic, bool springs>
  using Reach = SegmentReach<T, isotropic, springs>;
  struct Open;  // what the elimination has before it, and what it has met

  // see bundles.h
  int segment_count() const { return static_cast<int>(constants_->segments.size()); }
  Vec3<T> free_axes(int i) const;

  void make_room();
  void set_guess(int i, const Vec3<Exact<T>>& x);  // and the edge behind it
  void set_guess(int s, const Quat<Exact<T>>& q);
  void begin_moving();                                            // from the first guess
  bool follows() const { return bundle_->is_open && retracts_; }  // positions are rebuilt from frames and strains

  // newton/retraction.h: positions follow from the frames and the strains, from the last slot on
  void read_guess();
  void place_guess();
  void follow_guessed_frames();
  void take_guess(const Vec3<Exact<T>>& shift);
  template <bool fresh>
  void go(T share, Mask where, Places& to, bool predicts);
  Vec3<T> linear_change(int s, T share, const Vec3<T>& e) const;
  void keep_anchor(Places& to) const;
  // where positions are not rebuilt (loops, several holds), after solve: the second-order correction of the step
  void solve_direction();
  void bend_way();
  void add_excess_forces();
  template <bool pieces>
  void solve_forwards();   // with the factors at hand, from second_order_
  bool is_rooted() const;  // in the last slot
  template <class Real>
  Vec3<Real> shift_of(const std::vector<Vec3<Real>>& beyond) const;
  Vec3<Exact<T>> place(int i) const { return guess_.x[i] + exact(at_.x[i]); }
  Quat<Exact<T>> frame(int s) const;
  void load_start(Places& to) const;

  // of the first guess
  Vec3<T> guessed_edge(int s) const {
    if constexpr (is_exact<T>)
      return constants_->segments[s].per_length * (guess_.x[s] - guess_.x[s + 1]);
    else
      return edge_[s];
  }
  const Quat<T>& guessed_frame(int s) const {
    if constexpr (is_exact<T>)
      return guess_.q[s];
    else
      return frame_[s];
  }
  // of places; `fresh` is the first guess itself
  template <bool fresh = false>
  Vec3<T> edge(int s, const Places& at) const {
    if constexpr (fresh)
      return guessed_edge(s);
    else
      return guessed_edge(s) + constants_->segments[s].per_length * (at.x[s] - at.x[s + 1]);
  }
  template <bool fresh = false>
  Quat<T> frame(int s, const Places& at) const {
    if constexpr (fresh)
      return guessed_frame(s);
    else
      return at.turn[s] * guessed_frame(s);
  }
  Quat<T> second_frame(int s, const Quat<T>& q) const {
    return constants_->turns.empty() ? q : q * constants_->turns[s];
  }
  std::array<Quat<T>, 2> frames(std::size_t held, const Quat<T>& q) const;  // of a and b; q of its segment
  T energy(const Places& at) const;
  T farthest() const;  // end of a segment from the first guess, over its length

  // all rows of a strand; `fresh`: frames are at their goals and `hessian_share` is 1, as a rule so in the first Newton
  // step
  template <bool springs>
  Pass factorise_kind(T hessian_share, bool fresh);
  template <StrandKind kind, bool springs, bool fresh>
  Pass factorise(T hessian_share);
  // all rows, with what touches segments; solve_touching() is for it
  Pass factorise_touching(T hessian_share, const std::vector<TouchBlocks<T>>& touch,
                          const std::vector<char>& is_touched) requires is_exact<T>;
  template <StrandKind kind>
  Pass factorise_touching(T hessian_share, const std::vector<TouchBlocks<T>>& touch,
                          const std::vector<char>& is_touched);
  void solve_touching() { solve_all<false, false, false>(); }
  // of a piece all but its first vertex and turn, which become its border; two rows are left open behind its last
  Pass factorise_pieces(T hessian_share);
  template <StrandKind kind>
  Pass factorise_pieces(T hessian_share);
  void solve_pieces();  // from u_ of its first and last vertex and turn
  template <bool isotropic, bool springs, bool pieces>
  void solve_all();
  template <bool isotropic, bool springs>
  Vec3<T> solve_vertex(int s, const Vec3<T>& theta, const Vec3<T>& x, const Vec3<T>& pull = {}) const;

  struct First {  // vertex and segment of strands that follow each other in the Model
    int vertex, segment;
  };
  std::optional<First> first_of(const Bundle<T>& bundle) const;
  template <bool fresh = false>
  void add_vertex(int i, Open& open) const;
  void add_held_bends(int s, const Quat<T>& q, Open& open) const;
  template <StrandKind kind, bool springs = false, bool fresh = false>
  auto add_segment(int s, const Frame& frame, Open& open) const -> Reach<(kind >= StrandKind::isotropic), springs>;
  template <StrandKind kind, bool fresh = false>
  auto add_bend(int s, const Frame& frame, const Frame& next, Open& open) const -> BendReach<T>;
  template <bool isotropic>
  void begin_piece(const Reach<isotropic, false>& segment, const BendReach<T>& bend, Open& open);
  template <bool pieces, bool isotropic, bool springs>
  void eliminate_vertex(int s, const SegmentReach<T, isotropic, springs>& beyond, Open& open);
  void eliminate_held_vertex(int s, const Reach<false, true>& beyond, Open& open);  // with its spring
  template <bool pieces>
  void eliminate_turn(int s, const BendReach<T>& beyond, Open& open);
  template <bool fresh>
  void eliminate_last_rows(Open& open);
  BendPull held_bend(std::size_t held, const Quat<T>& q, T hessian_share) const;

  const Problem* problem_;
  const Parts* parts_;
  Bundle<T>* bundle_ = nullptr;
  const StrandConstants<T>* constants_ = nullptr;
  const Part* shape_ = nullptr;  // the first of the parts
  Iterate* model_ = nullptr;
  const Iterate* start_ = nullptr;
  const State* moving_ = nullptr;
  // where strands lie that follow each other in the Model: what they will need comes from memory beforehand
  struct Ahead {
    std::array<const Vec3d*, 4> vectors = {};
    const Quatd* quaternions = nullptr;
    const Vec3<T>* prediction = nullptr;
    const T* weight = nullptr;

    // for each segment as many of their vertices and segments as there are lanes
    [[gnu::always_inline]] void fetch(int s) const {
      const auto ask = [&](const auto* first, int count) __attribute__((always_inline)) {
        if (!first) return;
        const char* from = reinterpret_cast<const char*>(first + count * s);
        for (std::size_t line = 0; line < count * sizeof *first; line += 64) __builtin_prefetch(from + line, 0, 2);
      };
      for (const Vec3d* all : vectors) ask(all, T::lanes);
      ask(quaternions, T::lanes), ask(prediction, 1), ask(weight, 1);
    }
  };
  Ahead next_;  // what the next bundle will load
  struct Guess {
    std::vector<Vec3<Exact<T>>> x;  // (vertex)
    std::vector<Quat<Exact<T>>> q;  // where segments would turn to by themselves (segment)
  };
  Guess guess_;
  std::vector<Vec3<T>> edge_;   // of the guess, where T is not exact (segment)
  std::vector<Quat<T>> frame_;  // likewise
  Places at_, trial_;
  bool retracts_ = false;                     // some lane, see newton/retraction.h
  bool is_moving_ = false;                    // at_ is filled: until then all are at the first guess
  std::vector<Vec3<T>> goal_;                 // from the first guess (vertex)
  std::vector<Vec3<T>> moment_;               // (segment); empty: none
  std::vector<Quat<T>> held_frames_;          // of bends with a frame that is no unknown, b's with its fixed turn
  std::vector<DoneRow<T>> rows_;              // of vertices and segments in turn, from vertex 0 on
  std::vector<Vec3<T>> u_;                    // likewise, and two zeros
  std::vector<Vec3<T>> second_order_;         // of the way, beside share u: share² of it (as u_)
  std::vector<Vec3<T>> beyond_;               // how far vertices go beyond x + share u (vertex)
  std::vector<Vec3<Exact<T>>> beyond_guess_;  // likewise beyond x + h v
  std::vector<SpringRow<T>> springs_;         // of vertices, in place of rows_ where springs are kept apart
  T step_size_ = T(0), turn_size_ = T(0);

  // of pieces
  struct Ends {
    OpenPair<T> first, last;           // vertex and turn
    Border<T> last_vertex, last_turn;  // coupled with the first
  };
  Ends ends_;
  std::vector<Border<T>> borders_;  // of rows_, likewise
};
static_assert(NewtonBlock<Strands<WideLanes>> && NewtonBlock<Strands<FloatLanes>>);

}  // namespace tendril::solvers::block
