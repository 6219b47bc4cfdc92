#include "solvers/stable/layout.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "solvers/stable/colouring.h"
#include "solvers/stable/partition.h"
#include "solvers/stable/traversal.h"

namespace tendril::solvers::stable {

namespace {

bool equal(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b)); }

// few different numbers of slots, so that packs are full
int slots_for(int neighbours) {
  if (neighbours <= 4) return neighbours;
  int slots = 4;
  while (slots < neighbours) slots += slots / 2;
  return slots;
}

struct Element {
  int index, colour, slots;
  bool plain;
  int part, place;  // in the traversal
};

struct Packing {
  Groups groups;
  std::vector<int> at;  // element at each row, -1: padding
  int slot_count = 0;
};

Packing pack(std::vector<Element> elements, int lanes, int parts) {
  const auto kind = [](const Element& e) { return std::tuple(e.part, e.colour, !e.plain, e.slots); };
  const auto order = [&](const Element& e) { return std::tuple_cat(kind(e), std::tuple(e.place, e.index)); };
  std::sort(elements.begin(), elements.end(), [&](const Element& a, const Element& b) { return order(a) < order(b); });
  Packing packing;
  Groups& groups = packing.groups;
  groups.parts = parts;
  for (const Element& e : elements) groups.colours = std::max(groups.colours, e.colour + 1);
  const auto begin_colours_until = [&](int place) {
    while (static_cast<int>(groups.first.size()) <= place) groups.first.push_back(static_cast<int>(groups.all.size()));
  };
  for (std::size_t k = 0; k < elements.size();) {
    const Element& first = elements[k];
    begin_colours_until(first.part * groups.colours + first.colour);
    Group group{first.colour,      first.plain, first.slots, static_cast<int>(packing.at.size()) / lanes, 0,
                packing.slot_count};
    for (; k < elements.size() && kind(elements[k]) == kind(first); ++k) packing.at.push_back(elements[k].index);
    while (packing.at.size() % lanes) packing.at.push_back(-1);
    group.pack_count = static_cast<int>(packing.at.size()) / lanes - group.first_pack;
    packing.slot_count += group.pack_count * group.slots;
    groups.all.push_back(group);
  }
  begin_colours_until(parts * groups.colours);
  return packing;
}

// calls visit(slot index, element or -1, k) for every slot of every lane
template <class Visit>
void for_each_slot(const Groups& groups, const std::vector<int>& at, int lanes, Visit visit) {
  for (const Group& group : groups.all)
    for (int p = 0; p < group.pack_count; ++p)
      for (int k = 0; k < group.slots; ++k)
        for (int lane = 0; lane < lanes; ++lane)
          visit((group.first_slot + p * group.slots + k) * lanes + lane, at[(group.first_pack + p) * lanes + lane], k);
}

void place_vertices(const StepProblem& problem, const Traversal& traversal, const Partition& partition,
                    Layout& layout) {
  const Model& model = *problem.model;
  const int count = static_cast<int>(model.vertices.size());
  const auto is_swept = [&](int i) { return problem.role[i] == Role::free || problem.role[i] == Role::partly_held; };
  std::vector<std::pair<int, int>> edges;
  std::vector<int> degree(count, 0);
  std::vector<bool> plain(count, true);
  for (std::size_t s = 0; s < model.segments.size(); ++s) {
    const int* i = model.segments[s].vertex;
    if (is_swept(i[0]) && is_swept(i[1])) edges.push_back({i[0], i[1]});
    for (int end = 0; end < 2; ++end) {
      ++degree[i[end]];
      if (!equal(problem.stretch[s].GA, problem.stretch[s].EA)) plain[i[end]] = false;
    }
  }
  const std::vector<int> colours = colour(Graph(count, edges));
  std::vector<Element> elements;
  for (int i = 0; i < count; ++i)
    if (is_swept(i))
      elements.push_back({i, colours[i], slots_for(degree[i]), plain[i] && problem.role[i] == Role::free,
                          partition.part_of(traversal.vertex[i]), traversal.vertex[i]});
  Packing packing = pack(elements, layout.lanes, partition.part_count());
  layout.vertex_groups = packing.groups, layout.vertex_at = packing.at;

  layout.vertex_row.assign(count, -1);
  for (std::size_t row = 0; row < packing.at.size(); ++row)
    if (packing.at[row] >= 0) layout.vertex_row[packing.at[row]] = static_cast<int>(row);
  int next = static_cast<int>(packing.at.size());
  for (int& row : layout.vertex_row)
    if (row < 0) row = next++;
  layout.vertex_row_count = next + 1;
  layout.vertex_slots.assign(static_cast<std::size_t>(packing.slot_count) * layout.lanes, {});
}

