#include "scene/generators/generator_keys.h"
#include "scene/generators/knit.h"

namespace tendril::scene {
namespace {

key_words::Entry radii(const char* name, const char* meaning) {
  return key_words::number(name, "yarn radii", meaning).above_zero();
}

int& columns_of_pixel(KnitOptions& o) { return o.pixel.columns; }
int& rows_of_pixel(KnitOptions& o) { return o.pixel.rows; }

const generator_keys::GeneratorKeys<KnitOptions>& keys() {
  using namespace generator_keys;
  using key_words::boolean, key_words::text;
  using O = KnitOptions;
  static const GeneratorKeys<O> keys =
      GeneratorKeys<O>("knit",
                       "stockinette: a patch, a tube or letters; its parts are yarn and thread. The rod's `segments`, "
                       "when given, are those of all yarns together; vertices are one more for each open yarn")
          .add(&O::center, point("center", "centre of the cloth"))
          .add(&O::along, direction("along", "from left to right along the rows; the face looks along `along` x `up`"))
          .add(&O::up, direction("up", "from the first row to the last; the axis of a tube"))
          .add(&O::rows, count("rows", "rows of stitches"))
          .add(&O::columns, count("columns", "stitches in a row"))
          .add(&O::yarns,
               count("yarns", "how many yarns share the rows, each to and fro; 0: one for every row").at_least(0))
          .add(&O::closed, boolean("closed", "every row is a ring: the cloth is a tube"))
          .add(
              &O::letters,
              text("letters",
                   "capitals to knit instead of rows and columns, 7 pixels high; a yarn for each part of their shapes"))
          .add(columns_of_pixel, count("pixel_columns", "stitches along a pixel of a letter").at_least(2))
          .add(rows_of_pixel, count("pixel_rows", "rows of stitches in a pixel, an even number").at_least(2))
          .add(&O::threaded,
               text("threaded", "a thread through the loops of the last row (\"top\"), also of the first (\"both\")")
                   .one_of({"none", "top", "both"}))
          .add(&O::yarn_radius, length("yarn_radius", "radius of yarns and threads"))
          .add(&O::stitch_width, radii("stitch_width", "W, from one column to the next"))
          .add(&O::row_height, radii("row_height", "from one row to the next"))
          .add(&O::loop_height, radii("loop_height", "from the lowest to the highest point of a row"))
          .add(&O::loop_depth, radii("loop_depth", "from the rearmost to the foremost point of a row"))
          .add(&O::loop_swell, radii("loop_swell", "a in x = W t / 2π + a sin 2t: a loop is wider than its neck"))
          .add(&O::stitch_segments,
               count("stitch_segments", "segments of a stitch, about, when the rod has no `segments`").at_least(8));
  return keys;
}

}  // namespace

Key::Variant knit_keys() { return keys().list(); }

KnitOptions read_knit(const Table& table, int segments) {
  KnitOptions options = keys().read(table);
  options.segments = segments;
  return options;
}

}  // namespace tendril::scene
