#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "io/formats/checked.h"
#include "io/formats/usda_stage.h"
#include "math/quat.h"

namespace tendril::io {
namespace {

Mat3d rotation_about(char axis, double degrees) {
  const double angle = degrees * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
  if (axis == 'X') return {{1, 0, 0}, {0, c, s}, {0, -s, c}};
  if (axis == 'Y') return {{c, 0, -s}, {0, 1, 0}, {s, 0, c}};
  return {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
}

// "X", or "XYZ": the first one acts first
Mat3d rotation(std::string_view axes, const std::vector<double>& degrees) {
  Mat3d result = Mat3d::identity();
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const double angle = axes.size() == 1 ? degrees[0] : degrees[axes[k] - 'X'];
    result = rotation_about(axes[k], angle) * result;
  }
  return result;
}

// a matrix whose rows are the images of the axes and of the origin
Affine of_matrix(const std::vector<double>& m) {
  return {{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}}, {m[12], m[13], m[14]}};
}

// one operation by its kind ("translate", "rotateXYZ" …); false when there is no such kind or its value does not fit
bool make_operation(std::string_view kind, const std::vector<double>& value, Affine& result) {
  const std::size_t size = value.size();
  if (kind == "translate" && size == 3) {
    result.shift = {value[0], value[1], value[2]};
  } else if (kind == "scale" && size == 3) {
    result.linear = Mat3d::diagonal({value[0], value[1], value[2]});
  } else if (kind == "transform" && size == 16) {
    result = of_matrix(value);
  } else if (kind == "orient" && size == 4) {
    const Quatd q = normalized(Quatd{value[0], value[1], value[2], value[3]});
    result.linear = {rotate(q, {1, 0, 0}), rotate(q, {0, 1, 0}), rotate(q, {0, 0, 1})};
  } else if (kind.starts_with("rotate") && kind.find_first_not_of("XYZ", 6) == kind.npos &&
             ((kind.size() == 7 && size == 1) || (kind.size() == 9 && size == 3))) {
    result.linear = rotation(kind.substr(6), value);
  } else {
    return false;
  }
  return true;
}

bool is_finite(const Affine& a) {
  return is_finite(a.linear.c0) && is_finite(a.linear.c1) && is_finite(a.linear.c2) && is_finite(a.shift);
}

Affine inverse(const Affine& a) {
  const Mat3d& m = a.linear;
  const Vec3d r0 = cross(m.c1, m.c2), r1 = cross(m.c2, m.c0), r2 = cross(m.c0, m.c1);
  const Mat3d linear = (1 / dot(m.c0, r0)) * transpose(Mat3d{r0, r1, r2});
  return {linear, -(linear * a.shift)};
}

}  // namespace

// the first operation of the order is the outermost
Affine local_transform(const UsdaAttributes& attributes, const UsdaText& in, bool& resets) {
  constexpr std::string_view invert = "!invert!", prefix = "xformOp:";
  Affine result;
  const auto order = attributes.find("xformOpOrder");
  if (order == attributes.end()) return result;
  for (const std::string& entry : order->second.texts) {
    if (entry == "!resetXformStack!") {
      resets = true;
      continue;
    }
    const bool inverted = entry.starts_with(invert);
    const std::string name = inverted ? entry.substr(invert.size()) : entry;
    const auto found = attributes.find(name);
    if (found == attributes.end()) in.fail(fmt::format("has no {}, which xformOpOrder names", clean_text(name)));
    if (!found->second.samples.empty())
      in.fail(fmt::format("moves a prim by {}.timeSamples: write the motion into the points", clean_text(name)));
    const std::string_view rest = std::string_view(name).substr(std::min(prefix.size(), name.size()));
    Affine operation;
    if (!make_operation(rest.substr(0, rest.find(':')), found->second.value, operation))
      in.fail(fmt::format("has {}, which cannot be read", clean_text(name)));
    if (inverted) operation = inverse(operation);
    if (!is_finite(operation)) in.fail(fmt::format("has {}, which is not finite", clean_text(entry)));
    result = result(operation);
  }
  return result;
}

}  // namespace tendril::io
