#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#if defined(__AVX__)
#include <immintrin.h>  // those with masks: of the others gcc 12 says that they read what nobody has set
#endif

#include "layers.h"

namespace tendril::math {

namespace detail {
typedef float Float4 __attribute__((vector_size(16)));
typedef float Float8 __attribute__((vector_size(32)));
typedef float Float16 __attribute__((vector_size(64)));
typedef double Double4 __attribute__((vector_size(32)));
typedef double Double8 __attribute__((vector_size(64)));
typedef std::int32_t Int8 __attribute__((vector_size(32)));
typedef std::int32_t Int16 __attribute__((vector_size(64)));
typedef std::int64_t Int4 __attribute__((vector_size(32)));
typedef std::int64_t Long8 __attribute__((vector_size(64)));

template <class S, int bytes>
struct Register;
template <>
struct Register<float, 32> {
  using Vector = Float8;
  using Mask = Int8;
  using Integer = std::int32_t;
};
template <>
struct Register<float, 64> {
  using Vector = Float16;
  using Mask = Int16;
  using Integer = std::int32_t;
};
template <>
struct Register<double, 32> {
  using Vector = Double4;
  using Mask = Int4;
  using Integer = std::int64_t;
};
template <>
struct Register<double, 64> {
  using Vector = Double8;
  using Mask = Long8;
  using Integer = std::int64_t;
};

inline Float8 root(Float8 a);
inline Float16 root(Float16 a);
inline Double4 root(Double4 a);
inline Double8 root(Double8 a);
template <class Vector>
inline Vector reciprocal(Vector a);
inline Float16 reciprocal(Float16 a);
inline Double8 reciprocal(Double8 a);
template <class Vector>
inline Vector reciprocal_root(Vector a);
inline Float16 reciprocal_root(Float16 a);
inline Double8 reciprocal_root(Double8 a);
}  // namespace detail

#if defined(__AVX512F__)
constexpr int widest_register = 64;  // [B]
#else
constexpr int widest_register = 32;
#endif

// as many numbers side by side as a register holds; the kernels take it in place of a double
template <class S, int bytes = 32>
struct Pack {
  using Scalar = S;
  using Vector = typename detail::Register<S, bytes>::Vector;
  using Mask = typename detail::Register<S, bytes>::Mask;  // all bits set where true
  using Integer = typename detail::Register<S, bytes>::Integer;
  static constexpr int lanes = bytes / sizeof(S);

  Vector v;

  Pack() = default;
  Pack(S s) : v(s - Vector{}) {}
  explicit Pack(Vector vector) : v(vector) {}
  S operator[](int lane) const { return v[lane]; }

  static Pack load(const S* from) { return Pack(*reinterpret_cast<const Vector*>(from)); }  // aligned
  void store(S* to) const { *reinterpret_cast<Vector*>(to) = v; }

  Pack& operator+=(Pack b) { return v += b.v, *this; }
  Pack& operator-=(Pack b) { return v -= b.v, *this; }
  Pack& operator*=(Pack b) { return v *= b.v, *this; }
  friend Pack operator+(Pack a, Pack b) { return Pack(a.v + b.v); }
  friend Pack operator-(Pack a, Pack b) { return Pack(a.v - b.v); }
  friend Pack operator*(Pack a, Pack b) { return Pack(a.v * b.v); }
  friend Pack operator/(Pack a, Pack b) { return Pack(a.v / b.v); }
  friend Pack operator-(Pack a) { return Pack(-a.v); }
  friend Mask operator<(Pack a, Pack b) { return a.v < b.v; }
  friend Mask operator>(Pack a, Pack b) { return a.v > b.v; }
  friend Mask operator<=(Pack a, Pack b) { return a.v <= b.v; }

