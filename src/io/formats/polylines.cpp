#include "io/formats/polylines.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "io/file.h"

namespace tendril::io {

namespace {

int segment_count(const Strands& strands) {
  int count = 0;
  for (const Strand& strand : strands.strands) count += strand.segment_count();
  return count;
}

}  // namespace

Polylines lay_out(const Strands& strands, Kind kind) {
  Polylines lines;
  int segment = 0;
  for (std::size_t k = 0; k < strands.strands.size(); ++k) {
    const Strand& strand = strands.strands[k];
    const int count = strand.segment_count();
    if (kind == Kind::any || strand.closed == (kind == Kind::closed)) {
      lines.strands.push_back(int(k));
      for (int n = 0; n < int(strand.points.size()); ++n) {
        lines.point.push_back(strand.points[n]);
        lines.segment.push_back(segment + std::min(n, count - 1));
      }
      lines.first.push_back(lines.place_count());
    }
    segment += count;
  }
  return lines;
}

RodNumbers number_rods(const Strands& strands) {
  RodNumbers rods;
  std::unordered_map<std::string, int> numbers;
  for (const Strand& strand : strands.strands) {
    const auto [entry, fresh] = numbers.try_emplace(strand.name, int(rods.names.size()));
    if (fresh) rods.names.push_back(strand.name);
    rods.of_strand.push_back(entry->second);
  }
  return rods;
}

std::vector<int> distinct_moments(const Take& take) {
  std::vector<int> moments;
  for (int k = 0; k < int(take.times.size()); ++k)
    if (moments.empty() || take.times[k] > take.times[moments.back()]) moments.push_back(k);
  return moments;
}

Parts parts_of(const Take& take) {
  if (take.strands.strands.empty() || take.times.empty())
    throw FileError("there is nothing to write: no strands, or no moment of them");
  const Moment moment = take.moment(0);
  return {!moment.v.empty(), !moment.q.empty(), !take.strands.radius.empty()};
}

Moment checked_moment(const Take& take, int k, const Parts& parts) {
  Moment moment = take.moment(k);
  const std::size_t points = take.strands.points.size(), segments = std::size_t(segment_count(take.strands));
  if (moment.x.size() != points || (parts.velocity && moment.v.size() != points) ||
      (parts.frames && moment.q.size() != segments))
    throw FileError(
        fmt::format("moment {} has {} points, {} velocities and {} frames; the strands have {} points and {} segments",
                    k, moment.x.size(), moment.v.size(), moment.q.size(), points, segments));
  return moment;
}

PointBounds bounds_of(const Polylines& lines, const Strands& strands, const std::vector<Vec3d>& x) {
  if (lines.point.empty()) return {};
  const Vec3d start = x[lines.point[0]];
  PointBounds bounds{start, start};
  for (const int i : lines.point) {
    const double r = strands.radius.empty() ? 0 : strands.radius[i];
    for (int axis = 0; axis < 3; ++axis) {
      bounds.low[axis] = std::min(bounds.low[axis], x[i][axis] - r);
      bounds.high[axis] = std::max(bounds.high[axis], x[i][axis] + r);
    }
  }
  return bounds;
}

}  // namespace tendril::io
