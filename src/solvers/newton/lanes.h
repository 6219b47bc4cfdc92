#pragma once

#include <array>
#include <cstring>

#include "math/pack.h"
#include "math/quat.h"

namespace tendril::solvers::newton {

// Numbers, vectors and quaternions of(0), of(1), … side by side, and back: elements of one part fill four lanes,
// strands as many as there are.
using Lanes = Pack<double>;
using WideLanes = Pack<double, widest_register>;
using FloatLanes = Pack<float, widest_register>;

// as many doubles as a register holds floats
template <class P>
struct Halves {
  static constexpr int lanes = 2 * P::lanes;
  P low, high;

  Halves() = default;
  Halves(double s) : low(s), high(s) {}
  Halves(P low, P high) : low(low), high(high) {}
  double operator[](int lane) const { return lane < P::lanes ? low[lane] : high[lane - P::lanes]; }
  friend Halves operator+(const Halves& a, const Halves& b) { return {a.low + b.low, a.high + b.high}; }
  friend Halves operator-(const Halves& a, const Halves& b) { return {a.low - b.low, a.high - b.high}; }
  friend Halves operator*(const Halves& a, const Halves& b) { return {a.low * b.low, a.high * b.high}; }
  friend Halves operator/(const Halves& a, const Halves& b) { return {a.low / b.low, a.high / b.high}; }
  friend Halves operator-(const Halves& a) { return {-a.low, -a.high}; }
  friend Halves reciprocal_root(const Halves& a) { return {reciprocal_root(a.low), reciprocal_root(a.high)}; }
};

template <class Numbers>
constexpr bool has_halves = false;
template <class P>
constexpr bool has_halves<Halves<P>> = true;
template <class P>
constexpr bool has_halves<Vec3<Halves<P>>> = true;
template <class P>
constexpr bool has_halves<Quat<Halves<P>>> = true;

template <class P>
[[gnu::always_inline]] inline P half(const Halves<P>& a, P Halves<P>::*of) {
  return a.*of;
}
template <class P>
[[gnu::always_inline]] inline Vec3<P> half(const Vec3<Halves<P>>& a, P Halves<P>::*of) {
  return {a.x.*of, a.y.*of, a.z.*of};
}
template <class P>
[[gnu::always_inline]] inline Quat<P> half(const Quat<Halves<P>>& a, P Halves<P>::*of) {
  return {a.w.*of, a.x.*of, a.y.*of, a.z.*of};
}
template <class P>
[[gnu::always_inline]] inline Vec3<Halves<P>> joined(const Vec3<P>& low, const Vec3<P>& high) {
  return {{low.x, high.x}, {low.y, high.y}, {low.z, high.z}};
}
template <class P>
[[gnu::always_inline]] inline Quat<Halves<P>> joined(const Quat<P>& low, const Quat<P>& high) {
  return {{low.w, high.w}, {low.x, high.x}, {low.y, high.y}, {low.z, high.z}};
}

// f of registers: of both halves, where numbers have two
template <class F, class... Numbers>
[[gnu::always_inline]] inline auto by_halves(F f, const Numbers&... numbers) {
  if constexpr ((has_halves<Numbers> && ...))
    return joined(f(half(numbers, &Halves<WideLanes>::low)...), f(half(numbers, &Halves<WideLanes>::high)...));
  else
    return f(numbers...);
}

// what holds the numbers of T in double
template <class T>
struct ExactLanes {
  using Type = T;
};
template <>
struct ExactLanes<FloatLanes> {
  using Type = Halves<WideLanes>;
};
template <class T>
using Exact = typename ExactLanes<T>::Type;
template <class T>
constexpr bool is_exact = std::is_same_v<Exact<T>, T>;

[[gnu::always_inline]] inline WideLanes narrowed(const WideLanes& a) { return a; }
[[gnu::always_inline]] inline FloatLanes narrowed(const Halves<WideLanes>& a) {
  using Half [[gnu::vector_size(widest_register / 2)]] = float;
  return FloatLanes(
      math::detail::join(__builtin_convertvector(a.low.v, Half), __builtin_convertvector(a.high.v, Half)));
}
[[gnu::always_inline]] inline WideLanes exact(const WideLanes& a) { return a; }
[[gnu::always_inline]] inline Halves<WideLanes> exact(const FloatLanes& a) {
  return {WideLanes(math::detail::widened(math::detail::half_of<0>(a.v))),
          WideLanes(math::detail::widened(math::detail::half_of<1>(a.v)))};
}
template <class T>
[[gnu::always_inline]] inline auto narrowed(const Vec3<T>& a) {
  return Vec3<decltype(narrowed(a.x))>{narrowed(a.x), narrowed(a.y), narrowed(a.z)};
}
template <class T>
[[gnu::always_inline]] inline auto narrowed(const Quat<T>& a) {
  return Quat<decltype(narrowed(a.w))>{narrowed(a.w), narrowed(a.x), narrowed(a.y), narrowed(a.z)};
}
template <class T>
[[gnu::always_inline]] inline auto exact(const Vec3<T>& a) {
  return Vec3<Exact<T>>{exact(a.x), exact(a.y), exact(a.z)};
}
template <class T>
[[gnu::always_inline]] inline auto exact(const Quat<T>& a) {
  return Quat<Exact<T>>{exact(a.w), exact(a.x), exact(a.y), exact(a.z)};
}

namespace detail4 {

using math::detail::Double4;
using Two [[gnu::vector_size(16)]] = double;

// how they lie in memory: two numbers, or four
[[gnu::always_inline]] inline Two first_two(const Vec3d& a) {
  Two two;
  std::memcpy(&two, &a.x, sizeof two);
  return two;
}
[[gnu::always_inline]] inline Double4 all_four(const Quatd& q) {
  Double4 four;
  std::memcpy(&four, &q.w, sizeof four);
  return four;
}

struct Vectors {
  Double4 x, y, z;
};
[[gnu::always_inline]] inline Vectors vectors(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
  const Double4 ac = __builtin_shufflevector(first_two(a), first_two(c), 0, 1, 2, 3);
  const Double4 bd = __builtin_shufflevector(first_two(b), first_two(d), 0, 1, 2, 3);
  return {__builtin_shufflevector(ac, bd, 0, 4, 2, 6), __builtin_shufflevector(ac, bd, 1, 5, 3, 7),
          Double4{a.z, b.z, c.z, d.z}};
}
struct Quaternions {
  Double4 w, x, y, z;
};
[[gnu::always_inline]] inline Quaternions quaternions(const Quatd& a, const Quatd& b, const Quatd& c, const Quatd& d) {
  Quaternions q{all_four(a), all_four(b), all_four(c), all_four(d)};
  math::detail::transpose(q.w, q.x, q.y, q.z);
  return q;
}

}  // namespace detail4

// what the upper half of the lanes takes
template <class Of>
[[gnu::always_inline]] inline auto upper_half(const Of& of) {
  return [&of](int k) __attribute__((always_inline))->decltype(auto) { return of(k + WideLanes::lanes); };
}

template <class P = Lanes, class Number>
[[gnu::always_inline]] inline P numbers(Number of) {
  if constexpr (!is_exact<P>)
    return narrowed(numbers<Exact<P>>(of));
  else if constexpr (has_halves<P>)
    return {numbers<WideLanes>(of), numbers<WideLanes>(upper_half(of))};
  else if constexpr (P::lanes == 4)
    return P(typename P::Vector{of(0), of(1), of(2), of(3)});
  else
    return P(typename P::Vector{of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7)});
}
template <class P = Lanes, class Vector>
[[gnu::always_inline]] inline Vec3<P> vectors(Vector of) {
  if constexpr (!is_exact<P>) {
    return narrowed(vectors<Exact<P>>(of));
  } else if constexpr (has_halves<P>) {
    return joined(vectors<WideLanes>(of), vectors<WideLanes>(upper_half(of)));
  } else if constexpr (P::lanes == 4) {
    const detail4::Vectors all = detail4::vectors(of(0), of(1), of(2), of(3));
    return {P(all.x), P(all.y), P(all.z)};
  } else {
    const detail4::Vectors low = detail4::vectors(of(0), of(1), of(2), of(3));
    const detail4::Vectors high = detail4::vectors(of(4), of(5), of(6), of(7));
    using math::detail::join;
    return {P(join(low.x, high.x)), P(join(low.y, high.y)), P(join(low.z, high.z))};
  }
}
template <class P = Lanes, class Quaternion>
[[gnu::always_inline]] inline Quat<P> quaternions(Quaternion of) {
  if constexpr (!is_exact<P>) {
    return narrowed(quaternions<Exact<P>>(of));
  } else if constexpr (has_halves<P>) {
    return joined(quaternions<WideLanes>(of), quaternions<WideLanes>(upper_half(of)));
  } else if constexpr (P::lanes == 4) {
    const detail4::Quaternions q = detail4::quaternions(of(0), of(1), of(2), of(3));
    return {P(q.w), P(q.x), P(q.y), P(q.z)};
  } else {
    using detail4::all_four;
    math::detail::Double8 row[4];
    for (int k = 0; k < 4; ++k) row[k] = math::detail::join(all_four(of(k)), all_four(of(k + 4)));
    math::detail::transpose(row[0], row[1], row[2], row[3]);
    return {P(row[0]), P(row[1]), P(row[2]), P(row[3])};
  }
}

