#pragma once

#include <memory>
#include <span>
#include <vector>

#include "contact/volume/options.h"
#include "math/vec3.h"

namespace tendril::math {
class ThreadTeam;
}

namespace tendril::rod {
struct Model;
struct State;
}  // namespace tendril::rod

namespace tendril::contact {

// Hair against hair as a volume: what all hair does to each vertex, by way of a grid, as a force over a time step. See
// README.md beside this file. It depends on nothing but positions and velocities at the start of the step, and on the
// start of the scene: there is nothing to be saved. Forces add to zero, and so do their moments.
class HairVolume {
 public:
  // `start`: how hair is packed at rest
  HairVolume(const Model& model, const State& start, const VolumeOptions& options, ThreadTeam& team);
  ~HairVolume();

  // over a step of h from a state [N] (vertex)
  void find_forces(const State& state, double h, ThreadTeam& team, std::vector<Vec3d>& force);

  // for who wants to know
  double cell() const;         // edge [m]
  int cell_count() const;      // with hair in them, at the start
  double densest() const;      // volume fraction of a node at the start [-]
  std::size_t memory() const;  // [byte]

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Edge of a cell [m]: at least the mean length of a segment, so that a strand leaves no hole between its vertices, and
// so large that 27 vertices are in a cell that has any, three along each axis; but not longer than eight segments,
// where there is so little hair that cells do not fill.
double choose_cell(const Model& model, std::span<const Vec3d> x);

}  // namespace tendril::contact
