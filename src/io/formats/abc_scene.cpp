#include "io/formats/abc_scene.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "math/quat.h"

namespace tendril::io {
namespace {

// x -> a x + t, by its columns
struct Affine {
  Vec3d a[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Vec3d t;

  Vec3d turned(const Vec3d& x) const { return x.x * a[0] + x.y * a[1] + x.z * a[2]; }
  Vec3d operator()(const Vec3d& x) const { return turned(x) + t; }
};

Affine operator*(const Affine& outer, const Affine& inner) {
  Affine both;
  for (int k = 0; k < 3; ++k) both.a[k] = outer.turned(inner.a[k]);
  both.t = outer(inner.t);
  return both;
}

Affine rotation(const Vec3d& axis, double degrees) {
  Affine out;
  if (!(norm(axis) > 0)) return out;
  const Quatd q = quaternion_exp(degrees * std::numbers::pi / 180 * normalized(axis));
  for (Vec3d& column : out.a) column = rotate(q, column);
  return out;
}

// one operation and how many numbers it takes: scale, translate, rotate about an axis, a matrix (of rows, for points as
// rows: its fourth row moves them), rotate about x, y, z
constexpr int channels[] = {3, 3, 4, 16, 1, 1, 1};

Affine operation(int kind, const double* v) {
  Affine out;
  if (kind == 0) out.a[0] = {v[0], 0, 0}, out.a[1] = {0, v[1], 0}, out.a[2] = {0, 0, v[2]};
  if (kind == 1) out.t = {v[0], v[1], v[2]};
  if (kind == 2) out = rotation({v[0], v[1], v[2]}, v[3]);
  if (kind == 3) {
    for (int k = 0; k < 3; ++k) out.a[k] = {v[4 * k], v[4 * k + 1], v[4 * k + 2]};
    out.t = {v[12], v[13], v[14]};
  }
  if (kind >= 4) out = rotation({double(kind == 4), double(kind == 5), double(kind == 6)}, v[0]);
  return out;
}

// the operations stand from the outermost to the innermost
Affine transform_at(const AbcInput& input, const AbcInput::Property& xform, double time) {
  const AbcInput::Property *ops = xform.find(".ops"), *vals = xform.find(".vals");
  Affine all;
  if (!ops || !vals || ops->samples == 0 || vals->samples == 0) return all;
  const std::vector<double> kinds = input.numbers(*ops, 0), v = input.numbers(*vals, input.sample_at(*vals, time));
  std::size_t at = 0;
  for (const double encoded : kinds) {
    const int kind = int(encoded) >> 4;  // the low bits are a hint for editors
    if (kind >= int(std::size(channels)) || at + channels[kind] > v.size())
      input.fail("a transform has an operation that is not known, or too few numbers");
    all = all * operation(kind, &v[at]);
    at += channels[kind];
  }
  return all;
}

// a transform may start anew from the world
bool inherits(const AbcInput& input, const AbcInput::Property& xform) {
  const AbcInput::Property* flag = xform.find(".inherits");
  if (!flag || flag->samples == 0) return true;
  const std::vector<double> value = input.numbers(*flag, 0);
  return value.empty() || value[0] != 0;
}

void collect(const AbcInput& input, const AbcInput::Object& object, const std::string& schema,
             std::vector<const AbcInput::Property*> above, std::vector<PlacedObject>& found) {
  if (object.is(schema)) found.push_back({&object, above});
  if (const AbcInput::Property* xform = object.find(".xform")) {
    if (!inherits(input, *xform)) above.clear();
    above.push_back(xform);
  }
  for (const AbcInput::Object& child : object.children) collect(input, child, schema, above, found);
}

}  // namespace

std::vector<PlacedObject> find_objects(const AbcInput& input, const std::string& schema) {
  std::vector<PlacedObject> found;
  collect(input, input.top(), schema, {}, found);
  return found;
}

std::vector<Vec3d> points_at(const AbcInput& input, const PlacedObject& placed, const AbcInput::Property& points,
                             double time) {
  const std::vector<double> v = input.numbers(points, input.sample_at(points, time));
  if (v.size() % 3 != 0) input.fail(fmt::format("{}: its points are not three numbers each", placed.object->name));
  Affine to_world;
  for (const AbcInput::Property* xform : placed.transforms) to_world = to_world * transform_at(input, *xform, time);
  std::vector<Vec3d> x;
  for (std::size_t k = 0; k < v.size(); k += 3) x.push_back(to_world({v[k], v[k + 1], v[k + 2]}));
  return x;
}

void add_times(const AbcInput& input, const PlacedObject& placed, const AbcInput::Property& points,
               std::vector<double>& times) {
  const auto add = [&](const AbcInput::Property& p) {
    for (std::uint32_t k = 0; k < p.samples && p.last > 0; ++k) times.push_back(input.time(p, k));
    if (p.last == 0 && p.samples > 0) times.push_back(input.time(p, 0));
  };
  add(points);
  for (const AbcInput::Property* xform : placed.transforms)
    if (const AbcInput::Property* vals = xform->find(".vals"); vals && vals->last > 0) add(*vals);
}

}  // namespace tendril::io