bool is_plain(const StretchTerm& term) { return equal(term.GA, term.EA) && term.beta == 0; }
bool is_plain(const BendTerm& term) { return equal(term.k[1], term.k[2]) && equal(term.k[2], term.k[3]); }

void place_segments(const StepProblem& problem, const Traversal& traversal, const Partition& partition,
                    Layout& layout) {
  const Model& model = *problem.model;
  const int count = static_cast<int>(model.segments.size());
  std::vector<std::pair<int, int>> edges;
  std::vector<int> bend_count(count, 0);
  std::vector<bool> plain(count);
  for (int s = 0; s < count; ++s) plain[s] = is_plain(problem.stretch[s]);
  for (std::size_t b = 0; b < model.bends.size(); ++b) {
    const Bend& bend = model.bends[b];
    if (!bend.a.is_body && !bend.b.is_body) edges.push_back({bend.a.index, bend.b.index});
    for (const FrameId& frame : {bend.a, bend.b}) {
      if (frame.is_body) continue;
      ++bend_count[frame.index];
      if (!is_plain(problem.bends[b])) plain[frame.index] = false;
    }
  }
  const std::vector<int> colours = colour(Graph(count, edges));
  std::vector<Element> elements;
  for (int s = 0; s < count; ++s)
    elements.push_back({s, colours[s], slots_for(bend_count[s]), plain[s], partition.part_of(traversal.segment[s]),
                        traversal.segment[s]});
  Packing packing = pack(elements, layout.lanes, partition.part_count());
  layout.segment_groups = packing.groups, layout.segment_at = packing.at;

  layout.segment_row.assign(count, -1);
  for (std::size_t row = 0; row < packing.at.size(); ++row)
    if (packing.at[row] >= 0) layout.segment_row[packing.at[row]] = static_cast<int>(row);
  layout.first_body_row = static_cast<int>(packing.at.size());
  layout.frame_row_count = layout.first_body_row + static_cast<int>(model.bodies.size()) + 1;
  layout.segment_slots.assign(static_cast<std::size_t>(packing.slot_count) * layout.lanes, {});
}

void fill_vertex_slots(const Model& model, Layout& layout) {
  std::vector<std::vector<VertexSlot>> views(model.vertices.size());
  for (std::size_t s = 0; s < model.segments.size(); ++s) {
    const int* i = model.segments[s].vertex;
    const int row = layout.segment_row[s];
    views[i[0]].push_back({layout.vertex_row[i[1]], row, static_cast<int>(s), -1});
    views[i[1]].push_back({layout.vertex_row[i[0]], row, static_cast<int>(s), 1});
  }
  const VertexSlot empty{layout.vertex_row_count - 1, layout.frame_row_count - 1};
  for_each_slot(layout.vertex_groups, layout.vertex_at, layout.lanes, [&](int slot, int i, int k) {
    const bool filled = i >= 0 && k < static_cast<int>(views[i].size());
    layout.vertex_slots[slot] = filled ? views[i][k] : empty;
  });
}

void fill_segment_slots(const Model& model, Layout& layout) {
  const auto row_of = [&](const FrameId& frame) {
    return frame.is_body ? layout.first_body_row + frame.index : layout.segment_row[frame.index];
  };
  std::vector<std::vector<SegmentSlot>> views(model.segments.size());
  for (std::size_t b = 0; b < model.bends.size(); ++b) {
    const Bend& bend = model.bends[b];
    if (!bend.a.is_body) views[bend.a.index].push_back({row_of(bend.b), static_cast<int>(b), true});
    if (!bend.b.is_body) views[bend.b.index].push_back({row_of(bend.a), static_cast<int>(b), false});
  }
  const SegmentSlot empty{layout.frame_row_count - 1};
  for_each_slot(layout.segment_groups, layout.segment_at, layout.lanes, [&](int slot, int s, int k) {
    const bool filled = s >= 0 && k < static_cast<int>(views[s].size());
    layout.segment_slots[slot] = filled ? views[s][k] : empty;
  });
}

}  // namespace

Layout make_layout(const StepProblem& problem, int lanes, int parts) {
  Layout layout;
  layout.lanes = lanes;
  const Traversal traversal = traverse(*problem.model);
  const Partition partition(*problem.model, traversal, parts);
  place_vertices(problem, traversal, partition, layout);
  place_segments(problem, traversal, partition, layout);
  fill_vertex_slots(*problem.model, layout);
  fill_segment_slots(*problem.model, layout);
  return layout;
}

}  // namespace tendril::solvers::stable
