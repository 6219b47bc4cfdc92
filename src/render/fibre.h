#pragma once

#include "math/vec3.h"

namespace tendril::render {

// Light on a fibre that is too thin for its surface to be seen, as of keratin: two lobes after Marschner et al. 2003
// and what is scattered on its way through the fibre and its neighbours. Directions lie away from the fibre; an
// inclination is an angle from the plane across it, towards the tip. With light from l at inclination a and the eye at
// v, at b:
//   R, off the scales       F            M(a, b; 2 tilt, width)      cos(phi / 2) / 4
//   TRT, off the far side   (1-F)² F c²  M(a, b; -3 tilt, 2 width)   (1 + cos phi)² / 3π
//   all else                c (1 - F - (1-F)² F)                     cos a / π²
// where phi is the angle between the two around the fibre, c the colour, F Fresnel's reflection as the fibre's whole
// width has it. M is a band around the cone a = shift - b, normalised over all light [deon2011]. Scales stand off
// towards the tip, so R lies nearer to the root than a mirror's cone would, and TRT, coloured and twice as wide, nearer
// to the tip.

constexpr float scale_tilt = -0.13f;  // of R, in the middle of Marschner's range of -5° to -10° [rad]
constexpr float lobe_width = 0.13f;   // standard deviation of R's inclination, likewise 5° to 10° [rad]

// radiance towards the eye for an irradiance of one from l, across l [1/sr]: over all l it adds to one at most
Vec3f fibre_scattering(const Vec3f& tangent, const Vec3f& color, const Vec3f& light, const Vec3f& view);

// F, the mean over the width of a round fibre seen from across it
float mean_reflection();

}  // namespace tendril::render
