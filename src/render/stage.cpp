#include "render/stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "render/bounds.h"

namespace tendril::render {

namespace {

constexpr float far_away = std::numeric_limits<float>::infinity();

LocalSpace local_space(const Model& model, const State& state, const RenderOptions& options) {
  const Bounds bounds = options.extent ? *options.extent : bounds_of(model, {&state, 1});
  if (bounds.empty() || bounds.radius() == 0) return {bounds.empty() ? Vec3d{} : bounds.center(), 1};
  return {bounds.center(), 1 / bounds.radius()};
}

// one thread, so that Embree's tree and with it each bit of the picture is always the same
EmbreeDevice new_device() {
  EmbreeDevice device(rtcNewDevice("threads=1,set_affinity=0"));
  if (!device)
    throw std::runtime_error(fmt::format("Embree does not start (error {})", int(rtcGetDeviceError(nullptr))));
  return device;
}

EmbreeScene new_scene(RTCDevice device) {
  EmbreeScene scene(rtcNewScene(device));
  rtcSetSceneFlags(scene.get(), RTC_SCENE_FLAG_COMPACT);
  return scene;
}

void fill(RTCRay& out, const Ray& ray, float from, float to) {
  out = {};
  out.org_x = ray.origin.x, out.org_y = ray.origin.y, out.org_z = ray.origin.z;
  out.dir_x = ray.direction.x, out.dir_y = ray.direction.y, out.dir_z = ray.direction.z;
  out.tnear = from, out.tfar = to;
  out.mask = ~0u;
}

bool intersect(RTCScene scene, const Ray& ray, float from, float to, RTCRayHit& result) {
  fill(result.ray, ray, from, to);
  result.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcIntersect1(scene, &context, &result);
  return result.hit.geomID != RTC_INVALID_GEOMETRY_ID;
}

// point and geometric normal, which looks against the ray
Surface surface_of(const Ray& ray, const RTCRayHit& result) {
  Surface surface;
  surface.distance = result.ray.tfar;
  surface.point = ray.origin + surface.distance * ray.direction;
  const Vec3f normal{result.hit.Ng_x, result.hit.Ng_y, result.hit.Ng_z};
  const float length = norm(normal);
  surface.normal = length > 0 ? normal / length : -ray.direction;
  if (dot(surface.normal, ray.direction) > 0) surface.normal = -surface.normal;
  return surface;
}

}  // namespace

Stage::Stage(const Model& model, const State& state, const Camera& camera, const RenderOptions& options)
    : space_(local_space(model, state, options)),
      device_(new_device()),
      scene_(new_scene(device_.get())),
      shells_(new_scene(device_.get())),
      rods_(model, state, space_, camera, options),
      solids_(model, state, space_) {
  const double lowest = lowest_point(model, {&state, 1});
  if (options.ground && solids_.planes().empty() && lowest < forever)
    solids_.add_ground(options.ground_height.value_or(lowest));
  rods_.add_to(device_.get(), scene_.get());
  solids_.add_to(device_.get(), scene_.get(), shells_.get());
  rtcCommitScene(scene_.get());
  rtcCommitScene(shells_.get());
  RTCBounds box;
  rtcGetSceneBounds(scene_.get(), &box);
  if (box.lower_x <= box.upper_x) {
    const Vec3f low{box.lower_x, box.lower_y, box.lower_z}, high{box.upper_x, box.upper_y, box.upper_z};
    ball_center_ = 0.5f * (low + high);
    ball_radius_ = 0.51f * norm(high - low);
    ball_radius_squared_ = ball_radius_ * ball_radius_;
  }
  if (const RTCError error = rtcGetDeviceError(device_.get()); error != RTC_ERROR_NONE)
    throw std::runtime_error(fmt::format("Embree cannot hold this scene ({})",
                                         error == RTC_ERROR_OUT_OF_MEMORY ? "out of memory" : "internal error"));
}

bool Stage::misses_all(const Ray& ray) const {
  const Vec3f d = ball_center_ - ray.origin;
  const float along = dot(d, ray.direction), distance_squared = norm_squared(d);
  if (distance_squared <= ball_radius_squared_) return false;
  return along <= 0 || distance_squared - along * along > ball_radius_squared_;
}

bool Stage::may_meet(const Ray& ray, float spread) const {
  if (solids_.has_shells()) return true;
  const Vec3f d = ball_center_ - ray.origin;
  const float along = dot(d, ray.direction), reach = ball_radius_ + spread * std::max(0.0f, along + ball_radius_);
  return ball_radius_ >= 0 && along > -ball_radius_ && norm_squared(d) - along * along <= reach * reach;
}

std::optional<Surface> Stage::trace(const Ray& ray) const {
  RTCRayHit result;
  if (misses_all(ray) || !intersect(scene_.get(), ray, 0, far_away, result)) return {};
  Surface surface = surface_of(ray, result);
  if (rods_.owns(result.hit.geomID))
    rods_.describe(result.hit, surface);
  else
    solids_.describe(result.hit, false, surface);
  return surface;
}

std::optional<Surface> Stage::trace_shell(const Ray& ray, float from, float to) const {
  RTCRayHit result;
  if (!solids_.has_shells() || !intersect(shells_.get(), ray, from, to, result)) return {};
  Surface surface = surface_of(ray, result);
  solids_.describe(result.hit, true, surface);
  return surface;
}

bool Stage::occluded(const Ray& ray) const {
  if (misses_all(ray)) return false;
  RTCRay shadow;
  fill(shadow, ray, 0, far_away);
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcOccluded1(scene_.get(), &context, &shadow);
  return shadow.tfar < 0;
}

std::optional<Stage::Floor> Stage::trace_floor(const Ray& ray, float nearer_than) const {
  std::optional<Floor> nearest;
  for (std::size_t p = 0; p < solids_.planes().size(); ++p) {
    const SolidGeometry::PlaneSurface& plane = solids_.planes()[p];
    const float slope = dot(plane.normal, ray.direction);
    if (slope >= 0) continue;  // from behind it is open
    const float distance = dot(plane.normal, plane.point - ray.origin) / slope;
    if (!(distance > 0 && distance < nearer_than)) continue;
    nearer_than = distance;
    nearest = Floor{distance, ray.origin + distance * ray.direction, plane.normal, int(p), plane.is_ground};
  }
  return nearest;
}

}  // namespace tendril::render
