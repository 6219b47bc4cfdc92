#pragma once

#include "contact/candidates.h"
#include "rod/model.h"

namespace tendril::sim {

struct UntangleReport {
  bool is_done = false;  // nothing overlaps any more
  int pairs = 0;         // that overlapped at the start
  int rounds = 0;
  int moved_vertices = 0;
  double farthest = 0;         // that a vertex has moved [m]
  double largest_stretch = 0;  // of a segment, against its length at the start [-]
};

// Pushes apart what overlaps at the start of a scene. Rods move as little and as smoothly as a few hundred rounds find,
// and keep their lengths roughly; held vertices and solids stay. Frames turn with their segments. The rest shape is the
// Model's and does not change, so rods are bent a little afterwards. The same input gives the same bits.
UntangleReport untangle(const Model& model, const ContactOptions& options, State& state);

}  // namespace tendril::sim
