#pragma once

#include "scene/document.h"
#include "scene/problems.h"

namespace tendril::scene {

// compares what is written with the keys: unknown, missing, of another type, out of range, not finite, names of nothing
void check_keys(const Document& document, Problems& problems);

}  // namespace tendril::scene
