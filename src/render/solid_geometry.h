#pragma once

#include <vector>

#include "render/embree.h"
#include "rod/model.h"
#include "rod/state.h"

namespace tendril::render {

// obstacles and bodies. Meshes that rods live inside of are shells, in a scene of their own: one sees through them
class SolidGeometry {
 public:
  SolidGeometry(const Model& model, const State& state, const LocalSpace& space) : space_(space) {
    place(model, state);
  }

  // the floor and the walls of the scene, endless and seen from their free side only
  struct PlaneSurface {
    Vec3f point, normal;
    bool is_ground;
  };
  const std::vector<PlaneSurface>& planes() const { return planes_; }
  void add_ground(double height);

  void add_to(RTCDevice device, RTCScene solids, RTCScene shells);
  bool has_shells() const { return has_shells_; }

  // colour and smooth normal at a hit whose point and geometric normal are set
  void describe(const RTCHit& hit, bool shell, Surface& surface) const;

 private:
  struct Part {
    Shape shape;  // in the world
    Vec3f color;
    std::vector<Vec3f> corner_normals;  // three per triangle; empty: the geometric one is exact
    unsigned geometry = RTC_INVALID_GEOMETRY_ID;
  };

  void place(const Model& model, const State& state);
  unsigned add_mesh(Part& part, const Mesh& mesh, RTCDevice device, RTCScene scene) const;

  const LocalSpace& space_;
  std::vector<Part> parts_;
  std::vector<PlaneSurface> planes_;
  std::vector<int> solid_part_, shell_part_;  // by the geometry's number
  bool has_shells_ = false;
};

}  // namespace tendril::render
