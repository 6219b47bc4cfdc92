#include <limits>

#include "scene/curve_checks.h"
#include "scene/curves/knot.h"
#include "scene/curves/spline.h"

namespace tendril::scene {
namespace {

// the determinant of an open knot, |Δ(-1)|: 1 without a knot, 3 for the trefoil (overhand), 5 for the figure eight.
// Every arc of the projection is an unknown, every crossing an equation 2 over = under + under
double knot_determinant(const std::vector<Vec3d>& p) {
  struct Pass {
    double where = 0;  // edge + fraction
    int crossing = 0;
    bool over = false;
  };
  const Vec3d view = normalized(Vec3d{0.13, 0.21, 1}), right = any_perpendicular(view), up = cross(view, right);
  std::vector<Pass> walk;
  int crossings = 0;
  const int edges = static_cast<int>(p.size()) - 1;
  for (int i = 0; i < edges; ++i)
    for (int j = i + 2; j < edges; ++j) {
      const Vec3d a = p[i + 1] - p[i], b = p[j + 1] - p[j], c = p[j] - p[i];
      const auto area = [&](const Vec3d& m, const Vec3d& n) {
        return dot(m, right) * dot(n, up) - dot(m, up) * dot(n, right);
      };
      const double d = area(a, b), s = area(c, b) / d, t = area(c, a) / d;
      if (!(s >= 0 && s < 1 && t >= 0 && t < 1)) continue;
      const bool first_over = dot(p[i] + s * a, view) > dot(p[j] + t * b, view);
      walk.push_back({i + s, crossings, first_over});
      walk.push_back({j + t, crossings++, !first_over});
    }
  if (crossings == 0) return 1;
  std::sort(walk.begin(), walk.end(), [](const Pass& a, const Pass& b) { return a.where < b.where; });
  std::vector<std::vector<double>> m(crossings, std::vector<double>(crossings, 0));
  int arc = 0;  // the tails are one arc through infinity
  for (const Pass& pass : walk) {
    m[pass.crossing][arc] += pass.over ? 2 : -1;
    if (pass.over) continue;
    arc = (arc + 1) % crossings;
    m[pass.crossing][arc] -= 1;
  }
  double determinant = 1;  // of the minor without last row and column
  const int n = crossings - 1;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int r = k; r < n; ++r)
      if (std::abs(m[r][k]) > std::abs(m[pivot][k])) pivot = r;
    std::swap(m[k], m[pivot]);
    if (std::abs(m[k][k]) < 1e-9) return 0;
    determinant *= m[k][k];
    for (int r = k + 1; r < n; ++r) {
      const double factor = m[r][k] / m[k][k];
      for (int s = k; s < n; ++s) m[r][s] -= factor * m[k][s];
    }
  }
  return std::abs(determinant);
}

Curve unit_knot(const std::string& kind, int segments, double tail = 0.5) {
  KnotOptions options;
  options.kind = kind;
  options.size = 1;
  options.tail = tail;
  return knot_curve(options, segments);
}

// fewest segments that are not refused
int least_segments(const std::string& kind, double tail) {
  for (int n = 1;; ++n) try {
      unit_knot(kind, n, tail);
      return n;
    } catch (const CurveError&) {
    }
}

TEST(Knot, IsTheKnotThatItsNameSays) {
  EXPECT_NEAR(knot_determinant({{-1, 0, 0}, {0, 0.1, 0}, {1, 0, 0}}), 1, 1e-9);
  EXPECT_NEAR(knot_determinant(unit_knot("overhand", 200).points), 3, 1e-9);
  EXPECT_NEAR(knot_determinant(unit_knot("figure_eight", 200).points), 5, 1e-9);
}

TEST(Knot, StaysTiedAtTheFewestSegments) {
  for (double tail : {0.0, 0.5, 20.0}) {
    const int overhand = least_segments("overhand", tail), eight = least_segments("figure_eight", tail);
    EXPECT_GE(overhand, 16);
    for (int more = 0; more < 12; ++more) {
      EXPECT_NEAR(knot_determinant(unit_knot("overhand", overhand + more, tail).points), 3, 1e-9) << overhand + more;
      EXPECT_NEAR(knot_determinant(unit_knot("figure_eight", eight + more, tail).points), 5, 1e-9) << eight + more;
    }
  }
}

