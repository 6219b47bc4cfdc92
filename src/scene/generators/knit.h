#pragma once

#include <string>

#include "scene/curve.h"
#include "scene/generators/knit_plan.h"

namespace tendril::scene {

// Stockinette: rows of loops, each pulled from behind through the loop below it. A patch, a tube of closed rows, or
// letters. With the default loop, yarns stay more than 0.2 radii apart when a stitch has 18 segments or more.
struct KnitOptions {
  Vec3d center;                   // of the cloth [m]
  Vec3d along{1, 0, 0};           // the rows, from left to right; the face of the cloth looks along `along` x `up`
  Vec3d up{0, 0, 1};              // toward later rows; the axis of a tube
  int rows = 16;                  // of stitches
  int columns = 20;               // stitches in a row
  int yarns = 0;                  // that share the rows, each to and fro; 0: one for every row
  bool closed = false;            // every row is a ring
  std::string letters;            // knits these instead of a rectangle
  Pixel pixel;                    // of the letters
  std::string threaded = "none";  // "top": a thread through the loops of the last row; "both": also of the first
  double yarn_radius = 0.001;     // [m]
  double stitch_width = 10.5;     // from one column to the next [yarn radii]
  double row_height = 8.3;        // from one row to the next [yarn radii]
  double loop_height = 13.4;      // from the bow below to the head [yarn radii]
  double loop_depth = 3.6;        // from back to front [yarn radii]
  double loop_swell = 2.5;        // a in x = W t / 2π + a sin 2t [yarn radii]
  int stitch_segments = 20;       // about, when the total is not given
  int segments = 0;               // of all yarns and threads together, exactly; 0: by stitch_segments
};

Curve knit_curve(const KnitOptions& options);

Key::Variant knit_keys();
KnitOptions read_knit(const Table& table, int segments);

}  // namespace tendril::scene
