#pragma once

#include "math/block_ldlt.h"
#include "solvers/block/strands.h"

namespace tendril::solvers::block {

// A long strand of which there are not enough to fill the lanes is cut into as many pieces as there are lanes. A piece
// begins with a vertex and its turn, which stay out of the elimination of the rest of it:
//
//   factorise   all pieces side by side, but for their first vertex and turn     Strands::factorise_pieces
//               these joints, each coupled with the next: a small matrix
//   solve       the joints, then all pieces side by side                         Strands::solve_pieces
//
// Every piece and what is left for the joints is a principal block, or what elimination leaves of one, of a positive
// definite matrix, so nothing is less stable than from one end to the other. Where the pieces are not of equal length
// the first lane begins with slots that are empty: segments without stiffness, which nothing moves.
struct Cut {
  int part = 0;
  Bundle<StrandLanes> pieces = {};

  int empty() const { return pieces.lineup.empty; }
};
Cut cut_strand(const Problem& problem, const Parts& parts, int part);
void load_constants(const Problem& problem, const Parts& parts, Cut& cut);
void load_weights(const Problem& problem, Cut& cut);

// a strand cut into pieces, one per lane; models NewtonBlock
class CutStrand : private Strands<StrandLanes> {
  using T = StrandLanes;
  using Pieces = Strands<T>;

 public:
  using Number = double;
  using Mask = bool;
  struct Pass {
    double energy = 0;
    bool is_definite = false;
  };

  CutStrand(const Problem& problem, const Parts& parts);

  void load(Cut& cut, Iterate& at, const Iterate& start, const State& moving);
  using Pieces::store;  // empty slots first, so that what they stand on has the last word

  Pass factorise(double hessian_share);
  void solve();
  double step_size() const { return largest(Pieces::step_size()); }
  double turn_size() const { return largest(Pieces::turn_size()); }
  double moment_work() const { return sum(Pieces::moment_work()); }
  double round_off(double energy) const;
  double start_energy();
  double energy_along(double fraction);
  void advance(double fraction, bool) { go(fraction, at_, true); }
  void go_back(bool);
  void keep_momentum(bool);

 private:
  static Pieces::Mask everywhere() { return T(0) < T(1); }
  static double sum(const T& lanes);
  void solve_between_joints();
  void bend_way();
  void fit_ends(Places& places) const;
  void go(double share, Places& to, bool predicts);
  Vec3<T> shift_of_pieces(const std::vector<Vec3<T>>& beyond) const;
  template <class Of>
  Vec3d mean(Of of) const;
  void add_coupling(int a, int b, const Mat3d& H);

  const Cut* cut_ = nullptr;
  Elimination joint_plan_;
  BlockLdlt<double> joints_;  // rows: vertex and turn of each lane's first segment, and the last vertex
  std::vector<Vec3d> joint_u_;
};
static_assert(NewtonBlock<CutStrand>);

}  // namespace tendril::solvers::block
