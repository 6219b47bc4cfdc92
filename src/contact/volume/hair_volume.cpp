#include "contact/volume/hair_volume.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact/volume/pressure.h"
#include "math/thread_team.h"
#include "rod/model.h"
#include "rod/state.h"

namespace tendril::contact {

using namespace volume;

struct HairVolume::Parts {
  VolumeOptions options;
  std::vector<Hair> hair;  // (vertex)
  int cell_count = 0;
  double densest = 0;

  Blocks blocks;
  std::vector<Sums> tiles;    // (block, tile node)
  std::vector<Cloud> clouds;  // (block, node)
  std::vector<Vec3d> pushed;  // velocity that pressure gives a cloud [m/s] (block, node)
  std::vector<Flow> flows;    // (block, node)
  Pressure pressure;

  double cell() const { return options.cell; }
  void find_clouds(std::span<const Vec3d> x, std::span<const Vec3d> v, ThreadTeam& team);
  void take_packing(std::span<const Vec3d> x, ThreadTeam& team);
  void find_flows(double mixed, ThreadTeam& team);
  void push_vertices(int block, const State& state, double mixed, double per_second, std::span<Vec3d> force) const;
  const Cloud* cloud_at(int block, int i, int j, int k) const { return at(clouds, block, i, j, k); }

