#pragma once

#include "solvers/projective/bend_twist.h"

namespace tendril::solvers::projective {

// "Normal", Sec. 4.3 [strauss2020]: the first frame keeps its orientation against what holds it.
//   S q = u_n,  A = B = 1,  p = u'_n,  w = max(EI1, EI2)/(l/2) and GJ/(l/2)
// A clamp holds the section at the vertex, so that half a bend joins it to the middle of the segment: halving the
// segments quarters the error. The report holds the frame of the segment itself, by a weight of its own.
template <class T>
struct RootDirection {
  int clamp = 0, link = 0;  // places in the strand: its own among the clamps, and its segment's
  bool holder_is_a = true;
  BendTwist<T> bend;
  Quat<T> holder;  // frame of what holds it, at the end of the step
};
template <class T>
[[gnu::always_inline]] inline BendPull<T> pull(const RootDirection<T>& root, const Quat<T>& q) {
  if (root.holder_is_a) return pull(root.bend, root.holder, q);
  BendPull<T> out = pull(root.bend, q, root.holder);
  out.moment = -out.moment;
  return out;
}

}  // namespace tendril::solvers::projective
