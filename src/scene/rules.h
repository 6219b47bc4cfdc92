#pragma once

#include "scene/problems.h"
#include "scene/table.h"

namespace tendril::scene {

// what one key alone cannot tell: which keys exclude or need one another, names used twice, times in order
void check_rules(const Table& root, Problems& problems);

}  // namespace tendril::scene
