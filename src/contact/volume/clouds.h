#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "contact/volume/blocks.h"
#include "math/pack.h"
#include "math/vec3.h"

namespace tendril::contact::volume {

// what a vertex brings to the grid, all of it constant, for all hairs that its strand stands for
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

using Eight = Pack<double, 64>;  // where registers are narrower, in several

// What a cloud gives its vertices: velocity at a point y from the node = constant + turn x y. Two numbers are padding.
struct Flow {
  Eight row;

  static Flow of(const Vec3d& constant, const Vec3d& turn) {
    return {Eight(Eight::Vector{constant.x, constant.y, constant.z, turn.x, turn.y, turn.z, 0, 0})};
  }
  Vec3d constant() const { return {row[0], row[1], row[2]}; }  // [m/s]
  Vec3d turn() const { return {row[3], row[4], row[5]}; }      // [rad/s]
};

// sums of one vertex or of many about a point
struct Sums {
  Eight first;   // mass, mass y, momentum; volume
  Eight second;  // y x momentum, mass y²; stiffness, packing
  Eight third;   // mass y z, z x, x y, and padding

  void add(double weight, const Sums& other) {
    first += weight * other.first, second += weight * other.second, third += weight * other.third;
  }
  double mass() const { return first[0]; }
  Vec3d first_moment() const { return {first[1], first[2], first[3]}; }
  Vec3d momentum() const { return {first[4], first[5], first[6]}; }
  Vec3d angular_momentum() const { return {second[0], second[1], second[2]}; }
  Vec3d squares() const { return {second[3], second[4], second[5]}; }
  Vec3d products() const { return {third[0], third[1], third[2]}; }
  double volume() const { return first[7]; }
  double stiffness() const { return second[6]; }
  double packing() const { return second[7]; }
};

// Weights of a vertex at the eight nodes of its cell: products of 1 - t and t along each axis, t in [0, 1) across it.
// They add to one, and the nodes' places with these weights to the vertex's.
struct Weights {
  double weight[8];
  int corner;  // the lowest of them, in the tile of the block

  static Weights of(const Vec3d& y, double cells_per_metre) {  // y from the first node of the block [m]
    const Vec3d place = cells_per_metre * y;
    const auto cell = [](double along) { return std::clamp(int(along), 0, block_edge - 1); };  // rounding may leave it
    const int i = cell(place.x), j = cell(place.y), k = cell(place.z);
    const double tx = place.x - i, ty = place.y - j, tz = place.z - k, sx = 1 - tx, sy = 1 - ty, sz = 1 - tz;
    const double low[4] = {sx * sy, tx * sy, sx * ty, tx * ty};
    return {{low[0] * sz, low[1] * sz, low[2] * sz, low[3] * sz, low[0] * tz, low[1] * tz, low[2] * tz, low[3] * tz},
            tile_node_of(i, j, k)};
  }
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

}  // namespace tendril::contact::volume
