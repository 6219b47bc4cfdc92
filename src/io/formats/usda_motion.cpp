#include "io/formats/usda_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/file.h"
#include "io/formats/checked.h"
#include "io/formats/up_axis.h"

namespace tendril::io {
namespace {

Affine to_meters_z_up(const UsdaStage& stage, const Affine& to_world) {
  const auto turned = [&](const Vec3d& a) { return turned_to_z_up(stage.up, stage.meters_per_unit * a); };
  const Mat3d& m = to_world.linear;
  return {{turned(m.c0), turned(m.c1), turned(m.c2)}, turned(to_world.shift)};
}

// whether a frame can be carried along: no shear and no mirror
bool is_scaled_rotation(const Mat3d& m) {
  const double size = norm(m.c0);
  const Vec3d third = cross(m.c0, m.c1) / size;
  return size > 0 && norm(third - m.c2) < 1e-6 * size && std::abs(norm(m.c1) - size) < 1e-6 * size;
}

std::vector<double> interpolated(double f, const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> result(a.size());
  for (std::size_t k = 0; k < a.size(); ++k) result[k] = (1 - f) * a[k] + f * b[k];
  return result;
}

// linear between samples, the nearest one outside of them
std::vector<double> values_at(const UsdaAttribute& attribute, double code) {
  const auto& samples = attribute.samples;
  const auto next = std::lower_bound(samples.begin(), samples.end(), code,
                                     [](const UsdaAttribute::Sample& s, double c) { return s.first < c; });
  if (samples.empty() || next == samples.begin()) return attribute.first();
  if (next == samples.end()) return samples.back().second;
  if (next->first == code) return next->second;
  const auto before = std::prev(next);
  return interpolated((code - before->first) / (next->first - before->first), before->second, next->second);
}

std::vector<Vec3d> vectors_at(const UsdaAttribute& attribute, double code) {
  const std::vector<double> values = values_at(attribute, code);
  std::vector<Vec3d> result(values.size() / 3);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
  return result;
}

bool all_are_control_points(const SampledCurves& curves) {
  return std::all_of(curves.points.begin(), curves.points.end(), [](const Mixture& m) { return m.count == 1; });
}

}  // namespace

MovingCurves::MovingCurves(const UsdaStage& stage, UsdaCurves prim, const std::string& file)
    : curves_(sample_curves(prim, file)), to_meters_(to_meters_z_up(stage, prim.to_world)) {
  const std::string where = fmt::format("{}: BasisCurves \"{}\"", file, prim.name);
  const Mat3d& m = to_meters_.linear;
  points_ = std::move(prim.attributes["points"]);
  check(points_, 3, "points", where);
  if (!prim.attributes["velocities"].first().empty()) {
    velocities_ = std::move(prim.attributes["velocities"]);
    check(velocities_, 3, "velocities", where);
  }
  UsdaAttribute& frames = prim.attributes["primvars:rod:orientation"];
  if (!frames.first().empty() && is_scaled_rotation(m) && all_are_control_points(curves_)) {
    frames_ = std::move(frames);
    check(frames_, 4, "orientations", where);
    const bool straight = m.c0.x > 0 && m.c1.y > 0 && m.c0.y == 0 && m.c0.z == 0 && m.c1.z == 0;
    if (!straight) turn_ = frame_from_tangent(normalized(m.c2), normalized(m.c0));
  }
  const double scale = std::cbrt(std::abs(dot(m.c0, cross(m.c1, m.c2))));
  for (double& radius : curves_.radius) radius *= scale;
  check_radii(curves_.radius, where);
}

// as many as there are control points, and finite in metres; frames of length one
void MovingCurves::check(const UsdaAttribute& attribute, int width, const std::string& what,
                         const std::string& where) const {
  const auto check_values = [&](const std::vector<double>& values) {
    if (values.size() != width * curves_.control_count)
      throw FileError(fmt::format("{} has {} {} where its curves have {} points", where, values.size() / width, what,
                                  curves_.control_count));
    for (std::size_t i = 0; i < curves_.control_count; ++i) {
      const double* v = &values[width * i];
      if (width == 3 && !is_finite(to_meters_(Vec3d{v[0], v[1], v[2]})))
        throw FileError(fmt::format("{}: number {} of its {} is not finite: mend or remove it", where, i, what));
      if (width == 4 && !(std::abs(norm(Quatd{v[0], v[1], v[2], v[3]}) - 1) < 1e-3))
        throw FileError(fmt::format("{}: number {} of its {} is not of length one", where, i, what));
    }
  };
  if (attribute.samples.empty()) check_values(attribute.value);
  for (const UsdaAttribute::Sample& sample : attribute.samples) check_values(sample.second);
}

std::vector<double> MovingCurves::time_codes() const {
  std::vector<double> codes;
  for (const UsdaAttribute::Sample& sample : points_.samples) codes.push_back(sample.first);
  return codes;
}

void MovingCurves::add_points(double code, std::vector<Vec3d>& x) const {
  const std::vector<Vec3d> control = vectors_at(points_, code);
  for (const Mixture& place : curves_.points) x.push_back(to_meters_(place.of(std::span(control))));
}

void MovingCurves::add_velocities(double code, std::vector<Vec3d>& v) const {
  const std::vector<Vec3d> control = vectors_at(velocities_, code);
  for (const Mixture& place : curves_.points) v.push_back(to_meters_.linear * place.of(std::span(control)));
}

void MovingCurves::add_frames(double code, std::vector<Quatd>& q) const {
  const std::vector<double> values = values_at(frames_, code);
  for (const Mixture& place : curves_.points) {
    const double* v = &values[4 * place.point[0]];
    const Quatd frame{v[0], v[1], v[2], v[3]};
    const double length = norm(frame);
    // samples keep their bits; a mean of two of opposite sign may have no length, and any frame is as good
    q.push_back(turn_ * (std::abs(length - 1) < 1e-6 ? frame : length > 0.1 ? normalized(frame) : Quatd{}));
  }
}

}  // namespace tendril::io
