#pragma once

#include <optional>

#include "render/camera.h"
#include "render/coloring.h"
#include "render/picture.h"
#include "rod/model.h"
#include "rod/state.h"

namespace tendril {

struct RenderOptions {
  int width = 1280, height = 720;       // [pixel]
  int samples = 16;                     // rays per pixel, four times as many where needed; best a power of two
  bool transparent = false;             // no background; the ground keeps only its shadow
  Vec3d background{0.90, 0.90, 0.885};  // linear RGB, exactly as it will appear
  bool ground = true;                   // a floor that takes shadows, where the model has no plane of its own
  std::optional<double> ground_height;  // z [m]; unset: the lowest point of the state
  Vec3d sun{-0.35, -0.65, 1.0};         // direction towards it
  Coloring color = Coloring::rod;
  std::optional<double> color_limit;  // value at the end of the colour scale; unset: the largest of the state
  bool stripe = false;                // the half of each rod on the side of d1 is lighter, which shows its twist
  int threads = 0;                    // 0: all; the picture does not depend on it
};

// a ray-traced picture; throws std::invalid_argument when the options or the state make none
Picture render(const Model& model, const State& state, const Camera& camera, const RenderOptions& options = {});

}  // namespace tendril
