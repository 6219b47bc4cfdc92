#include <fmt/format.h>

#include "scene/draft.h"

namespace tendril::scene {
namespace {

// the segments on both sides of a point, or the last two at an end
void set_segments(Probe& probe, const DraftRod& rod, int point) {
  std::vector<int> arriving, leaving;
  for (int e = 0; e < int(rod.curve.edges.size()); ++e) {
    if (rod.curve.edges[e][1] == point) arriving.push_back(e);
    if (rod.curve.edges[e][0] == point) leaving.push_back(e);
  }
  const auto neighbour = [&](int shared_point, int except) {
    for (int e = 0; e < int(rod.curve.edges.size()); ++e)
      if (e != except && (rod.curve.edges[e][0] == shared_point || rod.curve.edges[e][1] == shared_point)) return e;
    return -1;
  };
  probe.at_end = arriving.size() + leaving.size() == 1;
  const int here = !leaving.empty() ? leaving[0] : arriving[0];
  int other = -1;
  if (!probe.at_end && rod.curve.chain)
    other = arriving[0];
  else if (probe.at_end && rod.curve.chain)
    other = neighbour(rod.curve.edges[here][rod.curve.edges[here][0] == point ? 1 : 0], here);
  probe.segment = rod.first_segment + here;
  probe.other_segment = other < 0 ? -1 : rod.first_segment + other;
}

}  // namespace

void add_probes(const Table& root, Draft& draft) {
  if (!root.has("output") || !root.table("output").has("probe")) return;
  for (const Table& t : root.table("output").tables("probe")) {
    Probe probe;
    probe.name = t.text("name");
    for (const Probe& other : draft.model.probes)
      if (other.name == probe.name) t.fail("name", fmt::format("there are two probes named \"{}\"", probe.name));
    if (t.has("body")) {
      probe.body = find_body(draft, t, "body");
    } else {
      const DraftRod& rod = find_rod(draft, t);
      const std::vector<int> points = find_points(t, "at", rod);
      if (points.size() != 1) t.fail("at", fmt::format("a probe needs one vertex, this names {}", points.size()));
      probe.vertex = rod.vertex[points[0]];
      set_segments(probe, rod, points[0]);
    }
    draft.model.probes.push_back(probe);
  }
}

}  // namespace tendril::scene
