#pragma once

#include "benchmark.h"
#include "loaded_scene.h"

namespace tendril::app {

// Per vertex: a Newton step (put together, factorise, solve, move), and all of a time step that has one, to which the
// way of strands from the State into lanes and back belongs [ns].
struct NewtonCost {
  double newton = 0, step = 0;
  double set_up = 0;  // per vertex, from the Model to the end of the first step [ns]
};

// Of a scene whose time steps have one Newton step each. The fastest counts, since all else on the machine only adds to
// it.
NewtonCost measure_newton_step(const LoadedScene& loaded, double seconds);

// many equal strands, or one, held at one end; without contact
struct StrandScene {
  const char* stiffness = "";
  int count = 1, segments = 1000;
  double curvature = 0;  // at rest [1/m]
};
std::string scene_text(const StrandScene& strands);

// one stiffness for stretch and shear and one for bend and twist, and all of them apart
constexpr const char* isotropic_stiffness = "EA = 300, GA = 300, EI1 = 0.008, EI2 = 0.008, GJ = 0.008";
constexpr const char* general_stiffness = "EA = 300, GA = 100, EI1 = 0.008, EI2 = 0.002, GJ = 0.004";

}  // namespace tendril::app
