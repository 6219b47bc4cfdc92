#include "solvers/direct/structure.h"

#include <algorithm>
#include <numeric>

namespace tendril::solvers::direct {
namespace {

// A traversal of a part from its roots outwards, which pairs each vertex with the segment that leads to it.
class Traversal {
 public:
  Traversal(const Part& part, const Problem& problem, const Parts& parts) : part_(part), problem_(problem) {
    const int rows = part.row_count();
    node_.assign(rows, -1);
    list_neighbours();
    for (int row : roots()) traverse_from(row);
    for (const Unknown& u : part.unknowns)
      if (u.kind == Kind::body_place) add({parts.row_of_body(u.index), parts.row_of_turn(u.index), -1});
    for (int row = 0; row < rows; ++row)  // the frames of segments that close loops or hang on bodies
      if (node_[row] < 0) add({-1, row, -1});
  }

  // by the numbers of this traversal
  struct Step {
    int stretch = -1;  // element that leads to the node
    int from = -1;     // row of the vertex where it starts
  };
  std::vector<SegmentNode> nodes;
  std::vector<Step> steps;  // (node)
  const std::vector<int>& node_of() const { return node_; }

 private:
  bool is_vertex(int row) const { return part_.unknowns[row].kind == Kind::vertex; }

  void list_neighbours() {
    first_.assign(part_.row_count() + 1, 0);
    const auto for_ends = [&](auto visit) {
      for (std::size_t e = 0; e < part_.stretches.size(); ++e)
        for (int row : {part_.stretches[e].x0, part_.stretches[e].x1}) visit(row, static_cast<int>(e));
    };
    for_ends([&](int row, int) { ++first_[row + 1]; });
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    elements_.resize(first_.back());
    std::vector<int> next(first_.begin(), first_.end() - 1);
    for_ends([&](int row, int e) { elements_[next[row]++] = e; });
  }

  // vertices in the order in which they may be roots: held ones, ends, all others
  std::vector<int> roots() const {
    std::vector<int> rows;
    for (int row = 0; row < part_.row_count(); ++row)
      if (is_vertex(row)) rows.push_back(row);
    const auto rank = [&](int row) {
      if (problem_.role[part_.unknowns[row].index] == Role::held) return 0;
      return first_[row + 1] - first_[row] == 1 ? 1 : 2;
    };
    std::stable_sort(rows.begin(), rows.end(), [&](int a, int b) { return rank(a) < rank(b); });
    return rows;
  }

  void add(const SegmentNode& node) { add(node, Step()); }
  void add(const SegmentNode& node, const Step& step) {
    for (int row : {node.place, node.turn})
      if (row >= 0) node_[row] = static_cast<int>(nodes.size());
    nodes.push_back(node), steps.push_back(step);
  }

  void traverse_from(int root) {
    if (node_[root] >= 0) return;
    add({root, -1, part_.unknowns[root].index});
    std::vector<int> open{root};
    for (std::size_t k = 0; k < open.size(); ++k) {
      const int row = open[k];
      for (int c = first_[row]; c < first_[row + 1]; ++c) {
        const StretchElement& e = part_.stretches[elements_[c]];
        const int far = e.x0 == row ? e.x1 : e.x0;
        if (node_[far] >= 0) continue;
        add({far, e.theta, part_.unknowns[far].index}, {elements_[c], row});
        open.push_back(far);
      }
    }
  }

