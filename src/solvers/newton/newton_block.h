#pragma once

#include <concepts>

#include "layers.h"

namespace tendril::solvers::newton {

// What Newton's method asks of a part, or of a bundle of parts side by side: a Number is then one of each lane, a Mask
// says which lanes are meant. A block knows its iterate, where its unknowns are, and the direction that it has found.
template <class Block>
concept NewtonBlock = requires(Block block, typename Block::Number number, typename Block::Mask where) {
  // The linear equations at the iterate: H is the part of the second derivatives that is never negative, and a share of
  // the rest. Its Pass has the energy there, without the work of external moments [J], and whether H is positive
  // definite.
  { block.factorise(number) } -> std::same_as<typename Block::Pass>;
  requires std::same_as<decltype(Block::Pass::energy), typename Block::Number>;
  requires std::same_as<decltype(Block::Pass::is_definite), typename Block::Mask>;
  block.solve();  // the direction u = -H⁻¹ gradient

  // of the direction
  { block.step_size() } -> std::same_as<typename Block::Number>;    // the largest turn or stretch of a segment [-]
  { block.turn_size() } -> std::same_as<typename Block::Number>;    // the largest turn of a frame [rad]
  { block.moment_work() } -> std::same_as<typename Block::Number>;  // of external moments along it [J]

  // energies without that work [J]
  { block.start_energy() } -> std::same_as<typename Block::Number>;        // at the start of the time step
  { block.energy_along(number) } -> std::same_as<typename Block::Number>;  // a fraction of the direction away
  { block.round_off(number) } -> std::same_as<typename Block::Number>;     // of the iterate's; after energy_along

  block.advance(number, where);  // by a fraction of the direction, see retraction.h
  block.go_back(where);          // to the start of the time step, before any trial
  block.keep_momentum(where);    // puts right what rounding changed of it, where nothing holds a part
};

// One that measures what a step has left of its equations. Asked once after each step, with the fraction that was
// taken.
template <class Block>
concept MeasuresResidual = NewtonBlock<Block> && requires(Block block, typename Block::Number fraction) {
  { block.take_residual(fraction) } -> std::same_as<typename Block::Number>;
};

}  // namespace tendril::solvers::newton
