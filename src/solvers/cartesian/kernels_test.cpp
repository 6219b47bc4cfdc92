#include "solvers/cartesian/kernels.h"

#include <gtest/gtest.h>

#include <functional>

#include "math/quat.h"

// first and second derivatives of the terms of a segment against differences

namespace tendril::solvers::cartesian {
namespace {

constexpr double step = 1e-5, length = 0.3;

struct Place {
  Vec3d e;
  Quatd q;
};
const Place place{{0.21, -0.14, 0.2}, quaternion_exp({0.4, -0.3, 0.8})};

Place moved(Place p, int k, double by) {
  Vec3d d;
  d[k % 3] = by;
  if (k < 3)
    p.e += d;
  else
    p.q = quaternion_exp(d) * p.q;
  return p;
}

Vec3d part(const Terms& t, int k) { return k < 3 ? t.by_edge : t.by_turn; }
double second(const Terms& t, int r, int c) {
  if (r < 3 && c < 3) return (c == 0 ? t.edge_edge.c0 : c == 1 ? t.edge_edge.c1 : t.edge_edge.c2)[r];
  const Mat3d& m = r >= 3 && c >= 3 ? t.turn_turn : t.edge_turn;
  const int row = r < 3 ? r : c < 3 ? c : r - 3, column = r >= 3 && c >= 3 ? c - 3 : (r < 3 ? c : r) - 3;
  return (column == 0 ? m.c0 : column == 1 ? m.c1 : m.c2)[row];
}

// Second derivatives by turns are those of exp(theta), so they are taken from values: the gradient is not the same
// function of theta away from zero.
void check(const std::function<Terms(const Place&)>& terms, double size) {
  const Terms at = terms(place);
  const auto value = [&](const Place& p) { return terms(p).value; };
  double largest = 0;
  for (int r = 0; r < 6; ++r) {
    const double slope = (value(moved(place, r, step)) - value(moved(place, r, -step))) / (2 * step);
    EXPECT_NEAR(part(at, r)[r % 3], slope, 1e-8 * size) << r;
    for (int c = 0; c <= r; ++c) {
      const double h = 1e-3;  // both turns as one rotation vector
      const auto both = [&](double a, double b) {
        Place p = place;
        Vec3d turn;
        for (const auto& [k, by] : {std::pair(r, a), std::pair(c, b)})
          if (k < 3)
            p = moved(p, k, by);
          else
            turn[k - 3] += by;
        p.q = quaternion_exp(turn) * p.q;
        return value(p);
      };
      const double bend = (both(h, h) - both(h, -h) - both(-h, h) + both(-h, -h)) / (4 * h * h);
      EXPECT_NEAR(second(at, r, c), bend, 2e-4 * size) << r << ", " << c;
      largest = std::max(largest, std::abs(bend));
    }
  }
  EXPECT_GT(largest, 0.1 * size) << "there is something to compare";
}

TEST(CartesianKernels, DerivativesOfTheLength) {
  check([](const Place& p) { return cartesian::length(p.e); }, 1);
}

TEST(CartesianKernels, DerivativesOfTheCosine) {
  check([](const Place& p) { return cosine(p.e, director1(p.q)); }, 5);
}

TEST(CartesianKernels, DerivativesOfThePenalty) {
  check([](const Place& p) { return penalty(100, length, p.e, director3(p.q), true); }, 1000);
}

TEST(CartesianKernels, DerivativesOfTheConstraints) {
  for (int k = 0; k < 3; ++k)
    check([k](const Place& p) { return constraint(length, p.e, rotation_matrix(p.q)).row[k]; }, 2);
}

TEST(CartesianKernels, ConstraintsAreTheirRows) {
  const Mat3d R = rotation_matrix(place.q);
  const Constraint c = constraint(length, place.e, R);
  EXPECT_LT(norm(c.value() - violation(length, place.e, R)), 1e-15);
  EXPECT_GT(norm(c.value()), 0.01);
  const Vec3d d{0.3, -0.1, 0.7};
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR((c.by_edge() * d)[k], dot(c.row[k].by_edge, d), 1e-15);
    EXPECT_NEAR((c.by_turn() * d)[k], dot(c.row[k].by_turn, d), 1e-15);
  }
}

// what is left of the second derivatives without those that may be indefinite is never negative, and where the penalty
// is zero it is all
TEST(CartesianKernels, ThePenaltyHasASemiDefinitePart) {
  for (double shift : {-0.25, 0.0, 0.4}) {
    const Vec3d e = place.e + shift * Vec3d{0, 0.3, 1};
    const Terms t = penalty(100, length, e, director3(place.q), false);
    for (int n = 0; n < 50; ++n) {
      const Vec3d a{std::sin(1.0 * n), std::cos(2.3 * n), std::sin(3.1 * n + 1)},
          b{std::cos(0.7 * n), std::sin(1.9 * n), std::cos(4.1 * n)};
      EXPECT_GE(dot(a, t.edge_edge * a) + 2 * dot(a, t.edge_turn * b) + dot(b, t.turn_turn * b), -1e-9);
    }
  }
  const Vec3d d3 = director3(place.q), e = length * d3;
  const Terms all = penalty(100, length, e, d3, true), some = penalty(100, length, e, d3, false);
  EXPECT_NEAR(all.value, 0, 1e-12);
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < 6; ++c) EXPECT_NEAR(second(all, r, c), second(some, r, c), 1e-9);
}

}  // namespace
}  // namespace tendril::solvers::cartesian
