#pragma once

#include <vector>

#include "contact/solid.h"

namespace tendril::contact {

// Bodies meet bodies by their edges: two convex solids that are apart come together where an edge of one meets the
// other, be it with a corner on a face or edge to edge. So a pair of bodies is some pairs of a capsule and a solid, as
// those of rods and bodies are.

// A solid is its own edge when it is a ball or a capsule.
inline bool is_round(const Solid& solid) {
  return solid.core == Solid::Core::point || solid.core == Solid::Core::segment;
}

// the edges of a solid, as capsules of its radius; a half space has none. Long ones are cut in pieces, so that what
// lies along one is carried at several points. The rims of a cylinder become polygons around it, which stick out by a
// hundredth of its radius.
std::vector<Solid> edges_of(const Solid& solid);

}  // namespace tendril::contact
