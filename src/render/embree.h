#pragma once

#include <embree3/rtcore.h>

#include <memory>
#include <type_traits>

#include "math/vec3.h"

namespace tendril::render {

// Embree's objects, released when they leave
struct ReleaseEmbree {
  void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
  void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
};
using EmbreeDevice = std::unique_ptr<std::remove_pointer_t<RTCDevice>, ReleaseEmbree>;
using EmbreeScene = std::unique_ptr<std::remove_pointer_t<RTCScene>, ReleaseEmbree>;

// finishes a geometry and hands it to the scene; gives its number there
inline unsigned attach(RTCScene scene, RTCGeometry geometry) {
  rtcCommitGeometry(geometry);
  const unsigned id = rtcAttachGeometry(scene, geometry);
  rtcReleaseGeometry(geometry);
  return id;
}

// a centre and a radius, as Embree stores them
struct BallPoint {
  float x, y, z, radius;
};

// pictures are computed in float, in coordinates in which the scene is a ball of about radius one at the origin
struct LocalSpace {
  Vec3d origin;      // [m]
  double scale = 1;  // local lengths per metre

  Vec3f point(const Vec3d& world) const { return cast<float>(scale * (world - origin)); }
  float length(double world) const { return float(scale * world); }
};

// what a ray meets
struct Surface {
  float distance = 0;
  Vec3f point, normal;  // the normal looks against the ray
  Vec3f albedo;         // linear RGB
  float gloss = 0;      // strength of the highlight
  float offset = 0;     // how far off the surface further rays start
  float fibre = 0;      // radius of a fibre, which is lit as one; 0: it is none
  Vec3f tangent;        // of a fibre, unit, towards its tip
};

}  // namespace tendril::render