// the four numbers of each lane, write(lane, four)
template <class P, class Write>
[[gnu::always_inline]] inline void for_lanes(const P& a, const P& b, const P& c, const P& d, Write write) {
  typename P::Vector row[4] = {a.v, b.v, c.v, d.v};
  math::detail::transpose(row[0], row[1], row[2], row[3]);
#pragma GCC unroll 8
  for (int lane = 0; lane < P::lanes; ++lane) write(lane, math::detail::four_of(row[lane % 4], lane / 4));
}
template <class P, class Vector>
[[gnu::always_inline]] inline void scatter(const Vec3<P>& v, Vector of) {
  if constexpr (has_halves<P>) {
    scatter(half(v, &P::low), of);
    return scatter(half(v, &P::high), upper_half(of));
  } else
    for_lanes(
        v.x, v.y, v.z, P(0), [&](int lane, const math::detail::Double4& four) __attribute__((always_inline)) {
          Vec3d& to = of(lane);
          const detail4::Two xy = __builtin_shufflevector(four, four, 0, 1);
          std::memcpy(&to.x, &xy, sizeof xy);
          to.z = four[2];
        });
}
template <class P, class Quaternion>
[[gnu::always_inline]] inline void scatter(const Quat<P>& q, Quaternion of) {
  if constexpr (has_halves<P>) {
    scatter(half(q, &P::low), of);
    return scatter(half(q, &P::high), upper_half(of));
  } else
    for_lanes(
        q.w, q.x, q.y, q.z, [&](int lane, const math::detail::Double4& four) __attribute__((always_inline)) {
          std::memcpy(&of(lane).w, &four, sizeof four);
        });
}

