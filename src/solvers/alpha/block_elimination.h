#pragma once

#include "math/mat3.h"

namespace tendril::solvers::alpha {

// Gauss elimination along a chain of nodes. A node is a vertex and the segment behind it, with nine unknowns: where the
// vertex is, x, how the segment is turned, w, and the force in it, N; and nine rows: the balance of the vertex, that of
// the segment, and the segment's strain. A node is coupled with the next one only, its rows with x and w of that one,
// and the balances of that one with N and w of this.
//
// The rows of one node, by blocks of 3x3 of derivatives, and what they lack.
struct NodeRows {
  enum Row { vertex, segment, strain };
  Mat3d own[3][3] = {};   // by x, w, N
  Mat3d next[3][2] = {};  // by x, w of the next node
  Mat3d vertex_by_last_N = {}, segment_by_last_w = {};
  Vec3d left[3];                 // minus the residual
  double length = 1, force = 1;  // sizes of x and N beside a turn of 1, by which the largest pivots are known
};

// what is kept of a node: [x; w; N] = right - next [x; w of the next node]
struct DoneNode {
  double next[9][6];
  double right[9];
};

// takes the last node off the rows and solves them for their own unknowns; false if they are singular
bool eliminate(const NodeRows& rows, const DoneNode* last, DoneNode& done);

// the unknowns of a node when those of the next are known; of the last node: nullptr
struct NodeSolution {
  Vec3d x, w, N;
};
NodeSolution solve_backwards(const DoneNode& done, const NodeSolution* next);

}  // namespace tendril::solvers::alpha
