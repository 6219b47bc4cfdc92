#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "io/formats/abc.h"
#include "io/formats/abc_scene.h"
#include "io/formats/checked.h"

namespace tendril::io {
namespace {

using Property = AbcInput::Property;

// the curves of one object: its points stand one curve after the other
struct CurvesObject {
  PlacedObject placed;
  const Property* points = nullptr;
  const Property* velocities = nullptr;  // nullptr: none
  const Property* frames = nullptr;
  std::vector<int> counts;  // points of each curve
  bool closed = false, smooth = false;

  int point_count() const {
    int sum = 0;
    for (int n : counts) sum += n;
    return sum;
  }
};

const Property& needed(const AbcInput& input, const PlacedObject& placed, const Property& geometry,
                       const std::string& name) {
  const Property* p = geometry.find(name);
  if (!p || p->samples == 0) input.fail(fmt::format("{}: its curves have no {}", placed.object->name, name));
  return *p;
}

// type 0 cubic, 1 linear; wrap 1 periodic; basis 3 Catmull-Rom
void read_kind(const AbcInput& input, const Property& geometry, CurvesObject& out) {
  const Property* p = geometry.find("curveBasisAndType");
  if (!p) return;
  const std::vector<double> kind = input.numbers(*p, 0);
  if (kind.size() < 3) return;
  out.closed = kind[1] == 1, out.smooth = kind[0] == 0;
  if (kind[0] != 1 && !(kind[0] == 0 && kind[2] == 3))
    input.fail(fmt::format("{}: its curves are {}; linear and Catmull-Rom ones are read: convert them",
                           out.placed.object->name,
                           kind[0] == 2   ? "of several kinds"
                           : kind[2] == 1 ? "cubic Bézier ones"
                                          : "cubic B-splines"));
}

CurvesObject read_curves(const AbcInput& input, const PlacedObject& placed) {
  CurvesObject out;
  out.placed = placed;
  const Property* geometry = placed.object->find(".geom");
  if (!geometry) input.fail(fmt::format("{}: its curves have no geometry", placed.object->name));
  out.points = &needed(input, placed, *geometry, "P");
  read_kind(input, *geometry, out);
  const std::size_t points = input.numbers(*out.points, 0).size() / 3;
  std::size_t sum = 0;
  for (const double count : input.numbers(needed(input, placed, *geometry, "nVertices"), 0)) {
    const double least = out.closed ? 3 : 2;
    if (!(count >= least && count <= double(points)))
      input.fail(fmt::format("{}: curve {} has {} points; expected at least {}", placed.object->name, out.counts.size(),
                             count, least));
    out.counts.push_back(int(count)), sum += std::size_t(count);
  }
  if (sum != points)
    input.fail(fmt::format("{}: its curves need {} points, and it has {}", placed.object->name, sum, points));
  const auto if_there = [](const Property* p) { return p && p->samples > 0 ? p : nullptr; };
  out.velocities = if_there(geometry->find(".velocities"));
  if (const Property* attributes = geometry->find(".arbGeomParams"))
    out.frames = if_there(attributes->find("rod_orientation"));
  return out;
}

// a value for each point, each curve or all of them, in one number per `width` values; empty: not there
std::vector<std::vector<double>> per_point(const AbcInput& input, const CurvesObject& curves, const Property* p,
                                           std::size_t width) {
  if (!p || p->samples == 0) return {};
  const std::vector<double> values = input.numbers(*p, 0);
  const std::size_t count = values.size() / width, points = std::size_t(curves.point_count());
  std::vector<std::vector<double>> out;
  const auto add = [&](std::size_t k) {
    out.emplace_back(values.begin() + k * width, values.begin() + (k + 1) * width);
  };
  if (count == points)
    for (std::size_t k = 0; k < points; ++k) add(k);
  else if (count == curves.counts.size())
    for (std::size_t k = 0; k < count; ++k)
      for (int n = 0; n < curves.counts[k]; ++n) add(k);
  else if (count == 1)
    for (std::size_t k = 0; k < points; ++k) add(0);
  return out;
}

// a parameter may be a compound that holds its values under `.vals`, by an index
const Property* values_of(const Property* p) { return p && p->is_compound ? p->find(".vals") : p; }

void add_radii(const AbcInput& input, const CurvesObject& curves, std::vector<double>& radius, bool& all) {
  const auto widths = per_point(input, curves, values_of(curves.placed.object->find(".geom")->find("width")), 1);
  if (widths.empty()) all = false;
  for (const auto& width : widths) radius.push_back(0.5 * width[0]);
}

// of each curve that of its first point
std::vector<Vec3d> colors_of(const AbcInput& input, const CurvesObject& curves, const Property& attributes) {
  const auto colors = per_point(input, curves, values_of(attributes.find("groom_color")), 3);
  std::vector<Vec3d> result;
  std::size_t first = 0;
  for (int count : curves.counts) {
    if (first >= colors.size()) break;
    Vec3d color{colors[first][0], colors[first][1], colors[first][2]};
    if (!is_finite(color)) input.fail(fmt::format("the color of curve {} is not finite", result.size()));
    for (int k = 0; k < 3; ++k) color[k] = std::clamp(color[k], 0.0, 1.0);
    result.push_back(color);
    first += count;
  }
  return result;
}

void add_strands(const AbcInput& input, const CurvesObject& curves, int first, Strands& out) {
  const std::size_t begin = out.strands.size();
  for (int count : curves.counts) {
    Strand strand;
    strand.closed = curves.closed;
    for (int n = 0; n < count; ++n) strand.points.push_back(first + n);
    out.strands.push_back(std::move(strand));
    first += count;
  }
  const Property* attributes = curves.placed.object->find(".geom")->find(".arbGeomParams");
  if (!attributes) return;
  if (const Property* p = values_of(attributes->find("groom_group_name")); p && p->samples > 0) {
    const std::vector<std::string> names = input.texts(*p, 0);
    for (std::size_t k = 0; k < curves.counts.size() && !names.empty(); ++k)
      out.strands[begin + k].name = clean_text(names[std::min(k, names.size() - 1)]);
  }
  const std::vector<Vec3d> colors = colors_of(input, curves, *attributes);
  for (std::size_t k = 0; k < colors.size(); ++k) out.strands[begin + k].color = colors[k];
}

// the whole archive, kept for the moments
struct Archive {
  AbcInput input;
  std::vector<CurvesObject> objects;
  std::string file;

