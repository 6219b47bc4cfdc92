#include "scene/generators/knit.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "scene/curves/chain.h"
#include "scene/curves/curve_error.h"
#include "scene/curves/share.h"
#include "scene/generators/graph_builder.h"

namespace tendril::scene {
namespace {

using std::numbers::pi;

enum Part { yarn_part, thread_part };

void check(const KnitOptions& o) {
  require(is_finite(o.center), "center", "must be finite");
  require(o.yarn_radius > 0 && std::isfinite(o.yarn_radius), "yarn_radius", "must be greater than 0");
  const auto counted = [](int value, int least, const char* key) {
    if (value < least || value > 100'000)
      throw CurveError(key, fmt::format("is {}, it must lie between {} and 100000", value, least));
  };
  counted(o.rows, 1, "rows");
  counted(o.columns, o.closed ? 3 : 1, "columns");
  counted(o.yarns, 0, "yarns");
  counted(o.pixel.columns, 2, "pixel_columns");
  counted(o.pixel.rows, 2, "pixel_rows");
  require(o.stitch_segments >= 8 && o.stitch_segments <= 10'000, "stitch_segments", "must lie between 8 and 10000");
  require(o.pixel.rows % 2 == 0, "pixel_rows", "must be even: a yarn leaves a pixel on the side where it came in");
  require(o.yarns <= o.rows, "yarns", "must not exceed `rows`: each yarn knits a row at least");
  require(!o.closed || o.yarns == 0, "yarns", "does not go with `closed`: every row of a tube is a ring of its own");
  require(!o.closed || o.letters.empty(), "letters", "does not go with `closed`");
  require(o.letters.empty() || o.yarns == 0, "yarns", "does not go with `letters`, whose shapes give them");
  require(
      !o.closed || o.threaded == "none" || o.columns % 2 == 0, "threaded",
      "needs an even number of `columns` in a tube: a thread goes through one loop forward and through the next back");
}

// the default loop is the shortest whose centre lines stay 2.6 radii apart at W / H = 1.27, found by a search
Stitch make_stitch(const KnitOptions& o) {
  const auto length = [&](double radii, const char* key) {
    require(radii > 0 && std::isfinite(radii), key, "must be greater than 0");
    return radii * o.yarn_radius;
  };
  Stitch stitch;
  stitch.width = length(o.stitch_width, "stitch_width");
  stitch.row_height = length(o.row_height, "row_height");
  stitch.rise = 0.5 * length(o.loop_height, "loop_height");
  stitch.depth = 0.5 * length(o.loop_depth, "loop_depth");
  stitch.swell = length(o.loop_swell, "loop_swell");
  stitch.turn_depth = 3 * o.yarn_radius;
  return stitch;
}

// one piece of yarn, in the plane of the cloth
struct Strand {
  ParametricCurve path;
  int part = yarn_part;
};

std::vector<Strand> make_strands(const KnitOptions& o, const KnitPlan& plan, const Stitch& stitch) {
  constexpr double swing = 4.1;  // of a thread [radii]
  std::vector<Strand> strands;
  for (const Yarn& yarn : plan.yarns) strands.push_back({yarn_path(stitch, yarn), yarn_part});
  const auto thread = [&](int row, double up) {
    strands.push_back({thread_path(stitch, {row, 0, plan.columns}, swing * o.yarn_radius, up), thread_part});
  };
  if (o.threaded != "none") thread(plan.rows - 1, 1);
  if (o.threaded == "both") thread(0, -1);
  return strands;
}

// from the plane of the cloth into space: flat, or rolled up into a tube about its middle line
class Placement {
 public:
  Placement(const KnitOptions& o, const KnitPlan& plan, const Stitch& stitch) : center_(o.center) {
    up_ = unit_axis(o.up, "up");
    const Vec3d across = o.along - dot(o.along, up_) * up_;
    require(norm(across) > 1e-9 * norm(o.along), "along", "must be a direction across `up`");
    along_ = normalized(across);
    face_ = cross(along_, up_);
    middle_ = {0.5 * stitch.width * (plan.columns - 1), 0.5 * stitch.row_height * (plan.rows - 1), 0};
    if (o.closed) tube_radius_ = stitch.width * plan.columns / (2 * pi);
  }

  Vec3d point(const Vec3d& x) const {
    const Vec3d p = x - middle_;
    if (tube_radius_ == 0) return center_ + p.x * along_ + p.y * up_ + p.z * face_;
    return center_ + p.y * up_ + (tube_radius_ + p.z) * outward(p.x);
  }

  Vec3d derivative(const Vec3d& x, const Vec3d& dx) const {
    const Vec3d p = x - middle_;
    if (tube_radius_ == 0) return dx.x * along_ + dx.y * up_ + dx.z * face_;
    const Vec3d out = outward(p.x), round = cross(up_, out);
    return dx.y * up_ + dx.z * out + (dx.x * (tube_radius_ + p.z) / tube_radius_) * round;
  }

 private:
  Vec3d outward(double x) const { return std::cos(x / tube_radius_) * face_ + std::sin(x / tube_radius_) * along_; }

  Vec3d center_, along_, up_, face_, middle_;
  double tube_radius_ = 0;  // 0: flat [m]
};

ParametricCurve placed(const ParametricCurve& flat, const Placement& placement) {
  ParametricCurve curve;
  curve.breaks = flat.breaks;
  curve.point = [&](double u) { return placement.point(flat.point(u)); };
  curve.derivative = [&](double u) { return placement.derivative(flat.point(u), flat.derivative(u)); };
  return curve;
}

// segments of every strand, by length; a stitch of the cloth has `stitch_segments` unless the total is given
std::vector<int> segment_counts(const KnitOptions& o, const Stitch& stitch, const std::vector<double>& lengths) {
  const double stitch_length = arc_length(yarn_path(stitch, {{{0, 0, 1}}, false}));
  const double whole = std::accumulate(lengths.begin(), lengths.end(), 0.0);
  const double total = o.segments > 0 ? o.segments : std::round(whole / stitch_length * o.stitch_segments);
  require(total <= most_segments, "", "the cloth has more than ten million segments");
  constexpr int least = 3;
  if (total < least * double(lengths.size()))
    throw CurveError("", fmt::format("`segments` is {}, but this cloth has {} yarns, and each needs {}", o.segments,
                                     lengths.size(), least));
  return share_out(static_cast<int>(total), lengths, std::vector<int>(lengths.size(), least));
}

KnitPlan make_plan(const KnitOptions& o) {
  if (!o.letters.empty()) return plan_letters(o.letters, o.pixel);
  return plan_patch(o.rows, o.columns, o.yarns > 0 ? o.yarns : o.rows);
}

}  // namespace

Curve knit_curve(const KnitOptions& options) {
  check(options);
  const KnitPlan plan = make_plan(options);
  const Stitch stitch = make_stitch(options);
  const Placement placement(options, plan, stitch);
  const std::vector<Strand> strands = make_strands(options, plan, stitch);
  std::vector<double> lengths;
  for (const Strand& strand : strands) lengths.push_back(arc_length(placed(strand.path, placement)));
  const std::vector<int> counts = segment_counts(options, stitch, lengths);

  GraphBuilder graph({"yarn", "thread"});
  for (size_t k = 0; k < strands.size(); ++k) {
    Curve cut = cut_evenly(placed(strands[k].path, placement), counts[k]);
    if (strands.size() == 1 && !options.closed) {  // one chain, which keeps its tangents
      cut.part_names = {"yarn", "thread"};
      cut.part.assign(cut.edges.size(), yarn_part);
      cut.radius.assign(cut.edges.size(), options.yarn_radius);
      return cut;
    }
    if (options.closed) cut.points.pop_back();
    const std::vector<int> path = graph.add_path(cut.points, strands[k].part);
    if (options.closed) graph.add_edge(path.back(), path.front(), strands[k].part);
  }
  Curve curve = graph.finish();
  curve.radius.assign(curve.edges.size(), options.yarn_radius);
  return curve;
}

}  // namespace tendril::scene
