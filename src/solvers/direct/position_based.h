#pragma once

#include <vector>

#include "solvers/direct/loops.h"
#include "solvers/direct/residual.h"
#include "solvers/direct/system.h"

namespace tendril::solvers::direct {

// Position-based dynamics as published, Algorithm 1 [deul2018]: from where everything would go without constraints,
// iterations correct the positions until the constraints C + alpha lambda = 0 are met, and nothing else:
//   (J M⁻¹ Jᵀ + alpha) dlambda = -C - alpha lambda     Eq. 19, where M⁻¹ is printed as M
//   dx = M⁻¹ Jᵀ dlambda                                Eq. 20, where Jᵀ is printed as J
// That is a step of Newton's method for another problem, in which everything is at its goal and springs rest where the
// multipliers have them, C = -alpha lambda. Second derivatives of the constraints are left out.
class PositionBased {
 public:
  PositionBased(const Parts& parts, const std::vector<Structure>& structures)
      : parts_(&parts), structures_(&structures) {}

  void reset(const Problem& problem);  // for another Model
  void begin_step(const Problem& problem, int workers);

  // lines 1 to 4: everything where it would go, multipliers of zero
  void start(const Part& part, Iterate& at);
  // lines 6 to 9: all constraints of a part at once, but for those that close loops, which come after them one by one,
  // lines 10 to 14; the largest |C + alpha lambda| afterwards, which is infinite when there is no solution
  double iterate(const Part& part, int worker, Iterate& at, Iterate& after);
  // Eq. 21 of all constraints one by one; of a part without bodies
  double sweep(const Part& part, Iterate& at);
  // the largest |C + alpha lambda|
  double residual(const Part& part, const Iterate& at) const;

 private:
  void shift(const Part& part, const Iterate& at);

  // gauss_seidel.cpp
  Vec3d stretch_left(const StretchElement& e, const Iterate& at) const;
  Vec3d angle_left(const BendElement& e, const Iterate& at) const;
  void solve(const StretchElement* stretch, const BendElement* bend, Iterate& at);
  const std::vector<Closing>& closings(const Part& part) const { return closings_[&part - parts_->all().data()]; }
  std::vector<Vec3d> angles_of_closings(const Part& part) const;
  void keep_closings(const Part& part, const std::vector<Vec3d>& angles);

  const Parts* parts_;
  const std::vector<Structure>* structures_;
  const Problem* original_ = nullptr;
  std::vector<std::vector<Closing>> closings_;  // (part)
  Model open_model_;                            // in which these have no stiffness; empty where nothing closes a loop
  Problem shifted_;
  std::vector<System> systems_;  // (worker)
  Prediction no_tension_;        // (segment)
  Prediction stretches_;         // -alpha lambda, as strains (segment)
  Prediction moved_;             // what an iteration adds to them (segment)
  std::vector<Vec3d> angles_;    // likewise, with what the bend has at rest (bend)
};

}  // namespace tendril::solvers::direct
