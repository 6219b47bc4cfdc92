#include "io/formats/abc.h"

#include <fmt/format.h>

#include "io/formats/abc_archive.h"
#include "io/formats/polylines.h"

namespace tendril::io {

namespace {

const std::string curve_schema = "schema=AbcGeom_Curve_v2;schemaBaseType=AbcGeom_GeomBase_v1";
const std::string curve_title = curve_schema + ";schemaObjTitle=AbcGeom_Curve_v2:.geom";
const std::string xform_schema = "schema=AbcGeom_Xform_v3";
const std::string xform_title = xform_schema + ";schemaObjTitle=AbcGeom_Xform_v3:.xform";

std::vector<float> single(const std::vector<Vec3d>& values) {
  std::vector<float> result;
  for (const Vec3d& v : values) result.insert(result.end(), {float(v.x), float(v.y), float(v.z)});
  return result;
}

std::vector<float> single(const std::vector<Quatd>& values) {
  std::vector<float> result;
  for (const Quatd& q : values) result.insert(result.end(), {float(q.w), float(q.x), float(q.y), float(q.z)});
  return result;
}

// what Alembic calls a geometry parameter; scope: con, uni (per curve) or vtx
std::string parameter(const char* scope, const char* type, int extent, const char* interpretation = "") {
  return fmt::format("arrayExtent=1;geoScope={};{}isGeomParam=true;podExtent={};podName={}", scope, interpretation,
                     extent, type);
}

// the curves of one wrap, open or closed: one Alembic object
class CurvesObject {
 public:
  CurvesObject(AbcArchive& archive, const Take& take, const Parts& parts, Kind kind, std::uint32_t time_sampling)
      : archive_(archive),
        take_(take),
        parts_(parts),
        closed_(kind == Kind::closed),
        lines_(lay_out(take.strands, kind)) {
    for (AbcProperty* property : {&bounds_, &points_, &velocities_, &frames_}) property->time_sampling = time_sampling;
  }

  bool empty() const { return lines_.strand_count() == 0; }

  void add_moment(const Moment& moment) {
    const PointBounds bounds = bounds_of(lines_, take_.strands, moment.x);
    archive_.add_sample(bounds_, std::vector<Vec3d>{bounds.low, bounds.high});
    archive_.add_sample(points_, single(at_places(lines_.point, moment.x)));
    if (parts_.velocity) archive_.add_sample(velocities_, single(at_places(lines_.point, moment.v)));
    if (parts_.frames) archive_.add_sample(frames_, single(at_places(lines_.segment, moment.q)));
  }

  AbcArchive::Object write() {
    std::vector<AbcProperty> properties{bounds_, points_};
    for (const AbcProperty& constant : shape()) properties.push_back(constant);
    if (parts_.velocity) properties.push_back(velocities_);
    const AbcArchive::Compound attributes = archive_.write_compound(".arbGeomParams", "", groom_attributes());
    const AbcArchive::Compound geometry = archive_.write_compound(".geom", curve_schema, properties, {attributes});
    return archive_.write_object(closed_ ? "loopsShape" : "rodsShape", curve_title, geometry);
  }

 private:
  template <class T>
  AbcProperty constant(AbcProperty property, const std::vector<T>& values) {
    archive_.add_sample(property, values);
    property.one_value = property.is_array && values.size() == property.extent;
    return property;
  }

