#pragma once

#include <optional>

#include "rod/model.h"

namespace tendril::session {

// whether two Models have the same vertices, segments, bends, ties, holds, rods, bodies and probes: then a State of one
// is a State of the other
bool same_topology(const Model& a, const Model& b);

// the number of the one body that `after` has and `before` has not, when all else is the same
std::optional<int> added_body(const Model& before, const Model& after);

}  // namespace tendril::session
