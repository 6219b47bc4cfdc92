#pragma once

#include <vector>

#include "rod/state.h"
#include "scene/curve.h"

namespace tendril::scene {

// where the copies of a rod stand: how the curve of the first is turned and shifted. Steps lead from each to the next;
// scattered ones keep `radius` between their surfaces. `copies` is the rod's table of that name.
std::vector<Pose> place_copies(const Table& copies, const Curve& curve, double radius);

// the [[rod]] that a rod of the Model comes from, also when it is a copy
Table find_rod_table(const Table& root, const std::string& rod_name);

}  // namespace tendril::scene
