#include "io/formats/abc.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "io/file.h"
#include "io/formats.h"
#include "io/formats/abc_archive.h"
#include "io/moving_take.h"
#include "io/ogawa_reader.h"
#include "scratch.h"

namespace tendril::io {
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

// ---- our reader

TEST(abc, reads_a_file_that_is_not_ours) {
  const Take take = read_rods(std::filesystem::path(TENDRIL_SOURCE_DIR) / "tests/io/samples/rod.abc");
  ASSERT_EQ(take.times.size(), 5u);
  EXPECT_DOUBLE_EQ(take.times[4], 4 / 24.0);
  ASSERT_EQ(take.strands.strands.size(), 2u);
  EXPECT_EQ(take.strands.strands[0].points, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(take.strands.strands[1].points, (std::vector<int>{3, 4}));
  EXPECT_FLOAT_EQ(float(take.strands.radius[0]), 0.05f);
  EXPECT_FLOAT_EQ(float(take.strands.radius[4]), 0.025f);
  for (int k = 0; k < 5; ++k) EXPECT_FLOAT_EQ(float(take.moment(k).x[2].y), 0.2f * float(k));
}

TEST(abc, reads_back_what_it_wrote) {
  const Scratch scratch;
  const Take take = moving_take();
  write_abc(take, scratch / "moving.abc");
  const Take read = read_rods(scratch / "moving.abc");
  ASSERT_EQ(read.times.size(), take.times.size());
  ASSERT_EQ(read.strands.strands.size(), 3u);
  const std::vector<int> points{0, 1, 2, 3, 4, 2, 5, 6, 7, 8, 9, 10, 11, 12};  // shared ones stand twice
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(read.strands.strands[k].name, take.strands.strands[k].name);
    EXPECT_EQ(read.strands.strands[k].closed, take.strands.strands[k].closed);
    EXPECT_LT(norm(read.strands.strands[k].color - take.strands.strands[k].color), 1e-7);
  }
  for (std::size_t i = 0; i < points.size(); ++i)
    EXPECT_NEAR(read.strands.radius[i], take.strands.radius[points[i]], 1e-8);
  for (int m = 0; m < 4; ++m) {
    const Moment wrote = take.moment(m), moment = read.moment(m);
    EXPECT_NEAR(moment.time, wrote.time, 1e-12);
    ASSERT_EQ(moment.q.size(), wrote.q.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_LT(norm(moment.x[i] - wrote.x[points[i]]), 1e-6);
      EXPECT_LT(norm(moment.v[i] - wrote.v[points[i]]), 1e-6);
    }
    for (std::size_t s = 0; s < wrote.q.size(); ++s) EXPECT_NEAR(std::abs(dot(moment.q[s], wrote.q[s])), 1, 1e-6);
  }
}

// points that do not change are stored once, and those that begin to move late from there on
TEST(abc, reads_samples_that_are_not_stored) {
  const Scratch scratch;
  Take take;
  take.strands.strands = {{"a", {0, 1}}};
  take.strands.points = {{0, 0, 0}, {1, 0, 0}};
  take.times = {0, 0.1, 0.25};
  take.moment = [points = take.strands.points](int k) { return Moment{0.1 * k, points, {}, {}}; };
  write_abc(take, scratch / "still.abc");
  const Take read = read_rods(scratch / "still.abc");
  for (std::size_t k = 0; k < read.times.size(); ++k) EXPECT_EQ(read.moment(int(k)).x[1], (Vec3d{1, 0, 0}));
}

// an object under a transform: x goes to y by the turn, then all is moved
TEST(abc, places_curves_by_the_transforms_above_them) {
  const Scratch scratch;
  {
    AbcArchive archive(scratch / "placed.abc");
    const std::string schema = "schema=AbcGeom_Curve_v2";
    AbcProperty points{.name = "P", .extent = 3}, counts{.name = "nVertices", .type = AbcType::i32};
    archive.add_sample(points, std::vector<float>{0, 0, 0, 1, 0, 0});
    archive.add_sample(counts, std::vector<int>{2});
    const auto object = archive.write_object("curves", schema, archive.write_compound(".geom", "", {points, counts}));
    AbcProperty ops{.name = ".ops", .is_array = false, .type = AbcType::u8, .extent = 2};
    AbcProperty vals{.name = ".vals", .is_array = false, .type = AbcType::f64, .extent = 7};
    archive.add_sample(ops, std::vector<std::uint8_t>{1 << 4, 2 << 4});
    archive.add_sample(vals, std::vector<double>{10, 20, 30, 0, 0, 1, 90});
    const auto xform = archive.write_compound(".xform", "", {ops, vals});
    const auto parent = archive.write_object("placed", "schema=AbcGeom_Xform_v3", xform, {object});
    archive.finish(archive.write_object("", "", {}, {parent}), "test", {0.0});
  }
  const Take take = read_rods(scratch / "placed.abc");
  EXPECT_LT(norm(take.strands.points[0] - Vec3d{10, 20, 30}), 1e-12);
  EXPECT_LT(norm(take.strands.points[1] - Vec3d{10, 21, 30}), 1e-12);
}

TEST(abc, refuses_what_is_no_archive_and_says_why) {
  const auto refusal = [](std::string bytes) -> std::string {
    try {
      read_abc({bytes.data(), bytes.size()}, "x.abc");
    } catch (const FileError& error) {
      return error.what();
    }
    return "read";
  };
  EXPECT_NE(refusal("\x89HDF rest of it, long enough").find("HDF5"), std::string::npos);
  const std::vector<char> file = read_file(std::filesystem::path(TENDRIL_SOURCE_DIR) / "tests/io/samples/rod.abc");
  std::string unfinished(file.begin(), file.end());
  unfinished[5] = 0;
  EXPECT_NE(refusal(unfinished).find("not finished"), std::string::npos);
  EXPECT_NE(refusal(std::string(file.begin(), file.begin() + 200)).find("cut short"), std::string::npos);
}

}  // namespace
}  // namespace tendril::io
