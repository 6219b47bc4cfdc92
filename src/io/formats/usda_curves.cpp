#include "io/formats/usda_curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/file.h"
#include "io/formats/checked.h"

namespace tendril::io {
namespace {

[[noreturn]] void fail(const UsdaCurves& curves, const std::string& file, const std::string& message) {
  throw FileError(fmt::format("{}: BasisCurves \"{}\" {}", file, curves.name, message));
}

// a token of the prim, one of those allowed; the first of them when it is not written
std::string token(const UsdaCurves& curves, const std::string& file, const char* key,
                  const std::vector<std::string>& allowed) {
  const auto found = curves.attributes.find(key);
  if (found == curves.attributes.end() || found->second.texts.empty()) return allowed[0];
  const std::string& value = found->second.texts[0];
  std::string known;
  for (const std::string& word : allowed) {
    if (word == value) return value;
    known += (known.empty() ? "" : ", ") + word;
  }
  fail(curves, file, fmt::format("has the {} \"{}\"; {} can be read", key, clean_text(value), known));
}

Mixture control_point(int i) { return {1, {i}, {1}}; }

// where two cubic pieces of a uniform B-spline meet
Mixture bspline_knot(int before, int at, int after) { return {3, {before, at, after}, {1.0 / 6, 4.0 / 6, 1.0 / 6}}; }

Mixture bezier_point(const int (&p)[4], double u) {
  const double v = 1 - u;
  return {4, {p[0], p[1], p[2], p[3]}, {v * v * v, 3 * u * v * v, 3 * u * u * v, u * u * u}};
}

// how the control points of a curve give points on it
struct Basis {
  std::string kind;  // "linear", "bezier", "bspline", "catmullRom"
  std::string wrap;  // "nonperiodic", "periodic", "pinned"

  bool closed() const { return wrap == "periodic"; }
  // a B-spline or Catmull-Rom curve that is not pinned starts at its second point
  bool hides_ends() const { return wrap == "nonperiodic" && (kind == "bspline" || kind == "catmullRom"); }

