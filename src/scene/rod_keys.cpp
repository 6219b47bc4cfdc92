#include "scene/curve.h"
#include "scene/key_words.h"
#include "scene/keys.h"
#include "scene/presets.h"

namespace tendril::scene {

using namespace key_words;

namespace {

Key section_key() {
  const Key radius = number("radius", "m", "outer radius").needed().above_zero();
  const Key inner = number("inner", "m", "inner radius, less than `radius`").needed().above_zero();
  const Key width = number("width", "m", "full extent along d1").needed().above_zero();
  const Key height = number("height", "m", "full extent along d2").needed().above_zero();
  return table("section", "cross-section")
      .with({text("shape", "kind of cross-section").needed()})
      .choosing_by("shape", {{"circle", "a full circle", {radius}},
                             {"ellipse", "an ellipse", {width, height}},
                             {"rectangle", "a rectangle", {width, height}},
                             {"tube", "a circle with a concentric hole", {radius, inner}}});
}

Key stiffness_key() {
  return table("stiffness", "stiffness given directly, instead of moduli and section")
      .with({number("EA", "N", "against stretching").needed().above_zero(),
             number("GA", "N", "against shearing, shear factor included").needed().above_zero(),
             number("EI1", "N m²", "against bending about d1").needed().at_least(0),
             number("EI2", "N m²", "against bending about d2").needed().at_least(0),
             number("GJ", "N m²", "against twisting").needed().at_least(0)});
}

}  // namespace

Key curl_key(const std::string& meaning) {
  return table("curl", meaning)
      .with({number("radius", "m", "of the helix").needed().above_zero(),
             number("pitch", "m", "way along its axis per turn").needed().above_zero()});
}

std::vector<Key> material_keys() {
  return {
      text("preset",
           "takes what is not said here from a material by name, `tendril list materials`; a rod may also name it "
           "itself: material = \"hair/curly\"")
          .one_of(preset_names()),
      number("young_modulus", "Pa", "Young's modulus E").above_zero(),
      number("shear_modulus", "Pa", "shear modulus G; this or `poisson_ratio`").above_zero(),
      number("poisson_ratio", "-", "Poisson's ratio ν > -1, G = E / 2(1 + ν); this or `shear_modulus`"),
      number("density", "kg/m³", "mass per volume").above_zero(),
      section_key(),
      number("shear_factor", "-", "GA over G times area; unset: Cowper's, with ν clamped to [0, ½]").above_zero(),
      stiffness_key(),
      number("linear_density", "kg/m", "mass per length, with `stiffness`").above_zero(),
      number("radius", "m", "radius for contact and pictures, with `stiffness`").above_zero(),
      vec3("linear_inertia", "kg m",
           "rotational inertia per length about d1, d2, d3, with `stiffness`; unset: linear_density radius² (¼, ¼, ½)")
          .above_zero(),
      number("damping", "1/s", "force -c m v and torque -c I ω; never changes statics").by_default("0").at_least(0),
      number("internal_damping", "s", "stress per strain rate over stiffness; does not brake rigid motion")
          .by_default("0")
          .at_least(0),
      number("friction", "-", "Coulomb coefficient; of a pair: both set, geometric mean; one set, that one; none, 0")
          .at_least(0),
      number("strain_limit", "-", "tensile strain at which a segment breaks; unset: never").above_zero(),
      vec3("color", "-", "linear red, green, blue of what is made of it; unset: the rod's").between(0, 1),
      curl_key("the helix that strands of it are without load, which a [[groom]] grows"),
  };
}

std::vector<Key> rod_keys() {
  const std::vector<Key> perturb_keys = {
      number("amplitude", "m", "largest displacement of a vertex").needed().at_least(0),
      integer("seed", "start of the random sequence").by_default("0").at_least(0),
  };
  const std::vector<Key> copies_keys = {
      integer("count", "how many, the first included").needed().between(1, 1'000'000),
      vec3("step", "m", "from each copy to the next"),
      vec3("low", "m", "with `high`: their middles are scattered in this box, a radius apart from each other at least"),
      vec3("high", "m", "see `low`"),
      text("turn", "how scattered copies are turned: not at all, about the vertical, or in any way")
          .by_default("\"none\"")
          .one_of({"none", "vertical", "any"}),
      integer("seed", "another seed scatters them otherwise").by_default("0").at_least(0),
  };
  const std::vector<Key> followers_keys = {
      integer("count", "how many strands").needed().between(1, 1'000'000),
      number("spread", "m", "radius of the section that they fill, or radius over the fraction of the length")
          .needed()
          .or_takes(KeyType::rows)
          .above_zero()
          .over("fraction", 2),
  };
  const Key curve = table("curve", "where the rod lies at the start")
                        .needed()
                        .with({text("type", "kind of curve or generator").needed()})
                        .choosing_by("type", curve_types());
  return {
      text("name", "by which other tables and --set find it").needed(),
      text("material", "material, or a list of materials, each from a fraction of the length on")
          .or_takes(KeyType::pieces)
          .needed()
          .naming_a("material"),
      named_texts("parts", "materials of the named parts of a generated curve").naming_a("material"),
      integer("segments", "number of equal arc lengths; a polyline or file keeps its own points when unset")
          .at_least(1),
      curve,
      text("rest", "unloaded shape: the curve itself, or straight")
          .by_default("\"curve\"")
          .one_of({"curve", "straight"}),
      vec3("natural_curvature", "1/m",
           "unloaded [κ1, κ2, τ] about d1, d2, d3; overrides `rest`, the rod still starts on the curve"),
      vec3("normal", "-", "direction of d1 at the start; unset: the world axis least aligned with the tangent")
          .direction(),
      number("radius", "m", "taper: radius, or radius over the fraction of the length")
          .or_takes(KeyType::rows)
          .above_zero()
          .over("fraction", 2),
      place("clamp", "places whose position and section frame are held"),
      place("pin", "places whose position is held"),
      vec3("velocity", "m/s", "at time 0").by_default("[0, 0, 0]"),
      vec3("angular_velocity", "rad/s", "at time 0, about the centre of mass").by_default("[0, 0, 0]"),
      number("twist", "rad", "twist at time 0, spread evenly; a closed rod is cut, turned and glued").by_default("0"),
      table("perturb", "random displacement of the free vertices at time 0").with(perturb_keys),
      table("copies", "more rods like this one; NAME.0, NAME.1, … are their names, and `rod = \"NAME\"` means them all")
          .with(copies_keys),
      table(
          "followers",
          "further strands that go with the rod in its material frames, spread over a circular section as the seeds of "
          "a sunflower: drawn, exported and counted, NAME/0, NAME/1, … are their names; not simulated")
          .with(followers_keys),
      vec3("color", "-", "linear red, green, blue").between(0, 1),
  };
}

}  // namespace tendril::scene
