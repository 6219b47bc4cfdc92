#pragma once

#include "math/chain_ldlt.h"

namespace tendril::math {

// A piece of a longer chain, cut out between the two rows before its first and the two after its last. The two before
// are not eliminated with it: they are its border, and couple with every row of the piece once elimination has begun.
//
//   open, border <- what couples the first two rows with the two before
//   foreach row
//     begin_elimination, end_elimination                       as without a border
//     border of the row after the next <- eliminate_border
//   what is left couples four rows: the border, and the two after the piece

// blocks of the two rows of the border with one row of the chain
template <class T>
struct Border {
  Mat3<T> first, second;

  // what they take off its right-hand side
  Vec3<T> pull(const Vec3<T>& u_first, const Vec3<T>& u_second) const {
    const auto product = [](const Mat3<T>& m, const Vec3<T>& u) {
      return Vec3<T>{dot(m.c0, u), dot(m.c1, u), dot(m.c2, u)};
    };
    return product(first, u_first) + product(second, u_second);
  }
};

// two rows that follow each other and are not done
template <class T>
struct OpenPair {
  OpenRow<T> first, second;
  Mat3<T> coupling;  // of the second with the first
};

namespace detail {

// - a bᵀ, where b is upper triangular or not
template <bool upper, class T>
[[gnu::always_inline]] inline Mat3<T> minus_product(const Mat3<T>& a, const Mat3<T>& b) {
  if constexpr (upper)
    return {-(a.c0 * b.c0.x + a.c1 * b.c1.x + a.c2 * b.c2.x), -(a.c1 * b.c1.y + a.c2 * b.c2.y), -(a.c2 * b.c2.z)};
  else
    return {-(a.c0 * b.c0.x + a.c1 * b.c1.x + a.c2 * b.c2.x), -(a.c0 * b.c0.y + a.c1 * b.c1.y + a.c2 * b.c2.y),
            -(a.c0 * b.c0.z + a.c1 * b.c1.z + a.c2 * b.c2.z)};
}

}  // namespace detail

// After end_elimination of a row with the border `own`: what that does to the border of the next row and to the rows of
// the border, and the border of the row after the next, which had none. `after` is upper triangular where it was a
// number times 1.
template <bool upper, class T>
[[gnu::always_inline]] inline Border<T> eliminate_border(const DoneRow<T>& row, const Mat3<T>& after, Border<T> own,
                                                         Border<T>& next, OpenPair<T>& border, Border<T>& done) {
  detail::divide(own.first, row.factors), detail::divide(own.second, row.factors);
  detail::take_off(own.first, row.next, next.first), detail::take_off(own.second, row.next, next.second);
  const Border<T> after_border{detail::minus_product<upper>(own.first, after),
                               detail::minus_product<upper>(own.second, after)};
  const Mat3<T> first = detail::scaled_columns(own.first, row.factors.w);
  detail::take_off(first, own.first, border.first.diagonal);
  detail::take_off(own.first, row.right, border.first.right);
  const Mat3<T> second = detail::scaled_columns(own.second, row.factors.w);
  detail::take_off(second, own.first, border.coupling);
  detail::take_off(second, own.second, border.second.diagonal);
  detail::take_off(own.second, row.right, border.second.right);
  done = {first, second};
  return after_border;
}

// see hold of a row
template <class T>
inline void hold(const Vec3<T>& free, Border<T>& border) {
  border.first = detail::scaled_columns(border.first, free),
  border.second = detail::scaled_columns(border.second, free);
}

}  // namespace tendril::math