  bool fits(int count) const {
    if (kind == "bezier") return closed() ? count >= 3 && count % 3 == 0 : count >= 4 && count % 3 == 1;
    return count >= (closed() ? 3 : hides_ends() ? 4 : 2);
  }
};

std::vector<Mixture> points_on_bezier(const Basis& basis, int first, int count) {
  std::vector<Mixture> points;
  for (int k = 0; k + 1 < count || (basis.closed() && k < count); k += 3) {
    const int p[4] = {first + k, first + k + 1, first + k + 2, first + (k + 3) % count};
    points.push_back(control_point(p[0]));
    points.push_back(bezier_point(p, 1.0 / 3));
    points.push_back(bezier_point(p, 2.0 / 3));
  }
  if (!basis.closed()) points.push_back(control_point(first + count - 1));
  return points;
}

std::vector<Mixture> points_on_curve(const Basis& basis, int first, int count) {
  if (basis.kind == "bezier") return points_on_bezier(basis, first, count);
  std::vector<Mixture> points;
  const int hidden = basis.hides_ends() ? 1 : 0;
  for (int i = hidden; i < count - hidden; ++i) {
    const bool end = !basis.closed() && (i == 0 || i == count - 1);
    points.push_back(basis.kind == "bspline" && !end
                         ? bspline_knot(first + (i + count - 1) % count, first + i, first + (i + 1) % count)
                         : control_point(first + i));
  }
  return points;
}

// a value per knot, for points that may lie between knots
double varying_value(const std::vector<double>& values, std::size_t first, int point, int knot_count,
                     const Basis& basis) {
  const int step = basis.kind == "bezier" ? 3 : 1, knot = point / step, next = (knot + 1) % knot_count;
  const double f = double(point % step) / step;
  return f == 0 ? values[first + knot] : (1 - f) * values[first + knot] + f * values[first + next];
}

// half of the widths, however they are spread
void add_radii(const UsdaCurves& curves, const std::string& file, const Basis& basis, SampledCurves& out) {
  auto found = curves.attributes.find("widths");
  if (found == curves.attributes.end()) found = curves.attributes.find("primvars:widths");
  if (found == curves.attributes.end() || found->second.first().empty()) return;
  const std::vector<double>& widths = found->second.first();
  const std::string& spread = found->second.interpolation;
  const int step = basis.kind == "bezier" ? 3 : 1;
  const auto knot_count = [&](const Strand& strand) {
    const int points = static_cast<int>(strand.points.size());
    return strand.closed ? points / step : (points - 1) / step + 1;
  };
  std::size_t knots = 0;
  for (const Strand& strand : out.strands) knots += knot_count(strand);

  const bool constant = widths.size() == 1;
  const bool vertex = !constant && widths.size() == out.control_count && (spread == "vertex" || spread.empty());
  const bool varying =
      !constant && !vertex && widths.size() == knots && (spread == "varying" || spread == "vertex" || spread.empty());
  const bool uniform = !constant && widths.size() == out.strands.size() && (spread == "uniform" || spread.empty());
  if (!(constant || vertex || varying || uniform))
    fail(curves, file, fmt::format("has {} widths, which fit neither its points nor its curves", widths.size()));
  std::size_t first_knot = 0;
  for (std::size_t s = 0; s < out.strands.size(); ++s) {
    const int count = knot_count(out.strands[s]);
    for (std::size_t k = 0; k < out.strands[s].points.size(); ++k) {
      const double width = constant  ? widths[0]
                           : vertex  ? out.points[out.radius.size()].of(std::span<const double>(widths))
                           : varying ? varying_value(widths, first_knot, static_cast<int>(k), count, basis)
                                     : widths[s];
      out.radius.push_back(0.5 * width);
    }
    first_knot += count;
  }
}

// one per curve, one for all, or the first point's
void add_colors(const UsdaCurves& curves, const std::vector<int>& first_control, SampledCurves& out) {
  const auto found = curves.attributes.find("primvars:displayColor");
  if (found == curves.attributes.end()) return;
  const std::vector<double>& values = found->second.first();
  const std::size_t count = values.size() / 3;
  for (std::size_t s = 0; s < out.strands.size(); ++s) {
    const std::size_t at = count == 1 ? 0 : count == out.strands.size() ? s : first_control[s];
    if (count != 1 && count != out.strands.size() && count != out.control_count) return;
    for (int k = 0; k < 3; ++k) {
      const double c = values[3 * at + k];
      out.strands[s].color[k] = std::isfinite(c) ? std::clamp(c, 0.0, 1.0) : 0;
    }
  }
}

// what our own files say besides: names, the order of the strands, and which points they share
void add_identity(const UsdaCurves& curves, SampledCurves& out) {
  const auto values = [&](const char* key) -> const UsdaAttribute& {
    static const UsdaAttribute none;
    const auto found = curves.attributes.find(key);
    return found == curves.attributes.end() ? none : found->second;
  };
  const std::vector<std::string>& names = values("primvars:rod:name").texts;
  const bool numbered = !values("primvars:rod:id").value.empty();
  for (std::size_t s = 0; s < out.strands.size(); ++s)
    out.strands[s].name = names.size() == out.strands.size() ? names[s]
                          : numbered                         ? ""
                          : out.strands.size() == 1          ? curves.name
                                                             : fmt::format("{}_{}", curves.name, s);
  const auto ids = [&](const char* key, std::size_t count) {
    const std::vector<double>& numbers = values(key).value;
    const bool good = numbers.size() == count &&
                      std::all_of(numbers.begin(), numbers.end(), [](double n) { return std::isfinite(n); });
    return good ? numbers : std::vector<double>{};
  };
  out.strand_id = ids("primvars:strand:id", out.strands.size());
  if (out.points.size() == out.control_count) out.point_id = ids("primvars:point:id", out.points.size());
}

}  // namespace

SampledCurves sample_curves(const UsdaCurves& curves, const std::string& file) {
  const bool linear = token(curves, file, "type", {"cubic", "linear"}) == "linear";
  const Basis basis{linear ? "linear" : token(curves, file, "basis", {"bezier", "bspline", "catmullRom"}),
                    token(curves, file, "wrap", {"nonperiodic", "periodic", "pinned"})};
  const auto found = curves.attributes.find("curveVertexCounts");
  if (found == curves.attributes.end() || found->second.first().empty()) fail(curves, file, "has no curveVertexCounts");
  for (const auto& [code, values] : found->second.samples)
    if (values != found->second.first())
      fail(curves, file, "has curves that change their number of points: split the file");
  const auto points = curves.attributes.find("points");
  const std::size_t available = points == curves.attributes.end() ? 0 : points->second.first().size() / 3;

  SampledCurves out;
  out.smooth = !linear;
  std::vector<int> first_control;
  for (const double n : found->second.first()) {
    // checked against the points at hand, so that a large number allocates nothing
    if (!(n >= 1 && n == std::floor(n) && n <= double(available - out.control_count)))
      fail(curves, file, fmt::format("has a curve of {} points when {} are left", n, available - out.control_count));
    const int count = static_cast<int>(n);
    if (!basis.fits(count))
      fail(curves, file,
           fmt::format("has a curve of {} points, which a {} {} curve cannot have", count, basis.wrap, basis.kind));
    const std::vector<Mixture> on_curve = points_on_curve(basis, static_cast<int>(out.control_count), count);
    Strand strand;
    strand.closed = basis.closed();
    for (std::size_t k = 0; k < on_curve.size(); ++k) strand.points.push_back(static_cast<int>(out.points.size() + k));
    out.points.insert(out.points.end(), on_curve.begin(), on_curve.end());
    out.strands.push_back(std::move(strand));
    first_control.push_back(static_cast<int>(out.control_count));
    out.control_count += count;
  }
  if (out.control_count != available)
    fail(curves, file, fmt::format("has {} points, its curves need {}", available, out.control_count));
  add_radii(curves, file, basis, out);
  add_colors(curves, first_control, out);
  add_identity(curves, out);
  return out;
}

}  // namespace tendril::io
