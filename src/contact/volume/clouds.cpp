#include "contact/volume/clouds.h"

#include <algorithm>

namespace tendril::contact::volume {
namespace {

// Van Wyk's law of fibres in bulk, measured on wool: p = k E (f³ - f0³) with the volume fraction f [vanwyk1946]
constexpr double van_wyk = 0.01;

// Where the vertices around a node lie on a line or in a point, no spin about it is asked for: as if the mass were
// spread over a millionth of a cell. Far above round-off of second moments, which are those about a corner of the block
// [-].
constexpr double thin = 1e-12;

using Numbers = Eight::Vector;

Sums sums_of(const Hair& hair, const Vec3d& y, const Vec3d& v) {
  const Vec3d my = hair.mass * y, p = hair.mass * v, l = cross(y, p);
  return {Eight(Numbers{hair.mass, my.x, my.y, my.z, p.x, p.y, p.z, hair.volume}),
          Eight(Numbers{l.x, l.y, l.z, my.x * y.x, my.y * y.y, my.z * y.z, hair.stiffness, hair.packing}),
          Eight(Numbers{my.y * y.z, my.z * y.x, my.x * y.y, 0, 0, 0, 0, 0})};
}

// the same sums about a point s away
Sums about(const Sums& a, const Vec3d& s) {
  const double m = a.mass();
  const Vec3d my = a.first_moment(), less = m * s, l = cross(s, a.momentum());
  const Vec3d twice = less - 2.0 * my;  // m (y - s)² = m y² + s (m s - 2 m y)
  Sums b = a;
  b.first += Eight(Numbers{0, -less.x, -less.y, -less.z, 0, 0, 0, 0});
  b.second += Eight(Numbers{-l.x, -l.y, -l.z, s.x * twice.x, s.y * twice.y, s.z * twice.z, 0, 0});
  b.third += Eight(Numbers{less.y * s.z - my.y * s.z - my.z * s.y, less.z * s.x - my.z * s.x - my.x * s.z,
                           less.x * s.y - my.x * s.y - my.y * s.x, 0, 0, 0, 0, 0});
  return b;
}

// I^-1 l of the angular momentum l about the centre of mass, by Cholesky's factors, I = tr(S) - S of the second moments
// S about it
Vec3d spin_of(const Sums& a, double cell) {
  const Vec3d l = a.angular_momentum(), s = a.squares(), off = a.products();
  const double least = thin * a.mass() * cell * cell;
  const double xx = s.y + s.z + least, yy = s.x + s.z + least, zz = s.x + s.y + least;
  const double xy = -off.z / xx, xz = -off.y / xx;
  const double yy1 = yy + off.z * xy;
  const double yz = (-off.x + off.y * xy) / yy1;
  const double zz1 = zz + off.y * xz - yy1 * yz * yz;
  const double y1 = l.y - xy * l.x, z1 = l.z - xz * l.x - yz * y1;
  const double wz = z1 / zz1, wy = y1 / yy1 - yz * wz;
  return {l.x / xx - xy * wy - xz * wz, wy, wz};
}

// out of the sums about its node
Cloud cloud_of(const Sums& sums, double cell) {
  Cloud cloud;
  cloud.mass = sums.mass();
  if (!(cloud.mass > 0)) return {};
  cloud.center = sums.first_moment() / cloud.mass;
  cloud.velocity = sums.momentum() / cloud.mass;
  cloud.spin = spin_of(about(sums, cloud.center), cell);
  const double volume = sums.volume(), young = volume > 0 ? sums.stiffness() / volume : 0,
               start = volume > 0 ? sums.packing() / volume : 0;
  cloud.fraction = volume / (cell * cell * cell);
  const double cube = cloud.fraction * cloud.fraction * cloud.fraction;
  cloud.pressure = van_wyk * young * (cube - start);
  cloud.bulk = 3 * van_wyk * young * cube;
  return cloud;
}

}  // namespace

Vec3d position_of(const Cell& cell, double edge) {
  return {edge * double(cell[0]), edge * double(cell[1]), edge * double(cell[2])};
}

void give_to_tile(const Blocks& blocks, int block, double cell, std::span<const Vec3d> x, std::span<const Vec3d> v,
                  std::span<const Hair> hair, std::span<Sums, tile_nodes> tile) {
  std::fill(tile.begin(), tile.end(), Sums{});
  const Vec3d origin = position_of(blocks.first_cell(block), cell);
  const double cells_per_metre = 1 / cell;
  const auto give = [&](int i) {
    const Vec3d y = x[i] - origin;
    const Weights w = Weights::of(y, cells_per_metre);
    const Sums sums = sums_of(hair[i], y, v[i]);
    for (int n = 0; n < 8; ++n) tile[w.corner + tile_steps[n]].add(w.weight[n], sums);
  };
  blocks.for_vertices(block, give, x, v, hair);
}

// A node on the lower side of a block is in the tiles of those below, too: at their upper sides, about their first
// nodes.
void gather_clouds(const Blocks& blocks, int block, double cell, std::span<const Sums> tiles,
                   std::span<Cloud, block_nodes> clouds) {
  for (int k = 0; k < block_edge; ++k)
    for (int j = 0; j < block_edge; ++j)
      for (int i = 0; i < block_edge; ++i) {
        Sums sum{};
        for (int below = 0; below < 8; ++below) {
          const int di = below & 1, dj = below >> 1 & 1, dk = below >> 2;
          if ((di && i) || (dj && j) || (dk && k)) continue;
          const int other = blocks.neighbour(block, -di, -dj, -dk);
          if (other < 0 || blocks.runs(other).empty()) continue;
          const int ti = i + block_edge * di, tj = j + block_edge * dj, tk = k + block_edge * dk;
          const Sums& part = tiles[std::size_t(other) * tile_nodes + std::size_t(tile_node_of(ti, tj, tk))];
          if (!(part.mass() > 0)) continue;
          sum.add(1, about(part, cell * Vec3d{double(ti), double(tj), double(tk)}));
        }
        clouds[node_of(i, j, k)] = cloud_of(sum, cell);
      }
}

}  // namespace tendril::contact::volume