  // 1 / a and 1 / sqrt(a), but for the last digit
  friend Pack reciprocal(Pack a) { return Pack(detail::reciprocal(a.v)); }
  friend Pack reciprocal_root(Pack a) { return Pack(detail::reciprocal_root(a.v)); }
  friend Pack sqrt(Pack a) { return Pack(detail::root(a.v)); }
  friend Pack floor(Pack a) {
    Pack whole;
    for (int lane = 0; lane < lanes; ++lane) whole.v[lane] = std::floor(a.v[lane]);
    return whole;
  }
  friend Pack select(Mask where, Pack a, Pack b) { return Pack(where ? a.v : b.v); }
  friend Pack min(Pack a, Pack b) { return Pack(a.v < b.v ? a.v : b.v); }
  friend Pack max(Pack a, Pack b) { return Pack(a.v > b.v ? a.v : b.v); }
  friend Pack abs(Pack a) { return Pack(a.v < 0 ? -a.v : a.v); }
  friend Pack flip_where_negative(Pack a, Pack sign) {
    const Mask bit = (Mask)sign.v & ((Mask)Vector{} | std::numeric_limits<Integer>::min());
    return Pack((Vector)((Mask)a.v ^ bit));
  }
  friend S largest(Pack a) {
    S m = a.v[0];
    for (int lane = 1; lane < lanes; ++lane) m = std::max(m, S(a.v[lane]));
    return m;
  }
};

// the distance from 1 to the next number
template <class T>
constexpr double round_off() {
  if constexpr (std::is_floating_point_v<T>)
    return std::numeric_limits<T>::epsilon();
  else
    return std::numeric_limits<typename T::Scalar>::epsilon();
}

// what comparing two numbers gives: of packs, for each lane
template <class T>
using Truth = decltype(std::declval<T>() > std::declval<T>());

// the same vocabulary for plain numbers
inline double reciprocal(double a) { return 1 / a; }
inline double reciprocal_root(double a) { return 1 / std::sqrt(a); }
inline double select(bool where, double a, double b) { return where ? a : b; }
inline double min(double a, double b) { return a < b ? a : b; }
inline double max(double a, double b) { return a > b ? a : b; }
inline double flip_where_negative(double a, double sign) { return std::signbit(sign) ? -a : a; }
inline bool any(bool condition) { return condition; }

namespace detail {
template <class Vector>
Vector root_by_lanes(Vector a) {
  for (std::size_t lane = 0; lane < sizeof(a) / sizeof(a[0]); ++lane) a[lane] = std::sqrt(a[lane]);
  return a;
}
template <class Mask>
bool any_of_lanes(Mask where) {
  for (std::size_t lane = 0; lane < sizeof(where) / sizeof(where[0]); ++lane)
    if (where[lane] != 0) return true;
  return false;
}
#if defined(__AVX__)
inline Float8 root(Float8 a) { return _mm256_sqrt_ps(a); }
inline Double4 root(Double4 a) { return _mm256_sqrt_pd(a); }
#else
inline Float8 root(Float8 a) { return root_by_lanes(a); }
inline Double4 root(Double4 a) { return root_by_lanes(a); }
#endif
#if defined(__AVX512F__)
inline Float16 root(Float16 a) { return _mm512_maskz_sqrt_ps(0xffff, a); }
inline Double8 root(Double8 a) { return _mm512_maskz_sqrt_pd(0xff, a); }
#else
inline Float16 root(Float16 a) { return root_by_lanes(a); }
inline Double8 root(Double8 a) { return root_by_lanes(a); }
#endif

template <class Vector>
inline Vector reciprocal(Vector a) {
  return 1 / a;
}
template <class Vector>
inline Vector reciprocal_root(Vector a) {
  return 1 / root(a);
}
// To divide eight numbers takes as long as sixteen products, and a root twice as long; two steps of Newton's method
// from 14 bits on take eight. Floats need one.
#if defined(__AVX512F__)
inline Float16 reciprocal(Float16 a) {
  const Float16 r = _mm512_maskz_rcp14_ps(0xffff, a);
  return r + r * (1 - a * r);
}
inline Float16 reciprocal_root(Float16 a) {
  const Float16 r = _mm512_maskz_rsqrt14_ps(0xffff, a);
  return r + 0.5f * r * (1 - a * r * r);
}
inline Double8 reciprocal(Double8 a) {
  Double8 r = _mm512_maskz_rcp14_pd(0xff, a);
  r += r * (1 - a * r);
  return r + r * (1 - a * r);
}
inline Double8 reciprocal_root(Double8 a) {
  Double8 r = _mm512_maskz_rsqrt14_pd(0xff, a);
  r += 0.5 * r * (1 - a * r * r);
  return r + 0.5 * r * (1 - a * r * r);
}
#else
inline Float16 reciprocal(Float16 a) { return 1 / a; }
inline Float16 reciprocal_root(Float16 a) { return 1 / root(a); }
inline Double8 reciprocal(Double8 a) { return 1 / a; }
inline Double8 reciprocal_root(Double8 a) { return 1 / root(a); }
#endif
}  // namespace detail

inline bool any(detail::Int8 where) {
#if defined(__AVX__)
  return _mm256_movemask_ps(reinterpret_cast<detail::Float8>(where)) != 0;
#else
  return detail::any_of_lanes(where);
#endif
}
inline bool any(detail::Int16 where) {
#if defined(__AVX512F__)
  return _mm512_test_epi32_mask((__m512i)where, (__m512i)where) != 0;
#else
  return detail::any_of_lanes(where);
#endif
}
inline bool any(detail::Int4 where) {
#if defined(__AVX__)
  return _mm256_movemask_pd(reinterpret_cast<detail::Double4>(where)) != 0;
#else
  return detail::any_of_lanes(where);
#endif
}
inline bool any(detail::Long8 where) {
#if defined(__AVX512F__)
  return _mm512_test_epi64_mask((__m512i)where, (__m512i)where) != 0;
#else
  return detail::any_of_lanes(where);
#endif
}

// four numbers of one element side by side, so that one load brings them all
template <class S>
struct alignas(4 * sizeof(S)) Row {
  S v[4] = {};
};

// a pack for each of the four numbers of a row
template <class P>
struct RowPack {
  P x, y, z, w;
};

namespace detail {
inline Float4 bits(const Row<float>& row) { return *reinterpret_cast<const Float4*>(row.v); }
inline Double4 bits(const Row<double>& row) { return *reinterpret_cast<const Double4*>(row.v); }

// four rows in each half of a register to one register per component, and back
[[gnu::always_inline]] inline void transpose(Float8& a, Float8& b, Float8& c, Float8& d) {
  const Float8 ab_low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
  const Float8 ab_high = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
  const Float8 cd_low = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13);
  const Float8 cd_high = __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
  a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 8, 9, 4, 5, 12, 13);
  b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 10, 11, 6, 7, 14, 15);
  c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 8, 9, 4, 5, 12, 13);
  d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 10, 11, 6, 7, 14, 15);
}
[[gnu::always_inline]] inline void transpose(Double4& a, Double4& b, Double4& c, Double4& d) {
  const Double4 ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  const Double4 ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Double4 cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  const Double4 cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  a = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5);
  c = __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7);
  d = __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7);
}
// eight rows, the k-th and the one four after it in one register, to one register per component, and back
[[gnu::always_inline]] inline void transpose(Double8& a, Double8& b, Double8& c, Double8& d) {
  const Double8 ab_even = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
  const Double8 ab_odd = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
  const Double8 cd_even = __builtin_shufflevector(c, d, 0, 8, 2, 10, 4, 12, 6, 14);
  const Double8 cd_odd = __builtin_shufflevector(c, d, 1, 9, 3, 11, 5, 13, 7, 15);
  a = __builtin_shufflevector(ab_even, cd_even, 0, 1, 8, 9, 4, 5, 12, 13);
  b = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 8, 9, 4, 5, 12, 13);
  c = __builtin_shufflevector(ab_even, cd_even, 2, 3, 10, 11, 6, 7, 14, 15);
  d = __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 10, 11, 6, 7, 14, 15);
}
inline Float8 join(Float4 low, Float4 high) { return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7); }
#if defined(__AVX512F__)  // one instruction each, which may take `high` from memory
inline Double8 join(Double4 low, Double4 high) {
  return _mm512_maskz_insertf64x4(0xff, _mm512_castpd256_pd512(low), high, 1);
}
inline Float16 join(Float8 low, Float8 high) {
  return reinterpret_cast<Float16>(join(reinterpret_cast<Double4>(low), reinterpret_cast<Double4>(high)));
}
#else
inline Double8 join(Double4 low, Double4 high) { return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7); }
inline Float16 join(Float8 low, Float8 high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}
#endif
template <int n>
[[gnu::always_inline]] inline Float4 half_of(Float8 a) {
  return __builtin_shufflevector(a, a, 4 * n, 4 * n + 1, 4 * n + 2, 4 * n + 3);
}
template <int n>
[[gnu::always_inline]] inline Float8 half_of(Float16 a) {
  return __builtin_shufflevector(a, a, 8 * n, 8 * n + 1, 8 * n + 2, 8 * n + 3, 8 * n + 4, 8 * n + 5, 8 * n + 6,
                                 8 * n + 7);
}
[[gnu::always_inline]] inline Double4 widened(Float4 a) { return __builtin_convertvector(a, Double4); }
[[gnu::always_inline]] inline Double8 widened(Float8 a) {
#if defined(__AVX512F__)  // in one go, which the compiler does not see
  return _mm512_maskz_cvtps_pd(0xff, a);
#else
  return __builtin_convertvector(a, Double8);
#endif
}
// the numbers from lane 4 n on
[[gnu::always_inline]] inline Double4 four_of(Double4 a, int) { return a; }
[[gnu::always_inline]] inline Double4 four_of(Double8 a, int n) {
  if (n == 0) return __builtin_shufflevector(a, a, 0, 1, 2, 3);
#if defined(__AVX512F__)  // likewise, to memory
  return _mm512_maskz_extractf64x4_pd(0xff, a, 1);
#else
  return __builtin_shufflevector(a, a, 4, 5, 6, 7);
#endif
}
}  // namespace detail

