#include "io/formats/usda_write.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "io/formats.h"
#include "io/moving_take.h"
#include "io/outside_reader.h"
#include "scratch.h"

namespace tendril::io {
namespace {

using Json = nlohmann::json;

// places of the open strands of moving_take, in the order of the file
const std::vector<int> open_points{0, 1, 2, 3, 4, 2, 5, 6};
const std::vector<int> open_segments{0, 1, 2, 3, 3, 4, 5, 5};

void expect_floats(const Json& found, const std::vector<double>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_EQ(found[k].get<float>(), float(wanted[k])) << k;
}

std::vector<double> vectors_at(const std::vector<int>& index, const std::vector<Vec3d>& values) {
  std::vector<double> numbers;
  for (const int i : index) numbers.insert(numbers.end(), {values[i].x, values[i].y, values[i].z});
  return numbers;
}

TEST(usda, outside_readers_agree) {
  const std::filesystem::path modules = node_readers();
  const Scratch scratch;
  const Take take = moving_take();
  write_usda(take, scratch / "moving.usda");
  const Json file = read_outside(fmt::format("node {} {} {}", (outside_scripts() / "usda.mjs").string(),
                                             modules.string(), (scratch / "moving.usda").string()));
  EXPECT_EQ(file["/"]["upAxis"], "Z");
  EXPECT_EQ(file["/"]["metersPerUnit"], 1);
  EXPECT_EQ(file["/"]["timeCodesPerSecond"], 24);
  EXPECT_EQ(file["/World/rods"]["typeName"], "BasisCurves");
  EXPECT_EQ(file["/World/rods.curveVertexCounts"]["default"], Json({5, 3}));
  EXPECT_EQ(file["/World/loops.curveVertexCounts"]["default"], Json({6}));
  EXPECT_EQ(file["/World/loops.wrap"]["default"], "periodic");
  EXPECT_EQ(file["/World/rods.primvars:rod:name"]["default"], Json({"rope", "rope"}));
  EXPECT_EQ(file["/World/loops.primvars:rod:id"]["default"], Json({1}));
  EXPECT_EQ(file["/World/rods.points"]["timeSamples"]["times"], Json({0, 1, 2, 3}));
  for (int k = 0; k < 4; ++k) {
    const Moment moment = take.moment(k);
    const auto sample = [&](const char* name) { return file[name]["timeSamples"]["values"][k]; };
    expect_floats(sample("/World/rods.points"), vectors_at(open_points, moment.x));
    expect_floats(sample("/World/loops.points"), vectors_at({7, 8, 9, 10, 11, 12}, moment.x));
    expect_floats(sample("/World/rods.velocities"), vectors_at(open_points, moment.v));
    std::vector<double> quaternions;  // three.js has x, y, z, w
    for (const int s : open_segments) {
      const Quatd& q = moment.q[s];
      quaternions.insert(quaternions.end(), {q.x, q.y, q.z, q.w});
    }
    expect_floats(sample("/World/rods.primvars:rod:orientation"), quaternions);
  }
  std::vector<double> widths;
  for (const int i : open_points) widths.push_back(2 * take.strands.radius[i]);
  expect_floats(file["/World/rods.widths"]["default"], widths);
  expect_floats(file["/World/loops.primvars:displayColor"]["default"], {0.1, 0.2, 0.7});
}

TEST(usda, outside_readers_take_a_single_moment) {
  const std::filesystem::path modules = node_readers();
  const Scratch scratch;
  const Take take = moving_take({.moments = 1, .velocity = false, .frames = false, .radius = false});
  write_usda(take, scratch / "still.usda");
  const Json file = read_outside(fmt::format("node {} {} {}", (outside_scripts() / "usda.mjs").string(),
                                             modules.string(), (scratch / "still.usda").string()));
  expect_floats(file["/World/rods.points"]["default"], vectors_at(open_points, take.strands.points));
  EXPECT_FALSE(file.contains("/World/rods.widths"));
  EXPECT_FALSE(file.contains("/World/rods.velocities"));
}

// what our own reader makes of it: the same strands, which still share their points
TEST(usda, reads_back_what_it_wrote) {
  const Scratch scratch;
  const Take take = moving_take();
  write_rods(take, scratch / "moving.usda");
  const Take back = read_rods(scratch / "moving.usda");
  ASSERT_EQ(back.strands.strands.size(), 3u);
  ASSERT_EQ(back.times.size(), 4u);
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(back.times[k], take.times[k], 1e-9);
    const Moment wanted = take.moment(k), found = back.moment(k);
    int segment = 0;
    for (std::size_t s = 0; s < 3; ++s) {
      const Strand &a = take.strands.strands[s], &b = back.strands.strands[s];
      ASSERT_EQ(a.points.size(), b.points.size());
      EXPECT_EQ(a.closed, b.closed);
      EXPECT_EQ(a.name, b.name);
      for (std::size_t n = 0; n < a.points.size(); ++n) {
        EXPECT_EQ(cast<float>(found.x[b.points[n]]), cast<float>(wanted.x[a.points[n]]));
        EXPECT_EQ(cast<float>(found.v[b.points[n]]), cast<float>(wanted.v[a.points[n]]));
        EXPECT_FLOAT_EQ(float(back.strands.radius[b.points[n]]), float(take.strands.radius[a.points[n]]));
      }
      for (int n = 0; n < a.segment_count(); ++n, ++segment)
        EXPECT_NEAR(std::abs(dot(found.q[segment], wanted.q[segment])), 1, 1e-6);
    }
  }
}

// an instant may stand in a file once only
TEST(usda, repeated_times_are_written_once) {
  Take take = moving_take();
  take.times[1] = take.times[0];
  const Scratch scratch;
  write_usda(take, scratch / "repeated.usda");
  EXPECT_EQ(read_rods(scratch / "repeated.usda").times.size(), 3u);
}

}  // namespace
}  // namespace tendril::io
