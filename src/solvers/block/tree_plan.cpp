#include "solvers/block/tree_plan.h"

#include <algorithm>
#include <map>
#include <queue>

namespace tendril::solvers::block {
namespace {

struct Node {
  int segment = 0, vertex = 0, near = 0;  // in the Model
  int far_row = 0;                        // of the vertex
  int parent = -1;                        // -1: the root
  int bend = -1;                          // with the parent
  bool is_bent = false;                   // that bend, at rest
  std::map<int, int> siblings = {};       // joined ones: their bends, or -1
  std::vector<int> later = {};            // of these, in the order of elimination
  int next = -1;                          // the first that waits for it: a later sibling, or the parent
  int waits_for = 0;                      // nodes of which it is the next
  int height = 0;                         // nodes from here to the root, along `next`
  bool has_elders = false;
  int record = TreePlan::empty_record;
  std::vector<int> couplings = {};  // records of those with later siblings

  int& coupling(int with) { return couplings[std::find(later.begin(), later.end(), with) - later.begin()]; }
};

// The end of a segment that nothing else hangs on: one that is held, if there is one, and the last to be eliminated.
int find_root(const Problem& problem, const Part& part) {
  std::vector<int> meet(part.row_count(), 0);
  for (const StretchElement& e : part.stretches) ++meet[e.x0], ++meet[e.x1];
  const auto is_held = [&](int row) { return problem.role[part.unknowns[row].index] != Role::free; };
  int root = -1;
  for (int row = 0; row < part.row_count(); ++row)
    if (meet[row] == 1 && (root < 0 || is_held(row) || !is_held(root))) root = row;
  return root;
}

// parents first, siblings side by side; other than there are segments where it is no tree
std::vector<Node> hang_up(const Part& part, int root) {
  std::vector<std::vector<const StretchElement*>> at(part.row_count());
  for (const StretchElement& e : part.stretches) at[e.x0].push_back(&e), at[e.x1].push_back(&e);
  std::vector<Node> nodes;
  const auto add_children = [&](int row, int parent, int segment) {
    for (const StretchElement* e : at[row]) {
      const bool along = e->x0 == row;
      if (e->segment != segment)
        nodes.push_back({e->segment, e->vertex[along], e->vertex[!along], along ? e->x1 : e->x0, parent});
    }
  };
  add_children(root, -1, -1);
  for (std::size_t n = 0; n < nodes.size() && nodes.size() <= part.stretches.size(); ++n)
    add_children(nodes[n].far_row, static_cast<int>(n), nodes[n].segment);
  return nodes;
}

// false: some bend joins others than parents and siblings, or swings
bool add_bends(const Problem& problem, const Parts& parts, const Part& part, std::vector<Node>& nodes, TreePlan& plan) {
  std::vector<int> node_of(part.row_count());
  for (std::size_t n = 0; n < nodes.size(); ++n) node_of[parts.row_of_segment(nodes[n].segment)] = static_cast<int>(n);
  for (const BendElement& e : part.bends) {
    if (problem.model->bends[e.bend].holds_an_axis()) return false;
    if (e.a < 0 || e.b < 0) {
      const int n = node_of[std::max(e.a, e.b)];
      plan.held.push_back({n, e.bend, e.a < 0});
      continue;
    }
    const auto [above, below] = std::minmax(node_of[e.a], node_of[e.b]);
    Node& node = nodes[below];
    const bool hangs = node.parent == above;
    if (!hangs && node.parent != nodes[above].parent) return false;
    int& bend = hangs ? node.bend : node.siblings.try_emplace(above, -1).first->second;
    if (bend >= 0) return false;  // two of them
    bend = e.bend;
    if (hangs) node.is_bent = problem.bends[e.bend].bent;
    if (!hangs) nodes[above].siblings[below] = e.bend;
  }
  return true;
}

// Of siblings the one with the fewest joints goes first, and joins those that it was joined to.
void order_siblings(std::vector<Node>& nodes, std::vector<int>& group) {
  std::stable_sort(group.begin(), group.end(),
                   [&](int a, int b) { return nodes[a].siblings.size() < nodes[b].siblings.size(); });
  std::map<int, int> place;
  for (std::size_t n = 0; n < group.size(); ++n) place[group[n]] = static_cast<int>(n);
  for (int n : group) {
    Node& node = nodes[n];
    for (const auto& [sibling, bend] : node.siblings)
      if (place[sibling] > place[n]) node.later.push_back(sibling);
    std::sort(node.later.begin(), node.later.end(), [&](int a, int b) { return place[a] < place[b]; });
    for (int a : node.later) {
      nodes[a].has_elders = true;
      for (int b : node.later)
        if (a != b) nodes[a].siblings.try_emplace(b, -1);
    }
  }
}

// what waits for what
void order(std::vector<Node>& nodes) {
  for (std::size_t first = 0, end = 0; first < nodes.size(); first = end) {
    std::vector<int> group;
    for (; end < nodes.size() && nodes[end].parent == nodes[first].parent; ++end)
      group.push_back(static_cast<int>(end));
    order_siblings(nodes, group);
    for (auto n = group.rbegin(); n != group.rend(); ++n) {  // parents, and later siblings, have theirs by now
      Node& node = nodes[*n];
      node.couplings.assign(node.later.size(), TreePlan::empty_record);
      node.next = node.later.empty() ? node.parent : node.later[0];
      node.height = node.next < 0 ? 1 : nodes[node.next].height + 1;
      if (node.next >= 0) ++nodes[node.next].waits_for;
    }
  }
}

// In packs of those that are ready: the farthest from the root, or some that are hardly nearer and fill a pack with
// nodes that are alike, with as many later siblings and a bend that is straight at rest or not.
std::vector<std::vector<int>> make_packs(std::vector<Node>& nodes) {
  using Ready = std::pair<int, int>;                                         // height, -node
  std::map<std::pair<std::size_t, bool>, std::priority_queue<Ready>> ready;  // (later siblings, is bent)
  const auto add = [&](int n) { ready[{nodes[n].later.size(), nodes[n].is_bent}].push({nodes[n].height, -n}); };
  for (std::size_t n = 0; n < nodes.size(); ++n)
    if (nodes[n].waits_for == 0) add(static_cast<int>(n));
  int farthest = 0;
  const auto rank = [&](const auto& queue) {
    constexpr int hardly_nearer = 6;
    const bool fills = queue.size() >= strand_lanes && queue.top().first + hardly_nearer >= farthest;
    return std::pair(fills, queue.top());
  };
  const auto comes_later = [&](const auto& a, const auto& b) { return rank(a.second) < rank(b.second); };
  std::vector<std::vector<int>> packs;
  while (!ready.empty()) {
    farthest = 0;
    for (const auto& [kind, queue] : ready) farthest = std::max(farthest, queue.top().first);
    std::vector<int> pack;
    const auto take_from = [&](auto& queue) {
      for (; !queue.empty() && pack.size() < strand_lanes; queue.pop()) pack.push_back(-queue.top().second);
    };
    take_from(std::max_element(ready.begin(), ready.end(), comes_later)->second);
    for (auto& [kind, queue] : ready) take_from(queue);
    std::erase_if(ready, [](const auto& entry) { return entry.second.empty(); });
    std::stable_sort(pack.begin(), pack.end(), [&](int a, int b) { return nodes[a].segment < nodes[b].segment; });
    for (int n : pack)
      if (const int next = nodes[n].next; next >= 0 && --nodes[next].waits_for == 0) add(next);
    packs.push_back(std::move(pack));
  }
  return packs;
}

// Records that are given back are the first to be taken again.
class Records {
 public:
  explicit Records(int& count) : count_(count) {}
  void take(int& record) {
    if (record != TreePlan::empty_record) return;
    if (free_.empty()) free_.push_back(count_++);
    record = free_.back(), free_.pop_back();
  }
  void give_back(int record) {
    if (record != TreePlan::empty_record) free_.push_back(record);
  }

