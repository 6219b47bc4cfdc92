#include "sim/active.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>

namespace tendril::sim {
namespace {

// number among the active segments, -1 when broken (segment of the scene)
std::vector<int> renumbered(const std::vector<int>& segment, std::size_t count) {
  std::vector<int> number(count, -1);
  for (std::size_t s = 0; s < segment.size(); ++s) number[segment[s]] = int(s);
  return number;
}

// gives the frame its new number; false when its segment is broken
bool renumber(FrameId& frame, const std::vector<int>& number) {
  if (!frame.is_body) frame.index = number[frame.index];
  return frame.index >= 0;
}

void keep_active_bends(const Model& whole, const Activity& activity, const std::vector<int>& number,
                       ActiveModel& active) {
  std::vector<char> replaced(whole.bends.size(), false);
  for (std::size_t h = 0; h < whole.holds.size(); ++h)
    if (activity.hold_is_on[h])
      for (int b : whole.holds[h].replaced_bends) replaced[b] = true;
  active.model.bends.clear();
  for (std::size_t b = 0; b < whole.bends.size(); ++b) {
    Bend bend = whole.bends[b];
    const bool on = bend.hold < 0 ? !replaced[b] : activity.hold_is_on[bend.hold];
    if (!on || !renumber(bend.a, number) || !renumber(bend.b, number)) continue;
    active.model.bends.push_back(bend);
    active.bend.push_back(int(b));
  }
}

void renumber_rods(std::vector<Rod>& rods, const std::vector<int>& segment) {
  for (Rod& rod : rods) {
    const auto first = std::lower_bound(segment.begin(), segment.end(), rod.first_segment);
    const auto last = std::lower_bound(first, segment.end(), rod.first_segment + rod.segment_count);
    rod.first_segment = int(first - segment.begin());
    rod.segment_count = int(last - first);
  }
}

void renumber_loads(std::vector<Load>& loads, const std::vector<int>& number) {
  for (Load& load : loads) {
    if (load.target != LoadTarget::segment_line) continue;
    std::erase_if(load.indices, [&](int s) { return number[s] < 0; });
    for (int& s : load.indices) s = number[s];
  }
}

// a probe beside a broken segment takes the frame of the one that is left
void renumber_probes(std::vector<Probe>& probes, const std::vector<int>& number) {
  for (Probe& probe : probes) {
    if (probe.segment >= 0) probe.segment = number[probe.segment];
    if (probe.other_segment >= 0) probe.other_segment = number[probe.other_segment];
    if (probe.segment >= 0) continue;
    if (!probe.at_end) probe.segment = probe.other_segment;
    probe.other_segment = -1;
  }
}

}  // namespace

bool acts(const Hold& hold, double time) { return !later(hold.from, time) && later(hold.until, time); }

ActiveModel active_model(const Model& whole, const Activity& activity) {
  ActiveModel active{whole, {}, {}};
  Model& model = active.model;
  model.segments.clear();
  for (std::size_t s = 0; s < whole.segments.size(); ++s)
    if (!activity.segment_is_broken[s]) {
      model.segments.push_back(whole.segments[s]);
      active.segment.push_back(int(s));
    }
  const std::vector<int> number = renumbered(active.segment, whole.segments.size());
  keep_active_bends(whole, activity, number, active);
  std::erase_if(model.ties, [&](const Tie& tie) { return tie.hold >= 0 && !activity.hold_is_on[tie.hold]; });
  renumber_rods(model.rods, active.segment);
  renumber_loads(model.loads, number);
  renumber_probes(model.probes, number);
  return active;
}

State active_state(const State& whole, const std::vector<int>& segment) {
  State active = whole;
  active.q.resize(segment.size());
  active.omega.resize(segment.size());
  for (std::size_t s = 0; s < segment.size(); ++s) {
    active.q[s] = whole.q[segment[s]];
    active.omega[s] = whole.omega[segment[s]];
  }
  return active;
}

void scatter(const State& active, const std::vector<int>& segment, State& whole) {
  std::vector<Quatd> q = std::move(whole.q);
  std::vector<Vec3d> omega = std::move(whole.omega);
  for (std::size_t s = 0; s < segment.size(); ++s) {
    q[segment[s]] = active.q[s];
    omega[segment[s]] = active.omega[s];
  }
  whole = active;
  whole.q = std::move(q);
  whole.omega = std::move(omega);
}

std::vector<int> overstrained_segments(const Model& model, const State& state) {
  struct Excess {
    int segment;
    double ratio;  // strain over its limit
  };
  std::vector<Excess> above;
  for (std::size_t s = 0; s < model.segments.size(); ++s) {
    const Segment& segment = model.segments[s];
    if (segment.strain_limit == forever) continue;
    const double strain = norm(state.x[segment.vertex[1]] - state.x[segment.vertex[0]]) / segment.rest_length - 1;
    if (strain > segment.strain_limit) above.push_back({int(s), strain / std::max(segment.strain_limit, 1e-300)});
  }
  if (above.empty()) return {};

  // groups of neighbours, by their vertices
  std::vector<int> parent(model.vertices.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (const Excess& e : above)
    parent[root(model.segments[e.segment].vertex[1])] = root(model.segments[e.segment].vertex[0]);

  std::map<int, Excess> furthest;
  for (const Excess& e : above) {
    const auto [found, added] = furthest.try_emplace(root(model.segments[e.segment].vertex[0]), e);
    if (!added && e.ratio > found->second.ratio) found->second = e;
  }
  std::vector<int> broken;
  for (const auto& [group, excess] : furthest) broken.push_back(excess.segment);
  std::sort(broken.begin(), broken.end());
  return broken;
}

Pose held_section(const Model& whole, const State& state, int body, const std::vector<int>& segment) {
  const std::vector<int> number = renumbered(segment, whole.segments.size());
  Pose pose{state.body_x[body], state.body_q[body]};
  int vertex = -1;
  for (const Tie& tie : whole.ties)
    if (tie.body == body) vertex = tie.vertex;
  assert(vertex >= 0);

  // a half bend at rest has q_body = q_segment rest turn^-1; several share by their stiffness
  Quatd sum{0, 0, 0, 0};
  const auto add = [&sum](double weight, const Quatd& q) { sum += (dot(sum, q) < 0 ? -weight : weight) * q; };
  for (const Bend& bend : whole.bends)
    if (bend.b == FrameId{body, true} && !bend.a.is_body && number[bend.a.index] >= 0)
      add((bend.EI1 + bend.EI2) / bend.length, state.q[number[bend.a.index]] * bend.rest * conjugate(bend.turn));
  if (dot(sum, sum) == 0)
    for (std::size_t s = 0; s < segment.size(); ++s)
      for (int i : whole.segments[segment[s]].vertex)
        if (i == vertex) add(1, state.q[s]);
  if (dot(sum, sum) > 0) pose.q = normalized(sum);

  pose.x = state.x[vertex];
  for (const Tie& tie : whole.ties)
    if (tie.body == body && tie.vertex == vertex) pose.x -= rotate(pose.q, tie.offset);
  return pose;
}

}  // namespace tendril::sim