  // what does not change, said for as many samples as the points have
  std::vector<AbcProperty> shape() {
    std::vector<int> counts;
    for (int k = 0; k < lines_.strand_count(); ++k) counts.push_back(lines_.count(k));
    const std::vector<std::uint8_t> type{1, std::uint8_t(closed_), 0, 0};  // linear, open or periodic, no basis
    std::vector<AbcProperty> properties{
        constant({.name = "nVertices", .type = AbcType::i32}, counts),
        constant({.name = "curveBasisAndType", .is_array = false, .type = AbcType::u8, .extent = 4}, type)};
    if (parts_.radius) {
      std::vector<float> widths;
      for (const int i : lines_.point) widths.push_back(float(2 * take_.strands.radius[i]));
      properties.push_back(constant({.name = "width", .metadata = parameter("vtx", "float32_t", 1)}, widths));
    }
    for (AbcProperty& property : properties) {
      property.time_sampling = points_.time_sampling;
      property.repeats = std::uint32_t(points_.samples.size() / 2);
    }
    return properties;
  }

  // per strand its number, its rod's number and name, per point its colour; none of them is a guide
  std::vector<AbcProperty> groom_attributes() {
    const RodNumbers rods = number_rods(take_.strands);
    std::vector<int> groups;
    std::vector<std::string> names;
    std::vector<Vec3d> colors;
    for (int k = 0; k < lines_.strand_count(); ++k) {
      const Strand& strand = take_.strands.strands[lines_.strands[k]];
      groups.push_back(rods.of_strand[lines_.strands[k]]);
      names.push_back(strand.name);
      colors.insert(colors.end(), lines_.count(k), strand.color);
    }
    const std::string number = parameter("uni", "int32_t", 1);
    std::vector<AbcProperty> attributes{
        constant({.name = "groom_id", .metadata = number, .type = AbcType::i32}, lines_.strands),
        constant({.name = "groom_group_id", .metadata = number, .type = AbcType::i32}, groups),
        constant({.name = "groom_guide", .metadata = parameter("con", "int16_t", 1), .type = AbcType::i16},
                 std::vector<std::int16_t>{0}),
        constant(
            {.name = "groom_color", .metadata = parameter("vtx", "float32_t", 3, "interpretation=rgb;"), .extent = 3},
            single(colors))};
    AbcProperty name{.name = "groom_group_name", .metadata = parameter("uni", "string", 1), .type = AbcType::text};
    archive_.add_texts(name, names);
    name.one_value = names.size() == 1;
    attributes.push_back(name);
    if (parts_.frames) attributes.push_back(frames_);
    return attributes;
  }

  AbcArchive& archive_;
  const Take& take_;
  Parts parts_;
  bool closed_;
  Polylines lines_;
  AbcProperty bounds_{
      .name = ".selfBnds", .metadata = "interpretation=box", .is_array = false, .type = AbcType::f64, .extent = 6};
  AbcProperty points_{.name = "P", .metadata = "geoScope=vtx;interpretation=point", .extent = 3};
  AbcProperty velocities_{.name = ".velocities", .metadata = "interpretation=vector", .extent = 3};
  AbcProperty frames_{
      .name = "rod_orientation", .metadata = parameter("vtx", "float32_t", 4, "interpretation=quat;"), .extent = 4};
};

}  // namespace

void write_abc(const Take& take, const std::filesystem::path& path) {
  const Parts parts = parts_of(take);
  const std::vector<int> moments = distinct_moments(take);
  AbcArchive archive(path);
  CurvesObject open(archive, take, parts, Kind::open, 1), closed(archive, take, parts, Kind::closed, 1);

  std::vector<double> times;
  for (const int k : moments) {
    const Moment moment = checked_moment(take, k, parts);
    for (CurvesObject* curves : {&open, &closed})
      if (!curves->empty()) curves->add_moment(moment);
    times.push_back(take.times[k]);
  }

  // each under a transform of its own, which is the identity
  std::vector<AbcArchive::Object> children;
  for (CurvesObject* curves : {&open, &closed}) {
    if (curves->empty()) continue;
    const AbcArchive::Compound transform{".xform", xform_schema, 0};
    children.push_back(
        archive.write_object(curves == &open ? "rods" : "loops", xform_title, transform, {curves->write()}));
  }
  archive.finish(archive.write_object("", "", {}, children), "tendril", times);
}

}  // namespace tendril::io
