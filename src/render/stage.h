#pragma once

#include <optional>

#include "render/embree.h"
#include "render/rod_geometry.h"
#include "render/solid_geometry.h"

namespace tendril::render {

struct Ray {
  Vec3f origin, direction;
};

// everything that a ray can meet, in local coordinates; safe to ask from many threads
class Stage {
 public:
  Stage(const Model& model, const State& state, const Camera& camera, const RenderOptions& options);
  Stage(const Stage&) = delete;  // its parts refer to its space

  // the nearest rod or solid
  std::optional<Surface> trace(const Ray& ray) const;
  // the nearest shell between two distances along the ray
  std::optional<Surface> trace_shell(const Ray& ray, float from, float to) const;
  // whether light from far away is blocked; shells and planes let it pass
  bool occluded(const Ray& ray) const;

  struct Floor {
    float distance;
    Vec3f point, normal;
    int plane;  // its number
    bool is_ground;
  };
  std::optional<Floor> trace_floor(const Ray& ray, float nearer_than) const;

  // whether a narrow cone about a ray, as wide as `spread` at distance one, may meet anything but floors
  bool may_meet(const Ray& ray, float spread) const;

  const LocalSpace& space() const { return space_; }

 private:
  bool misses_all(const Ray& ray) const;  // a quick test against the ball around rods and solids

  LocalSpace space_;
  Vec3f ball_center_;
  float ball_radius_ = -1, ball_radius_squared_ = -1;  // negative: nothing there
  EmbreeDevice device_;
  EmbreeScene scene_, shells_;
  RodGeometry rods_;
  SolidGeometry solids_;
};

}  // namespace tendril::render
