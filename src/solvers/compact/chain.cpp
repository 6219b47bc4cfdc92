#include "solvers/compact/chain.h"

#include <cassert>
#include <map>
#include <utility>

namespace tendril::solvers::compact {
namespace {

// What segments join: a vertex, or the body that it follows, by ~ its number.
class Graph {
 public:
  struct Edge {
    int segment, vertex[2];
  };
  struct Node {
    int edges[2] = {-1, -1};
    int count = 0;
  };

  Graph(const Part& part, const Problem& problem) : problem_(problem) {
    for (const StretchElement& e : part.stretches) add({e.segment, {e.vertex[0], e.vertex[1]}});
    for (int s : part.slaved_segments) {
      const auto [i, j] = problem.model->segments[s].vertex;
      add({s, {i, j}});
    }
    for (const Unknown& u : part.unknowns)
      if (u.kind == Kind::body_place) nodes_.try_emplace(~u.index);
  }

  int node_of(int vertex) const {
    const int tie = problem_.tie[vertex];
    return tie < 0 ? vertex : ~problem_.model->ties[tie].body;
  }
  // the end that is held most; of equals a vertex, that of the lower number
  int root() const {
    int root = 0;
    double least = 5;
    for (const auto& [number, node] : nodes_) {
      if (node.count > 1) continue;
      double axes = 4;  // of a body
      if (number >= 0) {
        const Vec3d& free = problem_.free_axes(number);
        axes = free.x + free.y + free.z;
      }
      if (axes < least) root = number, least = axes;
    }
    return root;
  }
  // from a node, another than the edge that led to it; -1: none
  int next(int number, int before) const {
    const Node& node = nodes_.at(number);
    return node.edges[0] != before ? node.edges[0] : node.edges[1];
  }
  const Edge& edge(int e) const { return edges_[e]; }

 private:
  void add(const Edge& edge) {
    for (int i : edge.vertex) {
      Node& node = nodes_[node_of(i)];
      assert(node.count < 2 && "a chain has no branches");
      node.edges[node.count++] = static_cast<int>(edges_.size());
    }
    edges_.push_back(edge);
  }

  const Problem& problem_;
  std::vector<Edge> edges_;
  std::map<int, Node> nodes_;
};

// from the vertex where the rod comes to it, to where it goes on; -1: nowhere
void add_body(int body, int from, int to, const Problem& problem, const Parts& parts, Chain& chain) {
  const auto offset = [&](int i) { return i < 0 ? Vec3d{} : problem.model->ties[problem.tie[i]].offset; };
  const int near = from >= 0 ? from : to;
  Chain::Link link;
  link.body = body, link.row = parts.row_of_turn(body);
  if (to >= 0) link.arm = offset(to) - offset(near);
  chain.centres.push_back({chain.count(), parts.row_of_body(body), -offset(near)});
  chain.links.push_back(link);
  chain.vertices.push_back({to == near ? -1 : to, -1});
}

void add_links(const Graph& graph, const Problem& problem, const Parts& parts, Chain& chain) {
  int node = graph.root(), before = -1, vertex = -1;  // the last one, where the walk came to the node
  for (;;) {
    const int e = graph.next(node, before);
    const bool is_first = chain.vertices.empty();
    int start = vertex;  // of the next segment
    if (e >= 0) start = graph.edge(e).vertex[graph.node_of(graph.edge(e).vertex[0]) != node];
    if (node >= 0 && is_first) chain.vertices.push_back({node, parts.row_of_vertex(node)});
    if (node < 0) {
      if (is_first) chain.vertices.push_back({e >= 0 ? start : -1, -1});
      add_body(~node, vertex, e >= 0 ? start : -1, problem, parts, chain);
    }
    if (e < 0) return;
    const Graph::Edge& edge = graph.edge(e);
    const bool is_forward = edge.vertex[0] == start;
    const double length = problem.model->segments[edge.segment].rest_length;
    Chain::Link link;
    link.segment = edge.segment, link.row = parts.row_of_segment(edge.segment);
    link.length = is_forward ? length : -length;
    chain.links.push_back(link);
    vertex = edge.vertex[is_forward];
    chain.vertices.push_back({vertex, parts.row_of_vertex(vertex)});
    node = graph.node_of(vertex), before = e;
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
  add_links(Graph(part, problem), problem, parts, chain);
  add_bends(part, chain);
  for (int k = 0; k <= chain.count(); ++k) {
    if (chain.vertices[k].row < 0) continue;
    const Vec3d& free = problem.free_axes(chain.vertices[k].vertex);
    if (k == 0) chain.root_free = free;
    for (int axis = 0; axis < 3 && k > 0; ++axis)
      if (free[axis] == 0) chain.holds.push_back({k, axis});
  }
  return chain;
}

Vec3d root_place(const Chain& chain, const Iterate& at) {
  const int i = chain.vertices[0].vertex;
  return i < 0 ? at.body_x[chain.links[0].body] : at.x[i];
}

void place(const Chain& chain, const Vec3d& root, Iterate& at) {
  Vec3d x = root;
  auto centre = chain.centres.begin();
  if (const int i = chain.vertices[0].vertex; i >= 0) at.x[i] = x;
  for (int k = 0; k < chain.count(); ++k) {
    const Chain::Link& link = chain.links[k];
    if (link.body >= 0) at.body_x[link.body] = x + arm(chain, *centre++, at);
    x += arm(link, at);
    if (const int i = chain.vertices[k + 1].vertex; i >= 0) at.x[i] = x;
  }
}

void place_near(const Chain& chain, const Problem& problem, Iterate& at) {
  if (!chain.holds.empty() || chain.root_free == Vec3d{}) return place(chain, at);
  const auto centre = [&] {
    double weight = 0;
    Vec3d moment;
    const auto add = [&](double w, const Vec3d& x) { weight += w, moment += w * x; };
    for (const Chain::Vertex& v : chain.vertices)
      if (v.vertex >= 0) add(problem.weight[v.vertex], at.x[v.vertex]);
    for (const Chain::Centre& c : chain.centres) add(problem.bodies[chain.body(c)].weight, at.body_x[chain.body(c)]);
    return weight > 0 ? moment / weight : Vec3d{};
  };
  const Vec3d before = centre();
  place(chain, at);
  place(chain, root_place(chain, at) + scale(chain.root_free, before - centre()), at);
}

}  // namespace tendril::solvers::compact
