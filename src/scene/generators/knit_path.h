#pragma once

#include <vector>

#include "scene/curves/arc_length.h"

namespace tendril::scene {

// the loop of stockinette in the plane of the cloth: x along the row, y toward later rows, z toward the face
//   x = W t / 2π + a sin 2t,   y = h cos t,   z = -d cos 2t,   t from 0 to 2π per stitch
// At its head (t = 0) and in the bow to the next stitch (t = π) the yarn lies behind, its legs in front: so each loop
// comes from behind through the head of the loop below it.
struct Stitch {
  double width = 0;       // W [m]
  double row_height = 0;  // from one row to the next, H [m]
  double rise = 0;        // h, half of the loop's height [m]
  double swell = 0;       // a: legs lean together below the head when a > W / 4π [m]
  double depth = 0;       // d, half of the loop's depth [m]
  double turn_depth = 0;  // how far a yarn goes behind the cloth on its way to the next row [m]
};

// a row of stitches side by side
struct Run {
  int row = 0, first = 0, count = 0;
};

// a yarn goes through its runs to and fro, or in one direction when it has only one
struct Yarn {
  std::vector<Run> runs;  // each a row higher than the one before; they end at the same column where the yarn turns
  bool from_right = false;
};

// the yarn in the plane of the cloth; column c has its head at x = c W, row r its middle at y = r H
ParametricCurve yarn_path(const Stitch& stitch, const Yarn& yarn);

// a thread in and out through the heads of a row, one loop to the front, the next one to the back; `swing` is how far
// it leaves the middle; `up` is 1 through the heads, -1 through the bows at the other side of the row
ParametricCurve thread_path(const Stitch& stitch, const Run& run, double swing, double up);

}  // namespace tendril::scene
