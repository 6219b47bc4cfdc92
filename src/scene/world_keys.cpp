#include "scene/key_words.h"
#include "scene/keys.h"

namespace tendril::scene {

using namespace key_words;

namespace {

const Key center_key = vec3("center", "m", "centre").by_default("[0, 0, 0]");
const Key radius_key = number("radius", "m", "radius").needed().above_zero();

std::vector<Key::Variant> solid_shapes() {
  const Key from = vec3("from", "m", "one end of the axis").needed();
  const Key to = vec3("to", "m", "other end of the axis").needed();
  const Key size = vec3("size", "m", "full edge lengths").needed().above_zero();
  const Key rotation = vec3("rotation", "rad", "axis-angle vector").by_default("[0, 0, 0]");
  const Key path = text("path", "triangle mesh, relative to the scene file").needed();
  const Key scale = number("scale", "-", "metres per unit of the mesh file").by_default("1").above_zero();
  const Key inside = boolean("inside", "rods live inside the surface, as in a tube").by_default("false");
  return {
      {"sphere", "a ball", {center_key, radius_key}},
      {"capsule", "a cylinder with round ends", {from, to, radius_key}},
      {"cylinder", "a cylinder with flat ends", {from, to, radius_key}},
      {"box", "a box", {center_key, size, rotation}},
      {"mesh", "a closed triangle mesh", {path, scale, inside}},
  };
}

}  // namespace

std::vector<Key> body_keys() {
  const Key shape = table("shape", "solid that collides and is drawn, in the body's frame; unset: a point")
                        .with({text("shape", "kind of solid").needed().or_called("type")})
                        .choosing_by("shape", solid_shapes());
  return {
      text("name", "by which other tables and --set find it").by_default("\"\""),
      text("rod", "rod that carries it; unset: it stands at its shape's place until a joint holds it").naming_a("rod"),
      place("at", "vertex of the rod; needed with `rod`"),
      number("mass", "kg", "mass").needed().above_zero(),
      number("inertia", "kg m²", "principal moments [I1, I2, I3], or one for all; unset: a ball's of its size")
          .or_takes(KeyType::vec3)
          .above_zero(),
      vec3("offset", "m", "from the vertex to the centre of mass").by_default("[0, 0, 0]"),
      shape,
      number("friction", "-", "Coulomb coefficient of its shape; unset: the other one's").at_least(0),
      vec3("velocity", "m/s", "at time 0; unset: it moves with the rod that it hangs on"),
      vec3("angular_velocity", "rad/s", "at time 0; unset: it turns with the rod that it hangs on"),
  };
}

std::vector<Key> joint_keys() {
  const std::vector<Key> side_keys = {
      text("rod", "a rod, with `at`").naming_a("rod"),
      place("at", "vertex of the rod; needed with `rod`"),
      text("body", "or a body").naming_a("body"),
      text("obstacle", "or an obstacle").naming_a("obstacle"),
  };
  return {
      table("a", "one side").needed().with(side_keys),
      table("b", "other side").needed().with(side_keys),
      text("type", "\"weld\": shared vertex and frames joined by a bend, compliances in series; \"tie\": shared vertex")
          .by_default("\"weld\"")
          .one_of({"weld", "tie"}),
  };
}

Key obstacle_key() {
  const Key point = vec3("point", "m", "a point of the plane").by_default("[0, 0, 0]");
  const Key normal = vec3("normal", "-", "direction away from the solid").by_default("[0, 0, 1]").direction();
  std::vector<Key::Variant> shapes = solid_shapes();
  std::vector<Key>& of_mesh = shapes.back().keys;
  of_mesh.push_back(
      text("frames",
           "the mesh deforms: OBJ files as \"head_*.obj\", in the order of their names, or the points "
           "over time of an .abc or .usda file; faces are those of `path`, and the first frame is time 0"));
  of_mesh.push_back(number("frame_rate", "1/s", "of a sequence of OBJ files").by_default("30").above_zero());
  shapes.insert(shapes.begin(), Key::Variant{"plane", "a half space", {point, normal}});
  return tables("obstacle", "a solid that rods cannot enter; it stands still unless it is driven")
      .with({text("name", "by which other tables and --set find it").by_default("\"\""),
             text("shape", "kind of solid; its keys stand beside it").needed(),
             number("friction", "-", "Coulomb coefficient; unset: the other one's").at_least(0)})
      .choosing_by("shape", shapes);
}

Key field_key() {
  const std::vector<Key> gust_keys = {
      number("amplitude", "m/s", "largest change of the velocity").by_default("0").at_least(0),
      number("frequency", "Hz", "gusts per second").by_default("1").at_least(0),
      number("scale", "m", "size of a gust").by_default("1").above_zero(),
  };
  const std::vector<Key> wind_keys = {
      vec3("velocity", "m/s", "of the air").needed(),
      table("gust", "change in time and space").with(gust_keys),
      rows("keys", "s, -", "factor [t, factor] on the velocity, linear between instants").over("time", 2),
      number("drag", "-", "drag coefficient of a cylinder in cross flow").by_default("1.2").at_least(0),
      number("air_density", "kg/m³", "density of the air").by_default("1.225").at_least(0),
  };
  const std::vector<Key> drag_keys = {
      number("coefficient", "N s/m²", "force per length and velocity").needed().at_least(0),
  };
  return tables("field", "a force that acts on every rod")
      .with({text("type", "kind of field; its keys stand beside it").needed()})
      .choosing_by("type", {{"wind", "air that moves", wind_keys},
                            {"drag", "a medium at rest that brakes linearly", drag_keys}});
}

std::vector<Key> contact_keys() {
  return {
      boolean("enabled",
              "rods pass through neither each other nor obstacles; a start at which they overlap is refused "
              "(`tendril run --untangle` pushes them apart)")
          .by_default("true"),
      boolean("rods",
              "rods collide with each other and with themselves; false: with obstacles and bodies only, as hair often "
              "does, and as model = \"grid\" always does")
          .by_default("true"),
      text(
          "model",
          "\"pairs\": rods by pairs of segments; \"grid\": rods against rods as one volume of hair, by its density and "
          "velocity on a grid, and against obstacles and bodies by pairs")
          .by_default("\"pairs\"")
          .one_of({"pairs", "grid"}),
      number("cell", "m",
             "of the grid: edge of a cell; unset: a mean segment at least, so that 27 vertices are in a cell with hair")
          .above_zero(),
      number("mixing", "1/s", "of the grid: rate at which hair takes over the motion of the hair around it")
          .by_default("10")
          .at_least(0),
      number("hairs_per_strand", "-", "of the grid: real hairs that each strand stands for")
          .by_default("1")
          .above_zero(),
      number("distance", "m",
             "gap at which surfaces begin to push each other away; unset: a tenth of the smaller radius of a "
             "pair")
          .above_zero(),
  };
}

}  // namespace tendril::scene
