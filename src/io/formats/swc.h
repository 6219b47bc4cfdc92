#pragma once

#include <span>
#include <string>

#include "io/strands.h"

namespace tendril::io {

// .swc, neurons and plants as trees of points with radii: text, one moment, in units that the file does not tell.
// Strands run from a root or branch to the next branch or tip and share the points where they meet.
Take read_swc(std::span<const char> bytes, const std::string& name);

}  // namespace tendril::io
