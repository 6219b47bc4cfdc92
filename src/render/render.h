#pragma once

#include <exception>
#include <functional>
#include <optional>

#include "render/bounds.h"
#include "render/camera.h"
#include "render/coloring.h"
#include "render/hair.h"
#include "render/picture.h"
#include "rod/model.h"
#include "rod/state.h"

namespace tendril::render {

struct RenderOptions {
  int width = 1280, height = 720;       // [pixel]
  int samples = 16;                     // rays per pixel; best a power of two
  int refinement = 4;                   // times as many rays, at most, where a pixel needs them
  bool transparent = false;             // no background; the ground keeps only its shadow
  Vec3d background{0.90, 0.90, 0.885};  // linear RGB, exactly as it will appear
  bool ground = true;                   // a floor that takes shadows, where the model has no plane of its own
  std::optional<double> ground_height;  // z [m]; unset: the lowest point of the state
  Vec3d sun{-0.35, -0.65, 1.0};         // direction towards it
  Coloring color = Coloring::rod;
  std::vector<std::optional<Vec3f>> own_color;  // linear RGB instead of the rod's (segment); empty: none has one
  std::vector<float> contacts;                  // of each segment, what Coloring::contact shows; empty: none
  std::optional<double> color_limit;            // value at the end of the colour scale; unset: by the state alone
  HairStyle hair = HairStyle::automatic;        // what is lit as fibres, and seen through where it is thin
  bool stripe = false;                          // three light stripes along each rod, one of them on d1, show its twist
  std::optional<Bounds> extent;  // of all frames of a movie, so that a plane fades alike; unset: the state's
  int threads = 0;               // 0: all; the picture does not depend on it

  // asked by the calling thread now and then, with the part of the picture that is done; false: it is given up
  std::function<bool(double part)> go_on;
};

// `go_on` said no
struct RenderStopped : std::exception {
  const char* what() const noexcept override { return "the picture was given up"; }
};

// a ray-traced picture; throws std::invalid_argument when the options or the state make none, and RenderStopped
Picture render(const Model& model, const State& state, const Camera& camera, const RenderOptions& options = {});

}  // namespace tendril::render