 private:
  int& count_;
  std::vector<int> free_;
};

// from the first time that something is left there until it is read
void place_records(const std::vector<std::vector<int>>& packs, std::vector<Node>& nodes, TreePlan& plan) {
  Records records(plan.records), couplings(plan.couplings);
  for (TreePlan::Held& held : plan.held) {
    records.take(nodes[held.record].record);
    held.record = nodes[held.record].record;
  }
  for (const std::vector<int>& pack : packs) {
    for (int n : pack) {
      records.give_back(nodes[n].record);
      for (int coupling : nodes[n].couplings) couplings.give_back(coupling);
    }
    for (int n : pack) {
      const std::vector<int>& later = nodes[n].later;
      if (nodes[n].parent >= 0) records.take(nodes[nodes[n].parent].record);
      for (auto a = later.begin(); a != later.end(); ++a) {
        records.take(nodes[*a].record);
        for (auto b = a + 1; b != later.end(); ++b) couplings.take(nodes[*a].coupling(*b));
      }
    }
  }
}

template <class Of>
LaneIndex lanes(const std::vector<int>& pack, Of of) {
  LaneIndex out;
  for (std::size_t k = 0; k < strand_lanes; ++k) out[k] = of(pack[std::min(k, pack.size() - 1)]);
  return out;
}

TreePlan::Pack write_pack(std::vector<Node>& nodes, const std::vector<int>& pack, const std::vector<int>& slot,
                          TreePlan& plan) {
  const auto of = [&](auto member) { return lanes(pack, [&](int n) { return nodes[n].*member; }); };
  const auto slot_of = [&](int n) { return n < 0 ? plan.root_slot() : slot[n]; };
  const auto record_of = [&](int n) { return n < 0 ? TreePlan::root_record : nodes[n].record; };
  const auto told = [&](LaneIndex records) {
    std::fill(records.begin() + pack.size(), records.end(), TreePlan::waste_record);
    return records;
  };
  TreePlan::Pack out{.members = static_cast<int>(pack.size()),
                     .slot = lanes(pack, slot_of),
                     .record = of(&Node::record),
                     .parent = {lanes(pack, [&](int n) { return slot_of(nodes[n].parent); }),
                                told(lanes(pack, [&](int n) { return record_of(nodes[n].parent); }))},
                     .segment = of(&Node::segment),
                     .vertex = of(&Node::vertex),
                     .near = of(&Node::near),
                     .bend = of(&Node::bend),
                     .first_sibling = static_cast<int>(plan.siblings.size()),
                     .first_pair = static_cast<int>(plan.pairs.size())};
  for (int n : pack) {
    out.siblings = std::max(out.siblings, static_cast<int>(nodes[n].later.size()));
    out.has_elders |= nodes[n].has_elders;
  }
  for (int j = 0; j < out.siblings; ++j) {
    const auto where_it_has = [&](auto value, int otherwise) {
      return lanes(pack, [&](int n) {
        const std::vector<int>& later = nodes[n].later;
        return j < static_cast<int>(later.size()) ? value(nodes[n], later[j]) : otherwise;
      });
    };
    const LaneIndex coupling =
        where_it_has([&](Node& node, int sibling) { return node.coupling(sibling); }, TreePlan::empty_record);
    plan.siblings.push_back(
        {.node = {where_it_has([&](Node&, int sibling) { return slot[sibling]; }, plan.no_slot()),
                  told(where_it_has([&](Node&, int sibling) { return record_of(sibling); }, TreePlan::waste_record))},
         .bend = where_it_has([&](Node& node, int sibling) { return node.siblings.at(sibling); }, -1),
         .has_elders = std::any_of(coupling.begin(), coupling.end(), [](int c) { return c != TreePlan::empty_record; }),
         .coupling = coupling});
    for (int i = 0; i < j; ++i) {
      const auto between = [&](Node& node, int sibling) { return nodes[node.later[i]].coupling(sibling); };
      plan.pairs.push_back(told(where_it_has(between, TreePlan::waste_record)));
    }
  }
  return out;
}

}  // namespace

std::optional<TreePlan> plan_tree(const Problem& problem, const Parts& parts, int p) {
  const Part& part = parts[p];
  const std::size_t segments = part.stretches.size();
  if (!part.slaved_segments.empty() || !part.slaved_vertices.empty()) return {};
  if (segments == 0 || part.unknowns.size() != 2 * segments + 1) return {};
  const int root = find_root(problem, part);
  if (root < 0) return {};
  TreePlan plan;
  plan.part = p, plan.root = part.unknowns[root].index;
  // positions follow from the root on
  if (!part.skeleton.is_open || (!part.is_free && part.skeleton.anchor != plan.root)) return {};
  std::vector<Node> nodes = hang_up(part, root);
  if (nodes.size() != segments || !add_bends(problem, parts, part, nodes, plan)) return {};
  order(nodes);
  const std::vector<std::vector<int>> packs = make_packs(nodes);
  if (2 * packs.size() > nodes.size()) return {};  // lanes would be empty

  std::vector<int> slot(nodes.size());
  for (std::size_t n = 0; n < packs.size(); ++n)
    for (std::size_t k = 0; k < packs[n].size(); ++k) slot[packs[n][k]] = static_cast<int>(n * strand_lanes + k);
  place_records(packs, nodes, plan);
  plan.packs.resize(packs.size());
  for (std::size_t n = 0; n < packs.size(); ++n) plan.packs[n] = write_pack(nodes, packs[n], slot, plan);
  return plan;
}

}  // namespace tendril::solvers::block
