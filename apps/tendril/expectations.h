#pragma once

#include <string>
#include <vector>

#include "scene/table.h"
#include "sim/expected.h"

namespace tendril {

// the lines of a scene's [expect] that apply to this solver, in the file's order
std::vector<Expected> read_expectations(const Table& root, const std::string& solver);

}  // namespace tendril
