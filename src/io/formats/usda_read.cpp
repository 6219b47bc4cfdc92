#include "io/formats/usda_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "io/file.h"
#include "io/formats/checked.h"
#include "io/formats/usda_motion.h"

namespace tendril::io {
namespace {

// where strands find their points and segments among the places of all prims
struct Layout {
  std::vector<int> point_place;    // (point) one of the places where it stands
  std::vector<int> segment_place;  // (segment of each strand in turn) the place where it begins
};

using Prims = std::vector<MovingCurves>;

template <class T>
std::vector<T> gathered(const std::vector<int>& places, const std::vector<T>& values) {
  std::vector<T> result;
  result.reserve(places.size());
  for (const int place : places) result.push_back(values[place]);
  return result;
}

// an attribute of all prims, one after the other; empty unless each has a value for every place or strand
std::vector<double> joined(const Prims& prims, std::vector<double> SampledCurves::*ids) {
  std::vector<double> all;
  for (const MovingCurves& prim : prims) {
    const std::vector<double>& values = prim.curves().*ids;
    if (values.empty()) return {};
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

// Points with one number are one point, in the order of the numbers: `place_point` gives the point at each place.
// Without numbers, or when they join points that lie apart, every place is a point of its own.
std::vector<int> points_of_places(const std::vector<double>& ids, const std::vector<Vec3d>& x) {
  std::vector<int> place_point(x.size());
  std::iota(place_point.begin(), place_point.end(), 0);
  if (ids.size() != x.size()) return place_point;
  std::vector<int> order = place_point;
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return ids[a] < ids[b]; });
  std::vector<int> merged(x.size());
  int point = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool same = k > 0 && ids[order[k]] == ids[order[k - 1]];
    if (same && x[order[k]] != x[order[k - 1]]) return place_point;
    if (k > 0 && !same) ++point;
    merged[order[k]] = point;
  }
  return merged;
}

// the strands of all prims in the order of their numbers, or of the file
std::vector<Strand> strands_of(const Prims& prims) {
  std::vector<Strand> strands;
  int first = 0;
  for (const MovingCurves& prim : prims) {
    for (Strand strand : prim.curves().strands) {
      for (int& place : strand.points) place += first;
      strands.push_back(std::move(strand));
    }
    first += static_cast<int>(prim.curves().points.size());
  }
  const std::vector<double> ids = joined(prims, &SampledCurves::strand_id);
  if (ids.size() != strands.size()) return strands;
  std::vector<int> order(strands.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return ids[a] < ids[b]; });
  return gathered(order, strands);
}

Layout lay_out(const Prims& prims, const std::vector<Vec3d>& places, Strands& out) {
  const std::vector<int> place_point = points_of_places(joined(prims, &SampledCurves::point_id), places);
  Layout layout;
  layout.point_place.resize(1 + *std::max_element(place_point.begin(), place_point.end()));
  for (std::size_t place = 0; place < place_point.size(); ++place)
    layout.point_place[place_point[place]] = static_cast<int>(place);
  out.strands = strands_of(prims);
  for (Strand& strand : out.strands) {
    for (int s = 0; s < strand.segment_count(); ++s) layout.segment_place.push_back(strand.points[s]);
    for (int& place : strand.points) place = place_point[place];
  }
  return layout;
}

Moment moment_at(const Prims& prims, const Layout& layout, double code) {
  Moment moment;
  for (const MovingCurves& prim : prims) prim.add_points(code, moment.x);
  moment.x = gathered(layout.point_place, moment.x);
  if (std::all_of(prims.begin(), prims.end(), [](const MovingCurves& prim) { return prim.has_velocities(); })) {
    for (const MovingCurves& prim : prims) prim.add_velocities(code, moment.v);
    moment.v = gathered(layout.point_place, moment.v);
  }
  if (std::all_of(prims.begin(), prims.end(), [](const MovingCurves& prim) { return prim.has_frames(); })) {
    for (const MovingCurves& prim : prims) prim.add_frames(code, moment.q);
    moment.q = gathered(layout.segment_place, moment.q);
  }
  return moment;
}

}  // namespace

Take read_usda(std::span<const char> bytes, const std::string& name) {
  UsdaStage stage = parse_usda(UsdaText(bytes, name));
  if (stage.curves.empty())
    throw FileError(name + ": has no BasisCurves of its own; references to other files are not followed");
  auto prims = std::make_shared<Prims>();
  std::vector<double> codes, radius;
  bool with_radius = true, smooth = true;
  for (UsdaCurves& curves : stage.curves) {
    const MovingCurves& prim = prims->emplace_back(stage, std::move(curves), name);
    with_radius = with_radius && !prim.radius().empty();
    smooth = smooth && prim.curves().smooth;
    radius.insert(radius.end(), prim.radius().begin(), prim.radius().end());
    for (const double code : prim.time_codes()) codes.push_back(code);
  }
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  if (codes.empty()) codes = {0};

  Take take;
  std::vector<Vec3d> places;
  for (const MovingCurves& prim : *prims) prim.add_points(codes.front(), places);
  checked_count(places.size(), name);
  const Layout layout = lay_out(*prims, places, take.strands);
  take.strands.points = gathered(layout.point_place, places);
  if (with_radius) take.strands.radius = gathered(layout.point_place, radius);
  take.strands.smooth = smooth;
  take.title = stage.title;
  take.frame_rate = stage.frames_per_second;
  for (const double code : codes) take.times.push_back(code / stage.codes_per_second);
  take.moment = [prims, layout, codes, times = take.times](int k) {
    Moment moment = moment_at(*prims, layout, codes[k]);
    moment.time = times[k];
    return moment;
  };
  return take;
}

}  // namespace tendril::io
