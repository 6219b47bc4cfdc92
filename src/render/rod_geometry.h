#pragma once

#include <vector>

#include "render/chains.h"
#include "render/embree.h"
#include "render/render.h"

namespace tendril::render {

// the rods as round Bezier curves through their vertices, with caps at free ends and balls at branches
class RodGeometry {
 public:
  RodGeometry(const Model& model, const State& state, const LocalSpace& space, const Camera& camera,
              const RenderOptions& options);

  void add_to(RTCDevice device, RTCScene scene);
  bool owns(unsigned geometry) const { return geometry == curves_ || geometry == caps_ || geometry == balls_; }

  // colour and offset at a hit whose point and normal are set
  void describe(const RTCHit& hit, Surface& surface) const;

 private:
  struct Cap {
    int slot;
    bool at_end;
  };

  void add_curves(RTCDevice device, RTCScene scene);
  void add_caps(RTCDevice device, RTCScene scene);
  void add_balls(RTCDevice device, RTCScene scene);
  void choose_caps();

  Vec3d position(int slot) const { return state_.x[chains_.from[slot]]; }  // where a slot's segment begins [m]
  int before(int slot) const;  // the neighbours along the chain, -1 at an end
  int after(int slot) const;
  Vec3d tangent(int slot) const;                 // unit, at the beginning of the slot's segment
  Vec3d end_tangent(int slot) const;             // unit, at its end
  float radius(int slot, bool at_end) const;     // local, never thinner than the eye can see
  float smallest_visible(const Vec3d& x) const;  // local radius
  BallPoint ball(int slot, bool at_end) const;
  Vec3d end_position(int slot) const { return state_.x[chains_.to(model_, slot)]; }
  Vec3f first_director(int slot, float u) const;
  float value(int slot, float u) const;
  bool is_hair(int slot) const { return is_hair_[chain_of_[slot]]; }
  float true_radius(int slot, bool at_end) const;  // local
  static void let_pass(const RTCFilterFunctionNArguments* hit);

  const Model& model_;
  const State& state_;
  const LocalSpace& space_;
  const Camera& camera_;
  const RenderOptions& options_;
  Vec3d forward_;
  double pixel_angle_;  // [rad]
  Chains chains_;
  std::vector<int> chain_of_;      // (slot)
  std::vector<char> is_hair_;      // (chain)
  std::vector<float> coverage_;    // part of what is drawn that is there, where it is drawn too thick (slot)
  std::vector<Vec3f> rod_colors_;  // (rod)
  std::vector<float> values_;      // shown instead of a colour (segment)
  float value_scale_ = 0;          // 1 / largest value
  bool many_ = false;              // strands enough to be told apart by lightness
  std::vector<Cap> cap_list_, ball_list_;
  unsigned curves_ = RTC_INVALID_GEOMETRY_ID, caps_ = RTC_INVALID_GEOMETRY_ID, balls_ = RTC_INVALID_GEOMETRY_ID;
};

}  // namespace tendril::render
