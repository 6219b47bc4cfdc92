#pragma once

#include "rod/model.h"
#include "rod/state.h"
#include "solvers/solver.h"

namespace tendril::solvers::testing {

// stiffness, mass and size of a straight test rod
struct RodOptions {
  double length = 1;
  int segments = 10;
  double EA = 1e4, GA = 1e4, EI1 = 1, EI2 = 1, GJ = 1;
  double linear_density = 1;
  double damping = 0, internal_damping = 0;
  Vec3d from{0, 0, 0}, along{1, 0, 0}, normal{0, 0, 1};  // unit directions; d1 = normal
};

// a Model and State built by hand, and the Inputs of a step
struct Scene {
  Model model;
  State state;
  Inputs inputs;

  int add_vertex(const Vec3d& x);
  int add_segment(int i, int j, const RodOptions& o);                      // frame along the edge, d1 = normal
  int add_bend(FrameId a, FrameId b, double length, const RodOptions& o);  // at rest as the frames stand
  int add_body(const Body& body, const Pose& pose);
  void add_chain(const RodOptions& o);
  void clamp(int vertex, int segment, const RodOptions& o);  // a held section: tie and half bend
  void fill_inputs();                                        // weight, and bodies at rest
  void advance(Solver& solver, double h, int steps);
};

Scene cantilever(const RodOptions& o);

}  // namespace tendril::solvers::testing
