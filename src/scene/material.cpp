#include "scene/material.h"

#include "rod/motion.h"

namespace tendril::scene {
namespace {

Section read_section(const Table& t) {
  const std::string shape = t.text("shape");
  if (shape == "ellipse") return EllipseSection{t.number("width"), t.number("height")};
  if (shape == "rectangle") return RectangleSection{t.number("width"), t.number("height")};
  if (shape == "tube") {
    const TubeSection tube{t.number("radius"), t.number("inner")};
    if (tube.inner >= tube.radius) t.fail("inner", "the inner radius must be smaller than the outer one");
    return tube;
  }
  return CircleSection{t.number("radius")};
}

RodProperties from_moduli(const Table& t) {
  const double E = t.number("young_modulus");
  const double G = t.has("shear_modulus") ? t.number("shear_modulus") : E / (2 * (1 + t.number("poisson_ratio")));
  const double density = t.number("density");
  const SectionProperties s = section_properties(read_section(t.table("section")), E / (2 * G) - 1);
  const double shear_factor = t.has("shear_factor") ? t.number("shear_factor") : s.shear_factor;
  return {E * s.area,
          shear_factor * G * s.area,
          E * s.I1,
          E * s.I2,
          G * s.J,
          density * s.area,
          density * Vec3d{s.I1, s.I2, s.I1 + s.I2},
          s.radius};
}

RodProperties from_stiffness(const Table& t) {
  const Table k = t.table("stiffness");
  const double density = t.number("linear_density"), radius = t.number("radius");
  const Vec3d inertia =
      t.has("linear_inertia") ? t.vec3("linear_inertia") : density * radius * radius * Vec3d{0.25, 0.25, 0.5};
  return {k.number("EA"), k.number("GA"), k.number("EI1"), k.number("EI2"), k.number("GJ"), density, inertia, radius};
}

}  // namespace

Material read_material(const Table& t) {
  Material m;
  m.properties = t.has("stiffness") ? from_stiffness(t) : from_moduli(t);
  m.damping = t.number("damping");
  m.internal_damping = t.number("internal_damping");
  m.strain_limit = t.has("strain_limit") ? t.number("strain_limit") : forever;
  m.friction = t.has("friction") ? t.number("friction") : -1;
  if (t.has("color")) m.color = t.vec3("color");
  if (t.has("curl")) m.curl = Curl{t.table("curl").number("radius"), t.table("curl").number("pitch")};
  return m;
}

std::map<std::string, Material> read_materials(const Table& materials) {
  std::map<std::string, Material> result;
  for (const std::string& name : materials.names()) result[name] = read_material(materials.table(name));
  return result;
}

}  // namespace tendril::scene
