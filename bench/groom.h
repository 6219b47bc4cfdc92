#pragma once

#include <memory>
#include <string>

#include "sim/simulation.h"

namespace tendril::app {

enum class Head {
  absent,  // only the roots turn; contact is off
  sphere,
  mesh,  // a sphere of 1,984 triangles
};

// hair that stands out from the upper part of a head, falls, and sways as the head turns to and fro
struct Groom {
  int strands = 2000, vertices = 32;  // vertices of each strand
  double head_radius = 0.1;           // [m]
  Head head = Head::absent;
  bool hair_meets_hair = false;
  bool wind = false;
  double time_step = 1.0 / 120;  // [s]
  int threads = 1;
  std::string solver = "block";
};

// a closed sphere of 32 meridians and 31 parallels with a vertex at each pole: 2 · 32 · 31 triangles
std::string head_obj(double radius, const Vec3d& centre = {});

// Throws SceneError where the scene is refused. Hair that meets only the head needs the key `rods` of [contact].
std::unique_ptr<Simulation> start_groom(const Groom& groom);

// when to stop measuring
struct GroomBudget {
  int warm_up = 5;      // steps that are not measured
  int steps = 120;      // measured ones at most
  double seconds = 15;  // warm-up included; the step that passes it is the last
};

struct GroomCost {
  int steps = 0, unsolved = 0;              // measured steps
  double milliseconds = 0;                  // per step
  double cpu_milliseconds = 0;              // likewise, of all threads: what else runs on the machine does not count
  double newton_steps = 0;                  // per time step
  int most_newton_steps = 0, contacts = 0;  // in a time step
  std::string refusal = {};                 // why it could not start, or go on
};

GroomCost measure_groom(const Groom& groom, const GroomBudget& budget);

}  // namespace tendril::app
