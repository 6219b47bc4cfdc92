#pragma once

#include <vector>

#include "math/mat3.h"
#include "math/pack.h"

namespace tendril::projective {

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
inline Mat3<T> inverse(const Mat3<T>& m) {  // of a symmetric one
  const Vec3<T> r0 = cross(m.c1, m.c2), r1 = cross(m.c2, m.c0), r2 = cross(m.c0, m.c1);
  const T per = reciprocal(dot(m.c0, r0));
  return {per * r0, per * r1, per * r2};
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

// a row that is held has no unknown: its 1/D and its column are zero
template <class B>
class Band {
 public:
  std::vector<BandRow<B>> rows;

  void resize(std::size_t count) { rows.resize(count); }

  template <class IsHeld>
  void factor(IsHeld is_held) {
    const std::size_t count = rows.size();
    for (std::size_t i = 0; i < count; ++i) {
      BandRow<B>& row = rows[i];
      if (is_held(i)) {
        row = {};
        continue;
      }
      const B next = row.next, after = row.after;
      row.diagonal = inverse(row.diagonal);
      row.next = product(next, row.diagonal), row.after = product(after, row.diagonal);
      if (i + 1 < count) {
        BandRow<B>& below = rows[i + 1];
        below.diagonal = difference(below.diagonal, product_transposed(row.next, next));
        below.next = difference(below.next, product_transposed(row.after, next));
      }
      if (i + 2 < count)
        rows[i + 2].diagonal = difference(rows[i + 2].diagonal, product_transposed(row.after, after));
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

}  // namespace tendril::projective
