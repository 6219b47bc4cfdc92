#pragma once

#include <cstdint>
#include <vector>

#include "layers.h"

namespace tendril::render {

// the light on the floors that a picture shows: shadows, still with the noise of few samples
struct FloorMap {
  int width = 0, height = 0;
  std::vector<float> light;         // mean of the samples that met a floor (pixel)
  std::vector<float> variance;      // of that mean (pixel)
  std::vector<float> weight;        // how many samples met it (pixel)
  std::vector<std::uint8_t> plane;  // which floor (pixel)

  FloorMap(int width, int height);
  void set(std::size_t pixel, int plane, float count, float sum, float sum_squares);
};

// Averages neighbours whose light differs by no more than their noise: soft shadows become smooth, sharp ones stay.
// An edge-stopping wavelet in four scales (Dammertz et al. 2010; the noise as in Schied et al. 2017)
void smooth(FloorMap& map, int threads);

}  // namespace tendril::render
