#include "rod/section.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendril::rod {
namespace {

constexpr double pi = std::numbers::pi;

// Saint-Venant's series for a rectangle of sides a >= b:
//   J = a b³/3 (1 - 192/π⁵ (b/a) Σ_{n odd} tanh(n π a / 2b) / n⁵)
double rectangle_torsion_constant(double a, double b) {
  if (a < b) std::swap(a, b);
  double sum = 0;
  for (int n = 1; n < 200; n += 2) sum += std::tanh(n * pi * a / (2 * b)) / std::pow(n, 5);
  return a * b * b * b / 3 * (1 - 192 / std::pow(pi, 5) * b / a * sum);
}

// Cowper (1966), ellipse loaded along its half axis a
double ellipse_shear_factor(double a, double b, double nu) {
  const double a2 = a * a, b2 = b * b;
  return 12 * (1 + nu) * a2 * (3 * a2 + b2) / ((40 + 37 * nu) * a2 * a2 + (16 + 10 * nu) * a2 * b2 + nu * b2 * b2);
}

SectionProperties properties(const CircleSection& s, double nu) {
  const double A = pi * s.radius * s.radius, I = 0.25 * A * s.radius * s.radius;
  return {A, I, I, 2 * I, 6 * (1 + nu) / (7 + 6 * nu), s.radius};
}

SectionProperties properties(const EllipseSection& s, double nu) {
  const double a = 0.5 * s.width, b = 0.5 * s.height, A = pi * a * b;
  const double shear = 0.5 * (ellipse_shear_factor(a, b, nu) + ellipse_shear_factor(b, a, nu));
  return {A, 0.25 * A * b * b, 0.25 * A * a * a, A * a * a * b * b / (a * a + b * b), shear, std::sqrt(a * b)};
}

SectionProperties properties(const RectangleSection& s, double nu) {
  const double A = s.width * s.height;
  return {A,
          A * s.height * s.height / 12,
          A * s.width * s.width / 12,
          rectangle_torsion_constant(s.width, s.height),
          10 * (1 + nu) / (12 + 11 * nu),
          std::sqrt(A / pi)};
}

SectionProperties properties(const TubeSection& s, double nu) {
  const double R2 = s.radius * s.radius, r2 = s.inner * s.inner;
  const double A = pi * (R2 - r2), I = 0.25 * pi * (R2 * R2 - r2 * r2);
  const double m2 = r2 / R2, n2 = (1 + m2) * (1 + m2);
  return {A, I, I, 2 * I, 6 * (1 + nu) * n2 / ((7 + 6 * nu) * n2 + (20 + 12 * nu) * m2), s.radius};
}

}  // namespace

SectionProperties section_properties(const Section& section, double poisson_ratio) {
  const double nu = std::clamp(poisson_ratio, 0.0, 0.5);
  return std::visit([nu](const auto& s) { return properties(s, nu); }, section);
}

RodProperties with_radius(const RodProperties& p, double radius) {
  const double s2 = radius * radius / (p.radius * p.radius), s4 = s2 * s2;
  return {p.EA * s2, p.GA * s2, p.EI1 * s4, p.EI2 * s4, p.GJ * s4, p.linear_density * s2, s4 * p.linear_inertia,
          radius};
}

}  // namespace tendril::rod
