#pragma once

#include <vector>

#include "math/block_ldlt.h"
#include "solvers/block/elements.h"
#include "solvers/block/touching.h"

namespace tendril::block {

// the energy of a part of the incremental potential, without the work of external moments [J]
double energy(const Part& part, const Problem& problem, const Iterate& at);

// where the unknowns of a part are
void copy(const Part& part, const Iterate& from, Iterate& to);

// The linear system of one Newton step of one part: H u = -gradient, in one pass over its rows. Elements are added just
// before the first of their rows is eliminated, so little of the matrix is ever looked at twice.
class System {
 public:
  explicit System(const Problem& problem, const Parts& parts) : problem_(&problem), parts_(&parts) {}

  struct Pass {
    double energy = 0;         // [J]
    bool is_definite = false;  // H, positive
  };
  void begin(const Part& part);
  void add_contact(const Touching& touching, int part, const Iterate& at, double exact);
  Pass factorise(const Iterate& at, const Prediction& prediction, double exact);

  // the direction is from one iterate to another
  void aim(const Part& part, const Iterate& from, const Iterate& to);

  // after factorise
  void solve();
  void precondition(std::vector<Vec3d>& r) const;    // H⁻¹ r
  std::vector<Vec3d>& direction() { return u_; }     // (row)
  double step_size() const;                          // the largest turn of an edge or a frame, or stretch [-]
  double shift_size() const;                         // the largest way of a segment, over its length [-]
  double turn_size() const;                          // of a frame [rad]
  Vec3d moved(int vertex, const Iterate& at) const;  // by the direction [m]
  double moment_work() const;                        // of external moments along the direction [J]
  void predict(const Iterate& at, double share, Prediction& prediction) const;
  void advance(double share, const Iterate& from, Iterate& to) const;

 private:
  double add_unknown(int row, const Iterate& at);
  double add_spin(int row, const Spin<double>& spin, const Quatd& q);
  double add(const StretchElement& e, const StretchBlocks& blocks);
  double add(const BendElement& e, const BendBlocks& blocks);
  double add_slaved(const Iterate& at, const Prediction& prediction, double exact);
  void add_block(const std::vector<Parts::Follows>& a, const std::vector<Parts::Follows>& b, const Mat3d& H);
  void add_force(const std::vector<Parts::Follows>& a, const Vec3d& force, double exact);

  const Problem* problem_;
  const Parts* parts_;
  const Part* part_ = nullptr;
  BlockLdlt<double> matrix_;
  std::array<StretchBlocks, element_lanes> stretches_;  // those that are added next
  std::array<BendBlocks, element_lanes> bends_;
  std::vector<Vec3d> u_;
};

}  // namespace tendril::block
