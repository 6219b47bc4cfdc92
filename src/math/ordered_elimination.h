#pragma once

#include <span>
#include <utility>

#include "math/elimination.h"

namespace tendril::math {

// an Elimination in an order of the caller's, which lists every unknown once
Elimination plan_elimination_in_order(std::span<const int> order, std::span<const std::pair<int, int>> couplings);

}  // namespace tendril::math
