#pragma once

#include "rod/model.h"
#include "rod/state.h"

namespace tendril {

// Chooses the rest shape (lengths of segments, rotations of bends) so that the positions at the start are an
// equilibrium under the loads of time 0: a groom or a tree that was drawn as it hangs does not sag. Frames turn
// slightly, as shear needs.
//
// 1. Forces n of segments and moments m of bends that balance every free vertex, frame and body: A (n, m) = -f. A tree
// on
//    one support has one answer; where supports or loops leave a choice, the one that bends and stretches least.
// 2. Segments and bends whose law gives these n and m at the given positions.
// Throws std::runtime_error when nothing holds a loaded part.
void make_sag_free(Model& model, State& state);

}  // namespace tendril
