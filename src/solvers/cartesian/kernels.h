#pragma once

#include "math/mat3.h"

// What makes a segment inextensible and unshearable, as functions of its edge e = x1 - x0 and its frame, by increments
// in the world's frame: e <- e + de, d <- exp(theta) d.

namespace tendril::solvers::cartesian {

// value, gradient and second derivatives of a function of an edge and a turn
struct Terms {
  double value = 0;
  Vec3d by_edge, by_turn;
  Mat3d edge_edge, edge_turn, turn_turn;  // edge_turn: rows by the edge, columns by the turn

  Terms& operator+=(const Terms& b) {
    value += b.value, by_edge += b.by_edge, by_turn += b.by_turn;
    edge_edge += b.edge_edge, edge_turn += b.edge_turn, turn_turn += b.turn_turn;
    return *this;
  }
};
inline Terms operator*(double s, const Terms& a) {
  return {s * a.value, s * a.by_edge, s * a.by_turn, s * a.edge_edge, s * a.edge_turn, s * a.turn_turn};
}

// 1 - t tᵀ
inline Mat3d across(const Vec3d& t) { return Mat3d::identity() + outer(-t, t); }

// |e|:  by e: t = e/|e|,  twice: (1 - t tᵀ)/|e|
inline Terms length(const Vec3d& e) {
  const double L = norm(e);
  const Vec3d t = e / L;
  Terms out;
  out.value = L, out.by_edge = t, out.edge_edge = (1 / L) * across(t);
  return out;
}

// c = t·d of the tangent t = e/|e| and a director d. With P = 1 - t tᵀ
//   by e        P d / |e|
//   by theta    d x t
//   e e         -(d tᵀ + t dᵀ + c (1 - 3 t tᵀ)) / |e|²
//   e theta     -P [d] / |e|
//   theta²      sym(t dᵀ) - c 1
inline Terms cosine(const Vec3d& e, const Vec3d& d) {
  const double L = norm(e);
  const Vec3d t = e / L;
  const Mat3d P = across(t), td = outer(t, d), both = td + transpose(td);
  const double c = dot(t, d);
  Terms out;
  out.value = c, out.by_edge = (P * d) / L, out.by_turn = cross(d, t);
  out.edge_edge = (-1 / (L * L)) * (both + c * (P + outer(-2.0 * t, t)));
  out.edge_turn = (-1 / L) * (P * skew(d));
  out.turn_turn = 0.5 * both + (-c) * Mat3d::identity();
  return out;
}

// The penalty terms with the weight w on Eq. 1 and on Eq. 3 [zhao2022]
//   w/2 (|e| - l)² + w/2 |t - d3|²,   |t - d3|² = 2 - 2 t·d3
// `exact` = 0 leaves out what may be indefinite: J is the Jacobian of |e| - l and of t - d3, their sum w JᵀJ.
inline Terms penalty(double w, double l, const Vec3d& e, const Vec3d& d3, bool exact) {
  const Terms stretched = length(e);
  const double excess = stretched.value - l;
  const Vec3d t = stretched.by_edge;
  Terms out = (-w) * cosine(e, d3);
  out.value = 0.5 * w * (excess * excess + norm_squared(t - d3));
  out.by_edge += (w * excess) * t;
  if (exact) {
    out.edge_edge += w * outer(t, t) + (w * excess) * stretched.edge_edge;
    return out;
  }
  const Mat3d P = across(t), D = skew(d3);  // d(t - d3) = P de/|e| + d3 x theta
  const double L = stretched.value;
  out.edge_edge = w * outer(t, t) + (w / (L * L)) * P;
  out.edge_turn = (w / L) * (P * D);
  out.turn_turn = w * (transpose(D) * D);
  return out;
}

// Eq. 1 and 3 [zhao2022] as three rows, all in metres: |e| - l, and l t·d1 and l t·d2, the two components of t - d3 in
// which it can differ. The third is of second order.
struct Constraint {
  Terms row[3];
  Vec3d value() const { return {row[0].value, row[1].value, row[2].value}; }
  Mat3d by_edge() const { return transpose(Mat3d{row[0].by_edge, row[1].by_edge, row[2].by_edge}); }
  Mat3d by_turn() const { return transpose(Mat3d{row[0].by_turn, row[1].by_turn, row[2].by_turn}); }
};
inline Constraint constraint(double l, const Vec3d& e, const Mat3d& R) {
  Constraint c{{length(e), l * cosine(e, R.c0), l * cosine(e, R.c1)}};
  c.row[0].value -= l;
  return c;
}
// without derivatives
inline Vec3d violation(double l, const Vec3d& e, const Mat3d& R) {
  const double L = norm(e);
  return {L - l, l / L * dot(e, R.c0), l / L * dot(e, R.c1)};
}

}  // namespace tendril::solvers::cartesian
