#include "contact/neighbourhood.h"

#include <algorithm>
#include <limits>
#include <numbers>
#include <utility>

#include "contact/closest.h"

namespace tendril::contact {

namespace {

constexpr double everywhere = std::numeric_limits<double>::infinity();

// the segments at each vertex
class Adjacency {
 public:
  explicit Adjacency(const Model& model) : start_(model.vertices.size() + 1, 0), segments_(2 * model.segments.size()) {
    for (const Segment& segment : model.segments)
      for (int i : segment.vertex) ++start_[i + 1];
    for (std::size_t i = 0; i + 1 < start_.size(); ++i) start_[i + 1] += start_[i];
    std::vector<int> next(start_.begin(), start_.end() - 1);
    for (std::size_t s = 0; s < model.segments.size(); ++s)
      for (int i : model.segments[s].vertex) segments_[next[i]++] = static_cast<int>(s);
  }
  std::span<const int> at(int vertex) const {
    return std::span(segments_).subspan(start_[vertex], start_[vertex + 1] - start_[vertex]);
  }
  bool is_branching(int vertex) const { return at(vertex).size() > 2; }

 private:
  std::vector<int> start_, segments_;
};

// walks along the rods, away from a segment in all directions, to nearer segments first
class Walk {
 public:
  Walk(const Model& model, const Adjacency& adjacency)
      : model_(model), adjacency_(adjacency), reached_(model.vertices.size(), 0), met_(model.segments.size(), 0) {}

  // calls meet(segment, way, branched) for the segments to which the way is zero or shorter than `limit`, until it
  // returns true; `branched` tells whether the way passes a branching
  template <class Meet>
  void from(int origin, double limit, const Meet& meet) {
    ++walk_;
    ahead_.clear();
    met_[origin] = walk_;
    for (int i : model_.segments[origin].vertex) go_to({0, i, adjacency_.is_branching(i)});
    while (!ahead_.empty()) {
      std::pop_heap(ahead_.begin(), ahead_.end());
      const Place here = ahead_.back();
      ahead_.pop_back();
      if (std::exchange(reached_[here.vertex], walk_) == walk_) continue;
      for (int s : adjacency_.at(here.vertex)) {
        if (std::exchange(met_[s], walk_) == walk_) continue;
        if (meet(s, here.way, here.branched)) return;
        const Segment& segment = model_.segments[s];
        const int i = segment.vertex[segment.vertex[0] == here.vertex];
        const double way = here.way + segment.rest_length;
        if (way < limit) go_to({way, i, here.branched || adjacency_.is_branching(i)});
      }
    }
  }

 private:
  struct Place {
    double way;
    int vertex;
    bool branched;
    bool operator<(const Place& b) const { return way != b.way ? way > b.way : vertex > b.vertex; }  // for a heap
  };

  void go_to(const Place& place) {
    ahead_.push_back(place);
    std::push_heap(ahead_.begin(), ahead_.end());
  }

