#include "solvers/compact/chain.h"

#include <array>
#include <cassert>
#include <map>
#include <utility>

namespace tendril::compact {
namespace {

// the segments at each vertex, -1: none
std::map<int, std::array<int, 2>> neighbours(const Part& part) {
  std::map<int, std::array<int, 2>> at;
  for (std::size_t e = 0; e < part.stretches.size(); ++e)
    for (int i : part.stretches[e].vertex) {
      auto [entry, is_new] = at.try_emplace(i, std::array<int, 2>{-1, -1});
      entry->second[is_new ? 0 : 1] = static_cast<int>(e);
    }
  return at;
}

// the end that is held most; of equals that of the lower number
int root_of(const std::map<int, std::array<int, 2>>& at, const Problem& problem) {
  int root = -1;
  double least = 4;
  for (const auto& [vertex, segments] : at) {
    if (segments[1] >= 0) continue;
    const Vec3d& free = problem.free_axes(vertex);
    if (const double axes = free.x + free.y + free.z; axes < least) root = vertex, least = axes;
  }
  return root;
}

void add_links(const Part& part, const Problem& problem, const Parts& parts, Chain& chain) {
  const auto at = neighbours(part);
  int vertex = root_of(at, problem), element = at.at(vertex)[0];
  chain.vertices.push_back({vertex, parts.row_of_vertex(vertex)});
  while (element >= 0) {
    const StretchElement& e = part.stretches[element];
    const bool is_forward = e.vertex[0] == vertex;
    const double length = problem.model->segments[e.segment].rest_length;
    chain.links.push_back({e.segment, e.theta, is_forward ? length : -length});
    vertex = e.vertex[is_forward];
    chain.vertices.push_back({vertex, parts.row_of_vertex(vertex)});
    const auto [a, b] = at.at(vertex);
    element = a == element ? b : a;
  }
}

void add_bends(const Part& part, Chain& chain) {
  std::vector<int> link_of_row(part.row_count(), -1);
  for (int k = 0; k < chain.count(); ++k) link_of_row[chain.links[k].row] = k;
  for (std::size_t n = 0; n < part.bends.size(); ++n) {
    const BendElement& e = part.bends[n];
    const int bend = static_cast<int>(n);
    if (e.a < 0 || e.b < 0) {
      chain.ground.push_back({bend, link_of_row[e.a < 0 ? e.b : e.a], e.a < 0});
      continue;
    }
    const int a = link_of_row[e.a], b = link_of_row[e.b];
    assert(std::abs(a - b) == 1 && "a chain bends between neighbours");
    Chain::Link& link = chain.links[std::max(a, b)];
    assert(link.bend < 0);
    link.bend = bend, link.bend_is_reversed = a > b;
  }
}

}  // namespace

Chain make_chain(const Part& part, const Problem& problem, const Parts& parts) {
  Chain chain;
  add_links(part, problem, parts, chain);
  add_bends(part, chain);
  chain.root_free = problem.free_axes(chain.vertices[0].vertex);
  for (int k = 1; k <= chain.count(); ++k) {
    const Vec3d& free = problem.free_axes(chain.vertices[k].vertex);
    for (int axis = 0; axis < 3; ++axis)
      if (free[axis] == 0) chain.holds.push_back({k, axis});
  }
  return chain;
}

void place(const Chain& chain, Iterate& at) {
  Vec3d x = at.x[chain.vertices[0].vertex];
  for (int k = 0; k < chain.count(); ++k) {
    const Chain::Link& link = chain.links[k];
    x += link.length * director3(at.q[link.segment]);
    at.x[chain.vertices[k + 1].vertex] = x;
  }
}

void place_near(const Chain& chain, const Problem& problem, Iterate& at) {
  if (!chain.holds.empty() || chain.root_free == Vec3d{}) return place(chain, at);
  const auto centre = [&] {
    double weight = 0;
    Vec3d moment;
    for (const Chain::Vertex& v : chain.vertices)
      weight += problem.weight[v.vertex], moment += problem.weight[v.vertex] * at.x[v.vertex];
    return weight > 0 ? moment / weight : Vec3d{};
  };
  const Vec3d before = centre();
  place(chain, at);
  at.x[chain.vertices[0].vertex] += scale(chain.root_free, before - centre());
  place(chain, at);
}

}  // namespace tendril::compact
