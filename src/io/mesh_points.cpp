#include "io/mesh_points.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/file.h"
#include "io/formats/abc_scene.h"
#include "io/formats/checked.h"
#include "io/formats/up_axis.h"
#include "io/formats/usda_stage.h"

namespace tendril::io {
namespace {

MeshPoints points_of_abc(std::span<const char> bytes, const std::string& name) {
  const AbcInput input(bytes, name);
  const std::vector<PlacedObject> meshes = find_objects(input, "AbcGeom_PolyMesh");
  if (meshes.empty()) throw FileError(name + ": has no mesh (PolyMesh)");
  const AbcInput::Property* geometry = meshes[0].object->find(".geom");
  const AbcInput::Property* points = geometry ? geometry->find("P") : nullptr;
  if (!points || points->samples == 0) throw FileError(name + ": its mesh has no points");
  MeshPoints out;
  add_times(input, meshes[0], *points, out.times);
  std::sort(out.times.begin(), out.times.end());
  out.times.erase(std::unique(out.times.begin(), out.times.end()), out.times.end());
  for (double time : out.times) out.x.push_back(points_at(input, meshes[0], *points, time));
  return out;
}

MeshPoints points_of_usda(std::span<const char> bytes, const std::string& name) {
  const UsdaStage stage = parse_usda(UsdaText(bytes, name));
  if (stage.meshes.empty()) throw FileError(name + ": has no Mesh of its own; references are not followed");
  const UsdaCurves& mesh = stage.meshes[0];
  const auto points = mesh.attributes.find("points");
  if (points == mesh.attributes.end()) throw FileError(name + ": its Mesh has no points");
  MeshPoints out;
  const auto add = [&](double time, const std::vector<double>& v) {
    std::vector<Vec3d> x;
    for (std::size_t k = 0; k + 2 < v.size(); k += 3)
      x.push_back(turned_to_z_up(stage.up, stage.meters_per_unit * mesh.to_world(Vec3d{v[k], v[k + 1], v[k + 2]})));
    out.times.push_back(time), out.x.push_back(std::move(x));
  };
  for (const auto& [code, values] : points->second.samples) add(code / stage.codes_per_second, values);
  if (out.times.empty()) add(0, points->second.value);
  return out;
}

}  // namespace

MeshPoints read_mesh_points(const std::filesystem::path& path) {
  const std::vector<char> bytes = read_file(path);
  MeshPoints out =
      path.extension() == ".abc" ? points_of_abc(bytes, path.string()) : points_of_usda(bytes, path.string());
  for (const std::vector<Vec3d>& x : out.x) check_points(x, path.string());
  return out;
}

}  // namespace tendril::io
