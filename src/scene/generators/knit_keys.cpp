#include "scene/generators/generator_keys.h"
#include "scene/generators/knit.h"

namespace tendril {
namespace {

key_words::Entry radii(const char* name, double value, const char* meaning) {
  return key_words::number(name, "yarn radii", meaning).by_default(default_text(value)).above_zero();
}

}  // namespace

Key::Variant knit_keys() {
  using namespace generator_keys;
  using namespace key_words;
  const KnitOptions o;
  return {
      "knit",
      "stockinette: a patch, a tube or letters; its parts are yarn and thread. The rod's `segments`, when given, are "
      "those of all yarns together; vertices are one more for each open yarn",
      {point("center", o.center, "centre of the cloth"),
       key_words::vec3("along", "-", "from left to right along the rows; the face looks along `along` x `up`")
           .by_default(default_text(o.along))
           .direction(),
       key_words::vec3("up", "-", "from the first row to the last; the axis of a tube")
           .by_default(default_text(o.up))
           .direction(),
       count("rows", o.rows, "rows of stitches"), count("columns", o.columns, "stitches in a row"),
       count("yarns", o.yarns, "how many yarns share the rows, each to and fro; 0: one for every row").at_least(0),
       boolean("closed", "every row is a ring: the cloth is a tube").by_default(default_text(o.closed)),
       text("letters",
            "capitals to knit instead of rows and columns, 7 pixels high; a yarn for each part of their shapes")
           .by_default(default_text(o.letters)),
       count("pixel_columns", o.pixel.columns, "stitches along a pixel of a letter").at_least(2),
       count("pixel_rows", o.pixel.rows, "rows of stitches in a pixel, an even number").at_least(2),
       text("threaded", "a thread through the loops of the last row (\"top\"), also of the first (\"both\")")
           .by_default(default_text(o.threaded))
           .one_of({"none", "top", "both"}),
       length("yarn_radius", o.yarn_radius, "radius of yarns and threads"),
       radii("stitch_width", o.stitch_width, "W, from one column to the next"),
       radii("row_height", o.row_height, "from one row to the next"),
       radii("loop_height", o.loop_height, "from the lowest to the highest point of a row"),
       radii("loop_depth", o.loop_depth, "from the rearmost to the foremost point of a row"),
       radii("loop_swell", o.loop_swell, "a in x = W t / 2π + a sin 2t: a loop is wider than its neck"),
       count("stitch_segments", o.stitch_segments, "segments of a stitch, about, when the rod has no `segments`")
           .at_least(8)}};
}

KnitOptions read_knit(const Table& table, int segments) {
  KnitOptions o;
  o.center = table.vec3("center");
  o.along = table.vec3("along");
  o.up = table.vec3("up");
  o.rows = table.integer("rows");
  o.columns = table.integer("columns");
  o.yarns = table.integer("yarns");
  o.closed = table.boolean("closed");
  o.letters = table.text("letters");
  o.pixel = {table.integer("pixel_columns"), table.integer("pixel_rows")};
  o.threaded = table.text("threaded");
  o.yarn_radius = table.number("yarn_radius");
  o.stitch_width = table.number("stitch_width");
  o.row_height = table.number("row_height");
  o.loop_height = table.number("loop_height");
  o.loop_depth = table.number("loop_depth");
  o.loop_swell = table.number("loop_swell");
  o.stitch_segments = table.integer("stitch_segments");
  o.segments = segments;
  return o;
}

}  // namespace tendril
