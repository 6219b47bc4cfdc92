#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <optional>

#include "scene/curves/curve_error.h"
#include "scene/curves/curve_file.h"
#include "scene/curves/polyline.h"
#include "scene/deforming_mesh.h"
#include "scene/draft.h"
#include "scene/grooms/guides.h"
#include "scene/grooms/roots.h"
#include "scene/grooms/sphere_mesh.h"
#include "scene/grooms/strand_shapes.h"
#include "scene/obj_mesh.h"
#include "scene/suggest.h"

namespace tendril::scene {
namespace {

// the mesh that a groom grows on
struct Skin {
  GroupedMesh mesh;
  int obstacle = -1;            // its number, -1: the path of a file
  std::optional<Sphere> round;  // the sphere that the mesh stands for
};

Skin read_skin(const Table& root, const Table& t) {
  const std::string name = t.text("mesh");
  const std::vector<Table> obstacles = root.tables("obstacle");
  std::vector<std::string> known;
  for (std::size_t k = 0; k < obstacles.size(); ++k) {
    const Table& o = obstacles[k];
    known.push_back(o.text("name"));
    if (o.text("name") != name) continue;
    Skin skin;
    skin.obstacle = static_cast<int>(k);
    if (o.text("shape") == "mesh") {
      skin.mesh = read_deforming_mesh(o).mesh;
    } else if (o.text("shape") == "sphere") {
      skin.round = Sphere{o.vec3("center"), o.number("radius")};
      skin.mesh.mesh = sphere_mesh(*skin.round);
      skin.mesh.group_of.assign(skin.mesh.mesh.triangles.size(), {-1, -1, -1});
    } else {
      t.fail("mesh", fmt::format("the obstacle \"{}\" is a {}; expected a mesh or a sphere", name, o.text("shape")));
    }
    return skin;
  }
  if (std::filesystem::path(name).extension().empty())
    t.fail("mesh", fmt::format("there is no obstacle \"{}\"; expected {}{}, or the path of an .obj file", name,
                               known.empty() ? "the name of one" : "one of " + listed_in_quotes(known),
                               suggestion(name, known)));
  return {read_grouped_mesh(t, "mesh", name, 1), -1, {}};
}

// one number per vertex of the mesh
std::vector<double> read_weights(const Table& t, int vertex_count) {
  const std::string path = t.text("weights");
  std::ifstream in(std::filesystem::path(t.directory()) / path);
  if (!in) t.fail("weights", fmt::format("cannot open \"{}\"", path));
  std::vector<double> weights;
  for (double w = 0; in >> w;) {
    if (!(w >= 0) || !std::isfinite(w))
      t.fail("weights", fmt::format("{}: number {} is {}; expected at least 0", path, weights.size() + 1, w));
    weights.push_back(w);
  }
  if (!in.eof()) t.fail("weights", fmt::format("{}: number {} is not a number", path, weights.size() + 1));
  if (static_cast<int>(weights.size()) != vertex_count)
    t.fail("weights", fmt::format("{}: found {} numbers; expected {}, one for each vertex of the mesh", path,
                                  weights.size(), vertex_count));
  return weights;
}

RootDensity read_density(const Table& t, const Skin& skin, const GroomSurface& surface) {
  RootDensity density;
  density.at_vertex = t.has("weights") ? read_weights(t, surface.vertex_count())
                                       : std::vector<double>(std::size_t(surface.vertex_count()), 1.0);
  density.grows.assign(std::size_t(surface.triangle_count()), 1);
  if (t.has("group")) {
    const std::string group = t.text("group");
    for (int k = 0; k < surface.triangle_count(); ++k) density.grows[k] = skin.mesh.is_in(k, group);
    if (std::count(density.grows.begin(), density.grows.end(), 1) == 0) {
      const auto& known = skin.mesh.groups;
      t.fail("group", fmt::format("the mesh has no faces in a group \"{}\"; {}{}", group,
                                  known.empty() ? "it has no groups" : "it has " + listed_in_quotes(known),
                                  suggestion(group, known)));
    }
  }
  if (!(weighted_area(surface, density) > 0))
    t.fail(t.has("weights") ? "weights" : "mesh", "nothing can grow here: the mesh has no area, or all weights are 0");
  return density;
}

// on a sphere what lies on its mesh lies on the sphere
void make_round(const Skin& skin, std::vector<SurfacePoint>& roots) {
  if (!skin.round) return;
  for (SurfacePoint& root : roots) {
    root.normal = normalized(root.x - skin.round->center);
    root.x = skin.round->center + skin.round->radius * root.normal;
  }
}

// the thickest radius of a strand [m]
double strand_radius(const Table& t, const Material& material) {
  if (!t.has("radius")) return material.properties.radius;
  double radius = 0;
  for (const auto& row : t.rows("radius")) radius = std::max(radius, row[1]);
  return radius;
}

constexpr double least_segments_per_turn = 6;

// as many segments as its curl needs
void refuse_coarse_curl(const Table& t, const StrandStyle& style, double longest) {
  if (!style.curl) return;
  const double turn = std::hypot(2 * std::numbers::pi * style.curl->radius, style.curl->pitch);
  const double needed = std::ceil(least_segments_per_turn * longest / turn);
  if (style.segments < needed)
    t.fail("segments", fmt::format("is {}: a strand of {:g} m winds {:.3g} times, and a turn needs {:g} segments; "
                                   "expected at least {:g}, or a wider curl",
                                   style.segments, longest, longest / turn, least_segments_per_turn, needed));
}

StrandStyle read_style(const Table& t, const Material& material) {
  StrandStyle style;
  style.segments = t.integer("segments");
  style.lengths = t.rows("length");
  double longest = 0;
  for (const auto& row : style.lengths) longest = std::max(longest, row[1]);
  style.curl = material.curl;
  if (t.has("curl")) style.curl = Curl{t.table("curl").number("radius"), t.table("curl").number("pitch")};
  refuse_coarse_curl(t, style, longest);
  if (t.has("noise")) {
    const Table noise = t.table("noise");
    style.noise = noise.number("amplitude");
    style.noise_length = noise.has("length") ? noise.number("length") : longest;
  }
  if (t.has("clump")) {
    style.clumps = t.table("clump").integer("count");
    style.clumping = t.table("clump").number("strength");
  }
  if (t.has("direction")) style.direction = t.vec3("direction");
  // beyond the reach of its barrier, which is a hundredth of a segment and at most a radius; and a segment between two
  // vertices on a round skin dips below them by a small part of its length
  const double radius = strand_radius(t, material), l = longest / style.segments;
  style.root_height = 2.5 * radius;
  style.clearance = std::max(2.5 * radius, 0.05 * l);
  return style;
}

// strands side by side as one curve
Curve curve_of(const std::vector<StrandShape>& strands) {
  Curve curve;
  for (const StrandShape& strand : strands) {
    const int first = static_cast<int>(curve.points.size());
    curve.points.insert(curve.points.end(), strand.begin(), strand.end());
    for (int k = 0; k + 1 < static_cast<int>(strand.size()); ++k) curve.edges.push_back({first + k, first + k + 1});
  }
  curve.chain = strands.size() == 1;
  return curve;
}

// the fraction of the way along its own strand (point)
std::vector<double> fractions_of(const std::vector<StrandShape>& strands) {
  std::vector<double> fractions;
  for (const StrandShape& strand : strands) {
    std::vector<double> way{0};
    for (std::size_t k = 1; k < strand.size(); ++k) way.push_back(way.back() + norm(strand[k] - strand[k - 1]));
    for (double w : way) fractions.push_back(w / way.back());
  }
  return fractions;
}

struct Grown {
  std::vector<StrandShape> strands, followers;
  std::vector<Vec3d> colors;  // as a file has them, linear RGB; empty: none (strand)
};

// the strands of a curve that is a graph: each from its first point on
Grown strands_of(const Table& t, const Curve& curve) {
  std::vector<int> leaving(curve.points.size(), -1), arriving(curve.points.size(), 0);  // edges
  for (int e = 0; e < static_cast<int>(curve.edges.size()); ++e) {
    const auto [a, b] = curve.edges[e];
    if (leaving[a] >= 0 || arriving[b] > 0)
      t.fail("file", "its strands branch or join; expected strands that do not touch");
    leaving[a] = e, ++arriving[b];
  }
  Grown grown;
  std::size_t seen = 0;
  for (std::size_t p = 0; p < leaving.size(); ++p) {
    if (arriving[p] > 0) continue;
    StrandShape strand{curve.points[p]};
    for (int e = leaving[p]; e >= 0; e = leaving[curve.edges[e][1]]) strand.push_back(curve.points[curve.edges[e][1]]);
    if (!curve.color.empty()) grown.colors.push_back(curve.color[leaving[p]]);
    seen += strand.size();
    grown.strands.push_back(std::move(strand));
  }
  if (seen != curve.points.size()) t.fail("file", "one of its strands is closed; expected strands with two ends");
  return grown;
}

Grown read_strands(const Table& t) {
  try {
    Grown grown = strands_of(t, file_curve(read_curve_file(t.table("file")), 0));
    if (t.has("segments"))
      for (StrandShape& strand : grown.strands) strand = resample_path(strand, false, t.integer("segments"));
    return grown;
  } catch (const CurveError& error) {
    t.table("file").fail(error.key, error.what());
  }
}

struct FollowerWish {
  int count = 0, guides = 3;
};

FollowerWish read_wish(const Table& t) {
  if (!t.has("followers")) return {};
  if (!t.is_table("followers")) return {t.integer("followers")};
  return {t.table("followers").integer("count"), t.table("followers").integer("guides")};
}

// guides and followers alike: all are sown at once, so that followers fill the room that guides leave
Grown grow(const Table& t, const Skin& skin, const GroomSurface& surface, const Material& material) {
  const RootDensity density = read_density(t, skin, surface);
  const StrandStyle style = read_style(t, material);
  const int count = t.has("count")
                        ? t.integer("count")
                        : static_cast<int>(std::lround(t.number("density") * weighted_area(surface, density)));
  if (count < 1) t.fail("density", fmt::format("gives no strand on {:.3g} m²", weighted_area(surface, density)));
  const auto seed = static_cast<std::uint64_t>(t.integer("seed"));
  std::vector<SurfacePoint> roots = sample_roots(surface, density, count, seed);
  make_round(skin, roots);
  Grown grown;
  grown.strands = grow_strands(surface, roots, style, seed);
  if (const int followers = read_wish(t).count; followers > 0) {
    std::vector<SurfacePoint> more = sample_roots(surface, density, followers, seed + 1);
    make_round(skin, more);
    grown.followers = grow_strands(surface, more, style, seed + 1);
  }
  return grown;
}

// between strands of a file: as these lie about their roots, each by its share
std::vector<StrandShape> between(const Table& t, const Skin& skin, const GroomSurface& surface,
                                 const std::vector<StrandShape>& strands) {
  const FollowerWish wish = read_wish(t);
  if (wish.count == 0) return {};
  std::vector<Vec3d> starts;
  for (const StrandShape& strand : strands) starts.push_back(strand[0]);
  const Guides guides(starts);
  std::vector<SurfacePoint> roots =
      sample_roots(surface, read_density(t, skin, surface), wish.count, std::uint64_t(t.integer("seed")) + 1);
  make_round(skin, roots);
  std::vector<StrandShape> followers;
  for (const SurfacePoint& root : roots) {
    const std::vector<GuideShare> own = guides.near(root.x, wish.guides);
    StrandShape shape(strands[own[0].guide].size(), root.x);
    for (const auto& [g, weight] : own)
      for (std::size_t k = 0; k < shape.size(); ++k)
        shape[k] += weight * (strands[g][k * (strands[g].size() - 1) / (shape.size() - 1)] - strands[g][0]);
    followers.push_back(std::move(shape));
  }
  return followers;
}

DraftRod read_groom(const Table& root, const Table& t, const Draft& draft) {
  const Material& material = draft.materials.at(t.text("material"));
  std::optional<Skin> skin;
  std::optional<GroomSurface> surface;
  if (t.has("mesh")) {
    skin = read_skin(root, t);
    surface.emplace(skin->mesh.mesh.vertices, skin->mesh.mesh.triangles);
  }
  Grown grown;
  if (t.has("file")) {
    grown = read_strands(t);
    if (surface) {
      lift_roots(*surface, 2.5 * strand_radius(t, material), grown.strands);
      grown.followers = between(t, *skin, *surface, grown.strands);
    }
  } else {
    grown = grow(t, *skin, *surface, material);
  }
  Curve curve = curve_of(grown.strands);
  for (std::size_t k = 0; k < grown.colors.size(); ++k)
    curve.color.insert(curve.color.end(), grown.strands[k].size() - 1, grown.colors[k]);
  DraftRod rod = draft_rod(t, std::move(curve));
  rod.fraction = fractions_of(grown.strands);
  int first = 0;
  for (const StrandShape& strand : grown.strands) rod.roots.push_back(first), first += static_cast<int>(strand.size());
  if (skin) rod.carrier = skin->obstacle;
  if (surface)
    for (int p : rod.roots) rod.root_faces.push_back(surface->nearest(rod.curve.points[p]).triangle);
  rod.guides_of_a_follower = read_wish(t).guides;
  rod.follower_shapes = std::move(grown.followers);
  return rod;
}

}  // namespace

void add_grooms(const Table& root, Draft& draft) {
  for (const Table& t : root.tables("groom")) add_rod(read_groom(root, t, draft), t.text("name"), draft);
}

}  // namespace tendril::scene
