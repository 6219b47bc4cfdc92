#pragma once

#include <vector>

#include "math/pack.h"
#include "math/vec3.h"
#include "solvers/newton/lanes.h"

namespace tendril::solvers::projective {

using P = newton::WideLanes;
using Flags = P::Mask;  // all bits set where true (lane)

// What is factored once: the sum of w Aᵀ A over the constraints of a strand and its inertia. B is what couples one
// vector with another: a number for all three components, or one for each where a vertex is held along some axes.
//
// Two systems of vectors, and one of numbers:
//   positions and directors x0, d0, x1, d1, …, xn, each coupled with the two after it; L D Lᵀ from the root
//   turns about the directors, which positions do not feel; L D Lᵀ from the root
//   positions alone, their directors kept; U D Uᵀ from the tip
// What is held has no unknown: its 1/D and its columns are zero.
template <class B>
struct SystemRow {      // of vertex k and segment k; the last vertex has no segment
  B x, x_to_d, x_to_x;  // 1/D of x_k, and its column of L: d_k, x_{k+1}
  B d, d_to_x, d_to_d;  // 1/D of d_k, and its column of L: x_{k+1}, d_{k+1}
  P twist, twist_to_twist;
  B place;                 // 1/D of positions alone
  B from_next, from_last;  // their columns of U, and of Uᵀ over D: what place k takes of k + 1, and of k - 1
};
template <class B>
using GlobalSystem = std::vector<SystemRow<B>>;

[[gnu::always_inline]] inline Vec3<P> times(const P& a, const Vec3<P>& b) { return a * b; }
[[gnu::always_inline]] inline Vec3<P> times(const Vec3<P>& a, const Vec3<P>& b) { return scale(a, b); }
inline P product(const P& a, const P& b) { return a * b; }
inline Vec3<P> product(const Vec3<P>& a, const Vec3<P>& b) { return scale(a, b); }

// of every component
template <class B>
B uniform(const P& s) {
  if constexpr (std::is_same_v<B, P>)
    return s;
  else
    return {s, s, s};
}
// on the axes that are free, 1 or 0; zero on the others
inline P where_free(const Vec3d& free, const P& a) { return P(free.x) * a; }
inline Vec3<P> where_free(const Vec3d& free, const Vec3<P>& a) {
  return {P(free.x) * a.x, P(free.y) * a.y, P(free.z) * a.z};
}
inline P inverse(const Vec3d& free, const P& a) { return free.x == 0 ? P(0.0) : P(1.0) / a; }
inline Vec3<P> inverse(const Vec3d& free, const Vec3<P>& a) {
  const auto one = [](double is_free, const P& b) { return is_free == 0 ? P(0.0) : P(1.0) / b; };
  return {one(free.x, a.x), one(free.y, a.y), one(free.z, a.z)};
}

// A symmetric matrix, each unknown coupled with the two after it; factor() leaves 1/D, and the columns of L.
template <class B>
struct Band {
  struct Row {
    B diagonal, next, after;
  };
  std::vector<Row> rows;

  // free(i): 1 for each component of an unknown that is free, else 0
  template <class Free>
  void factor(Free free) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Row& row = rows[i];
      const B next = row.next, after = row.after;
      row.diagonal = inverse(free(i), row.diagonal);
      row.next = product(next, row.diagonal), row.after = product(after, row.diagonal);
      if (i + 1 < rows.size()) {
        rows[i + 1].diagonal -= product(row.next, next);
        rows[i + 1].next -= product(row.after, next);
      }
      if (i + 2 < rows.size()) rows[i + 2].diagonal -= product(row.after, after);
    }
  }
};

}  // namespace tendril::solvers::projective
