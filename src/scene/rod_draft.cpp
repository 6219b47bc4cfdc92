#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <queue>

#include "scene/copies.h"
#include "scene/draft.h"
#include "scene/suggest.h"

namespace tendril::scene {
namespace {

Vec3d edge_vector(const Curve& curve, int edge) {
  return curve.points[curve.edges[edge][1]] - curve.points[curve.edges[edge][0]];
}

// the shortest way along edges from point 0, or from the first point of a part that is not joined to it (Dijkstra)
std::vector<double> shortest_ways(const Curve& curve) {
  std::vector<std::vector<int>> edges_at(curve.points.size());
  for (int e = 0; e < int(curve.edges.size()); ++e)
    for (int p : curve.edges[e]) edges_at[p].push_back(e);
  std::vector<double> way(curve.points.size(), forever);
  using Reached = std::pair<double, int>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> next;
  for (int start = 0; start < int(way.size()); ++start) {
    if (way[start] == forever) next.push({way[start] = 0, start});
    for (; !next.empty();) {
      const auto [length, point] = next.top();
      next.pop();
      for (int e : edges_at[point]) {
        const int other = curve.edges[e][0] == point ? curve.edges[e][1] : curve.edges[e][0];
        const double reached = length + norm(edge_vector(curve, e));
        if (reached < way[other]) next.push({way[other] = reached, other});
      }
    }
  }
  return way;
}

// arc length from the start as a fraction of the whole; in a graph along its edges, over the farthest point
std::vector<double> arc_fractions(const Curve& curve) {
  if (!curve.chain) {
    std::vector<double> way = shortest_ways(curve);
    const double farthest = *std::max_element(way.begin(), way.end());
    for (double& l : way) l /= farthest;
    return way;
  }
  std::vector<double> length{0};
  for (int e = 0; e < int(curve.edges.size()); ++e) length.push_back(length.back() + norm(edge_vector(curve, e)));
  const double whole = length.back();
  length.resize(curve.points.size());
  for (double& l : length) l /= whole;
  return length;
}

// frames along the edges: d1 starts at `normal` and is carried along without twist; in a graph from each edge to those
// that start where it ends
std::vector<Quatd> carried_frames(const Curve& curve, const Vec3d& normal) {
  const int n = int(curve.edges.size());
  std::vector<Quatd> frames(n);
  std::vector<int> arriving(curve.points.size(), -1);  // the first edge that ends at a point
  for (int e = 0; e < n; ++e) {
    const Vec3d tangent = normalized(edge_vector(curve, e));
    const int before = e == 0 ? -1 : curve.chain ? e - 1 : arriving[curve.edges[e][0]];
    if (before >= 0) {
      frames[e] = normalized(rotation_between(director3(frames[before]), tangent) * frames[before]);
    } else {
      const Vec3d start = curve.tangents.empty() ? tangent : curve.tangents[0];
      const Vec3d across = normal - dot(normal, start) * start;
      const Quatd first = frame_from_tangent(start, norm(across) > 1e-9 ? normal : any_perpendicular(start));
      frames[e] = normalized(rotation_between(start, tangent) * first);
    }
    if (arriving[curve.edges[e][1]] < 0) arriving[curve.edges[e][1]] = e;
  }
  return frames;
}

// several chains side by side, without branches and loops
bool is_of_open_chains(const Curve& curve) {
  std::vector<int> arriving(curve.points.size(), 0), leaving(curve.points.size(), 0);
  for (const auto& [a, b] : curve.edges) ++leaving[a], ++arriving[b];
  int starts = 0, pieces = 0;
  for (std::size_t p = 0; p < curve.points.size(); ++p) {
    if (arriving[p] > 1 || leaving[p] > 1) return false;
    starts += arriving[p] == 0;
  }
  for (double way : shortest_ways(curve)) pieces += way == 0;
  return starts == pieces;  // a loop is a piece without a start
}

Quatd turned_about_d3(const Quatd& q, double angle) { return q * quaternion_exp({0, 0, angle}); }

// which material an edge is made of
class MaterialChoice {
 public:
  MaterialChoice(const Table& rod, const Curve& curve, const std::map<std::string, Material>& materials)
      : curve_(curve), materials_(materials) {
    if (rod.is_text("material")) {
      pieces_.push_back({0, &materials.at(rod.text("material"))});
    } else {
      for (const toml::node& piece : *rod.node("material")->as_array()) {
        const toml::array& pair = *piece.as_array();
        pieces_.push_back({*pair[0].value<double>(), &materials.at(*pair[1].value<std::string>())});
      }
    }
    if (rod.has("parts")) read_parts(rod, rod.table("parts"));
  }

  const Material& at(int edge, double fraction) const {
    if (!curve_.part.empty()) {
      const auto part = parts_.find(curve_.part_names[curve_.part[edge]]);
      if (part != parts_.end()) return *part->second;
    }
    const Material* material = pieces_.front().second;
    for (const auto& [start, m] : pieces_)
      if (fraction >= start) material = m;
    return *material;
  }