TEST(Knot, DoesNotTouchItselfAndBendsGently) {
  for (const char* kind : {"overhand", "figure_eight"}) {
    const Curve knot = unit_knot(kind, 400);
    expect_sound(knot);
    const double h = edge_length(knot, 0);
    double nearest = 1, sharpest = 0;
    for (size_t i = 0; i < knot.points.size(); ++i) {
      for (size_t j = i + 1; j < knot.points.size(); ++j)
        if ((j - i) * h > 0.35) nearest = std::min(nearest, norm(knot.points[i] - knot.points[j]));
      if (i > 0) sharpest = std::max(sharpest, norm(knot.tangents[i] - knot.tangents[i - 1]) / h);
    }
    EXPECT_GT(nearest, 0.13) << kind;       // of the size
    EXPECT_GT(1 / sharpest, 0.12) << kind;  // radius of curvature
  }
}

TEST(Knot, HasStraightTailsAndEqualEdges) {
  const Curve knot = unit_knot("figure_eight", 1000, 0.7);
  EXPECT_NEAR(norm(knot.points.front() - Vec3d{-1.2, 0, 0}), 0, 1e-14);
  EXPECT_NEAR(norm(knot.points.back() - Vec3d{1.2, 0, 0}), 0, 1e-13);
  for (const Vec3d& x : knot.points) {
    if (std::abs(x.x) > 0.5) {
      EXPECT_NEAR(std::hypot(x.y, x.z), 0, 1e-14);
    }
  }
  const auto [low, high] = edge_range(knot);
  EXPECT_NEAR(low / high, 1, 1e-4);  // chords of equal arcs: h² kappa² / 24
}

TEST(Knot, TangentsAreThoseOfTheCurve) {
  const auto error = [](int segments) {
    const Curve knot = unit_knot("overhand", segments, 0);
    double worst = 0;
    for (int i = 1; i < segments; ++i)
      worst = std::max(worst, norm(normalized(knot.points[i + 1] - knot.points[i - 1]) - knot.tangents[i]));
    return worst;
  };
  const double coarse = error(200), fine = error(400);
  EXPECT_LT(coarse, 0.01);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.25);  // central differences are of second order
}

TEST(Knot, TurnsWithItsAxisAndNormal) {
  KnotOptions options;
  options.size = 1;
  options.center = {1, 2, 3};
  options.axis = {0, 0, 1};
  const Vec3d normal{0, 1, 0};
  const Curve turned = knot_curve(options, 50, &normal), straight = unit_knot("overhand", 50, 0);
  const Vec3d side = any_perpendicular({1, 0, 0}), third = cross(Vec3d{1, 0, 0}, side);
  for (int i = 0; i <= 50; ++i) {
    const Vec3d p = straight.points[i];
    const Vec3d expected =
        options.center + p.x * Vec3d{0, 0, 1} + dot(p, side) * normal + dot(p, third) * Vec3d{-1, 0, 0};
    EXPECT_NEAR(norm(turned.points[i] - expected), 0, 1e-13);
  }
}

TEST(Knot, RefusesBadInput) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refused("kind", [] { unit_knot("granny", 100); });
  expect_refused("", [] { unit_knot("overhand", 0); });
  expect_refused("", [] { unit_knot("overhand", 5); });
  expect_refused("tail", [] { unit_knot("overhand", 100, -1); });
  expect_refused("size", [] { knot_curve({"overhand", 0, 1, {}, {1, 0, 0}}, 100); });
  expect_refused("size", [&] { knot_curve({"overhand", nan, 1, {}, {1, 0, 0}}, 100); });
  expect_refused("axis", [] { knot_curve({"overhand", 1, 1, {}, {0, 0, 0}}, 100); });
}

TEST(CubicSpline, InterpolatesWithContinuousCurvature) {
  const std::vector<Vec3d> points = {{0, 0, 0}, {1, 1, 0}, {2, 0, 1}, {2, -1, 3}, {4, 0, 0}};
  const CubicSpline spline(points, {1, 0, 0}, {0, 0, -1});
  const double h = 1e-5;
  for (size_t k = 0; k < points.size(); ++k) EXPECT_NEAR(norm(spline.point(spline.knots()[k]) - points[k]), 0, 1e-14);
  EXPECT_NEAR(norm(spline.derivative(0) - Vec3d{1, 0, 0}), 0, 1e-14);
  EXPECT_NEAR(norm(spline.derivative(spline.knots().back()) - Vec3d{0, 0, -1}), 0, 1e-14);
  for (size_t k = 1; k + 1 < points.size(); ++k) {
    const double u = spline.knots()[k];
    const Vec3d slope = (spline.point(u + h) - spline.point(u - h)) / (2 * h);
    EXPECT_NEAR(norm(slope - spline.derivative(u)), 0, 1e-8);
    const Vec3d before = (spline.derivative(u) - spline.derivative(u - h)) / h;
    const Vec3d after = (spline.derivative(u + h) - spline.derivative(u)) / h;
    EXPECT_NEAR(norm(before - after), 0, 1e-3);  // second derivatives: equal up to O(h)
  }
}

}  // namespace
}  // namespace tendril::scene