// rows index[0], index[1], … as packs
[[gnu::always_inline]] inline RowPack<Pack<float>> gather(const Row<float>* rows, const int* index) {
  using detail::bits;
  detail::Float8 a = detail::join(bits(rows[index[0]]), bits(rows[index[4]]));
  detail::Float8 b = detail::join(bits(rows[index[1]]), bits(rows[index[5]]));
  detail::Float8 c = detail::join(bits(rows[index[2]]), bits(rows[index[6]]));
  detail::Float8 d = detail::join(bits(rows[index[3]]), bits(rows[index[7]]));
  detail::transpose(a, b, c, d);
  return {Pack<float>(a), Pack<float>(b), Pack<float>(c), Pack<float>(d)};
}
[[gnu::always_inline]] inline RowPack<Pack<double>> gather(const Row<double>* rows, const int* index) {
  using detail::bits;
  detail::Double4 a = bits(rows[index[0]]), b = bits(rows[index[1]]), c = bits(rows[index[2]]),
                  d = bits(rows[index[3]]);
  detail::transpose(a, b, c, d);
  return {Pack<double>(a), Pack<double>(b), Pack<double>(c), Pack<double>(d)};
}

// as many rows as there are lanes, one after the other
[[gnu::always_inline]] inline RowPack<Pack<float>> load_rows(const Row<float>* rows) {
  constexpr int in_order[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  return gather(rows, in_order);
}
[[gnu::always_inline]] inline RowPack<Pack<double>> load_rows(const Row<double>* rows) {
  constexpr int in_order[4] = {0, 1, 2, 3};
  return gather(rows, in_order);
}
[[gnu::always_inline]] inline void store_rows(Row<float>* rows, const RowPack<Pack<float>>& p) {
  detail::Float8 r[4] = {p.x.v, p.y.v, p.z.v, p.w.v};
  detail::transpose(r[0], r[1], r[2], r[3]);
  for (int k = 0; k < 4; ++k) {
    *reinterpret_cast<detail::Float4*>(rows[k].v) = __builtin_shufflevector(r[k], r[k], 0, 1, 2, 3);
    *reinterpret_cast<detail::Float4*>(rows[k + 4].v) = __builtin_shufflevector(r[k], r[k], 4, 5, 6, 7);
  }
}
[[gnu::always_inline]] inline void store_rows(Row<double>* rows, const RowPack<Pack<double>>& p) {
  detail::Double4 r[4] = {p.x.v, p.y.v, p.z.v, p.w.v};
  detail::transpose(r[0], r[1], r[2], r[3]);
  for (int k = 0; k < 4; ++k) *reinterpret_cast<detail::Double4*>(rows[k].v) = r[k];
}

}  // namespace tendril::math
