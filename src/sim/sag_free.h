#pragma once

#include "rod/model.h"
#include "rod/state.h"

namespace tendril::sim {

// Chooses the rest shape (lengths of segments, rotations of bends) so that the positions at the start are an
// equilibrium under the loads of time 0: a groom or a tree that was drawn as it hangs does not sag. Frames turn
// slightly, as shear needs.
//
// 1. Forces n of segments and moments m of bends that balance every free vertex, frame and body, inner_forces.h.
// 2. Segments and bends whose law gives these n and m at the given positions.
// The equilibrium need not be stable: a rod that can roll over does.
// Throws NoEquilibrium when nothing holds a loaded part, or it is too soft for its load.
void make_sag_free(Model& model, State& state);

}  // namespace tendril::sim