 private:
  void read_parts(const Table& rod, const Table& parts) {
    for (const std::string& part : parts.names()) {
      if (std::find(curve_.part_names.begin(), curve_.part_names.end(), part) == curve_.part_names.end())
        rod.fail("parts",
                 fmt::format("the curve has no part \"{}\"; it has {}", part, listed_in_quotes(curve_.part_names)));
      const auto material = materials_.find(parts.text(part));
      if (material == materials_.end()) rod.fail("parts", fmt::format("there is no material \"{}\"", parts.text(part)));
      parts_[part] = &material->second;
    }
  }

  const Curve& curve_;
  const std::map<std::string, Material>& materials_;
  std::vector<std::pair<double, const Material*>> pieces_;  // from a fraction on
  std::map<std::string, const Material*> parts_;
};

Segment make_segment(const Material& material, double radius, double rest_length) {
  const RodProperties p = radius > 0 ? with_radius(material.properties, radius) : material.properties;
  Segment s;
  s.rest_length = rest_length;
  s.EA = p.EA, s.GA = p.GA, s.EI1 = p.EI1, s.EI2 = p.EI2, s.GJ = p.GJ;
  s.linear_density = p.linear_density;
  s.linear_inertia = p.linear_inertia;
  s.radius = p.radius;
  s.damping = material.damping;
  s.internal_damping = material.internal_damping;
  s.strain_limit = material.strain_limit;
  s.friction = material.friction;
  return s;
}

// Frames know turns only up to half a turn from one segment to the next: what goes beyond would be lost in silence.
void refuse_more_than_half_turns(const DraftRod& rod, const Table& t) {
  double whole = 0, longest = 0;  // the rod; from the middle of a segment to that of the next [m]
  for (int e = 0; e < int(rod.curve.edges.size()); ++e) {
    const double length = norm(edge_vector(rod.curve, e));
    whole += length;
    if (e > 0) longest = std::max(longest, 0.5 * (length + norm(edge_vector(rod.curve, e - 1))));
  }
  const auto refuse = [&](const char* key, double turn) {
    if (turn >= std::numbers::pi)
      t.fail(key, fmt::format("turns neighbouring segments by {:.3g} rad against each other, half a turn or more: it "
                              "needs more `segments`",
                              turn));
  };
  refuse("twist", std::abs(rod.twist) * longest / whole);
  if (rod.rest == Rest::natural_curvature) refuse("natural_curvature", norm(rod.natural_curvature) * longest);
}

DraftRod read_rod(const Table& t) {
  const Vec3d normal = t.has("normal") ? t.vec3("normal") : Vec3d{};
  DraftRod rod = draft_rod(t, make_curve(t.table("curve"), t.has("segments") ? t.integer("segments") : 0,
                                         t.has("normal") ? &normal : nullptr));
  rod.twist = t.number("twist");
  if (t.has("natural_curvature")) {
    rod.rest = Rest::natural_curvature;
    rod.natural_curvature = t.vec3("natural_curvature");
  }
  if (rod.twist != 0 && !rod.curve.chain)
    t.fail("twist", "this needs a single chain, and the curve has several or branches");
  if (rod.rest != Rest::curve && !rod.curve.chain && !is_of_open_chains(rod.curve))
    t.fail(rod.rest == Rest::straight ? "rest" : "natural_curvature",
           "this needs open chains, and the curve has branches or loops");
  if (rod.curve.chain) refuse_more_than_half_turns(rod, t);
  return rod;
}

void add_segments(const DraftRod& rod, int rod_index, int first_vertex, Draft& draft) {
  const Table& t = rod.table;
  const MaterialChoice materials(t, rod.curve, draft.materials);
  const auto taper = t.has("radius") ? t.rows("radius") : std::vector<std::vector<double>>{};
  for (int e = 0; e < int(rod.curve.edges.size()); ++e) {
    const auto [a, b] = rod.curve.edges[e];
    const double end = rod.curve.closed && b == 0 ? 1 : rod.fraction[b];
    const double middle = 0.5 * (rod.fraction[a] + end);
    const double radius = !taper.empty() ? profile(taper, middle) : !rod.curve.radius.empty() ? rod.curve.radius[e] : 0;
    const Material& material = materials.at(e, middle);
    Segment segment = make_segment(material, radius, norm(edge_vector(rod.curve, e)));
    segment.vertex[0] = first_vertex + a;
    segment.vertex[1] = first_vertex + b;
    segment.rod = rod_index;
    draft.model.segments.push_back(segment);
    const bool from_file = !rod.curve.color.empty() && !t.has("color");
    draft.color.push_back(material.color || !from_file ? material.color : std::optional(rod.curve.color[e]));
    draft.state.q.push_back(turned_about_d3(rod.untwisted[e], rod.twist * middle));
  }
}

// the radius of the thickest segment that the rod will have
double thickest_radius(const DraftRod& rod, const Draft& draft) {
  Draft alone;
  alone.materials = draft.materials;
  add_segments(rod, 0, 0, alone);
  double radius = 0;
  for (const Segment& s : alone.model.segments) radius = std::max(radius, s.radius);
  return radius;
}

// the same rod elsewhere
DraftRod moved(DraftRod rod, const Pose& pose) {
  for (Vec3d& x : rod.curve.points) x = rotate(pose.q, x) + pose.x;
  for (Vec3d& t : rod.curve.tangents) t = rotate(pose.q, t);
  for (Quatd& q : rod.untwisted) q = normalized(pose.q * q);
  return rod;
}

}  // namespace

double profile(const std::vector<std::vector<double>>& rows, double fraction) {
  if (fraction <= rows.front()[0]) return rows.front()[1];
  for (std::size_t k = 1; k < rows.size(); ++k)
    if (fraction <= rows[k][0]) {
      const double w = (fraction - rows[k - 1][0]) / (rows[k][0] - rows[k - 1][0]);
      return (1 - w) * rows[k - 1][1] + w * rows[k][1];
    }
  return rows.back()[1];
}

void Draft::add(const Tie& tie) {
  ties_of_vertex[tie.vertex].push_back(int(model.ties.size()));
  model.ties.push_back(tie);
}

std::vector<Tie> Draft::ties_at(int vertex) const {
  std::vector<Tie> ties;
  if (const auto found = ties_of_vertex.find(vertex); found != ties_of_vertex.end())
    for (int t : found->second) ties.push_back(model.ties[t]);
  return ties;
}

Quatd untwisted_section_frame(const DraftRod& rod, int point) {
  return untwisted_section_frame(rod, point, rod.edge_at[point]);
}

Quatd untwisted_section_frame(const DraftRod& rod, int point, int edge) {
  const Curve& curve = rod.curve;
  if (curve.tangents.empty()) return rod.untwisted[edge];
  return normalized(rotation_between(director3(rod.untwisted[edge]), curve.tangents[point]) * rod.untwisted[edge]);
}

Quatd initial_section_frame(const DraftRod& rod, int point) {
  return turned_about_d3(untwisted_section_frame(rod, point), rod.twist * rod.fraction[point]);
}

DraftRod draft_rod(const Table& t, Curve curve) {
  DraftRod rod;
  rod.table = t;
  rod.curve = std::move(curve);
  rod.fraction = arc_fractions(rod.curve);
  rod.edge_at.resize(rod.curve.points.size());
  for (int e = int(rod.curve.edges.size()) - 1; e >= 0; --e)
    for (int p : {rod.curve.edges[e][1], rod.curve.edges[e][0]}) rod.edge_at[p] = e;
  const Vec3d first = rod.curve.tangents.empty() ? normalized(edge_vector(rod.curve, 0)) : rod.curve.tangents[0];
  const Vec3d normal = t.has("normal") ? normalized(t.vec3("normal")) : any_perpendicular(first);
  if (norm(normal - dot(normal, first) * first) < 1e-9)
    t.fail("normal", "the normal lies along the rod; give a direction across it");
  rod.untwisted = carried_frames(rod.curve, normal);
  if (t.text("rest") == "straight") rod.rest = Rest::straight;
  return rod;
}

// puts one rod behind those that are there
void add_rod(DraftRod rod, const std::string& name, Draft& draft) {
  const Table& t = rod.table;
  const int index = int(draft.rods.size()), first_vertex = int(draft.state.x.size());
  rod.first_point = first_vertex;
  rod.first_segment = int(draft.model.segments.size());
  for (const Vec3d& x : rod.curve.points) {
    rod.vertex.push_back(int(draft.state.x.size()));
    draft.state.x.push_back(x);
  }
  add_segments(rod, index, first_vertex, draft);
  Rod named;
  named.name = name;
  named.first_segment = rod.first_segment;
  named.segment_count = int(rod.curve.edges.size());
  named.closed = rod.curve.closed;
  if (t.has("color")) named.color = t.vec3("color");
  draft.rods_named[name].push_back(index);
  if (name != t.text("name")) draft.rods_named[t.text("name")].push_back(index);
  draft.model.rods.push_back(named);
  draft.rods.push_back(std::move(rod));
}

void add_rods(const Table& root, Draft& draft) {
  for (const Table& t : root.tables("rod")) {
    const DraftRod rod = read_rod(t);
    if (!t.has("copies")) {
      add_rod(rod, t.text("name"), draft);
      continue;
    }
    const std::vector<Pose> poses = place_copies(t.table("copies"), rod.curve, thickest_radius(rod, draft));
    for (std::size_t k = 0; k < poses.size(); ++k)
      add_rod(moved(rod, poses[k]), fmt::format("{}.{}", t.text("name"), k), draft);
  }
}

}  // namespace tendril::scene
