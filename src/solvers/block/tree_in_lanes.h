#pragma once

#include <vector>

#include "math/chain_border.h"
#include "solvers/block/tree_plan.h"
#include "solvers/newton/scalar_block.h"

namespace tendril::solvers::block {

// what does not change from step to step, unless the rest does
struct TreeConstants {
  // a bend of each lane, between its node and another one; where there is none it has no stiffness
  struct Joint {
    // All are straight at rest, and EI1 = EI2 = GJ. Then it is all the same who is a, and the node counts as b.
    bool is_straight = true;
    bool has_turn = false;   // some lane
    LaneIndex other;         // segment in the Model
    Quat<StrandLanes> turn;  // of b's frame
    Bend<StrandLanes> bend;
    StrandLanes way;  // 1 where b is the node, -1 where a is
  };
  struct Node {
    StrandSegment<StrandLanes> segment;
    StrandLanes way;     // 1 where the farther vertex is the segment's second, else -1
    StrandLanes counts;  // 0 in lanes that are left over, else 1
    Joint parent;
  };
  long version = -1;            // of the Problem that they come from
  bool isotropic = false;       // see StrandKind
  std::vector<Node> nodes;      // (pack)
  std::vector<Joint> siblings;  // (sibling of the plan)
};
void load_constants(const Problem& problem, const TreePlan& plan, TreeConstants& constants);

// A tree as Newton sees it, see NewtonBlock. A node's terms are worked out, its vertex and its turn eliminated, and the
// factors written down, all in one go, for as many nodes as there are lanes:
//
//   foreach pack of nodes, from the tips on
//     open <- what nodes before have left for its vertex and its turn
//     add inertia, stretch and bends; eliminate the vertex, then the turn
//     leave the rest to the parent, and to siblings that come later
class TreeInLanes {
 public:
  using Number = double;
  using Mask = bool;
  using Pass = newton::System::Pass;

  TreeInLanes(const Problem& problem, const Parts& parts) : problem_(&problem), parts_(&parts) {}

  // `at`: the first guess, where every frame is where it would turn to by itself; `start`: where the step begins
  void load(const TreePlan& plan, const TreeConstants& constants, Iterate& at, Iterate& start, Prediction& prediction);

  Pass factorise(double hessian_share);
  void solve();
  double step_size() const { return step_size_; }
  double turn_size() const { return turn_size_; }
  double moment_work() const;
  double round_off(double energy) const { return newton::round_off(part(), *problem_, *at_, energy); }
  double start_energy() const { return energy(*trial_); }  // before the first energy_along
  double energy_along(double fraction);
  void advance(double fraction, bool);
  void go_back(bool) { copy(part(), *trial_, *at_), at_guess_ = false; }
  void keep_momentum(bool) { newton::keep_momentum(part(), *problem_, *at_); }

 private:
  using T = StrandLanes;
  using Pack = TreePlan::Pack;

  // in memory, in whole registers of four numbers
  template <class Numbers>
  struct alignas(32) Record : Numbers {};
  // What is left for a node: for its vertex by its children, for its turn by these, its row alone, and by elder
  // siblings.
  template <class Number>
  struct Vertex {
    OpenRow<Number> row;
    Mat3<Number> with_turn;  // its coupling
  };
  template <class Number>
  struct Turn {
    OpenRow<Number> row;
    Mat3<Number> with_near, with_parent;  // its couplings with the nearer vertex, and with the parent's turn
  };
  struct alignas(64) Left {
    Record<Vertex<double>> vertex;
    Record<Turn<double>> turn;
  };
  template <class Number>
  struct Step {
    Vec3<Number> x, theta;
  };
  struct Sibling {
    OpenRow<T> row;    // what the node adds to its turn
    Mat3<T> coupling;  // of its turn with the node's
  };

  // of a pass
  struct Tally {
    T hessian_share;
    T energy = T(0);
    T::Mask is_definite = T(0) < T(1);

    void add(T::Mask pivot_is_definite) { is_definite = is_definite & pivot_is_definite; }
  };

  const Part& part() const { return (*parts_)[plan_->part]; }
  // `fresh`: at the first guess, and `hessian_share` is 1
  template <bool isotropic, bool fresh = false>
  Pass factorise(T hessian_share);
  void fetch(int n) const;
  template <bool isotropic, bool fresh>
  void factorise_pack(int n, Tally& tally);
  template <bool isotropic, bool fresh>
  Vertex<T> eliminate_vertex(int n, const Quat<T>& q, OpenRow<T>& turn, T& energy, Tally& tally);
  void leave_to_siblings(int n);
  template <bool isotropic>
  void solve_packs();
  double add_held_bends(double hessian_share);
  Pass solve_root();
  double energy(const Iterate& at) const;
  void go(double share, Iterate& to, bool predicts);
  void keep_centre(Iterate& to) const;

  const Problem* problem_;
  const Parts* parts_;
  const TreePlan* plan_ = nullptr;
  const TreeConstants* constants_ = nullptr;
  Iterate *at_ = nullptr, *trial_ = nullptr;
  Prediction* prediction_ = nullptr;
  bool at_guess_ = false;                 // nothing has moved yet
  std::vector<Left> left_;                // (record)
  std::vector<Record<Mat3d>> couplings_;  // left for those of siblings, the later with the earlier (record)
  std::vector<DoneRow<T>> rows_;          // of vertices and turns (pack)
  std::vector<Mat3<T>> sibling_rows_;     // L of a sibling's turn with the node's (sibling of the plan)
  std::vector<Sibling> siblings_;         // of the present pack
  std::vector<Record<Step<double>>> u_;   // (slot)
  std::vector<Vec3d> beyond_;             // how far vertices go beyond x + share u (slot)
  double step_size_ = 0, turn_size_ = 0;
};
static_assert(NewtonBlock<TreeInLanes>);

}  // namespace tendril::solvers::block
