#include "session/topology.h"

#include <algorithm>

namespace tendril::session {
namespace {

template <class T, class Same>
bool all_same(const std::vector<T>& a, const std::vector<T>& b, Same same) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

bool same_body(const Body& a, const Body& b) {
  return a.name == b.name && a.kind == b.kind && a.hold == b.hold && a.is_obstacle == b.is_obstacle;
}

// but for the numbers of bodies
bool same_rods(const Model& a, const Model& b) {
  return a.vertices.size() == b.vertices.size() && a.holds.size() == b.holds.size() &&
         all_same(a.segments, b.segments,
                  [](const Segment& s, const Segment& t) {
                    return s.vertex[0] == t.vertex[0] && s.vertex[1] == t.vertex[1] && s.rod == t.rod;
                  }) &&
         all_same(a.rods, b.rods,
                  [](const Rod& r, const Rod& s) {
                    return r.name == s.name && r.vertices == s.vertices && r.first_segment == s.first_segment &&
                           r.segment_count == s.segment_count && r.closed == s.closed;
                  }) &&
         all_same(a.probes, b.probes, [](const Probe& p, const Probe& q) {
           return p.name == q.name && p.vertex == q.vertex && (p.body < 0) == (q.body < 0);
         });
}

}  // namespace

bool same_topology(const Model& a, const Model& b) {
  return same_rods(a, b) && all_same(a.bodies, b.bodies, same_body) &&
         all_same(a.bends, b.bends,
                  [](const Bend& c, const Bend& d) { return c.a == d.a && c.b == d.b && c.hold == d.hold; }) &&
         all_same(a.ties, b.ties, [](const Tie& c, const Tie& d) {
           return c.vertex == d.vertex && c.body == d.body && c.hold == d.hold &&
                  std::equal(std::begin(c.held), std::end(c.held), std::begin(d.held));
         });
}

std::optional<int> added_body(const Model& before, const Model& after) {
  if (after.bodies.size() != before.bodies.size() + 1 || after.bends.size() != before.bends.size() ||
      after.ties.size() != before.ties.size() || !same_rods(before, after))
    return {};
  const auto at = std::mismatch(before.bodies.begin(), before.bodies.end(), after.bodies.begin(), same_body);
  if (!std::equal(at.first, before.bodies.end(), at.second + 1, after.bodies.end(), same_body)) return {};
  return int(at.second - after.bodies.begin());
}

}  // namespace tendril::session
