#include <fmt/format.h>

#include <algorithm>

#include "math/union_find.h"
#include "scene/draft.h"

namespace tendril::scene {
namespace {

// one side of a joint: a point of a rod, or a body
struct Side {
  const DraftRod* rod = nullptr;
  int point = 0;
  int body = -1;
};

Side read_side(const Draft& draft, const Table& joint, std::string_view key) {
  const Table t = joint.table(key);
  if (t.has("body")) return {nullptr, 0, find_body(draft, t, "body")};
  if (t.has("obstacle")) return {nullptr, 0, find_body(draft, t, "obstacle")};
  if (!t.has("rod")) joint.fail(key, "expected { rod, at }, { body } or { obstacle }");
  Side side{&find_rod(draft, t), 0, -1};
  const std::vector<int> points = t.has("at") ? find_points(t, "at", *side.rod) : std::vector<int>{};
  if (points.size() != 1)
    t.fail("at", fmt::format("a joint needs one vertex on each side, this names {}", points.size()));
  side.point = points[0];
  return side;
}

double extent(const std::vector<Vec3d>& x) {
  double largest = 0;
  for (const Vec3d& p : x) largest = std::max(largest, norm(p - x[0]));
  return largest;
}

// a point that hangs on a body, and where the scene says so
struct BodyWeld {
  int point_number, body;
  bool weld;
  Table table;
  std::string_view key;
};

// reads [[joint]] and [[body]]: which points are one vertex, which sections one junction, which hang on a body
struct Connections {
  UnionFind vertices, junctions;
  std::vector<BodyWeld> welds;
};

Connections read_connections(const Table& root, const Draft& draft) {
  const int n = int(draft.state.x.size());
  Connections c{UnionFind(n), UnionFind(n), {}};
  const double near_enough = 1e-6 * extent(draft.state.x);
  for (const Table& t : root.tables("joint")) {
    Side a = read_side(draft, t, "a"), b = read_side(draft, t, "b");
    const bool weld = t.text("type") == "weld";
    const std::string_view other = a.rod ? "b" : "a";
    if (!a.rod) std::swap(a, b);
    if (!a.rod) t.fail("a", "one side of a joint must be a rod");
    const int point_a = a.rod->first_point + a.point;
    if (!b.rod) {
      c.welds.push_back({point_a, b.body, weld, t, other});
      continue;
    }
    const int point_b = b.rod->first_point + b.point;
    if (point_a == point_b) t.fail("b", "is the same vertex as a; a joint needs two");
    const double distance = norm(draft.state.x[point_a] - draft.state.x[point_b]);
    if (distance > near_enough)
      t.fail("b", fmt::format("the two vertices are {:.6g} m apart; a joint needs them in one place", distance));
    c.vertices.unite(point_a, point_b);
    if (weld) c.junctions.unite(point_a, point_b);
  }
  for (const DraftRod& rod : draft.rods) {
    if (rod.carrier < 0) continue;  // obstacles are numbered as in the scene
    const auto faces = draft.faces.find(rod.carrier);
    for (std::size_t k = 0; k < rod.roots.size(); ++k) {
      const int body = faces == draft.faces.end() ? rod.carrier : faces->second.first + rod.root_faces[k];
      c.welds.push_back({rod.first_point + rod.roots[k], body, true, rod.table, "mesh"});
    }
  }
  int body = int(root.tables("obstacle").size());  // bodies are numbered after the obstacles
  for (const Table& t : root.tables("body")) {
    if (t.has("rod")) {
      const DraftRod& rod = find_rod(draft, t);
      for (int p : find_points(t, "at", rod)) c.welds.push_back({rod.first_point + p, body, true, t, "at"});
    }
    ++body;
  }
  return c;
}

// gives united points one vertex number
void number_vertices(UnionFind& united, Draft& draft) {
  std::vector<int> number(draft.state.x.size(), -1);
  std::vector<Vec3d> x;
  for (int p = 0; p < int(number.size()); ++p) {
    const int first = united.find(p);
    if (first == p) number[p] = int(x.size()), x.push_back(draft.state.x[p]);
    number[p] = number[first];
  }
  draft.state.x = std::move(x);
  for (Segment& s : draft.model.segments)
    for (int& i : s.vertex) i = number[i];
  for (DraftRod& rod : draft.rods)
    for (int& i : rod.vertex) i = number[i];
  for (std::size_t r = 0; r < draft.rods.size(); ++r) draft.model.rods[r].vertices = draft.rods[r].vertex;
}

void set_masses(Draft& draft) {
  auto& vertices = draft.model.vertices;
  vertices.assign(draft.state.x.size(), {});
  for (const Segment& s : draft.model.segments)
    for (int i : s.vertex) {
      vertices[i].mass += 0.5 * s.linear_density * s.rest_length;
      vertices[i].radius = std::max(vertices[i].radius, s.radius);
    }
}

void find_junctions(UnionFind& united, Draft& draft) {
  std::vector<int>& junction_of = draft.junction_of_point;
  int total = 0;
  for (const DraftRod& rod : draft.rods) total += int(rod.curve.points.size());
  junction_of.assign(total, -1);
  for (const DraftRod& rod : draft.rods)
    for (int p = 0; p < int(rod.curve.points.size()); ++p) {
      const int number = rod.first_point + p, first = united.find(number);
      if (junction_of[first] < 0) {
        junction_of[first] = int(draft.junctions.size());
        draft.junctions.push_back({rod.vertex[p], {}, {}, -1});
      }
      junction_of[number] = junction_of[first];
    }
  for (const DraftRod& rod : draft.rods)
    for (int e = 0; e < int(rod.curve.edges.size()); ++e)
      for (int p : rod.curve.edges[e])
        draft.junctions[junction_of[rod.first_point + p]].segments.push_back(rod.first_segment + e);
}

// the body that a vertex hangs on, -1: none
int carrier(const Draft& draft, int vertex) {
  const std::vector<Tie> ties = draft.ties_at(vertex);
  return ties.empty() ? -1 : ties.front().body;
}

[[noreturn]] void refuse_second_body(const BodyWeld& w, const Body& first) {
  w.table.fail(
      w.key, fmt::format("this vertex already hangs on {}, and it can hang on one only; make one body of the two, with "
                         "the mass of both, or give the second a vertex of its own",
                         first.name.empty() ? "another body" : fmt::format("\"{}\"", first.name)));
}

void hang_on_bodies(const std::vector<BodyWeld>& welds, Draft& draft) {
  for (const BodyWeld& w : welds) {
    Junction& junction = draft.junctions[draft.junction_of_point[w.point_number]];
    if (w.weld) junction.hub = w.body;
    const int first = carrier(draft, junction.vertex);
    if (first == w.body) continue;
    if (first >= 0) refuse_second_body(w, draft.model.bodies[first]);
    Tie tie;
    tie.vertex = junction.vertex;
    tie.body = w.body;
    tie.offset =
        rotate(conjugate(draft.state.body_q[w.body]), draft.state.x[junction.vertex] - draft.state.body_x[w.body]);
    draft.add(tie);
  }
}

}  // namespace

void join_rods(const Table& root, Draft& draft) {
  Connections connections = read_connections(root, draft);
  number_vertices(connections.vertices, draft);
  set_masses(draft);
  find_junctions(connections.junctions, draft);
  hang_on_bodies(connections.welds, draft);
  for (Junction& junction : draft.junctions) {
    std::vector<Bend> bends;
    if (junction.hub >= 0)
      for (int s : junction.segments) bends.push_back(half_bend(draft, junction.hub, s, junction.vertex));
    else if (junction.segments.size() > 1)
      bends = junction_bends(draft, junction);
    for (const Bend& bend : bends) {
      junction.bends.push_back(int(draft.model.bends.size()));
      draft.model.bends.push_back(bend);
    }
  }
}

}  // namespace tendril::scene