  // of a node of the tile of a block; nullptr: there is none
  template <class T>
  const T* at(const std::vector<T>& all, int block, int i, int j, int k) const {
    const int other = blocks.neighbour(block, i / block_edge, j / block_edge, k / block_edge);
    if (other < 0) return nullptr;
    return &all[std::size_t(other) * block_nodes +
                std::size_t(node_of(i % block_edge, j % block_edge, k % block_edge))];
  }
};

namespace {

// volume and stiffness of half of each adjacent segment, Young's modulus as its section has it
std::vector<Hair> hair_of(const Model& model, double hairs) {
  std::vector<Hair> hair(model.vertices.size());
  for (std::size_t i = 0; i < hair.size(); ++i) hair[i].mass = hairs * model.vertices[i].mass;
  for (const Segment& s : model.segments) {
    const double section = std::numbers::pi * s.radius * s.radius;
    for (int i : s.vertex) {
      hair[i].volume += 0.5 * hairs * s.rest_length * section;
      hair[i].stiffness += 0.5 * hairs * s.rest_length * s.EA;
    }
  }
  return hair;
}

std::size_t cells_with_hair(std::span<const Vec3d> x, double cell) {
  KeyTable cells;
  cells.clear(x.size() / 4);
  constexpr std::int64_t across = 1 << 21;
  for (const Vec3d& p : x) {
    std::uint64_t key = 0;
    for (double along : {p.x, p.y, p.z})
      key = key * across +
            std::uint64_t(std::clamp(std::int64_t(std::floor(along / cell)), -across / 2, across / 2 - 1) + across / 2);
    cells.number_of(key);
  }
  return cells.keys().size();
}

}  // namespace

double choose_cell(const Model& model, std::span<const Vec3d> x) {
  constexpr double wanted = 27;  // vertices in a cell
  constexpr double longest = 8;  // segments
  double length = 0;
  for (const Segment& s : model.segments) length += s.rest_length;
  if (!(length > 0)) return 1;
  length /= double(model.segments.size());
  for (double cell = length;;) {
    const double each = double(x.size()) / double(cells_with_hair(x, cell));
    if (each >= wanted) return cell;
    cell *= std::max(1.05, std::cbrt(wanted / each));
    if (cell >= longest * length) return longest * length;
  }
}

HairVolume::HairVolume(const Model& model, const State& start, const VolumeOptions& options, ThreadTeam& team)
    : parts_(std::make_unique<Parts>()) {
  parts_->options = options;
  if (!(options.cell > 0)) parts_->options.cell = choose_cell(model, start.x);
  parts_->hair = hair_of(model, options.hairs_per_strand);
  parts_->cell_count = int(cells_with_hair(start.x, cell()));
  parts_->take_packing(start.x, team);
}

HairVolume::~HairVolume() = default;

double HairVolume::cell() const { return parts_->cell(); }
int HairVolume::cell_count() const { return parts_->cell_count; }
double HairVolume::densest() const { return parts_->densest; }

std::size_t HairVolume::memory() const {
  const Parts& p = *parts_;
  return p.tiles.capacity() * sizeof(Sums) + p.clouds.capacity() * (sizeof(Cloud) + sizeof(Vec3d) + sizeof(Flow)) +
         p.hair.capacity() * sizeof(Hair);
}

void HairVolume::find_forces(const State& state, double h, ThreadTeam& team, std::vector<Vec3d>& force) {
  Parts& p = *parts_;
  force.assign(state.x.size(), {});
  p.blocks.sort(state.x, p.cell(), team);
  p.find_clouds(state.x, state.v, team);
  p.pushed.assign(p.clouds.size(), {});
  p.pressure.push(p.blocks, p.cell(), h, p.clouds, p.pushed, team);
  const double mixed = -std::expm1(-p.options.mixing * h);  // share of its own flow that hair gives up in h
  p.find_flows(mixed, team);
  team.for_each(p.blocks.count(),
                [&](int b, int) { p.push_vertices(b, state, mixed, 1 / (p.options.hairs_per_strand * h), force); });
}

// all vertices give to the nodes around them, and what is there makes a cloud
void HairVolume::Parts::find_clouds(std::span<const Vec3d> x, std::span<const Vec3d> v, ThreadTeam& team) {
  tiles.resize(std::size_t(blocks.count()) * tile_nodes);
  clouds.resize(std::size_t(blocks.count()) * block_nodes);
  team.for_each(blocks.count(), [&](int b, int) {
    if (!blocks.runs(b).empty())
      give_to_tile(blocks, b, cell(), x, v, hair,
                   std::span<Sums, tile_nodes>(&tiles[std::size_t(b) * tile_nodes], tile_nodes));
  });
  team.for_each(blocks.count(), [&](int b, int) {
    gather_clouds(blocks, b, cell(), tiles,
                  std::span<Cloud, block_nodes>(&clouds[std::size_t(b) * block_nodes], block_nodes));
  });
}

// Hair begins to resist where it is denser than at the densest of the eight nodes around it at the start: so no node
// resists there.
void HairVolume::Parts::take_packing(std::span<const Vec3d> x, ThreadTeam& team) {
  const std::vector<Vec3d> rest(x.size());
  blocks.sort(x, cell(), team);
  find_clouds(x, rest, team);
  for (const Cloud& cloud : clouds) densest = std::max(densest, cloud.fraction);
  team.for_each(blocks.count(), [&](int b, int) {
    const Vec3d origin = position_of(blocks.first_cell(b), cell());
    for (const Run& run : blocks.runs(b))
      for (int i = run.first; i < run.first + run.count; ++i) {
        const int corner = Weights::of(x[i] - origin, 1 / cell()).corner;
        double most = 0;
        for (int n = 0; n < 8; ++n) {
          const Cloud* cloud = cloud_at(b, corner % tile_edge + (n & 1), corner / tile_edge % tile_edge + (n >> 1 & 1),
                                        corner / (tile_edge * tile_edge) + (n >> 2));
          if (cloud) most = std::max(most, cloud->fraction);
        }
        hair[i].packing = hair[i].volume * most * most * most;
      }
  });
}

// What a vertex in a cloud of velocity u, spin w and centre c takes over, at y from the node:
//   push + mixed (u + w x (y - c))
void HairVolume::Parts::find_flows(double mixed, ThreadTeam& team) {
  flows.resize(clouds.size());
  team.for_each(blocks.count(), [&](int b, int) {
    for (int n = b * block_nodes; n < (b + 1) * block_nodes; ++n) {
      const Cloud& c = clouds[n];
      flows[n] = Flow::of(pushed[n] + mixed * (c.velocity - cross(c.spin, c.center)), mixed * c.spin);
    }
  });
}

// The new velocity of a vertex is what it keeps of its own, and the mean of what the eight clouds around it give it:
//   (1 - mixed) v + sum of w (push + mixed (u + w x (y - c)))
// Sums over all vertices: each cloud's momentum and angular momentum are given back as they were taken.
void HairVolume::Parts::push_vertices(int block, const State& state, double mixed, double per_second,
                                      std::span<Vec3d> force) const {
  if (blocks.runs(block).empty()) return;
  std::array<Flow, tile_nodes> tile;
  for (int k = 0; k < tile_edge; ++k)
    for (int j = 0; j < tile_edge; ++j)
      for (int i = 0; i < tile_edge; ++i) {
        const Vec3d node = cell() * Vec3d{double(i), double(j), double(k)};
        const Flow* flow = at(flows, block, i, j, k);
        // from the node to the block's first one
        tile[tile_node_of(i, j, k)] =
            flow ? Flow::of(flow->constant() - cross(flow->turn(), node), flow->turn()) : Flow{};
      }
  const Vec3d origin = position_of(blocks.first_cell(block), cell());
  const double cells_per_metre = 1 / cell();
  const auto push = [&](int i) {
    const Vec3d y = state.x[i] - origin;
    const Weights w = Weights::of(y, cells_per_metre);
    Flow mean{};
    for (int n = 0; n < 8; ++n) mean.row += w.weight[n] * tile[w.corner + tile_steps[n]].row;
    const Vec3d given = mean.constant() + cross(mean.turn(), y);
    force[i] = (hair[i].mass * per_second) * (given - mixed * state.v[i]);
  };
  blocks.for_vertices(block, push, state.x, state.v, hair, force);
}

}  // namespace tendril::contact
