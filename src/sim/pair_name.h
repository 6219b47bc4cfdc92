#pragma once

#include <string>

#include "rod/model.h"

namespace tendril::sim {

// `rod "left" segment 12`, by the rod's own count
std::string segment_name(const Model& model, int segment);

// `rod "left" segment 12 and obstacle "floor"`; a and b are segments where their bodies are negative
std::string pair_name(const Model& model, int a, int body_a, int b, int body);

}  // namespace tendril::sim
