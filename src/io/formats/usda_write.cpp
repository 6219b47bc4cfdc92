#include "io/formats/usda_write.h"

#include <fmt/format.h>

#include <cmath>

#include "io/formats/polylines.h"
#include "io/streamed_file.h"

namespace tendril::io {

namespace {

// a text in quotes, on one line
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result + '"';
}

// seconds as frames, without the rounding of their product
double time_code(const Take& take, double time) { return std::round(time * take.frame_rate * 1e9) / 1e9; }

// values as USD spells them: single precision, with the digits that bring back the same bits
std::string usd(double value) { return fmt::format("{}", float(value)); }
std::string usd(int value) { return fmt::format("{}", value); }
std::string usd(const std::string& text) { return quoted(text); }
std::string usd(const Vec3d& v) { return fmt::format("({}, {}, {})", float(v.x), float(v.y), float(v.z)); }
std::string usd(const Quatd& q) {
  return fmt::format("({}, {}, {}, {})", float(q.w), float(q.x), float(q.y), float(q.z));
}

// one prim of curves: writes its attributes in turn
class CurvesPrim {
 public:
  CurvesPrim(StreamedFile& out, const Take& take, const Parts& parts, const Polylines& lines)
      : out_(out), take_(take), parts_(parts), lines_(lines), moments_(distinct_moments(take)) {}

  void write(const std::string& name, bool closed) {
    out_.write(fmt::format("\n    def BasisCurves \"{}\"\n    {{\n", name));
    write_topology(closed);
    write_motion();
    write_looks();
    out_.write("    }\n");
  }

 private:
  template <class T>
  void write_array(const std::vector<T>& values) {
    out_.write("[");
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (k > 0) out_.write(", ");
      out_.write(usd(values[k]));
    }
    out_.write("]");
  }

  template <class T>
  void write_constant(const char* declaration, const std::vector<T>& values, const char* interpolation = nullptr) {
    out_.write(fmt::format("        {} = ", declaration));
    write_array(values);
    if (interpolation) out_.write(fmt::format(" (\n            interpolation = \"{}\"\n        )", interpolation));
    out_.write("\n");
  }

  // an attribute of every moment: plain when there is only one. One with metadata has a plain value first, too, since
  // readers do not all take metadata without a value.
  template <class Values>
  void write_moving(const char* declaration, const Values& values, const char* interpolation = nullptr) {
    if (interpolation || moments_.size() == 1)
      write_constant(declaration, values(checked_moment(take_, moments_[0], parts_)), interpolation);
    if (moments_.size() == 1) return;
    out_.write(fmt::format("        {}.timeSamples = {{\n", declaration));
    for (const int k : moments_) {
      const Moment moment = checked_moment(take_, k, parts_);
      out_.write(fmt::format("            {}: ", time_code(take_, take_.times[k])));
      write_array(values(moment));
      out_.write(",\n");
    }
    out_.write("        }\n");
  }

  void write_topology(bool closed) {
    const bool smooth = take_.strands.smooth;
    out_.write(fmt::format("        uniform token type = \"{}\"\n", smooth ? "cubic" : "linear"));
    if (smooth) out_.write("        uniform token basis = \"catmullRom\"\n");
    out_.write(fmt::format("        uniform token wrap = \"{}\"\n", closed   ? "periodic"
                                                                    : smooth ? "pinned"
                                                                             : "nonperiodic"));
    std::vector<int> counts;
    for (int k = 0; k < lines_.strand_count(); ++k) counts.push_back(lines_.count(k));
    write_constant("int[] curveVertexCounts", counts);
  }

  void write_motion() {
    write_moving("float3[] extent", [&](const Moment& m) {
      const PointBounds bounds = bounds_of(lines_, take_.strands, m.x);
      return std::vector<Vec3d>{bounds.low, bounds.high};
    });
    write_moving("point3f[] points", [&](const Moment& m) { return at_places(lines_.point, m.x); });
    if (parts_.velocity)
      write_moving("vector3f[] velocities", [&](const Moment& m) { return at_places(lines_.point, m.v); });
    if (parts_.frames)
      write_moving(
          "quatf[] primvars:rod:orientation", [&](const Moment& m) { return at_places(lines_.segment, m.q); },
          "vertex");
  }

  void write_looks() {
    if (parts_.radius) {
      std::vector<double> widths = at_places(lines_.point, take_.strands.radius);
      for (double& width : widths) width *= 2;
      write_constant("float[] widths", widths, "vertex");
    }
    const RodNumbers rods = number_rods(take_.strands);
    std::vector<Vec3d> colors;
    std::vector<int> numbers;
    std::vector<std::string> names;
    for (const int k : lines_.strands) {
      colors.push_back(take_.strands.strands[k].color);
      numbers.push_back(rods.of_strand[k]);
      names.push_back(take_.strands.strands[k].name);
    }
    write_constant("color3f[] primvars:displayColor", colors, "uniform");
    write_constant("int[] primvars:strand:id", lines_.strands, "uniform");
    write_constant("int[] primvars:point:id", lines_.point, "vertex");
    write_constant("int[] primvars:rod:id", numbers, "uniform");
    if (rods.names.size() > 1 || !rods.names[0].empty()) write_constant("string[] primvars:rod:name", names, "uniform");
  }

  StreamedFile& out_;
  const Take& take_;
  Parts parts_;
  const Polylines& lines_;
  std::vector<int> moments_;
};

void write_header(StreamedFile& out, const Take& take) {
  out.write("#usda 1.0\n(\n    defaultPrim = \"World\"\n");
  if (!take.title.empty()) out.write(fmt::format("    doc = {}\n", quoted(take.title)));
  out.write(fmt::format("    endTimeCode = {}\n    framesPerSecond = {}\n    metersPerUnit = 1\n",
                        time_code(take, take.times.back()), take.frame_rate));
  out.write(fmt::format("    startTimeCode = {}\n    timeCodesPerSecond = {}\n    upAxis = \"Z\"\n)\n",
                        time_code(take, take.times.front()), take.frame_rate));
}

}  // namespace

void write_usda(const Take& take, const std::filesystem::path& path) {
  const Parts parts = parts_of(take);
  StreamedFile out(path);
  write_header(out, take);
  out.write("\ndef Xform \"World\" (\n    kind = \"component\"\n)\n{");
  for (const bool closed : {false, true}) {
    const Polylines lines = lay_out(take.strands, closed ? Kind::closed : Kind::open);
    if (lines.strand_count() > 0) CurvesPrim(out, take, parts, lines).write(closed ? "loops" : "rods", closed);
  }
  out.write("}\n");
  out.finish();
}

}  // namespace tendril::io
