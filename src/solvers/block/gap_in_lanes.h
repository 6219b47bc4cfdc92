#pragma once

#include "contact/solid.h"
#include "math/sym3.h"
#include "solvers/block/bundles.h"

namespace tendril::solvers::block {

// The core of an obstacle's part in each lane, all of one kind, in the world at the end of the step; see Solid. Where
// surfaces may overlap while Newton's method is on its way, what is inside has to know the way out: points
// push away from themselves, half spaces along their normal, and triangles of a closed mesh to the side on which a
// strand is, unless it begins behind them.
struct CoreInLanes {
  using T = StrandLanes;

  Solid::Core kind = Solid::Core::point;
  Vec3<T> p[3];                    // corners; of a half space: a point of its border [m]
  Vec3<T> up;                      // unit normal of a half space, or of a triangle, to the side of the strand
  Vec3<T> middle;                  // of a ball around it
  T extent{0};                     // radius of that ball [m]
  T::Mask knows_side = T::Mask{};  // of a triangle
  T cone{-1};                      // what is nearest to it is in directions of which `up` has no less [-]
  T radius{0};                     // from the core to the centreline where surfaces touch [m]
};

// the gap that counts of a segment, with its derivatives, see Steady and GapCurvature
struct GapInLanes {
  using T = StrandLanes;

  Vec3<T> normal;
  T s{0.5};  // point of the segment, 0 to 1
  T gap{0};  // [m]
  T slope{1};
  struct {
    Sym3<T> slide;
    Vec3<T> a;
    T aa{0};
  } bend;
};

// the segment from x0 to x1; `near` is a guess of s
GapInLanes gap_of(const CoreInLanes& core, const Vec3<StrandLanes>& x0, const Vec3<StrandLanes>& x1, StrandLanes near);

// not more than the true gap, by a ball around the core; half spaces have none
GapInLanes distant_gap(const CoreInLanes& core, const Vec3<StrandLanes>& x0, const Vec3<StrandLanes>& x1);

}  // namespace tendril::solvers::block
