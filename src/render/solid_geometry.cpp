#include "render/solid_geometry.h"

#include <algorithm>

#include "render/bounds.h"
#include "render/tessellate.h"

namespace tendril::render {

namespace {

constexpr Vec3f obstacle_color{0.50f, 0.52f, 0.55f};
constexpr Vec3f bob_color{0.18f, 0.20f, 0.24f};
constexpr Vec3f shell_color{0.20f, 0.34f, 0.46f};
constexpr double crease = 0.7;  // edges sharper than this stay edges [rad]

RTCGeometry new_balls(RTCDevice device, RTCGeometryType type, const std::vector<BallPoint>& points) {
  RTCGeometry geometry = rtcNewGeometry(device, type);
  auto* buffer = static_cast<BallPoint*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4,
                                                                 sizeof(BallPoint), points.size()));
  std::copy(points.begin(), points.end(), buffer);
  return geometry;
}

}  // namespace

void SolidGeometry::place(const Model& model, const State& state) {
  for (int b = 0; b < int(model.bodies.size()); ++b) {
    const Shape shape = placed_shape(model, state, b);
    if (const auto* plane = std::get_if<Plane>(&shape)) {
      planes_.push_back({space_.point(plane->point), cast<float>(normalized(plane->normal)), false});
      continue;
    }
    const auto* mesh = std::get_if<Mesh>(&shape);
    const bool shell = mesh && mesh->inside;
    has_shells_ = has_shells_ || shell;
    const Vec3f color = shell ? shell_color : model.bodies[b].kind == BodyKind::dynamic ? bob_color : obstacle_color;
    if (!std::holds_alternative<std::monostate>(shape)) parts_.push_back({shape, color, {}, {}});
  }
}

void SolidGeometry::add_ground(double height) {
  planes_.push_back({space_.point({space_.origin.x, space_.origin.y, height}), {0, 0, 1}, true});
}

unsigned SolidGeometry::add_mesh(Part& part, const Mesh& mesh, RTCDevice device, RTCScene scene) const {
  RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
  auto* vertices = static_cast<Vec3f*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                                               sizeof(Vec3f), mesh.vertices.size()));
  auto* triangles = static_cast<unsigned*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                                                   3 * sizeof(unsigned), mesh.triangles.size()));
  for (const Vec3d& x : mesh.vertices) *vertices++ = space_.point(x);
  for (const auto& t : mesh.triangles)
    for (const int vertex : t) *triangles++ = unsigned(vertex);
  for (const Vec3d& normal : corner_normals(mesh, crease)) part.corner_normals.push_back(cast<float>(normal));
  return attach(scene, geometry);
}

void SolidGeometry::add_to(RTCDevice device, RTCScene solids, RTCScene shells) {
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    Part& part = parts_[p];
    bool shell = false;
    const auto ball = [&](const Vec3d& x, double radius) {
      const Vec3f c = space_.point(x);
      return BallPoint{c.x, c.y, c.z, space_.length(radius)};
    };
    if (const auto* sphere = std::get_if<Sphere>(&part.shape)) {
      if (!(sphere->radius > 0)) continue;
      part.geometry =
          attach(solids, new_balls(device, RTC_GEOMETRY_TYPE_SPHERE_POINT, {ball(sphere->center, sphere->radius)}));
    } else if (const auto* capsule = std::get_if<Capsule>(&part.shape)) {
      RTCGeometry cone = new_balls(device, RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE,
                                   {ball(capsule->from, capsule->radius), ball(capsule->to, capsule->radius)});
      *static_cast<unsigned*>(
          rtcSetNewGeometryBuffer(cone, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT, sizeof(unsigned), 1)) = 0;
      part.geometry = attach(solids, cone);
    } else if (const auto* cylinder = std::get_if<Cylinder>(&part.shape)) {
      part.geometry = add_mesh(part, tessellate(*cylinder), device, solids);
    } else if (const auto* box = std::get_if<Box>(&part.shape)) {
      part.geometry = add_mesh(part, tessellate(*box), device, solids);
    } else if (const auto* mesh = std::get_if<Mesh>(&part.shape)) {
      if (mesh->triangles.empty()) continue;
      shell = mesh->inside;
      part.geometry = add_mesh(part, *mesh, device, shell ? shells : solids);
    }
    std::vector<int>& part_of = shell ? shell_part_ : solid_part_;
    part_of.resize(std::max<std::size_t>(part_of.size(), part.geometry + 1), -1);
    part_of[part.geometry] = int(p);
  }
}

void SolidGeometry::describe(const RTCHit& hit, bool shell, Surface& surface) const {
  const Part& part = parts_[(shell ? shell_part_ : solid_part_)[hit.geomID]];
  surface.albedo = part.color;
  surface.gloss = 0.08f;
  surface.offset = 1e-4f;
  if (part.corner_normals.empty()) return;
  const Vec3f* n = &part.corner_normals[3 * std::size_t(hit.primID)];
  Vec3f smooth = normalized((1 - hit.u - hit.v) * n[0] + hit.u * n[1] + hit.v * n[2]);
  surface.normal = dot(smooth, surface.normal) < 0 ? -smooth : smooth;
}

}  // namespace tendril::render
