#pragma once

#include "rod/model.h"
#include "solvers/newton/parts.h"
#include "solvers/solver.h"

namespace tendril::solvers::newton {

// The generalised-alpha scheme keeps the energy of small vibrations, but in large steps of a rod that bends far it may
// add energy without bound. This sums over the steps how much kinetic + elastic energy grew beyond the work of external
// forces and supports. Forces at z do their work along the whole way, which is exact for the
// midpoint rule in a linear rod; what the curvature of the energy makes of that is allowed for, as a share of the
// energy.
//
// Free parts are seen from their centre: the flight of a part as a whole is solved exactly, and is not theirs to spend.
//
// A step of second order that would overdraw the account is not taken. One of first order, which damps, pays in what it
// takes from the energy, and no more: so the energy is never above that of the start and all work by more than the
// allowed share. What was lost may come back, but only as much as vibrations make the energy come and go.
class EnergyGuard {
 public:
  EnergyGuard(const Problem& problem, const Parts& parts) : problem_(problem), parts_(parts) {}

  // whether a step of second order may be taken; one that may is booked. `at_z` are the positions of the solution.
  bool allows(const State& before, const Iterate& at_z, const State& after);
  // one of first order
  void book(const State& before, const Iterate& at_z, const State& after);

  void forget() { surplus_ = 0; }
  double surplus() const { return surplus_; }
  void set_surplus(double surplus) { surplus_ = surplus; }

 private:
  struct Change {
    double surplus = 0;  // energy beyond what work has brought in [J]
    double at_work = 0;  // energy at the start of the step, and what goes in and out of it [J]
    double whole = 0;    // the same with that of the flight [J]
  };
  Change change(const State& before, const Iterate& at_z, const State& after);
  double balance(const Change& change) const;

  const Problem& problem_;
  const Parts& parts_;
  double surplus_ = 0;   // over the steps; negative: energy was lost [J]
  State z_, old_, new_;  // scratch; velocities and positions of free parts against those of their centre
};

}  // namespace tendril::solvers::newton
