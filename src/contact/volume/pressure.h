#pragma once

#include <span>
#include <vector>

#include "contact/volume/clouds.h"

namespace tendril {

class ThreadTeam;

namespace volume {

// Hair that is packed more densely than at the start pushes itself apart, by impulses between neighbouring clouds along
// the line of their centres of mass: whatever the pressures are, momentum and angular momentum stay as they were.
//
// The face between neighbours a and b along an axis is
//   g = w d cell / 2,  d = from a's centre to b's,  w = 4 m_a m_b / (m_a + m_b)²
// In an even volume w = 1 and d is as long as the cell, and |g| half of a cell's face; next to a cloud with hardly any
// hair w vanishes, as the surface of the volume is free, and as fast as that cloud's mass. An impulse P = h p per area
// at each node gives b (P_a + P_b) g, and takes it from a. The volume of a node then grows by
//   V' = sum over its faces of (v_b - v_a)·g
// which is the transpose: impulses and what they do are one symmetric system. The pressure at the end of the step is
// that of van Wyk's law at the fraction to which these velocities lead, to first order in h, and where it would pull,
// as below the fraction of the start, there is none:
//   P = h (p - h K V' / cell³) >= 0,   V' = V'(v) + A P,  A = G M^-1 Gᵀ
//   C (P - h p) + V'(v) + A P = 0,     C = cell³ / h² K       where P > 0
//
// It is found by gradient steps, each divided by C + B, where B, the sum of |A| along a row, is no less than any
// eigenvalue of A: each lowers the energy of the remaining motion, so any number of them is stable at any h. They carry
// pressure one cell each; where sound goes less than a cell in a time step one of them is the solution.
class Pressure {
 public:
  static constexpr int sweeps = 4;

  // adds to `velocity` what pressure does to the clouds in h (block, node)
  void push(const Blocks& blocks, double cell, double h, std::span<const Cloud> clouds, std::span<Vec3d> velocity,
            ThreadTeam& team);

 private:
  struct Face {
    Vec3d g[3];  // to the next node along each axis [m²]
  };
  struct Grid;
  void find_faces(const Grid& grid, int block);
  void find_areas(const Grid& grid, int block);
  void give_impulses(const Grid& grid, int block, std::span<Vec3d> change) const;
  void correct(const Grid& grid, int block, double h, std::span<const Vec3d> change);

  std::vector<Face> faces_;       // (block, node)
  std::vector<double> areas_;     // twice the sum of |g| of a node's faces [m²] (block, node)
  std::vector<double> impulses_;  // P [Pa s] (block, node)
  std::vector<Vec3d> change_;     // of velocities, so far [m/s] (block, node)
};

}  // namespace volume
}  // namespace tendril
