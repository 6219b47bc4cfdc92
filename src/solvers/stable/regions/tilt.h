#pragma once

#include <algorithm>

#include "contact/lead.h"

namespace tendril::solvers::stable {

// The least tilt from n after which the lead at the end is at least `goal`, to be had along `farthest`, and the two
// stay apart. Both are concave functions of the normal, so a chord ends where they are large enough.
template <class Two>
Vec3d tilted(const Two& two, const Vec3d& n, const Vec3d& farthest, double goal) {
  constexpr int chords = 4;
  const auto surplus = [&](const Vec3d& m) { return std::min(two.lead(m, 1) - goal, two.middle(n, 0, m, 1)); };
  const double missing = -surplus(n);
  double share = 1, left = surplus(farthest);
  Vec3d m = farthest;
  for (int chord = 0; chord < chords && left > 0; ++chord) {
    share *= missing / (missing + left);
    const Vec3d between = n + share * (farthest - n);
    m = normalized(between);
    left = norm(between) * surplus(m);
  }
  return m;
}

}  // namespace tendril::solvers::stable
