#pragma once

#include "solvers/newton/problem.h"

namespace tendril::solvers::projective {

// "Moving Position", Sec. 4.3 [strauss2020]: a vertex is where something that moves has it, a root on a mesh.
//   S q = x_n,  A = B = 1,  p = x'_n,  w without bound
// The report weighs it like the others, so that roots lag; with an unbounded weight the row of x_n leaves the matrix,
// and x_n = p from the start of the step's iterations. A hold may leave some world axes free.
inline bool is_moved(const newton::Problem& problem, int vertex) { return problem.held_axes[vertex] == 7; }
inline Vec3d moved_to(const newton::Problem& problem, int vertex, const Vec3d& x) {
  return problem.held_place(vertex, x);
}

}  // namespace tendril::solvers::projective
