#pragma once

#include "scene/curve.h"

namespace tendril::scene {

// a cable-stayed bridge after the Margaret Hunt Hill Bridge in Dallas: one steel arch stands across the middle of the
// deck and carries it by two fans of stays, which end along the centre line of the deck
//
//              _..-A-..._                 A  arch, in the plane across the deck (pylon)
//          _.-' / / | \ \'-._             D  two edge girders and a spine, joined by cross beams (deck)
//   D=====/====/==/==|==\==\====\=====D   /  stays, from the arch to the spine (cable)
//
// With N = bays bay_segments:
//   segments = arch_segments + 3 N + 2 (bays + 1) beam_segments + cables cable_segments
//   vertices = segments - 2 bays - cables + 2
struct BridgeOptions {
  Vec3d center;             // on the ground, below the middle of the deck [m]
  double span = 365;        // length of the deck, along x [m]
  double width = 36;        // of the deck, along y [m]
  double clearance = 15;    // of the deck above the feet of the arch [m]
  double height = 122;      // of the arch above its feet [m]
  double arch_width = 56;   // between the feet of the arch [m]
  double anchorage = 0.3;   // fraction of the arch, about its crown, that carries stays [-]
  int cables = 58;          // in both fans together
  int cable_segments = 32;  // of one stay
  int arch_segments = 94;
  int bays = 17;          // fields of the deck between cross beams
  int bay_segments = 4;   // of each girder and of the spine in one bay
  int beam_segments = 4;  // of half a cross beam
};

Curve bridge_curve(const BridgeOptions& options);

Key::Variant bridge_keys();
BridgeOptions read_bridge(const Table& table);

}  // namespace tendril::scene
