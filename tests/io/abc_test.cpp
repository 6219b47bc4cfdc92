#include "io/formats/abc.h"

#include <gtest/gtest.h>

#include <set>

#include "io/moving_take.h"
#include "io/ogawa_reader.h"
#include "scratch.h"

namespace tendril {
namespace {

const OgawaProperty& geometry(const OgawaArchive& archive, const std::string& name) {
  return archive.top.children.at(name).children.at(name + "Shape").properties.at(".geom");
}

void expect_floats(const std::vector<float>& found, const std::vector<double>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_EQ(found[k], float(wanted[k])) << k;
}

std::vector<double> vectors_at(const std::vector<int>& index, const std::vector<Vec3d>& values) {
  std::vector<double> numbers;
  for (const int i : index) numbers.insert(numbers.end(), {values[i].x, values[i].y, values[i].z});
  return numbers;
}

// the tests' reader against a file that Alembic's own library reads: two rods that rise over five samples
TEST(abc, the_reader_reads_a_file_that_is_not_ours) {
  const OgawaArchive archive = read_ogawa(std::filesystem::path(TENDRIL_SOURCE_DIR) / "tests/io/samples/rod.abc");
  const OgawaProperty& curves = geometry(archive, "rods");
  EXPECT_EQ(archive.times.at(1).samples, 5u);
  EXPECT_DOUBLE_EQ(archive.times.at(1).at(4), 4 / 24.0);
  EXPECT_EQ(curves.children.at("nVertices").values<int>(4), (std::vector<int>{3, 2}));
  for (int k = 0; k < 5; ++k)
    expect_floats(curves.children.at("P").values<float>(k),
                  {0, 0, 0, 1, 0.1 * k, 0, 2, 0.2 * k, 0, 0, 1, 0, 1, 1 + 0.1 * k, 0});
  expect_floats(curves.children.at("width").values<float>(), {0.1, 0.1, 0.1, 0.05, 0.05});
  EXPECT_EQ(curves.children.at(".arbGeomParams").children.at("groom_guide").values<std::int16_t>()[0], 1);
}

TEST(abc, holds_every_moment) {
  const Scratch scratch;
  const Take take = moving_take();
  write_abc(take, scratch / "moving.abc");
  const OgawaArchive archive = read_ogawa(scratch / "moving.abc");
  EXPECT_NE(archive.metadata.find("_ai_Application=tendril"), std::string::npos);
  EXPECT_EQ(archive.top.children.at("rods").metadata, "schema=AbcGeom_Xform_v3;schemaObjTitle=AbcGeom_Xform_v3:.xform");
  EXPECT_TRUE(archive.top.children.at("rods").properties.contains(".xform"));
  const OgawaProperty &open = geometry(archive, "rods"), &loops = geometry(archive, "loops");
  EXPECT_EQ(open.children.at("nVertices").values<int>(3), (std::vector<int>{5, 3}));
  EXPECT_EQ(loops.children.at("nVertices").values<int>(), std::vector<int>{6});
  EXPECT_EQ(open.children.at("curveBasisAndType").values<std::uint8_t>(), (std::vector<std::uint8_t>{1, 0, 0, 0}));
  EXPECT_EQ(loops.children.at("curveBasisAndType").values<std::uint8_t>(), (std::vector<std::uint8_t>{1, 1, 0, 0}));

  const std::vector<int> points{0, 1, 2, 3, 4, 2, 5, 6}, segments{0, 1, 2, 3, 3, 4, 5, 5};
  const OgawaTimes& times = archive.times.at(open.children.at("P").time_sampling);
  std::set<std::string> digests;
  for (int k = 0; k < 4; ++k) {
    const Moment moment = take.moment(k);
    EXPECT_NEAR(times.at(k), take.times[k], 1e-12);
    expect_floats(open.children.at("P").values<float>(k), vectors_at(points, moment.x));
    expect_floats(open.children.at(".velocities").values<float>(k), vectors_at(points, moment.v));
    expect_floats(loops.children.at("P").values<float>(k), vectors_at({7, 8, 9, 10, 11, 12}, moment.x));
    std::vector<double> frames;
    for (const int s : segments)
      frames.insert(frames.end(), {moment.q[s].w, moment.q[s].x, moment.q[s].y, moment.q[s].z});
    expect_floats(open.children.at(".arbGeomParams").children.at("rod_orientation").values<float>(k), frames);
    digests.insert(open.children.at("P").digests[k]);
    const std::vector<double> bounds = open.children.at(".selfBnds").values<double>(k);
    for (const int i : points)
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_LE(bounds.at(axis), moment.x[i][axis] - take.strands.radius[i]);
        EXPECT_GE(bounds.at(3 + axis), moment.x[i][axis] + take.strands.radius[i]);
      }
  }
  EXPECT_EQ(digests.size(), 4u) << "samples that differ have digests that differ";
}

TEST(abc, has_the_attributes_of_a_groom) {
  const Scratch scratch;
  const Take take = moving_take();
  write_abc(take, scratch / "groom.abc");
  const OgawaProperty curves = geometry(read_ogawa(scratch / "groom.abc"), "rods");
  const auto& groom = curves.children.at(".arbGeomParams").children;
  EXPECT_EQ(groom.at("groom_id").values<int>(), (std::vector<int>{0, 1}));
  EXPECT_EQ(groom.at("groom_group_id").values<int>(), (std::vector<int>{0, 0}));
  EXPECT_EQ(groom.at("groom_group_id").metadata,
            "arrayExtent=1;geoScope=uni;isGeomParam=true;podExtent=1;podName=int32_t");
  EXPECT_EQ(groom.at("groom_guide").values<std::int16_t>(), std::vector<std::int16_t>{0});
  EXPECT_TRUE(groom.at("groom_guide").one_value);
  EXPECT_EQ(groom.at("groom_group_name").samples[0], std::string("rope\0rope\0", 10));
  EXPECT_EQ(groom.at("groom_group_name").text_counts[0], 2u);
  std::vector<double> colors, widths;
  for (const int i : {0, 1, 2, 3, 4, 2, 5, 6}) {
    colors.insert(colors.end(), {0.8, 0.1, 0.3});
    widths.push_back(2 * take.strands.radius[i]);
  }
  expect_floats(groom.at("groom_color").values<float>(), colors);
  expect_floats(curves.children.at("width").values<float>(), widths);
}

// times that no step gives are listed one by one; more than 255 samples need wider headers
TEST(abc, uneven_and_many_times) {
  const Scratch scratch;
  Take take = moving_take();
  take.times = {0, 0.1, 0.15, 0.4};
  write_abc(take, scratch / "uneven.abc");
  const OgawaTimes uneven = read_ogawa(scratch / "uneven.abc").times.at(1);
  EXPECT_EQ(uneven.stored, take.times);
  take = moving_take({.moments = 300});
  write_abc(take, scratch / "many.abc");
  const OgawaArchive many = read_ogawa(scratch / "many.abc");
  EXPECT_EQ(geometry(many, "rods").children.at("P").samples.size(), 300u);
  EXPECT_NEAR(many.times.at(1).at(299), 299 / 24.0, 1e-9);
}

TEST(abc, a_single_moment_without_radii_or_frames) {
  const Scratch scratch;
  const Take take = moving_take({.moments = 1, .velocity = false, .frames = false, .radius = false});
  write_abc(take, scratch / "still.abc");
  const OgawaProperty curves = geometry(read_ogawa(scratch / "still.abc"), "rods");
  EXPECT_TRUE(curves.children.at("P").constant);
  EXPECT_EQ(curves.children.at("P").samples.size(), 1u);
  EXPECT_FALSE(curves.children.contains("width"));
  EXPECT_FALSE(curves.children.contains(".velocities"));
}

}  // namespace
}  // namespace tendril
