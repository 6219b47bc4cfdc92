#pragma once

#include "solvers/block/obstacle_terms.h"
#include "solvers/newton/options.h"

namespace tendril::solvers::block {

// Newton's method of a bundle whose strands touch nothing but what is driven. Nothing else takes part in what one of
// them does, so they go through the whole step by themselves, side by side, and what is driven has gone all of its way:
//
//   repeat
//     measure the gaps; linearise barriers and friction where the last equations led
//     u <- -H⁻¹ gradient, contact in the band of the strand
//     forces and drags of the next linearisation from u
//     x <- retract(u); done if u was small, and contact is linearised where it led
//
// Forces lead: with them the equations are solved wherever the strand is, so places need not be free of overlap
// meanwhile, and no energy is asked for. It is the end that counts: a strand whose straight way there is not free, or
// that does not get there soon, is left to NewtonSolver::solve_with_contact.
class StrandsOnObstacles : private Strands<StrandLanes> {
 public:
  using T = StrandLanes;
  using Mask = T::Mask;
  using Base = Strands<StrandLanes>;
  using Base::Base;
  using Base::begin, Base::load_start, Base::store, Base::expect, Base::Motion;

  struct Result {
    T iterations, step;
    Mask converged, touches;
    std::vector<T> steps;
  };
  // after load_start(), with the same motion; where nothing touches, now or then, as if there were nothing to touch
  Result solve(const std::vector<ObstacleSlot>& slots, const Contact& contact, const newton::Options& options,
               const Motion& motion, T& hessian_share);

 private:
  Result solve_as_if_free(const newton::Options& options, T& hessian_share);
  Result solve_in_contact(const newton::Options& options, T& hessian_share);
  void measure();
  Pass factorise(T hessian_share);
  Mask follow(T share);
  Mask is_pressed() const;
  Mask is_near() const;
  T shift_size() const;

  std::vector<ObstacleTerm> terms_;
  std::vector<TouchBlocks<T>> touch_;  // (segment)
  std::vector<char> is_touched_;       // (segment)
};

}  // namespace tendril::solvers::block
