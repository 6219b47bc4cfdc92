#pragma once

#include <filesystem>

#include "io/strands.h"

namespace tendril::io {

// USD as text: BasisCurves, open strands in one prim and closed ones in another, with time samples when there are
// several moments. The take is asked for its moments once per attribute and never held as a whole.
void write_usda(const Take& take, const std::filesystem::path& path);

}  // namespace tendril::io
