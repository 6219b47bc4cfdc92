#include "scene/keys.h"

#include "scene/key_words.h"

namespace tendril::scene {

using namespace key_words;

std::vector<Key> simulation_keys(const std::vector<std::string>& solver_names) {
  return {
      text("solver", "the method that advances the state").by_default("\"block\"").one_of(solver_names),
      number(
          "time_step", "s",
          "length h of one step; implicit Euler, the default of every solver but alpha, damps what vibrates or turns "
          "at w "
          "[rad/s]: vibrations as exp(-w² h t / 2), and what turns about a hold keeps 1 / √(1 + 2 w² h t) of its speed")
          .needed()
          .above_zero(),
      number("duration", "s",
             "simulated time: steps are taken until it is reached; when `time_step` is longer, it is one step")
          .needed()
          .above_zero(),
      number("frame_rate", "1/s",
             "frames written per simulated second; above 1/`time_step` every step is written, once")
          .by_default("30")
          .above_zero(),
      vec3("gravity", "m/s²", "acceleration of free fall").by_default("[0, 0, -9.81]"),
      integer("threads", "worker threads, 0 for all cores; results never depend on it")
          .by_default("0")
          .between(0, 4096),
      integer("seed", "start of every random sequence in the scene").by_default("0").at_least(0),
      boolean("settle",
              "true: find the equilibrium before time 0; \"rest\": choose the rest shape so that the start is an "
              "equilibrium, stable or not; refused where nothing holds a part, or where it is too soft for its load")
          .or_takes(KeyType::text)
          .by_default("false")
          .one_of({"rest"}),
      number("settle_tolerance", "-", "relative residual force at which the equilibrium counts as found")
          .by_default("1e-8")
          .above_zero(),
  };
}

std::vector<Key> output_keys() {
  const std::vector<Key> probe_keys = {
      text("rod", "rod whose vertex is reported").naming_a("rod"),
      text("body", "body that is reported, instead of a rod").naming_a("body"),
      place("at", "vertex of the rod; needed with `rod`"),
      text("name", "prefix of the columns in metrics.csv").needed(),
  };
  return {
      tables("probe", "points and bodies whose motion (and reaction, where held) is written per frame")
          .with(probe_keys),
      texts("export", "formats in which frames are written besides the run's own").by_default("[]"),
      boolean("residuals", "write the residual of every iteration").by_default("false"),
      number("checkpoint_interval", "s", "wall-clock time between checkpoints").by_default("10").at_least(0),
  };
}

std::vector<Key> expect_keys(const std::vector<std::string>& solver_names) {
  return {
      number("value", "", "expected value, in the column's unit").needed(),
      number("tolerance", "", "allowed difference, relative to the value unless `absolute`").needed().at_least(0),
      boolean("absolute", "the tolerance is in the column's unit").by_default("false"),
      text("at", "last row, largest or smallest value over the run, or a time")
          .or_takes(KeyType::number)
          .in_unit("s")
          .by_default("\"end\"")
          .at_least(0)
          .one_of({"end", "max", "min"}),
      texts("solvers", "solvers to which it applies; unset: all").one_of(solver_names),
  };
}

Key scene_key(const std::vector<Key::Variant>& solver_options) {
  std::vector<std::string> solver_names;
  Key solver = table("solver", "options of the solvers, a table each; `tendril list options SOLVER` shows them");
  for (const Key::Variant& s : solver_options) {
    solver_names.push_back(s.name);
    solver.keys.push_back(table(s.name, s.meaning).with(s.keys));
  }
  Key scene;
  scene.types = {KeyType::table};
  scene.keys = {
      text("title", "what the scene shows, in one line").by_default("\"\""),
      table("simulation", "time, gravity and the solver").needed().with(simulation_keys(solver_names)),
      named_tables(
          "material",
          "stiffness and mass of rods: from moduli, density and section, or directly, or by `preset`; rods may "
          "also name one of `tendril list materials`")
          .needed()
          .with(material_keys()),
      tables("rod", "a slender thing: a curve made of a material; a scene has one or a groom").with(rod_keys()),
      tables("groom",
             "strands that grow on a mesh, or stand in a file: one rod of many, which other tables know by its name; "
             "the roots are clamped and go with the mesh")
          .with(groom_keys()),
      tables("hold", "keeps places of a rod where they are").with(hold_keys()),
      tables("drive", "moves what is held").with(drive_keys()),
      tables("load", "a force or moment on places of a rod or on a body").with(load_keys()),
      tables("body", "a rigid body fixed to a rod").with(body_keys()),
      tables("joint", "joins two rods, or a rod to a body or an obstacle").with(joint_keys()),
      obstacle_key(),
      field_key(),
      table("contact", "how rods, bodies and obstacles touch").with(contact_keys()),
      table("output", "what is written besides the frames").with(output_keys()),
      named_tables("expect", "a column of metrics.csv and the value that it must have").with(expect_keys(solver_names)),
      solver,
  };
  return scene;
}

}  // namespace tendril::scene
