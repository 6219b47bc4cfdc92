#pragma once

#include <vector>

#include "math/mat3.h"
#include "math/pack.h"

namespace tendril::solvers::projective {

// The global system: symmetric, each unknown coupled with the two after it. T is a pack, a strand in each lane; B is T
// where the three components of vectors do not know of each other, and Mat3<T> where a contact couples them.

template <class T>
inline T product(const T& a, const T& b) {
  return a * b;
}
template <class T>
inline T product_transposed(const T& a, const T& b) {  // a bᵀ
  return a * b;
}
template <class T>
inline Mat3<T> product_transposed(const Mat3<T>& a, const Mat3<T>& b) {
  return a * transpose(b);
}
template <class T>
inline Vec3<T> transposed_product(const T& a, const Vec3<T>& b) {  // aᵀ b
  return a * b;
}
template <class T>
inline Vec3<T> transposed_product(const Mat3<T>& a, const Vec3<T>& b) {
  return {dot(a.c0, b), dot(a.c1, b), dot(a.c2, b)};
}
template <class S, int bytes>
inline Pack<S, bytes> transposed_product(const Pack<S, bytes>& a, const Pack<S, bytes>& b) {
  return a * b;
}
template <class T>
inline T difference(const T& a, const T& b) {
  return a - b;
}
template <class T>
inline Mat3<T> difference(const Mat3<T>& a, const Mat3<T>& b) {
  return {a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2};
}
template <class S, int bytes>
inline Pack<S, bytes> inverse(const Pack<S, bytes>& a) {
  return reciprocal(a);
}
template <class T>
inline Mat3<T> symmetric_inverse(const Mat3<T>& m) {
  const Vec3<T> r0 = cross(m.c1, m.c2), r1 = cross(m.c2, m.c0), r2 = cross(m.c0, m.c1);
  const T per = reciprocal(dot(m.c0, r0));
  return {per * r0, per * r1, per * r2};
}
// on the axes that are free, 1 or 0; zero on the others
template <class S, int bytes>
inline Pack<S, bytes> inverse(const Pack<S, bytes>& a, const Vec3d& free) {
  return free.x == 0 ? Pack<S, bytes>(0) : inverse(a);
}
template <class T>
inline Mat3<T> inverse(Mat3<T> m, const Vec3d& free) {
  const Vec3<T> f{T(free.x), T(free.y), T(free.z)};
  const auto kept = [&](const Mat3<T>& a) {
    return Mat3<T>{f.x * scale(f, a.c0), f.y * scale(f, a.c1), f.z * scale(f, a.c2)};
  };
  m = kept(m);
  m.c0.x += T(1) - f.x, m.c1.y += T(1) - f.y, m.c2.z += T(1) - f.z;
  return kept(symmetric_inverse(m));
}

// s on the diagonal
template <class B, class T>
inline B times_identity(const T& s) {
  if constexpr (std::is_same_v<B, T>)
    return s;
  else
    return B::diagonal({s, s, s});
}

// a row of the matrix from its diagonal on, then of its factors L D Lᵀ: 1/D, and the column of L below
template <class B>
struct BandRow {
  B diagonal, next, after;
};

// what is held of a row has no unknown: 1/D and the column of L are zero there
template <class B>
class Band {
 public:
  std::vector<BandRow<B>> rows;

  // free(i): 1 for each component of an unknown that is free, else 0
  template <class Free>
  void factor(Free free) {
    const std::size_t count = rows.size();
    for (std::size_t i = 0; i < count; ++i) {
      BandRow<B>& row = rows[i];
      const B next = row.next, after = row.after;
      row.diagonal = inverse(row.diagonal, free(i));
      row.next = product(next, row.diagonal), row.after = product(after, row.diagonal);
      if (i + 1 < count) {
        BandRow<B>& below = rows[i + 1];
        below.diagonal = difference(below.diagonal, product_transposed(row.next, next));
        below.next = difference(below.next, product_transposed(row.after, next));
      }
      if (i + 2 < count) rows[i + 2].diagonal = difference(rows[i + 2].diagonal, product_transposed(row.after, after));
    }
  }

  // r <- (L D Lᵀ)⁻¹ r, `at(i)` is a reference to its i-th part
  template <class At>
  void solve(At at) const {
    const std::size_t count = rows.size();
    for (std::size_t i = 0; i < count; ++i) {
      const BandRow<B>& row = rows[i];
      if (i + 1 < count) at(i + 1) -= row.next * at(i);
      if (i + 2 < count) at(i + 2) -= row.after * at(i);
    }
    for (std::size_t i = count; i-- > 0;) {
      const BandRow<B>& row = rows[i];
      auto z = row.diagonal * at(i);
      if (i + 1 < count) z -= transposed_product(row.next, at(i + 1));
      if (i + 2 < count) z -= transposed_product(row.after, at(i + 2));
      at(i) = z;
    }
  }
};

}  // namespace tendril::solvers::projective
