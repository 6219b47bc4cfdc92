#include "contact/gap_curvature.h"

#include <gtest/gtest.h>

#include "math/random.h"

namespace tendril::contact {
namespace {

Vec3d any(Random& random) { return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}; }

// a motion of the ends of a and b
struct Ends {
  Vec3d a0, a1, b0, b1;
};

Ends moved(const Ends& x, const Ends& u, double share) {
  return {x.a0 + share * u.a0, x.a1 + share * u.a1, x.b0 + share * u.b0, x.b1 + share * u.b1};
}

// of the motion, seen from the points at s and t
double form(const GapCurvature& c, const Vec3d& n, double s, double t, const Ends& u) {
  const Vec3d r = u.a0 + s * (u.a1 - u.a0) - u.b0 - t * (u.b1 - u.b0);
  const double alpha = dot(n, u.a1 - u.a0), beta = dot(n, u.b1 - u.b0);
  return dot(r, c.slide * r) + 2 * dot(r, alpha * c.a + beta * c.b) + c.aa * alpha * alpha + 2 * c.ab * alpha * beta +
         c.bb * beta * beta;
}

template <class Function>
double second_difference(Function f, double step) {
  return (f(step) - 2 * f(0) + f(-step)) / (step * step);
}

bool is_near_an_end(double s) { return (s > 0 && s < 0.05) || (s < 1 && s > 0.95); }

// whichever of the two points slide
TEST(gap_curvature, of_segments_is_the_second_derivative) {
  Random random(1);
  int slides[3] = {};  // how many of the two points do
  for (int n = 0; n < 600; ++n) {
    const Vec3d up{0, 0, 2};
    const Ends x{any(random), any(random), any(random) + up, any(random) + up};
    const closest::Quadratic f(x.a0, x.a1, x.b0, x.b1);
    const double radius = random.uniform(0.1, 0.9) * closest::nearest(f).distance;
    const Steady at = closest::steady(f, radius);
    if (is_near_an_end(at.s) || is_near_an_end(at.t) || f.parallelogram < 0.05 * f.uu * f.vv) continue;
    ++slides[(at.s > 0 && at.s < 1) + (at.t > 0 && at.t < 1)];
    const Ends u{any(random), any(random), any(random), any(random)};
    const auto smooth = [&](double share) {
      const Ends y = moved(x, u, share);
      return steady_nearest_points(y.a0, y.a1, y.b0, y.b1, radius).gap;
    };
    const double measured = second_difference(smooth, 1e-4);
    if (std::abs(measured - second_difference(smooth, 5e-5)) > 1e-4 * (1 + std::abs(measured))) continue;  // an end
    EXPECT_NEAR(measured, -form(gap_curvature(f, at), at.normal, at.s, at.t, u), 2e-5 * (1 + std::abs(measured)));
  }
  for (int count : slides) EXPECT_GT(count, 5);
}

// of a segment near each kind of solid, beside its faces, edges and waypoints
TEST(gap_curvature, over_solids_is_the_second_derivative) {
  Random random(2);
  const auto solid = [](Solid::Core core) {
    Solid s;
    s.core = core, s.radius = 0.2;
    s.p[0] = {0.1, 0, 0}, s.p[1] = {0.4, 0.2, 0.1}, s.p[2] = {0, 0.5, 0};
    if (core == Solid::Core::half_space) s.p[1] = {0, 0, 1};
    if (core == Solid::Core::box || core == Solid::Core::cylinder) s.breadth = {0.3, 0.2, 0.1};
    return s;
  };
  for (const auto core : {Solid::Core::point, Solid::Core::segment, Solid::Core::triangle, Solid::Core::half_space,
                          Solid::Core::cylinder, Solid::Core::box}) {
    const Solid s = solid(core);
    int seen = 0;
    for (int n = 0; n < 300; ++n) {
      const double radius = random.uniform(0.3, 0.6);
      const Vec3d middle = Vec3d{0, 0, 1.2} + 0.3 * any(random), half = 0.5 * any(random);
      const Ends x{middle - half, middle + half, {}, {}}, u{any(random), any(random), {}, {}};
      const SteadyToSolid at = steady_nearest_points(s, x.a0, x.a1, radius);
      if (!(at.gap > 0.05)) continue;
      const auto smooth = [&](double share) {
        const Ends y = moved(x, u, share);
        return steady_nearest_points(s, y.a0, y.a1, radius).gap;
      };
      // not where the nearest point passes from a face to an edge
      const double measured = second_difference(smooth, 1e-4), nearer = second_difference(smooth, 5e-5);
      if (is_near_an_end(at.s) || std::abs(measured - nearer) > 1e-4 * (1 + std::abs(measured))) continue;
      ++seen;
      EXPECT_NEAR(measured, -form(gap_curvature(s, x.a0, x.a1, radius), at.normal, at.s, 0, u),
                  2e-3 * (1 + std::abs(measured)))
          << int(core);
    }
    EXPECT_GT(seen, 100) << int(core);
  }
}

// what is kept where the rest would make the equations indefinite
TEST(gap_curvature, of_turning_is_semi_definite) {
  Random random(3);
  for (int n = 0; n < 200; ++n) {
    const closest::Quadratic f(any(random), any(random), any(random), any(random));
    const GapCurvature c = gap_curvature(f, closest::steady(f, 0.9 * closest::nearest(f).distance));
    EXPECT_GE(c.aa, 0);
    EXPECT_GE(c.bb, 0);
    EXPECT_LE(c.ab * c.ab, c.aa * c.bb * (1 + 1e-9));
  }
}

}  // namespace
}  // namespace tendril::contact
