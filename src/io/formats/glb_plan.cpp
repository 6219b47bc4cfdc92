#include "io/formats/glb_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "io/file.h"
#include "io/formats/glb_joints.h"

namespace tendril::io {

namespace {

constexpr int most_joints = 65536;  // of a skin: vertices name them by 16 bits

// moments whose times differ in single precision
void choose_moments(const Take& take, std::vector<int>& moments, std::vector<float>& times) {
  for (const int k : distinct_moments(take)) {
    const auto time = float(take.times[k] - take.times[0]);
    if (!times.empty() && time <= times.back()) continue;
    moments.push_back(k);
    times.push_back(time);
  }
}

// fewer sides when there are many points
int sides_for(int places) { return places < 20'000 ? 12 : places < 200'000 ? 6 : 4; }

// strands without radii get thin tubes, seen from where all of them are in sight
double default_radius(const Polylines& lines, const Strands& strands, const std::vector<Vec3d>& x) {
  const PointBounds bounds = bounds_of(lines, strands, x);
  const double diagonal = norm(bounds.high - bounds.low);
  return diagonal > 0 ? 0.002 * diagonal : 0.001;
}

}  // namespace

GlbPlan::GlbPlan(const Take& the_take) : take(&the_take), parts(parts_of(the_take)), lines(lay_out(the_take.strands)) {
  sides = sides_for(lines.place_count());
  choose_moments(*take, moments, times);
  const Moment first = checked_moment(*take, 0, parts);
  start = at_places(lines.point, first.x);
  if (moves()) start_frame = JointFrames(*take, lines, parts).advance(first);
  radius = parts.radius ? at_places(lines.point, take->strands.radius)
                        : std::vector<double>(lines.place_count(), default_radius(lines, take->strands, first.x));
  for (const Strand& strand : take->strands.strands) {
    const auto known = std::find(materials.begin(), materials.end(), strand.color);
    material.push_back(int(known - materials.begin()));
    if (known == materials.end()) materials.push_back(strand.color);
  }

  TubeSize total;
  for (int k = 0; k < lines.strand_count(); ++k) {
    if (moves() && lines.count(k) > most_joints)
      throw FileError(fmt::format("strand {} has {} points, a skin of .glb holds {}; write .usda or .abc", k,
                                  lines.count(k), most_joints));
    total.vertices += size(k).vertices, total.corners += size(k).corners;
  }
  view_bytes[vertices] = vertex_bytes() * total.vertices;
  view_bytes[triangles] = 4 * total.corners;
  if (!moves()) return;
  find_collapsing();
  const std::uint64_t joints = joint_count(), samples = times.size();
  view_bytes[inverse_binds] = 64 * joints;
  view_bytes[time] = 4 * samples;
  view_bytes[translations] = 12 * joints * samples;
  view_bytes[rotations] = 16 * joints * samples;
  view_bytes[scales] = 12 * collapsing.size() * samples;
}

bool GlbPlan::has_length(const std::vector<Vec3d>& x, int strand) const {
  const auto first = lines.point.begin() + lines.first[strand], end = lines.point.begin() + lines.first[strand + 1];
  return std::any_of(first, end, [&](int i) { return x[i] != x[*first]; });
}

void GlbPlan::find_collapsing() {
  std::vector<char> collapses(lines.strand_count(), false);
  for (const int m : moments) {
    const Moment moment = checked_moment(*take, m, parts);
    for (int k = 0; k < lines.strand_count(); ++k) collapses[k] |= !has_length(moment.x, k);
  }
  for (int k = 0; k < lines.strand_count(); ++k)
    if (collapses[k]) collapsing.push_back(k);
}

TubeMesh GlbPlan::tube(int strand) const {
  const std::size_t first = lines.first[strand], count = lines.count(strand);
  return make_tube(std::span(start).subspan(first, count), std::span(radius).subspan(first, count), closed(strand),
                   sides);
}

std::uint64_t GlbPlan::view_offset(int view) const {
  return std::accumulate(view_bytes, view_bytes + view, std::uint64_t(0));
}

}  // namespace tendril::io
