#pragma once

#include "math/pack.h"

namespace tendril::solvers::newton {

// The rules of Newton's method on rods: how far it goes along a direction, how much it trusts second derivatives that
// may be negative, and which step is the last. They are the same for parts alone, side by side in lanes or one by one,
// and for islands in contact. A Number is a double, or a pack with one of each lane.
struct NewtonRules {
  // A frame that turns by more is beyond what the linear equations know of its rotation [rad]; with 2 rad instead,
  // Newton's method takes 2 to 9 % more steps.
  static constexpr double longest_turn = 1;

  // Parts alone need no fraction below 1e-4. In contact, where a step may already be cut by what is in its way, a limit
  // of 1e-4 leaves 1.5 times as many steps unsolved.
  static constexpr double smallest_fraction = 1e-7;

  // A first step of this size asks whether the start of the time step is a better place to begin than the guess [-].
  static constexpr double far_from_guess = 0.3;

  // What a first step leaves is much the same in each of many short time steps, so that it adds up: to be the last it
  // must be smaller, by this factor. Not so in contact, whose tolerance is far stricter already (Options).
  static constexpr double first_step = 0.05;

  // fraction of a direction that is tried first; `turn` is the largest of a frame [rad]
  template <class Number>
  static Number first_fraction(const Number& turn) {
    return min(Number(1), Number(longest_turn) / turn);
  }

  // after one that is not accepted; 0: none is left
  template <class Number>
  static Number next_fraction(const Number& fraction) {
    const Number half = Number(0.5) * fraction;
    return select(half > Number(smallest_fraction), half, Number(0));
  }

  // whether the energy there is not above the one here, as far as its digits tell
  template <class Number>
  static auto accepts(const Number& there, const Number& here, const Number& round_off) {
    return there <= here + round_off;
  }

  // The share of the second derivatives that may be negative, see NewtonBlock: from 1 three indefinite matrices lead to
  // 0, and from 0 three steps back to 1. With changes half as fast (0.6 of it; 0.1 + 1.4 of it) Newton's method takes
  // 2 % more steps; with all or nothing it leaves two to three times as many steps of violent motions unsolved.
  template <class Number>
  static Number share_after_indefinite(const Number& share) {
    return select(share > Number(0.1), Number(0.25) * share, Number(0));
  }
  // after a line search that took this fraction
  template <class Number>
  static Number share_after_search(const Number& share, const Number& fraction) {
    return select(fraction > Number(0), min(Number(1), Number(0.25) + Number(2) * share), Number(0));
  }

  // size of a step that may be the last
  static double last_step(double tolerance, bool is_first) { return is_first ? first_step * tolerance : tolerance; }
};

}  // namespace tendril::solvers::newton
