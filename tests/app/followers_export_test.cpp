#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/program.h"
#include "io/file.h"
#include "io/formats.h"
#include "loaded_scene.h"
#include "rod/followers.h"
#include "sim/recorder.h"
#include "verbs.h"

// Followers are drawn, exported and counted like strands: what has a name for them, and where.

namespace tendril::app {
namespace {

const std::string tress = R"(
[simulation]
solver = "alpha"
time_step = 0.01
duration = 0.1
[contact]
enabled = false
[material.hair]
stiffness = { EA = 1e4, GA = 1e4, EI1 = 1e-3, EI2 = 1e-3, GJ = 1e-3 }
linear_density = 0.1
radius = 0.005
[[rod]]
name = "tress"
material = "hair"
segments = 8
curve = { type = "line", from = [0, 0, 0], to = [1, 0, 0] }
clamp = ["start"]
followers = { count = 3, spread = 0.05 }
[output]
)";

std::string writable() {
  std::string list;
  for (const Format& format : formats())
    if (format.write) list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", format.extension.substr(1));
  return "export = [" + list + "]\n";
}

class FollowersExport : public testing::Test {
 protected:
  void SetUp() override {
    scene = scratch.write("tress.toml", tress + writable());
    run = (scratch / "run").string();
    const Program program(scratch, {"run", scene, "--out", run});
    ASSERT_EQ(program.exit_code(), exit_good) << program.output();
    const State end = read_frame(scratch / "run/frames/000003.npz");
    expected = end.x;
    for (const Vec3d& x : follower_positions(load_scene(scene).baked.followers, end)) expected.push_back(x);
  }
  bool holds(const std::string& file, const std::string& word) const {
    const std::vector<char> bytes = read_file(scratch / ("run/export/" + file));
    return std::string(bytes.begin(), bytes.end()).find(word) != std::string::npos;
  }
  std::string output_of(std::vector<std::string> words) {
    const Program program(scratch, std::move(words));
    EXPECT_EQ(program.exit_code(), exit_good) << program.output();
    return program.output();
  }

  Scratch scratch;
  std::string scene, run;
  std::vector<Vec3d> expected;  // of the rod and its followers in turn, at the end
};

// in single precision at least
TEST_F(FollowersExport, AreStrandsInEveryFormat) {
  int read = 0;
  for (const Format& format : formats()) {
    if (!format.write) continue;
    SCOPED_TRACE(format.extension);
    const std::string file = (format.moves ? "rods" : "rods_0003") + format.extension;
    ASSERT_TRUE(std::filesystem::exists(scratch / ("run/export/" + file)));
    if (!format.read) continue;
    const Take take = read_rods(scratch / ("run/export/" + file));
    ASSERT_EQ(take.strands.strands.size(), 4u);
    const Moment last = take.moment(int(take.times.size()) - 1);
    for (int k = 0; k < 4; ++k) {
      const std::vector<int>& points = take.strands.strands[k].points;
      ASSERT_EQ(points.size(), 9u);
      for (int n = 0; n < 9; ++n) EXPECT_LT(norm(last.x[points[n]] - expected[9 * k + n]), 1e-6);
    }
    ++read;
  }
  EXPECT_GE(read, 5);
}

TEST_F(FollowersExport, HaveNamesWhereStrandsHave) {
  for (const char* file : {"rods.abc", "rods.glb", "rods.csv", "rods_0003.obj"})
    for (const char* name : {"tress/0", "tress/1", "tress/2"}) EXPECT_TRUE(holds(file, name)) << file << " " << name;
  EXPECT_TRUE(holds("rods_0003.vtp", "NumberOfLines=\"4\""));
}

TEST_F(FollowersExport, AreCounted) {
  EXPECT_NE(output_of({"check", scene}).find("3 strands follow rods and are not simulated"), std::string::npos);
  const std::string info = output_of({"info", run});
  EXPECT_NE(info.find("followers        3"), std::string::npos) << info;
  EXPECT_NE(info.find("strands          4"), std::string::npos) << info;
}

}  // namespace
}  // namespace tendril::app