// where the numbers of records begin, which nothing that is written to them changes
template <class Record>
[[gnu::always_inline]] inline auto first_numbers(Record of) {
  using First = std::remove_reference_t<decltype(of(0))>;
  using Number = std::conditional_t<std::is_const_v<First>, const double, double>;
  std::array<Number*, WideLanes::lanes> at;
#pragma GCC unroll 8
  for (int lane = 0; lane < WideLanes::lanes; ++lane) at[lane] = reinterpret_cast<Number*>(&of(lane));
  return at;
}
// A struct of numbers of each lane from one of doubles, `of(lane)`, that is as long as some whole registers of four,
// and back: such records are read, or emptied on the way, and written, or added to.
template <class Out, bool empties = false, class Record>
[[gnu::always_inline]] inline Out from_records(Record of) {
  using P = WideLanes;
  constexpr int count = sizeof(Out) / sizeof(P);
  Out out;
  P* const number = reinterpret_cast<P*>(&out);
  const auto at = first_numbers(of);
  const auto four = [&](int lane, int n) __attribute__((always_inline)) {
    math::detail::Double4 four;
    std::memcpy(&four, at[lane] + n, sizeof four);
    return four;
  };
#pragma GCC unroll 8
  for (int n = 0; n < count; n += 4) {
    typename P::Vector row[4];
    for (int k = 0; k < 4; ++k) {
      if constexpr (P::lanes == 4)
        row[k] = four(k, n);
      else
        row[k] = math::detail::join(four(k, n), four(k + 4, n));
    }
    math::detail::transpose(row[0], row[1], row[2], row[3]);
    for (int k = 0; k < 4 && n + k < count; ++k) number[n + k] = P(row[k]);
    if constexpr (empties)
      for (int lane = 0; lane < P::lanes; ++lane) std::memset(at[lane] + n, 0, 32);
  }
  return out;
}
template <bool adds = false, class In, class Record>
[[gnu::always_inline]] inline void into_records(const In& in, Record of) {
  using P = WideLanes;
  constexpr int count = sizeof(In) / sizeof(P);
  const P* const number = reinterpret_cast<const P*>(&in);
  const auto to = first_numbers(of);
#pragma GCC unroll 8
  for (int n = 0; n < count; n += 4) {
    const auto at = [&](int k) { return n + k < count ? number[n + k] : P(0); };
    for_lanes(
        at(0), at(1), at(2), at(3), [&](int lane, math::detail::Double4 four) __attribute__((always_inline)) {
          if constexpr (adds) {
            math::detail::Double4 before;
            std::memcpy(&before, to[lane] + n, sizeof before);
            four += before;
          }
          std::memcpy(to[lane] + n, &four, sizeof four);
        });
  }
}

}  // namespace tendril::solvers::newton