  Archive(std::span<const char> bytes, const std::string& name) : input(bytes, name), file(name) {}

  template <class Get>
  std::vector<Vec3d> all(Get get, double time) const {
    std::vector<Vec3d> x;
    for (const CurvesObject& curves : objects) {
      const std::vector<Vec3d> own = get(curves, time);
      if (int(own.size()) != curves.point_count())
        input.fail(fmt::format("{}: the number of its points changes in time", curves.placed.object->name));
      x.insert(x.end(), own.begin(), own.end());
    }
    return x;
  }
  std::vector<Vec3d> points(double time) const {
    return all([&](const CurvesObject& c, double t) { return points_at(input, c.placed, *c.points, t); }, time);
  }

  // what transforms turn they would have to turn, too
  bool is_placed() const {
    return std::any_of(objects.begin(), objects.end(), [](const CurvesObject& c) {
      return std::any_of(c.placed.transforms.begin(), c.placed.transforms.end(),
                         [](const Property* p) { return p->find(".vals") != nullptr; });
    });
  }
  bool all_have(const Property* CurvesObject::*part) const {
    return !is_placed() &&
           std::all_of(objects.begin(), objects.end(), [&](const CurvesObject& c) { return c.*part != nullptr; });
  }

  Moment moment(double time) const {
    Moment out;
    out.time = time;
    out.x = points(time);
    check_points(out.x, file);
    if (all_have(&CurvesObject::velocities))
      out.v = all(
          [&](const CurvesObject& c, double t) {
            return points_at(input, {c.placed.object, {}}, *c.velocities, t);
          },
          time);
    if (all_have(&CurvesObject::frames))
      for (const CurvesObject& c : objects) add_frames(c, time, out.q);
    return out;
  }

  // they stand at the points; a segment has that of its first one
  void add_frames(const CurvesObject& c, double time, std::vector<Quatd>& q) const {
    const std::vector<double> v = input.numbers(*c.frames, input.sample_at(*c.frames, time));
    if (v.size() != 4 * std::size_t(c.point_count()))
      input.fail(fmt::format("{}: rod_orientation has not four numbers for each point", c.placed.object->name));
    std::size_t first = 0;
    for (int count : c.counts) {
      for (int n = 0; n < count - (c.closed ? 0 : 1); ++n) {
        const double* p = &v[4 * (first + n)];
        const Quatd frame{p[0], p[1], p[2], p[3]};
        if (!(norm(frame) > 0.5 && norm(frame) < 2)) input.fail("a frame of rod_orientation is no rotation");
        q.push_back(normalized(frame));
      }
      first += count;
    }
  }
};

}  // namespace

Take read_abc(std::span<const char> bytes, const std::string& name) {
  const auto archive = std::make_shared<Archive>(bytes, name);
  for (const PlacedObject& placed : find_objects(archive->input, "AbcGeom_Curve"))
    archive->objects.push_back(read_curves(archive->input, placed));
  if (archive->objects.empty()) throw FileError(name + ": has no curves");

  Take take;
  bool with_radius = true, smooth = true;
  int first = 0;
  for (const CurvesObject& curves : archive->objects) {
    add_strands(archive->input, curves, first, take.strands);
    add_radii(archive->input, curves, take.strands.radius, with_radius);
    add_times(archive->input, curves.placed, *curves.points, take.times);
    smooth = smooth && curves.smooth;
    first += curves.point_count();
  }
  checked_count(std::uint64_t(first), name);
  std::sort(take.times.begin(), take.times.end());
  take.times.erase(std::unique(take.times.begin(), take.times.end()), take.times.end());
  take.strands.smooth = smooth;
  if (!with_radius) take.strands.radius.clear();
  check_radii(take.strands.radius, name);
  take.strands.points = archive->points(take.times[0]);
  check_points(take.strands.points, name);
  if (take.times.size() > 1) take.frame_rate = double(take.times.size() - 1) / (take.times.back() - take.times.front());
  take.moment = [archive, times = take.times](int k) { return archive->moment(times[k]); };
  return take;
}

}  // namespace tendril::io
