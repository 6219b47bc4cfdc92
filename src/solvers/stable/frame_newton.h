#pragma once

#include "solvers/stable/secular.h"

namespace tendril::solvers::stable {

// The energy of one frame, given all others: the stretch term wants R(q) p along the edge a, the bends are A and b.
//   E(q) = -a·R(q) p + 1/2 qᵀ A q - bᵀ q,   |q| = 1
template <class T>
struct FrameEnergy {
  Sym4<T> A;
  Quat<T> b;
  Vec3<T> a, p;
};

// Of a turn theta about the frame's own axes, q (1, theta/2): with alpha = R(q)ᵀ a and Q the columns q e1, q e2, q e3,
//   gradient  alpha x p + 1/2 Qᵀ (A q - b)
//   Hessian   (alpha·p) 1 - 1/2 (alpha pᵀ + p alphaᵀ) + 1/4 Qᵀ A Q + 1/4 qᵀ(b - A q) 1
// Stretch is much stiffer than twist, and has none of it: alpha1 p1 + alpha2 p2 is written instead of alpha·p - alpha3
// p3, whose last digits would drown the bends in single precision.
template <class T>
struct TurnQuadratic {
  Vec3<T> gradient;
  T xx, yy, zz, xy, xz, yz;
};

template <class T>
Quat<T> column(const Quat<T>& q, int k) {
  if (k == 0) return {-q.x, q.w, q.z, -q.y};
  if (k == 1) return {-q.y, -q.z, q.w, q.x};
  return {-q.z, q.y, -q.x, q.w};
}

template <class T>
TurnQuadratic<T> expand(const FrameEnergy<T>& e, const Quat<T>& q) {
  const Quat<T> q1 = column(q, 0), q2 = column(q, 1), q3 = column(q, 2);
  const Vec3<T> alpha = rotate(conjugate(q), e.a);
  const Quat<T> slope = e.A * q - e.b, A1 = e.A * q1, A2 = e.A * q2, A3 = e.A * q3;
  const T half(0.5), quarter(0.25), radial = -quarter * dot(slope, q);
  const Vec3<T> product{alpha.x * e.p.x, alpha.y * e.p.y, alpha.z * e.p.z};
  TurnQuadratic<T> out;
  out.gradient = cross(alpha, e.p) + half * Vec3<T>{dot(slope, q1), dot(slope, q2), dot(slope, q3)};
  out.xx = product.y + product.z + quarter * dot(q1, A1) + radial;
  out.yy = product.x + product.z + quarter * dot(q2, A2) + radial;
  out.zz = product.x + product.y + quarter * dot(q3, A3) + radial;
  out.xy = quarter * dot(q1, A2) - half * (alpha.x * e.p.y + alpha.y * e.p.x);
  out.xz = quarter * dot(q1, A3) - half * (alpha.x * e.p.z + alpha.z * e.p.x);
  out.yz = quarter * dot(q2, A3) - half * (alpha.y * e.p.z + alpha.z * e.p.y);
  return out;
}

// H = L D Lᵀ
template <class T>
struct TurnFactors {
  T d1, d2, d3, l21, l31, l32;

  explicit TurnFactors(const TurnQuadratic<T>& h) {
    const auto safe = [](T d) { return max(d, T(1e-30)); };
    d1 = h.xx;
    l21 = h.xy / safe(d1), l31 = h.xz / safe(d1);
    d2 = h.yy - l21 * h.xy;
    const T c = h.yz - l31 * h.xy;
    l32 = c / safe(d2);
    d3 = h.zz - l31 * h.xz - l32 * c;
  }
  T smallest() const { return min(min(d1, d2), d3); }
  Vec3<T> forward(const Vec3<T>& r) const {
    const T y = r.y - l21 * r.x;
    return {r.x, y, r.z - l31 * r.x - l32 * y};
  }
  Vec3<T> divided(const Vec3<T>& f) const {
    const T tiny(1e-30);
    return {f.x / max(d1, tiny), f.y / max(d2, tiny), f.z / max(d3, tiny)};
  }
  Vec3<T> solve(const Vec3<T>& r) const {
    const Vec3<T> f = divided(forward(r));
    const T y = f.y - l32 * f.z;
    return {f.x - l21 * y - l31 * f.z, y, f.z};
  }
};

// the q of least energy by the secular equation, from any start
template <class T>
Quat<T> frame_on_sphere(const FrameEnergy<T>& e, const Quat<T>& start) {
  Sym4<T> whole = e.A;
  add_rotation_form(whole, T(-2) * e.a, e.p);
  return minimum_on_sphere(whole, e.b, start, T(2) * norm(e.a) * norm(e.p));
}

// The same for single precision, in which the secular equation loses the bends beside the stretch and runs to its
// cap. Newton's method from the last iterate is at the minimum in one or two steps; that it is the
// global one is certain when A + lambda, now the matrix of the whole energy, has no negative direction: with the
// Hessian H above and (A + lambda) q = b that is bᵀq >= (Qᵀb)ᵀ (4 H)⁻¹ (Qᵀb). What fails, far from the minimum or
// where there is none, is solved on the sphere (secular.h). A lane that is done does not follow the others.
template <class T>
Quat<T> least_energy_frame(const FrameEnergy<T>& e, const Quat<T>& start) {
  constexpr int most_steps = 4;
  // a turn squared: what is left is of the size of its square, times stretch over twist, 16,000 for a hair
  const T small(8 * round_off<T>());
  Quat<T> q = start;
  T open(1), failed(0);
  for (int step = 0; step < most_steps; ++step) {
    const TurnQuadratic<T> h = expand(e, q);
    const TurnFactors<T> factors(h);
    const Vec3<T> turn = factors.solve(h.gradient);
    const T turn2 = norm_squared(turn), push = norm_squared(h.gradient);
    const T bad = select(factors.smallest() > T(0), select(turn2 < T(1), T(0), T(1)), select(push > T(0), T(1), T(0)));
    failed = select(open > T(0), max(failed, bad), failed);
    const T moves = select(failed > T(0), T(0), open);
    const Quat<T> next = normalized(q * Quat<T>{T(1), T(-0.5) * turn.x, T(-0.5) * turn.y, T(-0.5) * turn.z});
    q = {select(moves > T(0), next.w, q.w), select(moves > T(0), next.x, q.x), select(moves > T(0), next.y, q.y),
         select(moves > T(0), next.z, q.z)};
    const Vec3<T> across{dot(e.b, column(q, 0)), dot(e.b, column(q, 1)), dot(e.b, column(q, 2))};
    const Vec3<T> f = factors.forward(across);
    const T certain = T(4) * dot(e.b, q) - dot(f, factors.divided(f));
    const T done = select(turn2 < small, T(1), T(0));
    failed = select(moves * done > T(0), select(certain < T(0), T(1), failed), failed);
    open = select(failed > T(0), T(0), select(done > T(0), T(0), open));
    if (!any(open > T(0))) break;
  }
  failed = max(failed, open);
  if (!any(failed > T(0))) return q;
  const Quat<T> other = frame_on_sphere(e, start);
  return {select(failed > T(0), other.w, q.w), select(failed > T(0), other.x, q.x), select(failed > T(0), other.y, q.y),
          select(failed > T(0), other.z, q.z)};
}

}  // namespace tendril::solvers::stable
