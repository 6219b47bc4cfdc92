#pragma once

#include <algorithm>

#include "contact/contact.h"
#include "math/thread_team.h"
#include "solvers/chain.h"
#include "solvers/stable/solver.h"

// what the tests of `stable` start from

namespace tendril::solvers::stable::testing {

using solvers::testing::cantilever;
using solvers::testing::RodOptions;
using solvers::testing::Scene;

inline Options tight(double tolerance = 1e-9) {
  Options options;
  options.tolerance = tolerance, options.iterations = 20000;
  return options;
}

inline void run(Scene& scene, double h, int steps, const Options& options, int threads = 1) {
  StableSolver solver(options);
  ThreadTeam team(threads);
  solver.reset(scene.model, scene.state, team);
  scene.advance(solver, h, steps);
}

inline Vec3d momentum(const Scene& scene) {
  Vec3d sum;
  for (std::size_t i = 0; i < scene.state.v.size(); ++i) sum += scene.model.vertices[i].mass * scene.state.v[i];
  for (std::size_t b = 0; b < scene.state.body_v.size(); ++b) sum += scene.model.bodies[b].mass * scene.state.body_v[b];
  return sum;
}

inline double largest_distance(const State& a, const State& b, const Vec3d& offset = {}) {
  double largest = 0;
  for (std::size_t i = 0; i < a.x.size(); ++i) largest = std::max(largest, norm(a.x[i] - b.x[i] - offset));
  return largest;
}

inline Scene free_rod(const RodOptions& o) {
  Scene scene;
  scene.model.gravity = {0, 0, 0};
  scene.add_chain(o);
  scene.fill_inputs();
  return scene;
}

// a clamped rod that falls, with everything unequal; the start is a little bent so that nothing is symmetric
inline Scene falling_cantilever(RodOptions o) {
  o.along = normalized(Vec3d{1, 0.2, 0.1});
  Scene scene = cantilever(o);
  scene.model.gravity = {0, 0, -9.81};
  scene.fill_inputs();
  return scene;
}

inline RodOptions general_rod() {
  RodOptions o;
  o.segments = 12, o.EA = 2000, o.GA = 700, o.EI1 = 0.3, o.EI2 = 0.5, o.GJ = 0.2, o.linear_density = 0.5;
  return o;
}

}  // namespace tendril::solvers::stable::testing