  const Model& model_;
  const Adjacency& adjacency_;
  std::vector<Place> ahead_;        // a heap, the nearest on top
  std::vector<int> reached_, met_;  // the last walk that came to a vertex, to a segment
  int walk_ = 0;
};

// a number for each segment, the same for those that hang together; `passable` tells at which vertices they do
template <class Passable>
std::vector<int> connected_parts(const Model& model, const Adjacency& adjacency, const Passable& passable) {
  std::vector<int> part(model.segments.size(), -1), waiting;
  for (std::size_t first = 0; first < part.size(); ++first) {
    if (part[first] >= 0) continue;
    const int number = part[first] = static_cast<int>(first);
    waiting = {number};
    while (!waiting.empty()) {
      const Segment& segment = model.segments[waiting.back()];
      waiting.pop_back();
      for (int i : segment.vertex) {
        if (!passable(i)) continue;
        for (int s : adjacency.at(i))
          if (std::exchange(part[s], number) < 0) waiting.push_back(s);
      }
    }
  }
  return part;
}

// touching at the start, or nearly so
bool touch_at(const State& start, const Segment& a, const Segment& b) {
  const double distance =
      nearest_points(start.x[a.vertex[0]], start.x[a.vertex[1]], start.x[b.vertex[0]], start.x[b.vertex[1]]).distance;
  return distance < a.radius + b.radius + 0.1 * std::min(a.radius, b.radius);
}

// the pairs of rule (c) among all that are not `excused` already, sorted
template <class Excused>
std::vector<IndexPair> grown_together(const Model& model, const State& start, const Adjacency& adjacency, Walk& walk,
                                      const Excused& excused) {
  const auto is_branching = [&](int i) { return adjacency.is_branching(i); };
  const std::vector<int> structure = connected_parts(model, adjacency, [](int) { return true; });
  const std::vector<int> chain = connected_parts(model, adjacency, [&](int i) { return !is_branching(i); });
  std::vector<int> branchings(model.segments.size(), 0);      // of a structure
  std::vector<int> branching_ends(model.segments.size(), 0);  // of a chain: 0, 1 or 2
  const int segment_count = static_cast<int>(model.segments.size());
  for (int s = 0; s < segment_count; ++s)
    for (int i : model.segments[s].vertex)
      branchings[structure[s]] += is_branching(i), branching_ends[chain[s]] += is_branching(i);

  std::vector<int> members;  // the segments of structures with branchings
  std::vector<Bounds> boxes;
  for (int s = 0; s < segment_count; ++s) {
    if (branchings[structure[s]] == 0) continue;
    const Segment& segment = model.segments[s];
    members.push_back(s);
    boxes.push_back(widened(hull(start.x[segment.vertex[0]], start.x[segment.vertex[1]]), 1.1 * segment.radius));
  }
  const auto suspected = [&](int k, int m) {
    const int a = members[k], b = members[m];
    return structure[a] == structure[b] && (chain[a] != chain[b] || branching_ends[chain[a]] == 2) && !excused(a, b) &&
           touch_at(start, model.segments[a], model.segments[b]);
  };
  std::vector<IndexPair> pairs;
  ThreadTeam alone(1);
  BroadPhase().find_pairs(boxes, alone, suspected, pairs);
  for (IndexPair& pair : pairs) pair = {members[pair.a], members[pair.b]};

  // within one chain there is a way without branching, and it may be the shorter one
  std::erase_if(pairs, [&](const IndexPair& pair) {
    if (chain[pair.a] != chain[pair.b]) return false;
    bool passes = false;
    walk.from(pair.a, everywhere, [&](int s, double, bool branched) { return passes = branched, s == pair.b; });
    return !passes;
  });
  return pairs;
}

}  // namespace

Neighbourhood::Neighbourhood(const Model& model, const State& start) {
  const Adjacency adjacency(model);
  Walk walk(model, adjacency);

  // (a) and (b): the thicker of two looks for the thinner, so that a thin one near a thick one need not look far
  std::vector<int> near;
  start_.assign(1, 0);
  for (int a = 0; a < static_cast<int>(model.segments.size()); ++a) {
    const double r = model.segments[a].radius;
    near.clear();
    walk.from(a, std::numbers::pi * r, [&](int b, double way, bool) {
      const double r_b = model.segments[b].radius;
      const bool is_thinner = r_b < r || (r_b == r && b > a);
      if (is_thinner && (way == 0 || way < 0.5 * std::numbers::pi * (r + r_b))) near.push_back(b);
      return false;
    });
    std::sort(near.begin(), near.end());
    for (int b : near) append(a, b);
    start_.push_back(static_cast<int>(ranges_.size()));
  }

  // (c)
  const auto excused = [this](int a, int b) { return contains(a, b); };
  insert(grown_together(model, start, adjacency, walk, excused));
}

// to the list of the last segment, a
void Neighbourhood::append(int a, int b) {
  if (static_cast<int>(ranges_.size()) > start_[a] && ranges_.back().last == b - 1)
    ranges_.back().last = b;
  else
    ranges_.push_back({b, b});
}

void Neighbourhood::insert(std::span<const IndexPair> pairs) {
  overlapping_branches_ = static_cast<int>(pairs.size());
  if (pairs.empty()) return;
  const std::vector<int> old_start = std::exchange(start_, {0});
  const std::vector<Range> old_ranges = std::exchange(ranges_, {});
  auto next = pairs.begin();
  for (int a = 0; a + 1 < static_cast<int>(old_start.size()); ++a) {
    ranges_.insert(ranges_.end(), old_ranges.begin() + old_start[a], old_ranges.begin() + old_start[a + 1]);
    for (; next != pairs.end() && next->a == a; ++next) append(a, next->b);
    start_.push_back(static_cast<int>(ranges_.size()));
  }
}

}  // namespace tendril::contact
