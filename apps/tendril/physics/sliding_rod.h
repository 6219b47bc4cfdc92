#pragma once

#include <memory>

#include "physics/real_rods.h"

// A straight rod that slides over a floor at z = 0 along x: thrown while it lies there, or while it falls.
namespace tendril::app::physics {

enum class Floor {
  plane,
  box,
  body,           // a box that stands freely on the ground
  rails,          // two clamped rods of one segment each
  jointed_rails,  // the same of 40 segments: what slides goes from one to the next
};

const char* name(Floor floor);

struct SlidingRod {
  RealMaterial material;
  Floor floor = Floor::plane;
  double time_step = 0;  // [s]
  double fall = 0;       // height above where it would lie, at the start [m]
  double speed = 2;      // along x, at the start [m/s]
  double friction = 0.4;

  bool lies_across() const { return floor >= Floor::rails; }  // it spans two rails and slides along them
  double length() const;                                      // [m]
};

// "steel, plane, lands, h = 5 ms"
std::string describe(const SlidingRod& rod);

LoadedScene load(const SlidingRod& rod, const SolverInfo& solver);

// The rod came to rest on its floor, was lifted and thrown. How it came to rest does not depend on the time step.
std::unique_ptr<Simulation> thrown(const SlidingRod& rod, const SolverInfo& solver);

}  // namespace tendril::app::physics
