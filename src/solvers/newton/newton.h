#pragma once

#include "solvers/newton/one_part.h"
#include "solvers/newton/options.h"

namespace tendril::newton {

// how the solution of a part went
struct Outcome {
  int iterations = 0;
  double step = 0;  // size of the last Newton step, which has been taken [-]
  bool converged = false;
};

// Newton's method for one part, or for a bundle of them side by side, from where they are to the minimum of their
// incremental potential. A number is then one of each lane, and each lane goes its own way.
//
// The last step leaves about its square. What a first step leaves is much the same in each of many short time steps, so
// that it adds up: to be the last it must be smaller.
//
//   repeat
//     H <- semi-definite part + exact (second derivatives - semi-definite part)
//     while H is not positive definite: less of `exact`
//     u <- -H⁻¹ gradient
//     if |u| <= tolerance, or a twentieth of it the first time: take it, done
//     x <- retract(share u), share halved until the energy falls by more than its round-off     retraction.h
template <class Block>
class Newton {
 public:
  using Number = typename Block::Number;
  using Mask = typename Block::Mask;
  struct Result {
    Number iterations, step;
    Mask converged;
  };

  static Result solve(Block& block, const Options& options, Number& exact);

 private:
  static typename Block::Pass factorise(Block& block, Mask where, Number& exact);
  static Number falling_share(Block& block, Number energy, Mask where);

  // of the second derivatives that may be indefinite: less after a failure, more after a success
  static Number less(Number exact) { return select(exact > Number(0.05), Number(0.6) * exact, Number(0)); }
  static Number more(Number exact) { return min(Number(1), Number(0.1) + Number(1.4) * exact); }

  static constexpr double first_share = 0.05;  // of the tolerance
  static constexpr double longest_turn = 1;    // a step that turns more than this is cut [rad]
  static constexpr double least_share = 1e-7;  // of a step that is tried
  static constexpr double far_away = 0.3;      // a first step of this size asks whether to start elsewhere
};

template <class Block>
typename Newton<Block>::Result Newton<Block>::solve(Block& block, const Options& options, Number& exact) {
  const Number one(1), none(0);
  Mask running = none < one;
  Result result{none, none, !running};
  for (int n = 0; n < options.iterations && any(running) && !options.stops(); ++n) {
    const auto pass = factorise(block, running, exact);
    result.iterations += select(running, one, none);
    running = running & pass.is_definite;  // else not a number, or no inertia
    block.solve();
    result.step = select(running, block.step_size(), result.step);
    running = running & (result.step < Number(forever));

    const Mask last = running & (result.step <= Number(n == 0 ? first_share * options.tolerance : options.tolerance));
    Mask back = (!running) & running;
    if (n == 0 && any(running & (result.step > Number(far_away))))
      back = running & (result.step > Number(far_away)) & (block.start_energy() < pass.energy);
    const Mask searching = running & !last & !back;
    Number share = select(last, one, none);
    if (any(searching)) share = select(searching, falling_share(block, pass.energy, searching), share);
    const Mask stuck = searching & !(share > none) & !(exact > none);
    const Mask moving = (last | searching) & !stuck;
    const Mask going_on = running & !last & !stuck;
    if (any(moving)) block.advance(share, moving);
    if (any(last)) block.keep_momentum(last);
    if (any(back)) block.go_back(back);

    exact = select(searching, select(share > none, more(exact), none), exact);
    result.converged = result.converged | last;
    running = going_on;
  }
  return result;
}

template <class Block>
typename Block::Pass Newton<Block>::factorise(Block& block, Mask where, Number& exact) {
  for (;;) {
    const auto pass = block.factorise(exact);
    const Mask indefinite = where & !pass.is_definite & (exact > Number(0));
    if (!any(indefinite)) return pass;
    exact = select(indefinite, less(exact), exact);
  }
}

// how far along the direction the energy falls; 0: nowhere
template <class Block>
typename Newton<Block>::Number Newton<Block>::falling_share(Block& block, Number energy, Mask where) {
  const Number most = energy + block.round_off(energy), work = block.moment_work();
  Number found(0), share = min(Number(1), Number(longest_turn) / block.turn_size());
  for (Mask open = where; any(open); share *= Number(0.5)) {
    open = open & (share > Number(least_share));
    const Mask falls = open & (block.energy_along(share) - share * work <= most);
    found = select(falls, share, found);
    open = open & !falls;
  }
  return found;
}

}  // namespace tendril::newton
