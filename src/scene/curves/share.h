#pragma once

#include <vector>

#include "layers.h"

namespace tendril::scene {

// shares `total` out in proportion to the weights (largest remainder); share k is at least least[k]
// the least shares together must not exceed the total
std::vector<int> share_out(int total, const std::vector<double>& weights, const std::vector<int>& least);

}  // namespace tendril::scene