  const Part& part_;
  const Problem& problem_;
  std::vector<int> first_, elements_;  // stretches at each row of a vertex
  std::vector<int> node_;              // (row)
};

// which nodes couple
std::vector<std::pair<int, int>> couplings(const Part& part, const Problem& problem, const Parts& parts,
                                           const std::vector<int>& node_of) {
  std::vector<std::pair<int, int>> out;
  const auto add_all = [&](std::initializer_list<int> rows) {
    for (auto a = rows.begin(); a != rows.end(); ++a)
      for (auto b = a + 1; b != rows.end(); ++b)
        if (node_of[*a] != node_of[*b]) out.push_back({node_of[*a], node_of[*b]});
  };
  for (const StretchElement& e : part.stretches) add_all({e.x0, e.x1, e.theta});
  for (const BendElement& e : part.bends)
    if (e.a >= 0 && e.b >= 0) add_all({e.a, e.b});
  for (int s : part.slaved_segments) {
    const auto row = [&](int vertex) {
      const int tie = problem.tie[vertex];
      return tie < 0 ? parts.row_of_vertex(vertex) : parts.row_of_body(problem.model->ties[tie].body);
    };
    const auto [i, j] = problem.model->segments[s].vertex;
    add_all({row(i), row(j), parts.row_of_segment(s)});
  }
  return out;
}

// elements by the first node that they touch; where each node's begin
template <class Element, class FirstNode>
std::vector<int> sort_by_first_node(std::vector<Element>& elements, int nodes, FirstNode first_node) {
  std::stable_sort(elements.begin(), elements.end(),
                   [&](const Element& a, const Element& b) { return first_node(a) < first_node(b); });
  std::vector<int> first(nodes + 1, 0);
  for (const Element& e : elements) ++first[first_node(e) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  return first;
}

LooseBend loose_bend(const Structure& s, const Part& part, int element) {
  const BendElement& e = part.bends[element];
  if (e.a < 0 || e.b < 0) return {element, -1, e.a >= 0};
  const int a = s.node_of[e.a], b = s.node_of[e.b];
  return {element, s.plan.coupling(std::min(a, b), std::max(a, b)), a < b};
}

// A row and all that are eliminated for its sake, its descendants in the tree where the parent of a row is the first
// later one that it couples with, stand one after the other. Where descendants couple with none beyond the row they
// make a branch; the row itself belongs to the trunk.
void find_branches(const Elimination& plan, std::vector<Share>& branches, std::vector<Share>& trunk) {
  const int count = plan.row_count(), most = std::max(count / 16, 400), least = 100;
  std::vector<int> size(count, 1), beyond(count, 0);  // of descendants: how many, and the last row they couple with
  for (int n = 0; n < count; ++n) {
    if (plan.first[n] == plan.first[n + 1]) continue;
    const int parent = plan.later[plan.first[n]], last = plan.later[plan.first[n + 1] - 1];
    size[parent] += size[n], beyond[parent] = std::max({beyond[parent], beyond[n], last});
  }
  int end = count;  // of the trunk's range
  for (int n = count - 1; n >= 0;) {
    if (size[n] > most || size[n] < least || beyond[n] > n) {
      --n;
      continue;
    }
    const int begin = n - size[n] + 1;
    branches.push_back({begin, n}), trunk.push_back({n, end});
    end = begin, n = begin - 1;
  }
  trunk.push_back({0, end});
  std::reverse(branches.begin(), branches.end()), std::reverse(trunk.begin(), trunk.end());
}

// which couplings have more than their joint, and where the matrix keeps them
TreeLayout layout_of(const Structure& s, const Part& part) {
  if (!part.slaved_vertices.empty() || !part.slaved_segments.empty())
    return roomy_layout(s.plan);  // added first of all
  using Kind = TreeLayout::Kind;
  TreeCourse course{{}, {}, s.branches, s.trunk};
  course.added.assign(s.plan.coupling_count(), Kind::none);
  for (int joint : s.joint) course.joint.push_back(joint < 0 ? -1 : s.joints[joint].coupling);
  for (const LooseBend& bend : s.bends)
    if (bend.coupling >= 0) course.added[bend.coupling] = Kind::turns;
  for (int e : s.stretches) {
    const int nodes[3] = {s.node_of[part.stretches[e].x0], s.node_of[part.stretches[e].x1],
                          s.node_of[part.stretches[e].theta]};
    for (int a : nodes)
      for (int b : nodes)
        if (a < b) course.added[s.plan.coupling(a, b)] = Kind::full;
  }
  return make_layout(s.plan, course);
}

}  // namespace

Structure make_structure(const Part& part, const Problem& problem, const Parts& parts) {
  const Traversal traversal(part, problem, parts);
  const int count = static_cast<int>(traversal.nodes.size());
  Structure s;
  s.plan = plan_elimination(count, couplings(part, problem, parts, traversal.node_of()));
  s.nodes.resize(count), s.joint.assign(count, -1), s.node_of.resize(part.row_count());
  for (int n = 0; n < count; ++n) s.nodes[s.plan.row[n]] = traversal.nodes[n];
  for (int row = 0; row < part.row_count(); ++row) s.node_of[row] = s.plan.row[traversal.node_of()[row]];

  std::vector<bool> stretch_is_joined(part.stretches.size(), false), bend_is_joined(part.bends.size(), false);
  std::vector<int> place_of(count);
  for (int n = 0; n < count; ++n) place_of[s.plan.row[n]] = n;
  for (int n = 0; n < count; ++n) {
    const Traversal::Step& step = traversal.steps[place_of[n]];
    if (step.stretch < 0) continue;
    const int parent = s.node_of[step.from];
    const bool is_free = problem.role[s.nodes[n].vertex] == Role::free;
    if (parent < n || !is_free) continue;
    stretch_is_joined[step.stretch] = true;
    s.joint[n] = static_cast<int>(s.joints.size());
    s.joints.push_back(
        {step.stretch, -1, part.stretches[step.stretch].x0 == step.from, false, s.plan.coupling(n, parent)});
  }
  for (std::size_t b = 0; b < part.bends.size(); ++b) {
    const BendElement& e = part.bends[b];
    if (e.a < 0 || e.b < 0) continue;
    const int node = std::min(s.node_of[e.a], s.node_of[e.b]), other = std::max(s.node_of[e.a], s.node_of[e.b]);
    if (s.joint[node] < 0) continue;
    Joint& joint = s.joints[s.joint[node]];
    if (s.parent(joint) != other || joint.bend >= 0) continue;
    joint.bend = static_cast<int>(b), joint.is_b = s.node_of[e.b] == node;
    bend_is_joined[b] = true;
  }
  for (std::size_t e = 0; e < part.stretches.size(); ++e)
    if (!stretch_is_joined[e]) s.stretches.push_back(static_cast<int>(e));
  for (std::size_t e = 0; e < part.bends.size(); ++e)
    if (!bend_is_joined[e]) s.bends.push_back(loose_bend(s, part, static_cast<int>(e)));
  s.first_stretch = sort_by_first_node(s.stretches, count, [&](int e) {
    const StretchElement& stretch = part.stretches[e];
    return std::min({s.node_of[stretch.x0], s.node_of[stretch.x1], s.node_of[stretch.theta]});
  });
  s.first_bend = sort_by_first_node(s.bends, count, [&](const LooseBend& e) {
    const BendElement& bend = part.bends[e.bend];
    return s.node_of[e.a_is_first ? bend.a : bend.b];
  });
  find_branches(s.plan, s.branches, s.trunk);
  s.layout = layout_of(s, part);
  s.joints.shrink_to_fit(), s.bends.shrink_to_fit(), s.stretches.shrink_to_fit();
  s.plan.row = std::vector<int>();  // the nodes have their numbers
  return s;
}

Parts::Order take_order(Structure& s, const Part& part) {
  Parts::Order order;
  order.row.resize(part.row_count()), order.stretch.resize(part.stretches.size()), order.bend.resize(part.bends.size());
  int row = 0, stretch = 0, bend = 0;
  const auto move = [](int& from, int& next, std::vector<int>& to) { to[from] = next, from = next++; };
  for (std::size_t n = 0; n < s.nodes.size(); ++n)
    for (int* own : {&s.nodes[n].place, &s.nodes[n].turn})
      if (*own >= 0) move(*own, row, order.row), s.node_of[*own] = static_cast<int>(n);
  for (Joint& joint : s.joints) {
    move(joint.stretch, stretch, order.stretch);
    if (joint.bend >= 0) move(joint.bend, bend, order.bend);
  }
  for (int& e : s.stretches) move(e, stretch, order.stretch);
  for (LooseBend& e : s.bends) move(e.bend, bend, order.bend);
  return order;
}

}  // namespace tendril::solvers::direct
