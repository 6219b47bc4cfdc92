#include "solvers/alpha/block_elimination.h"

#include <algorithm>
#include <cmath>

namespace tendril::solvers::alpha {
namespace {

constexpr int unknowns = 9, columns = 16;  // nine of its own, six of the next node, the right-hand side

struct Rows {
  double a[unknowns][columns] = {};

  void put(int row, int column, const Mat3d& m) {
    for (int k = 0; k < 3; ++k)
      a[row][column + k] = (&m.c0)[k].x, a[row + 1][column + k] = (&m.c0)[k].y, a[row + 2][column + k] = (&m.c0)[k].z;
  }
};

Rows in_columns(const NodeRows& in) {
  Rows rows;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) rows.put(3 * r, 3 * c, in.own[r][c]);
    for (int c = 0; c < 2; ++c) rows.put(3 * r, unknowns + 3 * c, in.next[r][c]);
    for (int k = 0; k < 3; ++k) rows.a[3 * r + k][columns - 1] = in.left[r][k];
  }
  return rows;
}

// rows -= m times what the last node's w or N is: right - next [x; w] of this node
void take_off(const Mat3d& m, const DoneNode& last, int of, int row, Rows& rows) {
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      const double factor = (&m.c0)[k][i];
      double* to = rows.a[row + i];
      for (int c = 0; c < 6; ++c) to[c] -= factor * last.next[of + k][c];
      to[columns - 1] -= factor * last.right[of + k];
    }
}

// every unknown in its own size, every row with a largest number of 1
bool balance(const double (&size)[unknowns], Rows& rows) {
  for (auto& row : rows.a) {
    double largest = 0;
    for (int c = 0; c < unknowns; ++c) row[c] *= size[c], largest = std::max(largest, std::abs(row[c]));
    if (!(largest > 0) || !std::isfinite(largest)) return false;
    const double factor = 1 / largest;
    for (double& number : row) number *= factor;
  }
  return true;
}

// by the largest pivot of each column
bool triangulate(Rows& rows) {
  for (int p = 0; p < unknowns; ++p) {
    int best = p;
    for (int r = p + 1; r < unknowns; ++r)
      if (std::abs(rows.a[r][p]) > std::abs(rows.a[best][p])) best = r;
    if (!(std::abs(rows.a[best][p]) > 1e-300)) return false;
    if (best != p) std::swap_ranges(rows.a[p], rows.a[p] + columns, rows.a[best]);
    const double inverse = 1 / rows.a[p][p];
    for (int r = p + 1; r < unknowns; ++r) {
      const double factor = rows.a[r][p] * inverse;
      if (factor == 0) continue;
      for (int c = p & ~3; c < columns; ++c) rows.a[r][c] -= factor * rows.a[p][c];
    }
  }
  return true;
}

void substitute(Rows& rows) {
  for (int p = unknowns - 1; p >= 0; --p) {
    const double inverse = 1 / rows.a[p][p];
    for (int c = unknowns; c < columns; ++c) rows.a[p][c] *= inverse;
    for (int r = 0; r < p; ++r) {
      const double factor = rows.a[r][p];
      for (int c = unknowns; c < columns; ++c) rows.a[r][c] -= factor * rows.a[p][c];
    }
  }
}

}  // namespace

bool eliminate(const NodeRows& in, const DoneNode* last, DoneNode& done) {
  Rows rows = in_columns(in);
  if (last) {
    take_off(in.vertex_by_last_N, *last, 6, 3 * NodeRows::vertex, rows);
    take_off(in.segment_by_last_w, *last, 3, 3 * NodeRows::segment, rows);
  }
  const double size[unknowns] = {in.length, in.length, in.length, 1, 1, 1, in.force, in.force, in.force};
  if (!balance(size, rows) || !triangulate(rows)) return false;
  substitute(rows);
  for (int r = 0; r < unknowns; ++r) {
    for (int c = 0; c < 6; ++c) done.next[r][c] = size[r] * rows.a[r][unknowns + c];
    done.right[r] = size[r] * rows.a[r][columns - 1];
  }
  return true;
}

NodeSolution solve_backwards(const DoneNode& done, const NodeSolution* next) {
  double u[unknowns];
  std::copy(done.right, done.right + unknowns, u);
  if (next) {
    const double after[6] = {next->x.x, next->x.y, next->x.z, next->w.x, next->w.y, next->w.z};
    for (int r = 0; r < unknowns; ++r)
      for (int c = 0; c < 6; ++c) u[r] -= done.next[r][c] * after[c];
  }
  return {{u[0], u[1], u[2]}, {u[3], u[4], u[5]}, {u[6], u[7], u[8]}};
}

}  // namespace tendril::solvers::alpha
