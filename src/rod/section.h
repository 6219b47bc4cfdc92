#pragma once

#include <variant>

#include "math/vec3.h"

namespace tendril::rod {

// cross-sections; width lies along d1, height along d2 [m]
struct CircleSection {
  double radius;
};
struct EllipseSection {
  double width, height;
};
struct RectangleSection {
  double width, height;
};
struct TubeSection {
  double radius, inner;
};
using Section = std::variant<CircleSection, EllipseSection, RectangleSection, TubeSection>;

// what a section is worth in a beam's formulas
struct SectionProperties {
  double area;          // [m²]
  double I1, I2;        // second moments for bending about d1, d2 [m⁴]
  double J;             // torsion constant, not the polar moment I1 + I2 [m⁴]
  double shear_factor;  // Cowper's, mean of both directions [-]
  double radius;        // of the circle of the same area, for contact and drawing [m]
};

SectionProperties section_properties(const Section& section, double poisson_ratio);

// stiffness and mass per length of one piece of rod
struct RodProperties {
  double EA = 0, GA = 0;            // [N]
  double EI1 = 0, EI2 = 0, GJ = 0;  // [N m²]
  double linear_density = 0;        // [kg/m]
  Vec3d linear_inertia;             // about d1, d2, d3 [kg m]
  double radius = 0;                // [m]
};

// the same material in a similar section of another radius: areas grow with its square, moments with its fourth power
RodProperties with_radius(const RodProperties& properties, double radius);

}  // namespace tendril::rod
