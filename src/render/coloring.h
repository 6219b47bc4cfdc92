#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rod/model.h"
#include "rod/state.h"

namespace tendril {

// what the colour of a rod shows
enum class Coloring {
  rod,     // its own colour
  strain,  // of the outermost fibre: stretch and bending together [-]
  twist,   // against rest [rad/m]
  speed,   // [m/s]
};

// the shown quantity, one per segment, never negative; empty for Coloring::rod
std::vector<float> segment_values(const Model& model, const State& state, Coloring coloring);

// over all the states: the end of the colour scale that serves every frame of a movie
double largest_value(const Model& model, std::span<const State> states, Coloring coloring);

// the colour scale from 0 to 1, linear RGB: dark blue, teal, yellow, red
Vec3f scale_color(float fraction);

// linear RGB per rod; a rod left in the default grey gets one of a palette, many such rods the browns of hair
std::vector<Vec3f> rod_colors(const Model& model);

// a few strands lighter, a few darker, so that many keep apart
float strand_lightness(std::uint32_t chain);

}  // namespace tendril
