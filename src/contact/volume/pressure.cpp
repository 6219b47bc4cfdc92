#include "contact/volume/pressure.h"

#include <algorithm>
#include <cmath>

#include "contact/for_all.h"
#include "math/thread_team.h"

namespace tendril::contact::volume {
namespace {

constexpr int most_sweeps = 4;
constexpr double share_left = 0.01;  // of what pressure should do

}  // namespace

// visit(neighbour, g towards it)
template <class Visit>
void Pressure::for_faces(const Node& node, Visit visit) const {
  for (int axis = 0; axis < 3; ++axis) {
    if (node.above[axis] >= 0) visit(nodes_[node.above[axis]], node.face[axis]);
    if (node.below[axis] >= 0) visit(nodes_[node.below[axis]], -nodes_[node.below[axis]].face[axis]);
  }
}

void Pressure::push(const Blocks& blocks, double cell, double h, std::span<const Cloud> clouds,
                    std::span<Vec3d> velocity, ThreadTeam& team) {
  list_nodes(blocks, clouds, team);
  const auto each = [&](auto work) { for_all(&team, nodes_.size(), [&](std::size_t n) { work(nodes_[n]); }); };
  each([&](Node& node) { start_node(node, clouds[node.cloud], cell, h); });
  each([&](Node& node) {
    node.area = 0;
    for_faces(node, [&](const Node&, const Vec3d& g) { node.area += 2 * norm(g); });
  });
  each([&](Node& node) { find_bound(node), correct(node); });
  double worst = 0;  // share that a sweep leaves
  for (const Node& node : nodes_)
    if (node.impulse > 0) worst = std::max(worst, node.bound / (node.bound + node.compliance));
  if (worst == 0) return;
  each([&](Node& node) { give_impulses(node); });
  double left = worst;
  for (int sweep = 1; sweep < most_sweeps && left > share_left; ++sweep, left *= worst) {
    each([&](Node& node) { correct(node); });
    each([&](Node& node) { give_impulses(node); });
  }
  each([&](Node& node) { velocity[node.cloud] += node.change; });
}

// those with hair, block by block, and who is beside whom
void Pressure::list_nodes(const Blocks& blocks, std::span<const Cloud> clouds, ThreadTeam& team) {
  const int count = blocks.count();
  first_.assign(std::size_t(count) + 1, 0);
  number_.resize(clouds.size());
  team.for_each(count, [&](int b, int) {
    for (int n = b * block_nodes; n < (b + 1) * block_nodes; ++n) first_[b + 1] += clouds[n].mass > 0;
  });
  for (int b = 0; b < count; ++b) first_[b + 1] += first_[b];
  nodes_.resize(std::size_t(first_.back()));
  team.for_each(count, [&](int b, int) {
    int next = first_[b];
    for (int n = b * block_nodes; n < (b + 1) * block_nodes; ++n) {
      number_[n] = clouds[n].mass > 0 ? next++ : -1;
      if (number_[n] >= 0) nodes_[number_[n]].cloud = n;
    }
  });
  team.for_each(count, [&](int b, int) {
    for (int n = first_[b]; n < first_[b + 1]; ++n) {
      Node& node = nodes_[n];
      const int local = node.cloud % block_nodes;
      for (int axis = 0, stride = 1; axis < 3; ++axis, stride *= block_edge) {
        const int at = local / stride % block_edge;
        const auto beside = [&](int step) {
          if (at + step >= 0 && at + step < block_edge) return number_[node.cloud + step * stride];
          const int other = blocks.neighbour(b, axis == 0 ? step : 0, axis == 1 ? step : 0, axis == 2 ? step : 0);
          return other < 0 ? -1 : number_[other * block_nodes + local - step * (block_edge - 1) * stride];
        };
        node.above[axis] = beside(1), node.below[axis] = beside(-1);
      }
      node.mass = clouds[node.cloud].mass;
      node.center = clouds[node.cloud].center;
      node.velocity = clouds[node.cloud].velocity;
    }
  });
}

void Pressure::start_node(Node& node, const Cloud& cloud, double cell, double h) const {
  node.change = {}, node.impulse = 0;
  node.compliance = cloud.bulk > 0 ? cell * cell * cell / (h * h * cloud.bulk) : 0;
  node.wanted = node.compliance * h * cloud.pressure;
  for (int axis = 0; axis < 3; ++axis) {
    if (node.above[axis] < 0) continue;
    const Node& other = nodes_[node.above[axis]];
    Vec3d d = other.center - node.center;
    d[axis] += cell;
    const double both = node.mass + other.mass;
    node.face[axis] = (2 * cell * node.mass * other.mass / (both * both)) * d;
  }
}

// A unit of pressure at a node pushes itself and its neighbours over its faces, each of which is pushed back over all
// of its own.
void Pressure::find_bound(Node& node) const {
  node.bound = 0;
  const double here = node.area / node.mass;
  for_faces(node, [&](const Node& other, const Vec3d& g) { node.bound += norm(g) * (other.area / other.mass + here); });
}

// one gradient step for the impulse at a node
void Pressure::correct(Node& node) const {
  if (!(node.compliance > 0)) return;
  const Vec3d here = node.velocity + node.change;
  double growth = 0;
  for_faces(node, [&](const Node& other, const Vec3d& g) { growth += dot(other.velocity + other.change - here, g); });
  const double missing = node.wanted - node.compliance * node.impulse - growth;
  node.impulse = std::max(0.0, node.impulse + missing / (node.compliance + node.bound));
}

// the change of velocity by all impulses so far
void Pressure::give_impulses(Node& node) const {
  Vec3d pushed;
  for_faces(node, [&](const Node& other, const Vec3d& g) { pushed -= (node.impulse + other.impulse) * g; });
  node.change = pushed / node.mass;
}

}  // namespace tendril::contact::volume
