#pragma once

#include "math/mat3.h"
#include "math/vec3.h"

namespace tendril::math {

// a quaternion; of length one it turns the material frame into the world
template <class T>
struct Quat {
  T w{1}, x{0}, y{0}, z{0};

  Vec3<T> imaginary() const { return {x, y, z}; }
  bool operator==(const Quat&) const = default;
  Quat& operator+=(const Quat& b) { return w += b.w, x += b.x, y += b.y, z += b.z, *this; }
};

using Quatd = Quat<double>;
using Quatf = Quat<float>;

template <class T>
inline Quat<T> conjugate(const Quat<T>& a) {
  return {a.w, -a.x, -a.y, -a.z};
}
template <class T>
inline Quat<T> operator*(const Quat<T>& a, const Quat<T>& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
// product with a vector as a quaternion of real part zero
template <class T>
inline Quat<T> operator*(const Vec3<T>& a, const Quat<T>& b) {
  return Quat<T>{T(0), a.x, a.y, a.z} * b;
}
template <class T>
inline Quat<T> operator*(T s, const Quat<T>& a) {
  return {s * a.w, s * a.x, s * a.y, s * a.z};
}
template <class T>
inline Quat<T> operator+(const Quat<T>& a, const Quat<T>& b) {
  return {a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
inline Quat<T> operator-(const Quat<T>& a, const Quat<T>& b) {
  return {a.w - b.w, a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
inline Quat<T> operator-(const Quat<T>& a) {
  return {-a.w, -a.x, -a.y, -a.z};
}
template <class T>
inline T dot(const Quat<T>& a, const Quat<T>& b) {
  return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
inline T norm(const Quat<T>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}
template <class T>
inline Quat<T> normalized(const Quat<T>& a) {
  return (T(1) / norm(a)) * a;
}
template <class To, class From>
inline Quat<To> cast(const Quat<From>& a) {
  return {To(a.w), To(a.x), To(a.y), To(a.z)};
}

// q a q̄ for a unit quaternion
template <class T>
inline Vec3<T> rotate(const Quat<T>& q, const Vec3<T>& a) {
  const Vec3<T> u = q.imaginary();
  const Vec3<T> t = T(2) * cross(u, a);
  return a + q.w * t + cross(u, t);
}
// the directors: where q turns the world's axes
template <class T>
inline Vec3<T> director1(const Quat<T>& q) {
  return {T(1) - T(2) * (q.y * q.y + q.z * q.z), T(2) * (q.x * q.y + q.w * q.z), T(2) * (q.x * q.z - q.w * q.y)};
}
template <class T>
inline Vec3<T> director2(const Quat<T>& q) {
  return {T(2) * (q.x * q.y - q.w * q.z), T(1) - T(2) * (q.x * q.x + q.z * q.z), T(2) * (q.y * q.z + q.w * q.x)};
}
template <class T>
inline Vec3<T> director3(const Quat<T>& q) {
  return {T(2) * (q.x * q.z + q.w * q.y), T(2) * (q.y * q.z - q.w * q.x), T(1) - T(2) * (q.x * q.x + q.y * q.y)};
}
template <class T>
inline Mat3<T> rotation_matrix(const Quat<T>& q) {
  return {director1(q), director2(q), director3(q)};
}

// the unit quaternion whose directors are the columns of r
inline Quatd quaternion_from_matrix(const Mat3d& r) {
  const double t = r.c0.x + r.c1.y + r.c2.z;
  Quatd q;
  if (t > 0)
    q = {1 + t, r.c1.z - r.c2.y, r.c2.x - r.c0.z, r.c0.y - r.c1.x};
  else if (r.c0.x >= r.c1.y && r.c0.x >= r.c2.z)
    q = {r.c1.z - r.c2.y, 1 + r.c0.x - r.c1.y - r.c2.z, r.c1.x + r.c0.y, r.c2.x + r.c0.z};
  else if (r.c1.y >= r.c2.z)
    q = {r.c2.x - r.c0.z, r.c1.x + r.c0.y, 1 - r.c0.x + r.c1.y - r.c2.z, r.c2.y + r.c1.z};
  else
    q = {r.c0.y - r.c1.x, r.c2.x + r.c0.z, r.c2.y + r.c1.z, 1 - r.c0.x - r.c1.y + r.c2.z};
  return normalized(q);
}

// rotation vector [rad] -> unit quaternion
inline Quatd quaternion_exp(const Vec3d& rotation) {
  const double a2 = norm_squared(rotation);
  if (a2 < 0.04) {  // the series of cos(a/2) and sin(a/2)/a, to round-off
    const double h = 0.25 * a2;
    const double c = 1 - h * (1. / 2) * (1 - h * (1. / 12) * (1 - h * (1. / 30) * (1 - h * (1. / 56))));
    const double s = 0.5 * (1 - h * (1. / 6) * (1 - h * (1. / 20) * (1 - h * (1. / 42) * (1 - h * (1. / 72)))));
    return {c, s * rotation.x, s * rotation.y, s * rotation.z};
  }
  const double angle = std::sqrt(a2), s = std::sin(0.5 * angle) / angle;
  return {std::cos(0.5 * angle), s * rotation.x, s * rotation.y, s * rotation.z};
}

// unit quaternion -> rotation vector [rad] of length at most pi when w >= 0 (the caller chooses the sign of q)
inline Vec3d quaternion_log(const Quatd& q) {
  const Vec3d u = q.imaginary();
  const double sine = norm(u);
  const double factor = sine > 1e-8 ? 2 * std::atan2(sine, q.w) / sine : 2 / q.w;
  return factor * u;
}

// the same rotation, by at most half a circle
inline Quatd shorter_turn(const Quatd& q) { return q.w < 0 ? -q : q; }

// the rotation vector of a turn [rad], of length at most pi
inline Vec3d shortest_angle(const Quatd& turn) { return quaternion_log(shorter_turn(turn)); }

// from one frame to another, in world axes [rad]
inline Vec3d turn_between(const Quatd& from, const Quatd& to) { return shortest_angle(to * conjugate(from)); }

// the smallest rotation that takes the unit vector a to the unit vector b
inline Quatd rotation_between(const Vec3d& a, const Vec3d& b) {
  const double c = dot(a, b);
  if (c < -1 + 1e-12) {
    const Vec3d axis = any_perpendicular(a);
    return {0, axis.x, axis.y, axis.z};
  }
  const Vec3d s = cross(a, b);
  return normalized(Quatd{1 + c, s.x, s.y, s.z});
}

// the frame with third director t (unit) and first director as near to n as can be
inline Quatd frame_from_tangent(const Vec3d& t, const Vec3d& n) {
  const Vec3d d1 = normalized(n - dot(n, t) * t);
  return quaternion_from_matrix({d1, cross(t, d1), t});
}

}  // namespace tendril::math
