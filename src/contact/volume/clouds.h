#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact/volume/blocks.h"
#include "math/vec3.h"

namespace tendril::volume {

// what a vertex brings to the grid, all of it constant
struct Hair {
  double mass = 0;       // [kg]
  double volume = 0;     // of half of each adjacent segment [m³]
  double stiffness = 0;  // volume times Young's modulus [J]
  double packing = 0;    // volume times the cube of the volume fraction at which it begins to resist [m³]
};

// The hair around a node, each vertex by its weight there, as one rigid body; and what it exchanges with others.
struct Cloud {
  double mass = 0;       // [kg]
  Vec3d center;          // of its mass, from the node [m]
  Vec3d velocity, spin;  // [m/s], [rad/s]
  double fraction = 0;   // of space that is hair [-]
  double pressure = 0;   // by van Wyk's law; negative where it is less dense than at the start [Pa]
  double bulk = 0;       // d pressure / d ln fraction [Pa]
};

// what its vertices are given: velocity at a point y from the node = constant + turn x y
struct Flow {
  Vec3d constant, turn;  // [m/s], [rad/s]
};

// Sums of one vertex or of many about a point: mass, mass y, momentum, y x momentum, mass y yᵀ (xx yy zz yz zx xy),
// volume, stiffness, packing. One is padding: registers are full.
constexpr int sum_count = 20;
using Sums = std::array<double, sum_count>;

// Weights of a vertex at the eight nodes of its cell: products of 1 - t and t along each axis, t in [0, 1) across it.
// They add to one, and the nodes' places with these weights to the vertex's.
struct Weights {
  std::array<double, 8> weight;
  int corner;  // the lowest of them, in the tile of the block

  static Weights of(const Vec3d& y, double cell);  // y from the first node of the block [m]
};
// the eight nodes of a cell in the order of their weights, from the lowest
constexpr std::array<int, 8> tile_steps = {tile_node_of(0, 0, 0), tile_node_of(1, 0, 0), tile_node_of(0, 1, 0),
                                           tile_node_of(1, 1, 0), tile_node_of(0, 0, 1), tile_node_of(1, 0, 1),
                                           tile_node_of(0, 1, 1), tile_node_of(1, 1, 1)};

Vec3d position_of(const Cell& cell, double edge);  // of its lower corner [m]

// what the vertices of a block give to the nodes of its tile, about its first node
void give_to_tile(const Blocks& blocks, int block, double cell, std::span<const Vec3d> x, std::span<const Vec3d> v,
                  std::span<const Hair> hair, std::span<Sums, tile_nodes> tile);

// the clouds of a block's own nodes, out of its tile and of those below it (block, tile node)
void gather_clouds(const Blocks& blocks, int block, double cell, std::span<const Sums> tiles,
                   std::span<Cloud, block_nodes> clouds);

}  // namespace tendril::volume
