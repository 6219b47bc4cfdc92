#pragma once

#include <string>

#include "engine/open_scene.h"

namespace tendril::app {

// The afro of Fig. 13 [hsu2025]: coils that stand out from the upper part of a head, which shakes. Table 1 gives the
// number of vertices, the ranges of k and the masses; lengths, coils, radius and motion are ours.
struct Afro {
  int strands = 45772, vertices = 32;  // vertices of each strand
  bool grid = false;                   // hair against hair; otherwise contact is off
  std::string solver = "stable";
  int threads = 2;
};

LoadedScene load_afro(const Afro& afro);

}  // namespace tendril::app
