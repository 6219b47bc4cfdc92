#include "ranges.h"

#include <gtest/gtest.h>

#include "loaded_scene.h"

namespace tendril {
namespace {

struct TableRow {
  const char* scene;
  std::size_t vertices, segments;
  const char *stretch, *bend;  // largest/smallest k_ss and k_bt
};

class Table1 : public testing::TestWithParam<TableRow> {};

// the scenes after Table 1 [hsu2025] have its counts and its stiffnesses, to the two digits that are printed there
TEST_P(Table1, scene_has_its_counts_and_stiffnesses) {
  const TableRow& row = GetParam();
  const Model model = load_scene(row.scene).baked.model;
  EXPECT_EQ(model.vertices.size(), row.vertices);
  EXPECT_EQ(model.segments.size(), row.segments);
  const Ranges ranges = ranges_of(model);
  EXPECT_EQ(ranges.stretch.text(), row.stretch);
  if (row.bend) {
    EXPECT_EQ(ranges.bend.text(), row.bend);
  }
}

// the slinky's k_bt is left out: the paper repeats the slingshot's, which is no single wire's
INSTANTIATE_TEST_SUITE_P(All, Table1,
                         testing::Values(TableRow{"slingshot", 44, 46, "3.0e+05/4.0e+01", "1.6e+06/2.0e+00"},
                                         TableRow{"bridge", 2208, 2298, "4.2e+04/1.4e+03", "5.9e+05/2.0e+01"},
                                         TableRow{"teapot_slinky", 2881, 2880, "6.0e+01/2.6e+01", nullptr},
                                         TableRow{"three_trees", 9948, 9945, "1.3e+07/4.0e+03", "4.2e+08/4.0e+02"}),
                         [](const auto& info) { return std::string(info.param.scene); });

TEST(Ranges, are_the_papers_constants_of_one_rod) {
  Model model;
  model.vertices = {{2, 0}, {3, 0}};
  Segment segment;
  segment.EA = 10, segment.rest_length = 0.5;
  Bend bend;
  bend.EI1 = 3, bend.EI2 = 2, bend.GJ = 1, bend.length = 0.25;
  model.segments = {segment};
  model.bends = {bend};
  const Ranges ranges = ranges_of(model);
  EXPECT_EQ(ranges.stretch.high, 5);
  EXPECT_EQ(ranges.bend.low, 48);
  EXPECT_EQ(ranges.mass.low, 2);
  EXPECT_EQ(ranges.mass.high, 3);
}

}  // namespace
}  // namespace tendril
