#include "contact/volume/pressure.h"

#include <algorithm>

#include "math/thread_team.h"

namespace tendril::volume {

// nodes by number, over the borders of blocks; only those with hair are visited
struct Pressure::Grid {
  const Blocks& blocks;
  double cell;
  std::span<const Cloud> clouds;

  // one step along an axis, up or down; -1: there is no hair
  int next(int block, int i, int j, int k, int axis, int step) const {
    int at[3] = {i, j, k}, other[3] = {0, 0, 0};
    at[axis] += step;
    if (at[axis] < 0 || at[axis] >= block_edge) other[axis] = step, at[axis] -= step * block_edge;
    const int there = other[axis] ? blocks.neighbour(block, other[0], other[1], other[2]) : block;
    if (there < 0) return -1;
    const int node = there * block_nodes + node_of(at[0], at[1], at[2]);
    return clouds[node].mass > 0 ? node : -1;
  }

  // visit(node, i, j, k) for all nodes of a block with hair
  template <class Visit>
  void for_nodes(int block, Visit visit) const {
    for (int k = 0; k < block_edge; ++k)
      for (int j = 0; j < block_edge; ++j)
        for (int i = 0; i < block_edge; ++i) {
          const int node = block * block_nodes + node_of(i, j, k);
          if (clouds[node].mass > 0) visit(node, i, j, k);
        }
  }

  // visit(neighbour, g) for all faces of a node, g towards the neighbour
  template <class Visit>
  void for_faces(const std::vector<Face>& faces, int block, int node, int i, int j, int k, Visit visit) const {
    for (int axis = 0; axis < 3; ++axis) {
      if (const int above = next(block, i, j, k, axis, 1); above >= 0) visit(above, faces[node].g[axis]);
      if (const int below = next(block, i, j, k, axis, -1); below >= 0) visit(below, -faces[below].g[axis]);
    }
  }
};

void Pressure::push(const Blocks& blocks, double cell, double h, std::span<const Cloud> clouds,
                    std::span<Vec3d> velocity, ThreadTeam& team) {
  const std::size_t count = clouds.size();
  faces_.resize(count), areas_.resize(count), impulses_.assign(count, 0), change_.assign(count, {});
  const Grid grid{blocks, cell, clouds};
  const auto each_block = [&](auto work) { team.for_each(blocks.count(), [&](int b, int) { work(b); }); };
  each_block([&](int b) { find_faces(grid, b); });
  each_block([&](int b) { find_areas(grid, b); });
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    each_block([&](int b) { correct(grid, b, h, change_); });
    each_block([&](int b) { give_impulses(grid, b, change_); });
  }
  each_block([&](int b) {
    for (int n = b * block_nodes; n < (b + 1) * block_nodes; ++n) velocity[n] += change_[n];
  });
}

void Pressure::find_faces(const Grid& grid, int block) {
  grid.for_nodes(block, [&](int node, int i, int j, int k) {
    const Cloud& a = grid.clouds[node];
    faces_[node] = {};
    for (int axis = 0; axis < 3; ++axis) {
      const int above = grid.next(block, i, j, k, axis, 1);
      if (above < 0) continue;
      const Cloud& b = grid.clouds[above];
      Vec3d d = b.center - a.center;
      d[axis] += grid.cell;
      const double both = a.mass + b.mass, weight = 4 * a.mass * b.mass / (both * both);
      faces_[node].g[axis] = (0.5 * grid.cell * weight) * d;
    }
  });
}

// 2 sum |g|: by how much a unit of all pressures around a node can push it at most
void Pressure::find_areas(const Grid& grid, int block) {
  grid.for_nodes(block, [&](int node, int i, int j, int k) {
    double area = 0;
    grid.for_faces(faces_, block, node, i, j, k, [&](int, const Vec3d& g) { area += 2 * norm(g); });
    areas_[node] = area;
  });
}

// one gradient step for the impulses at the nodes
void Pressure::correct(const Grid& grid, int block, double h, std::span<const Vec3d> change) {
  grid.for_nodes(block, [&](int node, int i, int j, int k) {
    const Cloud& cloud = grid.clouds[node];
    if (!(cloud.bulk > 0)) return;
    const Vec3d here = cloud.velocity + change[node];
    double growth = 0, bound = 0;
    grid.for_faces(faces_, block, node, i, j, k, [&](int other, const Vec3d& g) {
      growth += dot(grid.clouds[other].velocity + change[other] - here, g);
      bound += norm(g) * (areas_[other] / grid.clouds[other].mass + areas_[node] / cloud.mass);
    });
    const double compliance = grid.cell * grid.cell * grid.cell / (h * h * cloud.bulk);
    double& impulse = impulses_[node];
    impulse = std::max(0.0, impulse + (compliance * (h * cloud.pressure - impulse) - growth) / (compliance + bound));
  });
}

// the change of velocity by all impulses so far
void Pressure::give_impulses(const Grid& grid, int block, std::span<Vec3d> change) const {
  grid.for_nodes(block, [&](int node, int i, int j, int k) {
    Vec3d pushed;
    grid.for_faces(faces_, block, node, i, j, k,
                   [&](int other, const Vec3d& g) { pushed -= (impulses_[node] + impulses_[other]) * g; });
    change[node] = pushed / grid.clouds[node].mass;
  });
}

}  // namespace tendril::volume
