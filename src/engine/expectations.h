#pragma once

#include <string>
#include <vector>

#include "rod/model.h"
#include "scene/table.h"
#include "sim/expected.h"

namespace tendril::engine {

// the lines of a scene's [expect] that apply to this solver, in the file's order
std::vector<Expected> read_expectations(const Table& root, const std::string& solver);

// throws SceneError for a line of a column that the scene's metrics.csv does not have
void refuse_unknown_columns(const Table& root, const Model& model);

}  // namespace tendril::engine
