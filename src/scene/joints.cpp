#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "scene/draft.h"

namespace tendril {
namespace {

// sets of numbers that grow together
class UnionFind {
 public:
  explicit UnionFind(int n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }
  int find(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void unite(int i, int j) {
    i = find(i), j = find(j);
    parent_[std::max(i, j)] = std::min(i, j);
  }

 private:
  std::vector<int> parent_;
};

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
  if (points.size() != 1) t.fail("at", fmt::format("a joint needs one vertex on each side, this names {}", points.size()));
  side.point = points[0];
  return side;
}

double extent(const std::vector<Vec3d>& x) {
  double largest = 0;
  for (const Vec3d& p : x) largest = std::max(largest, norm(p - x[0]));
  return largest;
}

struct BodyWeld { int point_number, body; bool weld; };

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
    if (!a.rod) std::swap(a, b);
    if (!a.rod) t.fail("a", "one side of a joint must be a rod");
    const int point_a = a.rod->first_point + a.point;
    if (!b.rod) {
      c.welds.push_back({point_a, b.body, weld});
      continue;
    }
    const int point_b = b.rod->first_point + b.point;
    const double distance = norm(draft.state.x[point_a] - draft.state.x[point_b]);
    if (distance > near_enough)
      t.fail("b", fmt::format("the two vertices are {:.6g} m apart; a joint needs them in one place", distance));
    c.vertices.unite(point_a, point_b);
    if (weld) c.junctions.unite(point_a, point_b);
  }
  int body = int(root.tables("obstacle").size());   // bodies are numbered after the obstacles
  for (const Table& t : root.tables("body")) {
    if (t.has("rod")) {
      const DraftRod& rod = find_rod(draft, t);
      for (int p : find_points(t, "at", rod)) c.welds.push_back({rod.first_point + p, body, true});
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

const DraftRod& rod_of(const Draft& draft, int segment) { return draft.rods[draft.model.segments[segment].rod]; }
const Quatd& untwisted_frame(const Draft& draft, int segment) {
  const DraftRod& rod = rod_of(draft, segment);
  return rod.untwisted[segment - rod.first_segment];
}

// bending and twisting conductance of half a segment, K / (l/2), about d1, d2, d3 [N m]
Vec3d half_conductance(const Segment& s) { return (2 / s.rest_length) * Vec3d{s.EI1, s.EI2, s.GJ}; }

// the diagonal, in frame a, of a tensor that is diagonal in frame b; `q` turns b into a
Vec3d diagonal_in(const Quatd& q, const Vec3d& d) {
  const Mat3d r = rotation_matrix(q);
  return {r.c0.x * r.c0.x * d.x + r.c1.x * r.c1.x * d.y + r.c2.x * r.c2.x * d.z,
          r.c0.y * r.c0.y * d.x + r.c1.y * r.c1.y * d.y + r.c2.y * r.c2.y * d.z,
          r.c0.z * r.c0.z * d.x + r.c1.z * r.c1.z * d.y + r.c2.z * r.c2.z * d.z};
}

Bend bend_between(const Draft& draft, int a, int b) {
  const Segment &sa = draft.model.segments[a], &sb = draft.model.segments[b];
  Bend bend;
  bend.a = {a, false};
  bend.b = {b, false};
  bend.length = 0.5 * (sa.rest_length + sb.rest_length);
  bend.internal_damping = 0.5 * (sa.internal_damping + sb.internal_damping);
  return bend;
}

void set_stiffness(Bend& bend, const Vec3d& conductance) {
  bend.EI1 = conductance.x * bend.length;
  bend.EI2 = conductance.y * bend.length;
  bend.GJ = conductance.z * bend.length;
}

// g_a g_b / sum, and nothing where there is no stiffness
Vec3d shared_conductance(const Vec3d& a, const Vec3d& b, const Vec3d& sum) {
  Vec3d g;
  for (int k = 0; k < 3; ++k) g[k] = sum[k] > 0 ? a[k] * b[k] / sum[k] : 0;
  return g;
}

// A closed rod is cut at its first vertex, turned by `twist` and glued there. A frame that is carried round a loop in space
// comes back turned by itself. Neither turn is strain: they are taken out of what the bend through the seam measures.
void glue(Bend& bend, const DraftRod& rod, int last) {
  const Quatd round = conjugate(rod.untwisted[last - rod.first_segment]) * rod.untwisted[0];
  const Quatd swing = rotation_between({0, 0, 1}, director3(round));
  bend.turn = normalized(conjugate(round) * swing * quaternion_exp({0, 0, rod.twist}));
  if (rod.rest == Rest::curve) bend.rest = swing;
}

// two neighbours along one rod: half of each in series, 1/g = 1/g_a + 1/g_b
Bend bend_along_rod(const Draft& draft, int a, int b) {
  const DraftRod& rod = rod_of(draft, a);
  Bend bend = bend_between(draft, a, b);
  const Vec3d ga = half_conductance(draft.model.segments[a]), gb = half_conductance(draft.model.segments[b]);
  set_stiffness(bend, shared_conductance(ga, gb, ga + gb));
  if (rod.rest == Rest::natural_curvature) {
    bend.rest = quaternion_exp(bend.length * rod.natural_curvature);
  } else if (rod.rest == Rest::curve) {
    bend.rest = normalized(conjugate(untwisted_frame(draft, a)) * untwisted_frame(draft, b));
  }
  if (rod.curve.closed && b == rod.first_segment) glue(bend, rod, a);
  return bend;
}

// where a segment meets the section at a vertex, on its own rod
struct Meeting {
  Quatd section;      // the section's frame at the start
  Quatd to_segment;   // from the section to the segment's frame without load
};

Meeting meeting(const Draft& draft, int segment, int vertex) {
  const DraftRod& rod = rod_of(draft, segment);
  const bool starts = draft.model.segments[segment].vertex[0] == vertex;
  const int edge = segment - rod.first_segment, point = rod.curve.edges[edge][starts ? 0 : 1];
  const bool closes = rod.curve.closed && !starts && point == 0;
  Meeting m;
  const Quatd untwisted = closes ? untwisted_section_frame(rod, point, edge) : untwisted_section_frame(rod, point);
  m.section = untwisted * quaternion_exp({0, 0, rod.twist * (closes ? 1 : rod.fraction[point])});
  if (rod.rest == Rest::curve)
    m.to_segment = conjugate(untwisted) * rod.untwisted[edge];
  else if (rod.rest == Rest::natural_curvature)
    m.to_segment =
        quaternion_exp((starts ? 0.5 : -0.5) * draft.model.segments[segment].rest_length * rod.natural_curvature);
  return m;
}

// how a sees b across a joint
struct Sight {
  Quatd turn;   // of b's frame, as if its rod went on where a's ends: the strain is a small rotation at any angle of the joint
  Quatd rest;   // what is left without load: the two half bends, or nothing at a sharp corner
};

Sight sight(const Meeting& a, const Meeting& b) {
  const double largest_small_rotation = 0.5;  // [rad]
  const Quatd between = conjugate(a.section) * b.section;
  const Quatd rest = conjugate(a.to_segment) * between * b.to_segment * conjugate(between);
  if (std::abs(rest.w) > std::cos(0.5 * largest_small_rotation))
    return {normalized(conjugate(between)), normalized(rest.w < 0 ? -rest : rest)};
  return {normalized(conjugate(between) * conjugate(rest)), {}};
}

// Several segments that meet in one rigid joint are a star of half segments; without the joint's own (massless) frame it is
// the mesh g_ij = g_i g_j / Σ g, which for two is the series above. Stiffness in a's frame.
Bend bend_across_junction(const Draft& draft, const Junction& junction, int a, int b) {
  const Meeting at_a = meeting(draft, a, junction.vertex);
  const auto seen = [&](int s) { return sight(at_a, meeting(draft, s, junction.vertex)); };
  const auto in_frame_a = [&](int s) {
    const Vec3d own = half_conductance(draft.model.segments[s]);
    return s == a ? own : diagonal_in(conjugate(seen(s).turn), own);
  };
  Vec3d sum;
  for (int s : junction.segments) sum += in_frame_a(s);
  Bend bend = bend_between(draft, a, b);
  set_stiffness(bend, shared_conductance(in_frame_a(a), in_frame_a(b), sum));
  bend.turn = seen(b).turn;
  bend.rest = seen(b).rest;
  return bend;
}

bool follow_each_other(const Draft& draft, const Junction& junction, int a, int b) {
  return &rod_of(draft, a) == &rod_of(draft, b) && draft.model.segments[a].vertex[1] == junction.vertex &&
         draft.model.segments[b].vertex[0] == junction.vertex;
}

std::vector<Bend> junction_bends(const Draft& draft, const Junction& junction) {
  const std::vector<int>& s = junction.segments;
  if (s.size() == 2 && rod_of(draft, s[0]).curve.chain) {
    if (follow_each_other(draft, junction, s[0], s[1])) return {bend_along_rod(draft, s[0], s[1])};
    if (follow_each_other(draft, junction, s[1], s[0])) return {bend_along_rod(draft, s[1], s[0])};
  }
  std::vector<Bend> bends;
  const auto stiffness = [&](int k) { return half_conductance(draft.model.segments[k]).x; };
  if (s.size() <= 6) {
    double sum = 0;
    for (int k : s) sum += stiffness(k);
    const auto slight = [&](int k) { return stiffness(k) < 0.03 * sum; };   // twigs on a trunk feel each other by less than 3 %
    for (std::size_t i = 0; i < s.size(); ++i)
      for (std::size_t j = i + 1; j < s.size(); ++j)
        if (!(slight(s[i]) && slight(s[j]))) bends.push_back(bend_across_junction(draft, junction, s[i], s[j]));
    return bends;
  }
  // a hub of many spokes: each is joined to the stiffest
  const int hub = *std::max_element(s.begin(), s.end(), [&](int a, int b) { return stiffness(a) < stiffness(b); });
  for (int spoke : s)
    if (spoke != hub) bends.push_back(bend_across_junction(draft, {junction.vertex, {hub, spoke}, {}, -1}, hub, spoke));
  return bends;
}

void hang_on_bodies(const std::vector<BodyWeld>& welds, Draft& draft) {
  for (const BodyWeld& w : welds) {
    Junction& junction = draft.junctions[draft.junction_of_point[w.point_number]];
    Tie tie;
    tie.vertex = junction.vertex;
    tie.body = w.body;
    tie.offset = rotate(conjugate(draft.state.body_q[w.body]), draft.state.x[junction.vertex] - draft.state.body_x[w.body]);
    draft.model.ties.push_back(tie);
    if (w.weld) junction.hub = w.body;
  }
}

}  // namespace

Bend half_bend(const Draft& draft, int body, int segment, int vertex) {
  const Segment& s = draft.model.segments[segment];
  const Meeting m = meeting(draft, segment, vertex);
  Bend bend;
  bend.a = {segment, false};
  bend.b = {body, true};
  bend.rest = normalized(conjugate(m.to_segment));
  bend.turn = normalized(conjugate(draft.state.body_q[body]) * m.section);
  bend.length = 0.5 * s.rest_length;
  bend.EI1 = s.EI1, bend.EI2 = s.EI2, bend.GJ = s.GJ;
  bend.internal_damping = s.internal_damping;
  return bend;
}

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

}  // namespace tendril
