#pragma once

#include <vector>

#include "rod/motion.h"
#include "solvers/newton/newton_block.h"
#include "solvers/newton/newton_rules.h"
#include "solvers/newton/options.h"

namespace tendril::solvers::newton {

// how the solution of a part went
struct Outcome {
  int iterations = 0;
  double step = 0;  // size of the last Newton step, which has been taken, or what it left [-]
  bool converged = false;
  std::vector<double> steps = {};  // after each iteration, where Options::residuals asks for them

  // solved once more, after this
  void go_on_with(Outcome next) {
    next.iterations += iterations;
    next.steps.insert(next.steps.begin(), steps.begin(), steps.end());
    *this = std::move(next);
  }
};

// Newton's method for one part, or for a bundle of them side by side, from where they are to the minimum of their
// incremental potential. Each lane goes its own way.
//
//   repeat
//     H <- semi-definite part + hessian_share (second derivatives - semi-definite part)
//     while H is not positive definite: a smaller hessian_share
//     u <- -H⁻¹ gradient
//     if |u| is small: x <- retract(u), done
//     x <- retract(fraction u), fraction halved until the energy falls, but for its round-off     retraction.h
//
// The last step leaves about its square. A block that measures what it left is done by that, too.
template <NewtonBlock Block>
class Newton {
 public:
  using Number = typename Block::Number;
  using Mask = typename Block::Mask;
  struct Result {
    Number iterations, step;
    Mask converged;
    std::vector<Number> steps;  // after each iteration, where Options::residuals asks for them
  };

  static Result solve(Block& block, const Options& options, Number& hessian_share);

 private:
  static typename Block::Pass factorise(Block& block, Mask where, Number& hessian_share);
  static Mask better_at_start(Block& block, Number energy, Number step, Mask where);
  static Number falling_fraction(Block& block, Number energy, Mask where);
};

template <NewtonBlock Block>
auto Newton<Block>::solve(Block& block, const Options& options, Number& hessian_share) -> Result {
  const Number one(1), none(0);
  const Mask nowhere = one < none;
  Mask running = none < one;
  Result result{none, none, nowhere, {}};
  for (int n = 0; n < options.iterations && any(running) && !options.stops(); ++n) {
    const auto pass = factorise(block, running, hessian_share);
    result.iterations += select(running, one, none);
    running = running & pass.is_definite;  // else not a number, or no inertia
    if (!any(running)) break;
    block.solve();
    result.step = select(running, block.step_size(), result.step);
    running = running & (result.step < Number(forever));
    if (!any(running)) break;

    Mask last = running & (result.step <= Number(NewtonRules::last_step(options.tolerance, n == 0)));
    const Mask back = n == 0 ? better_at_start(block, pass.energy, result.step, running & !last) : nowhere;
    const Mask searching = running & !last & !back;
    Number fraction = select(last, one, none);
    if (any(searching)) fraction = select(searching, falling_fraction(block, pass.energy, searching), fraction);
    const Mask stuck = searching & !(fraction > none) & !(hessian_share > none);
    const Mask moving = (last | searching) & !stuck;
    if (any(moving)) block.advance(fraction, moving);
    if (any(back)) block.go_back(back);
    if constexpr (MeasuresResidual<Block>) {
      result.step = select(running, block.take_residual(fraction), result.step);
      last = last | (moving & (result.step <= Number(options.tolerance)));
    }
    if (any(last)) block.keep_momentum(last);
    if (options.residuals) result.steps.push_back(result.step);

    hessian_share = select(searching, NewtonRules::share_after_search(hessian_share, fraction), hessian_share);
    result.converged = result.converged | last;
    running = running & !last & !stuck;
  }
  return result;
}

// of one lane, or of a block that has none
template <class Result>
Outcome outcome_of(const Result& result, int lane = 0) {
  const auto number = [lane](const auto& value) {
    if constexpr (requires { value[lane]; })
      return value[lane];
    else
      return value;
  };
  Outcome out{static_cast<int>(number(result.iterations)), double(number(result.step)), number(result.converged) != 0};
  for (std::size_t n = 0; n < result.steps.size() && static_cast<int>(n) < out.iterations; ++n)
    out.steps.push_back(number(result.steps[n]));
  return out;
}

template <NewtonBlock Block>
typename Block::Pass Newton<Block>::factorise(Block& block, Mask where, Number& hessian_share) {
  for (;;) {
    const auto pass = block.factorise(hessian_share);
    const Mask indefinite = where & !pass.is_definite & (hessian_share > Number(0));
    if (!any(indefinite)) return pass;
    hessian_share = select(indefinite, NewtonRules::share_after_indefinite(hessian_share), hessian_share);
  }
}

// a first guess is far off, and the start of the time step has less energy
template <NewtonBlock Block>
auto Newton<Block>::better_at_start(Block& block, Number energy, Number step, Mask where) -> Mask {
  const Mask far = where & (step > Number(NewtonRules::far_from_guess));
  return any(far) ? far & (block.start_energy() < energy) : far;
}

// backtracking line search; 0: the energy falls nowhere along the direction
template <NewtonBlock Block>
auto Newton<Block>::falling_fraction(Block& block, Number energy, Mask where) -> Number {
  const Number work = block.moment_work();
  Number found(0), fraction = NewtonRules::first_fraction(block.turn_size());
  for (Mask open = where; any(open); open = open & (fraction > Number(0))) {
    const Number there = block.energy_along(fraction) - fraction * work;
    const Mask falls = open & NewtonRules::accepts(there, energy, block.round_off(energy));
    found = select(falls, fraction, found);
    open = open & !falls;
    fraction = NewtonRules::next_fraction(fraction);
  }
  return found;
}

}  // namespace tendril::solvers::newton
