#pragma once

#include <cstdint>
#include <vector>

#include "rod/model.h"
#include "rod/state.h"

namespace tendril::render {

// what the colour of a rod shows
enum class Coloring {
  rod,        // its own colour
  strain,     // of the outermost fibre: stretch and bending together [-]
  curvature,  // as it is, not against rest [1/m]
  twist,      // against rest [rad/m]
  contact,    // number of contacts, which the caller counts [-]
  speed,      // [m/s]
};

struct ColoringName {
  const char* name;
  Coloring coloring;
  const char* unit;
};
const std::vector<ColoringName>& coloring_names();

// the shown quantity, one per segment, never negative; empty for Coloring::rod. `contacts` is what Coloring::contact
// shows (segment); empty: there are none.
std::vector<float> segment_values(const Model& model, const State& state, Coloring coloring,
                                  const std::vector<float>& contacts = {});

// the end of the colour scale: one segment in a hundred may lie above it, so that a lone peak does not darken the rest
double scale_end(std::vector<float> values);

// the colour scale from 0 to 1, linear RGB: dark blue, teal, yellow, red
Vec3f scale_color(float fraction);

// linear RGB per rod; a rod left in the default grey gets one of a palette, many such rods the browns of hair
std::vector<Vec3f> rod_colors(const Model& model);

// a few strands lighter, a few darker, so that many keep apart
float strand_lightness(std::uint32_t chain);

}  // namespace tendril::render
