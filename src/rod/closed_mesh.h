#pragma once

#include "rod/shape.h"

namespace tendril::rod {

// every edge belongs to two triangles, which go round it in opposite directions: there is an inside and an outside
bool is_closed(const Mesh& mesh);

}  // namespace tendril::rod
