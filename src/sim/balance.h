#pragma once

#include <span>
#include <vector>

#include "contact/contact.h"
#include "rod/model.h"
#include "solvers/solver.h"

namespace tendril::sim {

// how far a state is from equilibrium under the loads of an instant
struct Balance {
  double unbalanced = 0;  // largest force on a free vertex or body, or moment over length on a frame [N]
  double scale = 0;       // the largest force carried, see below [N]
};

// the largest force that a vertex or segment carries [N]
double largest_force(const Model& model, const State& state, const Instant& loads, std::span<const Vec3d> carried = {});

// by the elastic law of rod/energy.h and what constraints carry, with contact as at its last waypoint
Balance balance(const Model& model, const State& state, const Instant& loads, const Contact& contact = {},
                std::span<const Vec3d> carried = {});

// which world axes of each vertex follow a kinematic body, as 1 or 0 (vertex)
std::vector<Vec3d> held_axes(const Model& model);

}  // namespace tendril::sim
