#pragma once

#include <vector>

#include "math/pack.h"
#include "solvers/stable/layout.h"

namespace tendril::solvers::stable {

// the unknowns in the order of the Layout, four numbers to a row. Positions are displacements from the start of the
// step, so that single precision keeps its digits far from the origin.
template <class S>
struct Rows {
  std::vector<Row<S>> u;  // x - x at the start [m] (vertex rows)
  std::vector<Row<S>> q;  // (frame rows)
  std::vector<Row<S>>
      w;             // l R p - (x1 - x0 at the start): the wanted change of the edge [m], then GA/l [N/m] (frame rows)
  std::vector<S> y;  // of Eq. 26 [hsu2025], where lambda is stored; else empty (frame rows)

  Vec3d displacement(int row) const { return {u[row].v[0], u[row].v[1], u[row].v[2]}; }
  void set_displacement(int row, const Vec3d& d) { u[row] = {{S(d.x), S(d.y), S(d.z), S(0)}}; }
  Quatd frame(int row) const { return {q[row].v[0], q[row].v[1], q[row].v[2], q[row].v[3]}; }
  void set_frame(int row, const Quatd& f) { q[row] = {{S(f.w), S(f.x), S(f.y), S(f.z)}}; }
  Vec3d wanted_change(int row) const { return {w[row].v[0], w[row].v[1], w[row].v[2]}; }
};

template <class P>
Vec3<P> vector_of(const RowPack<P>& row) {
  return {row.x, row.y, row.z};
}
template <class P>
Quat<P> quaternion_of(const RowPack<P>& row) {
  return {row.x, row.y, row.z, row.w};
}

}  // namespace tendril::solvers::stable
