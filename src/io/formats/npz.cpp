#include "io/formats/npz.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "io/formats/checked.h"
#include "io/formats/elastica.h"
#include "io/formats/npz_values.h"

namespace tendril::io {
namespace {

// where the positions stand and how many there are
struct Extent {
  std::string key;  // "x" or "points"
  std::size_t moments = 1, points = 0;
};

Extent extent_of(const NpzValues& in) {
  Extent extent{in.has("x") ? "x" : "points"};
  if (!in.has(extent.key))
    throw FileError(in.file() + ": has none of the arrays x, points and position_collection: these are no rods");
  if (in.has("body_x"))
    throw FileError(in.file() + ": is a single frame of a run, which does not know its rods: give the run's folder");
  const auto& shape = in.shape(extent.key);
  if ((shape.size() != 2 && shape.size() != 3) || shape.back() != 3)
    in.fail(extent.key, fmt::format("has the shape {}, it should be (points, 3) or (moments, points, 3)",
                                    in.shape_text(extent.key)));
  if (shape.size() == 3) extent.moments = shape[0];
  extent.points = shape[shape.size() - 2];
  if (extent.moments == 0 || extent.points < 2) in.fail(extent.key, "holds less than two points");
  checked_count(std::max(extent.points, extent.moments), in.file());
  return extent;
}

std::vector<Vec3d> vectors(const NpzValues& in, const std::string& key, std::size_t moment, std::size_t points) {
  const std::vector<double> values = in.numbers(key, 3 * points * moment, 3 * points);
  std::vector<Vec3d> result(points);
  for (std::size_t i = 0; i < points; ++i) result[i] = {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
  return result;
}

// one strand of all points when nothing else is said
void read_topology(const NpzValues& in, std::size_t point_count, Strands& out) {
  std::vector<int> points(point_count), first{0, static_cast<int>(point_count)};
  for (std::size_t i = 0; i < point_count; ++i) points[i] = static_cast<int>(i);
  if (in.has("strand_points")) points = in.integers("strand_points");
  if (in.has("strand_points")) first = {0, checked_count(points.size(), in.file())};
  if (in.has("strand_first")) first = in.integers("strand_first");
  if (first.size() < 2 || first.front() != 0 || first.back() != static_cast<int>(points.size()))
    in.fail("strand_first",
            fmt::format("should start with 0 and end with {}, the number of strand_points", points.size()));
  for (const int i : points)
    if (i < 0 || i >= static_cast<int>(point_count))
      in.fail("strand_points", fmt::format("names point {}, there are {}", i, point_count));
  std::vector<int> closed(first.size() - 1, 0);
  if (in.has("closed")) closed = in.integers("closed");
  if (closed.size() != first.size() - 1) in.fail("closed", "should have a value for each strand");

  for (std::size_t s = 0; s + 1 < first.size(); ++s) {
    Strand strand;
    strand.closed = closed[s] != 0;
    const int least = strand.closed ? 3 : 2;
    // the last is known to be the number of points: all are in range when they grow
    if (first[s + 1] < first[s] || first[s + 1] > first.back() || first[s + 1] - first[s] < least)
      in.fail("strand_first", fmt::format("gives strand {} less than {} points", s, least));
    strand.points.assign(points.begin() + first[s], points.begin() + first[s + 1]);
    out.strands.push_back(std::move(strand));
  }
}

void read_looks(const NpzValues& in, Strands& out) {
  const std::size_t count = out.strands.size();
  if (in.has("name")) {
    in.check_shape("name", {count});
    const std::vector<std::string> names = in.texts("name");
    for (std::size_t s = 0; s < count; ++s) out.strands[s].name = names[s];
  }
  if (in.has("color")) {
    in.check_shape("color", {count, 3});
    const std::vector<Vec3d> colors = vectors(in, "color", 0, count);
    check_points(colors, in.file() + ": array color");
    for (std::size_t s = 0; s < count; ++s)
      for (int k = 0; k < 3; ++k) out.strands[s].color[k] = std::clamp(colors[s][k], 0.0, 1.0);
  }
  if (in.has("radius")) {
    in.check_shape("radius", {out.points.size()});
    out.radius = in.numbers("radius");
    check_radii(out.radius, in.file());
  }
}

double single_value(const NpzValues& in, const std::string& key, double otherwise) {
  if (!in.has(key)) return otherwise;
  const std::vector<double> values = in.numbers(key);
  if (values.size() != 1 || !std::isfinite(values[0])) in.fail(key, "should be a single finite number");
  return values[0];
}

// one moment at a time from the arrays, which have been checked
Moment read_moment(const NpzValues& in, const Extent& extent, int segment_count, int k, double time) {
  Moment moment;
  moment.time = time;
  moment.x = vectors(in, extent.key, k, extent.points);
  if (in.has("v")) moment.v = vectors(in, "v", k, extent.points);
  if (in.has("q")) {
    const std::size_t count = segment_count;
    const std::vector<double> values = in.numbers("q", 4 * count * k, 4 * count);
    for (std::size_t s = 0; s < count; ++s)
      moment.q.push_back({values[4 * s], values[4 * s + 1], values[4 * s + 2], values[4 * s + 3]});
  }
  return moment;
}

void check_moments(const NpzValues& in, const Extent& extent, int segment_count) {
  if (in.has("v")) in.check_shape("v", in.shape(extent.key));
  if (in.has("q")) {
    std::vector<std::size_t> shape{extent.moments, std::size_t(segment_count), 4};
    if (in.shape(extent.key).size() == 2) shape.erase(shape.begin());
    in.check_shape("q", shape);
  }
  for (std::size_t k = 0; k < extent.moments; ++k) {
    const std::string where = extent.moments == 1 ? in.file() : fmt::format("{}: moment {}", in.file(), k);
    const Moment moment = read_moment(in, extent, segment_count, static_cast<int>(k), 0);
    check_points(moment.x, where);
    check_points(moment.v, where + ": velocity");
    for (std::size_t s = 0; s < moment.q.size(); ++s)
      if (!(std::abs(norm(moment.q[s]) - 1) < 1e-3))
        throw FileError(fmt::format("{}: quaternion {} is not of length one", where, s));
  }
}

int segment_count(const Strands& strands) {
  int count = 0;
  for (const Strand& strand : strands.strands) count += strand.segment_count();
  return count;
}

template <class Row>
void append(const std::vector<Row>& rows, std::vector<char>& bytes) {
  const char* begin = reinterpret_cast<const char*>(rows.data());
  bytes.insert(bytes.end(), begin, begin + rows.size() * sizeof(Row));
}

}  // namespace

Take read_npz_rods(std::span<const char> bytes, const std::string& name) {
  const auto in = std::make_shared<const NpzValues>(parse_npz(bytes, name), name);
  if (in->has("position_collection")) return elastica_take(in);
  const Extent extent = extent_of(*in);
  Take take;
  read_topology(*in, extent.points, take.strands);
  const int segments = segment_count(take.strands);
  check_moments(*in, extent, segments);
  take.strands.points = vectors(*in, extent.key, 0, extent.points);
  take.strands.smooth = single_value(*in, "smooth", 0) != 0;
  read_looks(*in, take.strands);
  take.frame_rate = single_value(*in, "frame_rate", take.frame_rate);
  if (!(take.frame_rate > 0)) in->fail("frame_rate", "must be greater than 0");
  take.times = in->times(extent.moments, take.frame_rate);
  if (in->has("title") && in->shape("title").size() <= 1)
    for (const std::string& text : in->texts("title")) take.title = text;
  take.moment = [in, extent, segments, times = take.times](int k) {
    return read_moment(*in, extent, segments, k, times[k]);
  };
  return take;
}

void write_npz_rods(const Take& take, const std::filesystem::path& path) {
  const Strands& strands = take.strands;
  const std::size_t moments = take.times.size(), points = strands.points.size();
  if (moments * points > (std::size_t(1) << 31) / sizeof(Vec3d))
    throw FileError(fmt::format("{}: {} moments of {} points are more than a .npz file holds: write one moment",
                                path.string(), moments, points));
  NpyArray x{"<f8", {moments, points, 3}, {}}, v = x, q{"<f8", {moments, 0, 4}, {}};
  for (std::size_t k = 0; k < moments; ++k) {
    const Moment moment = take.moment(static_cast<int>(k));
    append(moment.x, x.bytes);
    append(moment.v, v.bytes);
    append(moment.q, q.bytes);
    q.shape[1] = moment.q.size();
  }
  std::vector<int> strand_points, strand_first{0}, closed;
  std::vector<std::string> names;
  std::vector<Vec3d> colors;
  for (const Strand& strand : strands.strands) {
    strand_points.insert(strand_points.end(), strand.points.begin(), strand.points.end());
    strand_first.push_back(static_cast<int>(strand_points.size()));
    closed.push_back(strand.closed);
    names.push_back(strand.name);
    colors.push_back(strand.color);
  }
  NpzArrays arrays{{"x", x},
                   {"time", NpyArray::of(take.times)},
                   {"strand_points", NpyArray::of(strand_points)},
                   {"strand_first", NpyArray::of(strand_first)},
                   {"closed", NpyArray::of(closed)},
                   {"name", NpyArray::of(names)},
                   {"color", NpyArray::of(colors)},
                   {"smooth", NpyArray::of(std::vector<int>{strands.smooth})},
                   {"frame_rate", NpyArray::of(take.frame_rate)},
                   {"title", NpyArray::of(std::vector<std::string>{take.title})}};
  if (!strands.radius.empty()) arrays["radius"] = NpyArray::of(strands.radius);
  if (v.bytes.size() == x.bytes.size()) arrays["v"] = v;
  if (!q.bytes.empty() && q.bytes.size() == q.count() * sizeof(double)) arrays["q"] = q;
  write_npz(path, arrays);
}

}  // namespace tendril::io
