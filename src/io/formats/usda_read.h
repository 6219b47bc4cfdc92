#pragma once

#include <span>
#include <string>

#include "io/strands.h"

namespace tendril::io {

// The BasisCurves of a .usda text file, with their motion, in metres and z up. Read are: type linear or cubic, every
// basis and wrap, points and velocities with time samples, widths, displayColor, and the transformations of the prims
// above as long as they do not move; from our own files also frames, names, and which points strands share. References
// to other files and variants are not followed.
Take read_usda(std::span<const char> bytes, const std::string& name);

}  // namespace tendril::io
