#include "io/formats/vtp.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "io/file.h"
#include "io/formats/pvd.h"
#include "io/moving_take.h"
#include "io/outside_reader.h"
#include "scratch.h"

namespace tendril::io {
namespace {

using Json = nlohmann::json;

Json read_by_vtk(const std::filesystem::path& path) {
  return read_outside(fmt::format("/usr/bin/python3 {} {}", (outside_scripts() / "vtp.py").string(), path.string()));
}

Json row(const Vec3d& v) { return {v.x, v.y, v.z}; }
Json row(const Quatd& q) { return {q.w, q.x, q.y, q.z}; }

// every number to its last bit
TEST(vtp, vtk_agrees) {
  const Scratch scratch;
  const Take take = moving_take();
  write_pvd(take, scratch / "moving.pvd");
  const std::vector<int> points{0, 1, 2, 3, 4, 2, 5, 6, 7, 8, 9, 10, 11, 12};
  const std::vector<int> segments{0, 1, 2, 3, 3, 4, 5, 5, 6, 7, 8, 9, 10, 11};
  for (int k = 0; k < 4; ++k) {
    const Moment moment = take.moment(k);
    const Json file = read_by_vtk(scratch / fmt::format("moving_{:04}.vtp", k));
    EXPECT_EQ(file["lines"], Json({{0, 1, 2, 3, 4}, {5, 6, 7}, {8, 9, 10, 11, 12, 13, 8}}));
    ASSERT_EQ(file["points"].size(), points.size());
    for (std::size_t n = 0; n < points.size(); ++n) {
      EXPECT_EQ(file["points"][n], row(moment.x[points[n]]));
      EXPECT_EQ(file["point"]["velocity"][n], row(moment.v[points[n]]));
      EXPECT_EQ(file["point"]["quaternion_wxyz"][n], row(moment.q[segments[n]]));
      EXPECT_EQ(file["point"]["radius"][n], Json({take.strands.radius[points[n]]}));
      EXPECT_EQ(file["point"]["point_id"][n], Json({points[n]}));
    }
    EXPECT_EQ(file["cell"]["rod_id"], Json({{0}, {0}, {1}}));
    EXPECT_EQ(file["cell"]["color"][2], row(Vec3d{0.1, 0.2, 0.7}));
    EXPECT_EQ(file["field"]["TimeValue"], Json::array({Json::array({take.times[k]})}));
    EXPECT_EQ(file["field"]["rod_names"], Json({"rope", "ring"}));
  }
}

TEST(vtp, vtk_takes_strands_of_points_alone) {
  const Scratch scratch;
  write_vtp(moving_take({.moments = 1, .velocity = false, .frames = false, .radius = false}), scratch / "still.vtp");
  const Json file = read_by_vtk(scratch / "still.vtp");
  EXPECT_EQ(file["points"].size(), 14u);
  EXPECT_FALSE(file["point"].contains("radius"));
}

TEST(pvd, lists_files_that_are_there) {
  const Scratch scratch;
  const Take take = moving_take({.moments = 3});
  write_pvd(take, scratch / "a & b.pvd");
  const std::vector<char> bytes = read_file(scratch / "a & b.pvd");
  const std::string text(bytes.begin(), bytes.end());
  for (int k = 0; k < 3; ++k) {
    EXPECT_TRUE(std::filesystem::exists(scratch / fmt::format("a & b_{:04}.vtp", k)));
    EXPECT_NE(
        text.find(fmt::format("timestep=\"{}\" group=\"\" part=\"0\" file=\"a &amp; b_{:04}.vtp\"", take.times[k], k)),
        text.npos);
  }
}

}  // namespace
}  // namespace tendril::io
