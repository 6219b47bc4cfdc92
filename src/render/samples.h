#pragma once

#include <vector>

#include "render/sampling.h"

namespace tendril::render {

// the random numbers of the rays through one pixel, in the form in which they are used
struct Samples {
  const Point2* lens;  // from the pixel's centre, spread like a tent, which makes smooth edges [pixel] (ray)
  const Vec3f* sun;    // unit, towards a point of the sun (ray)
  const Vec3f* sky;    // unit, above the plane z = 0, as often as its cosine (ray)
  int index = 0;       // of the ray in hand
};

// Numbers for every pixel: some patterns are made once, and each pixel draws three of them by its place alone, so that
// they do not depend on who asks. Every power of two of rays is spread evenly.
class SampleTable {
 public:
  SampleTable(int rays, const Vec3f& sun, float sun_spread);

  Samples of(int column, int row) const;

 private:
  std::size_t rays_, patterns_;
  std::vector<Point2> lens_;  // one pattern after the other
  std::vector<Vec3f> sun_, sky_;
};

}  // namespace tendril::render
