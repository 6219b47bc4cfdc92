#pragma once

#include <map>

#include "contact/contact.h"
#include "solvers/newton/problem.h"

namespace tendril::solvers::direct {

using namespace newton;

// Collisions as constraints that are solved one by one, lines 10 to 14 of Algorithm 1 [deul2018], for mode = "paper".
// The paper names only the method; its constraint and its friction are not printed. Here, with multipliers that are
// forces and mobilities W = h² M⁻¹:
//   normal      C = gap - rest >= 0,  lambda >= 0      Eq. 21 without compliance, lambda kept from going below zero
//   friction    slip of this step = 0, |mu| <= friction lambda
// Surfaces rest on one another at three quarters of the reach of the barrier that the other methods have. Points move,
// frames do not: they follow in the next iteration. An iteration sweeps collisions until they are met, up to 100 times:
// a stack that one sweep leaves is deeper in itself than its wire is thick.
class Collisions {
 public:
  explicit Collisions(const Problem& problem) : problem_(&problem) {}

  void begin_step() { multipliers_.clear(); }
  // all pairs that may meet on the way from the waypoint to `at`
  void solve(const Contact& contact, Iterate& at);
  // the largest that a gap there lacks, over the radius of its pair [-]
  double residual(const Contact& contact, const Iterate& at) const;

 private:
  struct Multiplier {
    double normal = 0;  // force that pushes a from b [N]
    Vec3d along;        // friction on a [N]
  };
  bool acts(const Contact& contact, const Pair& pair, const Iterate& at) const;
  double solve(const Contact& contact, const Pair& at_waypoint, Iterate& at);
  double hold(const Pair& pair, const Vec3d& slip, Multiplier& multiplier, Iterate& at);
  double mobility(const Pair& pair, const Vec3d& direction, const Iterate& at) const;
  void push(const Pair& pair, const Vec3d& force, Iterate& at) const;
  template <class Visit>
  void for_free_bodies(const Pair& pair, const Iterate& at, Visit visit) const;

  const Problem* problem_;
  std::map<decltype(Pair().order()), Multiplier> multipliers_;  // of pairs that pushed in this step
};

}  // namespace tendril::solvers::direct
