#include "contact/volume/clouds.h"

#include <algorithm>
#include <cmath>

namespace tendril::volume {
namespace {

// Van Wyk's law of fibres in bulk, measured on wool: p = k E (f³ - f0³) with the volume fraction f [vanwyk1946]
constexpr double van_wyk = 0.01;

// Where the vertices around a node lie on a line or in a point, no spin about it is asked for. Far below any real
// extent, far above round-off [-].
constexpr double thin = 1e-12;

Sums sums_of(const Hair& hair, const Vec3d& y, const Vec3d& v) {
  const Vec3d my = hair.mass * y, p = hair.mass * v, l = cross(y, p);
  return {hair.mass,  my.x,       my.y,        my.z,           p.x,          p.y,        p.z,
          l.x,        l.y,        l.z,         my.x * y.x,     my.y * y.y,   my.z * y.z, my.y * y.z,
          my.z * y.x, my.x * y.y, hair.volume, hair.stiffness, hair.packing, 0};
}

// the same sums about a point s away
Sums about(const Sums& a, const Vec3d& s) {
  const double m = a[0];
  const Vec3d my{a[1], a[2], a[3]}, p{a[4], a[5], a[6]}, l = cross(s, p);
  Sums b = a;
  b[1] -= m * s.x, b[2] -= m * s.y, b[3] -= m * s.z;
  b[7] -= l.x, b[8] -= l.y, b[9] -= l.z;
  b[10] += s.x * (m * s.x - 2 * my.x), b[11] += s.y * (m * s.y - 2 * my.y), b[12] += s.z * (m * s.z - 2 * my.z);
  b[13] += m * s.y * s.z - my.y * s.z - my.z * s.y;
  b[14] += m * s.z * s.x - my.z * s.x - my.x * s.z;
  b[15] += m * s.x * s.y - my.x * s.y - my.y * s.x;
  return b;
}

// I^-1 l by Cholesky's factors, I = tr(S) - S of the second moments S about the centre of mass
Vec3d spin_of(const Sums& a, const Vec3d& l) {
  const double trace = a[10] + a[11] + a[12];
  if (!(trace > 0)) return {};
  const double xx = a[11] + a[12] + thin * trace, yy = a[10] + a[12] + thin * trace, zz = a[10] + a[11] + thin * trace;
  const double xy = -a[15] / xx, xz = -a[14] / xx;
  const double yy1 = yy + a[15] * xy;
  const double yz = (-a[13] + a[14] * xy) / yy1;
  const double zz1 = zz + a[14] * xz - yy1 * yz * yz;
  const double y1 = l.y - xy * l.x, z1 = l.z - xz * l.x - yz * y1;
  const double wz = z1 / zz1, wy = y1 / yy1 - yz * wz;
  return {l.x / xx - xy * wy - xz * wz, wy, wz};
}

// out of the sums about its node
Cloud cloud_of(const Sums& a, double cell) {
  Cloud cloud;
  cloud.mass = a[0];
  if (!(cloud.mass > 0)) return {};
  cloud.center = Vec3d{a[1], a[2], a[3]} / cloud.mass;
  cloud.velocity = Vec3d{a[4], a[5], a[6]} / cloud.mass;
  const Sums c = about(a, cloud.center);
  cloud.spin = spin_of(c, {c[7], c[8], c[9]});
  const double volume = a[16], young = volume > 0 ? a[17] / volume : 0, start = volume > 0 ? a[18] / volume : 0;
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

Weights Weights::of(const Vec3d& y, double cell) {
  int at[3];
  double t[3];
  for (int axis = 0; axis < 3; ++axis) {
    const double place = y[axis] / cell;
    at[axis] = std::clamp(int(std::floor(place)), 0, block_edge - 1);  // rounding may put it outside
    t[axis] = place - at[axis];
  }
  Weights w;
  w.corner = tile_node_of(at[0], at[1], at[2]);
  for (int n = 0; n < 8; ++n)
    w.weight[n] = (n & 1 ? t[0] : 1 - t[0]) * (n & 2 ? t[1] : 1 - t[1]) * (n & 4 ? t[2] : 1 - t[2]);
  return w;
}

void give_to_tile(const Blocks& blocks, int block, double cell, std::span<const Vec3d> x, std::span<const Vec3d> v,
                  std::span<const Hair> hair, std::span<Sums, tile_nodes> tile) {
  std::fill(tile.begin(), tile.end(), Sums{});
  const Vec3d origin = position_of(blocks.first_cell(block), cell);
  for (const Run& run : blocks.runs(block))
    for (int i = run.first; i < run.first + run.count; ++i) {
      const Vec3d y = x[i] - origin;
      const Weights w = Weights::of(y, cell);
      const Sums sums = sums_of(hair[i], y, v[i]);
      for (int n = 0; n < 8; ++n) {
        Sums& to = tile[w.corner + tile_steps[n]];
        for (int k = 0; k < sum_count; ++k) to[k] += w.weight[n] * sums[k];
      }
    }
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
          if (!(part[0] > 0)) continue;
          const Sums here = about(part, cell * Vec3d{double(ti), double(tj), double(tk)});
          for (int n = 0; n < sum_count; ++n) sum[n] += here[n];
        }
        clouds[node_of(i, j, k)] = cloud_of(sum, cell);
      }
}

}  // namespace tendril::volume
