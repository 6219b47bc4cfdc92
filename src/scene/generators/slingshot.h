#pragma once

#include "scene/curve.h"

namespace tendril::scene {

// a forked handle in the xz plane with two rubber bands that run back along -y and meet in a pouch
//
//   \         /  <- bands start at the two tips      pouch, seen from behind:   .--+--.
//    \       /                                                                 <   |   >   <- bands end at its corners
//     '--.--'                                                                   '--+--'
//        |
//
// With a = arm_segments, b = band_segments, p = pouch_segments:
//   segments = grip_segments + 2 a + 2 b + 2 p + 2,  vertices = segments - 2  (three loops)
struct SlingshotOptions {
  Vec3d base;                  // lower end of the grip [m]
  double height = 0.20;        // from there to the tips [m]
  double width = 0.09;         // between the tips [m]
  double draw = 0.16;          // how far the pouch hangs behind the tips [m]
  double pouch_width = 0.05;   // between the corners of the pouch [m]
  double pouch_height = 0.02;  // [m]
  int grip_segments = 8;
  int arm_segments = 7;    // of each arm of the fork
  int band_segments = 7;   // of each band
  int pouch_segments = 4;  // of the upper and of the lower rim, an even number
};

Curve slingshot_curve(const SlingshotOptions& options);

Key::Variant slingshot_keys();
SlingshotOptions read_slingshot(const Table& table);

}  // namespace tendril::scene
