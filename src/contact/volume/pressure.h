#pragma once

#include <span>
#include <vector>

#include "contact/volume/clouds.h"

namespace tendril::math {
class ThreadTeam;
}

namespace tendril::contact {

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
// eigenvalue of A: each lowers the energy of the remaining motion, so any number of them is stable at any h. One leaves
// the share B / (C + B) of what it should have done; they end when 1 % is left, or after four, each of which carries
// pressure one cell further.
class Pressure {
 public:
  // adds to `velocity` what pressure does to the clouds in h (block, node)
  void push(const Blocks& blocks, double cell, double h, std::span<const Cloud> clouds, std::span<Vec3d> velocity,
            ThreadTeam& team);

 private:
  // a node with hair
  struct Node {
    int cloud;
    int above[3], below[3];  // neighbours along the axes; -1: none
    double mass;             // [kg]
    Vec3d center, velocity;  // of the cloud
    Vec3d change;            // of its velocity, so far [m/s]
    Vec3d face[3];           // g towards the nodes above [m²]
    double area;             // twice the sum of |g| of its faces [m²]
    double impulse;          // P [Pa s]
    double compliance;       // C [m³/(Pa s²)]; 0: hair without stiffness
    double wanted;           // C h p [m³/s]
    double bound;            // B
  };

  void list_nodes(const Blocks& blocks, std::span<const Cloud> clouds, ThreadTeam& team);
  void start_node(Node& node, const Cloud& cloud, double cell, double h) const;
  void find_bound(Node& node) const;
  void correct(Node& node) const;
  void give_impulses(Node& node) const;
  template <class Visit>
  void for_faces(const Node& node, Visit visit) const;

  std::vector<int> first_;   // node of each block, and the end
  std::vector<int> number_;  // of a node, or -1 (block, node)
  std::vector<Node> nodes_;
};

}  // namespace volume
}  // namespace tendril::contact
