// line graphs from Wavefront OBJ

#include <filesystem>
#include <fstream>
#include <sstream>

#include "scene/curve_checks.h"
#include "scene/curves/obj_file.h"
#include "scratch.h"

namespace tendril {
namespace {

LineGraph parse(const std::string& text) {
  std::istringstream in(text);
  return read_obj(in);
}

Curve curve_of(const std::string& text, int segments = 0, double longest_edge = 0) {
  return graph_curve(parse(text), {segments, longest_edge});
}

const std::string y_shape = "v 0 0 0\nv 0 0 1\nv 0 0 2\nv 1 0 3\nv -1 0 3\nl 1 2 3\nl 3 4\nl 3 5\n";

TEST(ObjFile, ReadsAChainInOrder) {
  const Curve chain = curve_of("# a bow\nv 0 0 0\nv 1 0 0\r\nv 1 1 0 0.5 0.5 0.5\nv +2.5e0 1 0\nl 1 2 3 4\n");
  expect_sound(chain);
  EXPECT_TRUE(chain.chain);
  EXPECT_FALSE(chain.closed);
  EXPECT_EQ(chain.points, (std::vector<Vec3d>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {2.5, 1, 0}}));
  EXPECT_EQ(chain.tangents.size(), 4u);
}

TEST(ObjFile, JoinsLinesAtSharedPoints) {
  // three statements out of order, one of them against the others: still one chain
  const Curve chain = curve_of("v 2 0 0\nv 0 0 0\nv 1 0 0\nv 3 0 0\nl 2 3\nl 1 4\nl 1 3\n");
  EXPECT_TRUE(chain.chain);
  EXPECT_EQ(chain.points, (std::vector<Vec3d>{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}));
  const Curve loop = curve_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2 3 1\n");
  EXPECT_TRUE(loop.chain && loop.closed);
  EXPECT_EQ(loop.points.size(), 3u);
  EXPECT_EQ(loop.edges.size(), 3u);
}

TEST(ObjFile, MakesBranchesAndLoops) {
  const Curve branch = curve_of(y_shape);
  expect_sound(branch);
  EXPECT_FALSE(branch.chain);
  EXPECT_TRUE(branch.tangents.empty());
  EXPECT_EQ(branch.points.size(), 5u);
  EXPECT_EQ(branch.edges, (std::vector<std::array<int, 2>>{{0, 1}, {1, 2}, {2, 3}, {2, 4}}));
  EXPECT_EQ(loop_count(branch), 0);
  // a lollipop: a loop at the end of a stick
  const Curve lollipop = curve_of("v 0 0 0\nv 0 0 1\nv 1 0 2\nv -1 0 2\nl 1 2 3 4 2\n");
  EXPECT_FALSE(lollipop.chain);
  EXPECT_EQ(loop_count(lollipop), 1);
  EXPECT_EQ(component_count(lollipop), 1);
}

TEST(ObjFile, UnderstandsNegativeIndicesSlashesAndContinuedLines) {
  const LineGraph graph = parse("v 0 0 0\nv 1 0 0\nl -2 -1\nv 2 0 0\nv 3 0 0\nl -3/7 -2/8 \\\n  -1/9\n");
  EXPECT_EQ(graph.edges, (std::vector<std::array<int, 2>>{{0, 1}, {1, 2}, {2, 3}}));
}

TEST(ObjFile, LeavesOutWhatLinesDoNotUse) {
  const LineGraph graph =
      parse("mtllib a.mtl\no thing\nv 9 9 9\nv 0 0 0\nvn 0 0 1\nv 8 8 8\nv 1 0 0\nf 1 2 3\nl 2 4\n");
  EXPECT_EQ(graph.points, (std::vector<Vec3d>{{0, 0, 0}, {1, 0, 0}}));
  EXPECT_EQ(graph.edges, (std::vector<std::array<int, 2>>{{0, 1}}));
}

TEST(ObjFile, IsCutAnewStrandByStrand) {
  // lengths 2, √2, √2: 17 segments share as 7, 5, 5
  const Curve cut = curve_of(y_shape, 17);
  expect_sound(cut);
  EXPECT_EQ(cut.edges.size(), 17u);
  EXPECT_EQ(cut.points.size(), 18u);
  EXPECT_EQ(component_count(cut), 1);
  int branches = 0;
  std::vector<int> degree(cut.points.size(), 0);
  for (const auto& [a, b] : cut.edges) ++degree[a], ++degree[b];
  for (size_t i = 0; i < degree.size(); ++i)
    if (degree[i] == 3 && ++branches) {
      EXPECT_EQ(cut.points[i], (Vec3d{0, 0, 2}));
    }
  EXPECT_EQ(branches, 1);
  for (size_t e = 0; e < 7; ++e) EXPECT_NEAR(edge_length(cut, e), 2.0 / 7, 1e-14);
  for (size_t e = 7; e < 17; ++e) EXPECT_NEAR(edge_length(cut, e), std::sqrt(2.0) / 5, 1e-14);

  const Curve even = curve_of(y_shape, 0, 0.25);
  EXPECT_EQ(even.edges.size(), 8u + 6u + 6u);
  EXPECT_LE(edge_range(even).second, 0.25 * (1 + 1e-12));
  // parallel strands and loops never collapse onto each other
  const Curve theta = curve_of("v 0 0 0\nv 1 1 0\nv 1 -1 0\nv 2 0 0\nv 1 0 0\nl 1 2 4\nl 1 3 4\nl 1 5 4\n", 0, 100);
  expect_sound(theta);
  EXPECT_EQ(loop_count(theta), 2);
}

TEST(ObjFile, CutsAChainAnew) {
  const Curve chain = curve_of("v 0 0 0\nv 1 0 0\nv 1 2 0\nl 1 2 3\n", 3);
  EXPECT_TRUE(chain.chain);
  EXPECT_NEAR(norm(chain.points[2] - Vec3d{1, 1, 0}), 0, 1e-15);
  EXPECT_EQ(curve_of("v 0 0 0\nv 1 0 0\nv 1 2 0\nl 1 2 3\n", 0, 0.7).edges.size(), 5u);
}

TEST(ObjFile, RefusesBrokenFiles) {
  for (const char* text :
       {"v 0 0\nl 1 1\n", "v 0 0 x\n", "v 0 0 nan\n", "v 0 0 1e999\n", "v 0 0 0\nv 1 0 0\nl 1\n",
        "v 0 0 0\nv 1 0 0\nl 1 3\n", "v 0 0 0\nv 1 0 0\nl 0 1\n", "v 0 0 0\nv 1 0 0\nl -3 1\n",
        "v 0 0 0\nv 1 0 0\nl 1 99999999999\n", "v 0 0 0\nv 1 0 0\nl 1 two\n", "v 0 0 0\nv 1 0 0\nl 1 2 1\n",
        "v 0 0 0\nv 0 0 0\nl 1 2\n", "l 1 2\nv 0 0 0\nv 1 0 0\n", "v 0 0 0\nv 1 0 0\nl 1 1\n"}) {
    SCOPED_TRACE(text);
    expect_refused("path", [&] { parse(text); });
  }
  expect_refused("", [] { curve_of(y_shape, 2); });
  expect_refused("", [] { curve_of(y_shape, -1); });
  expect_refused("", [] { curve_of(y_shape, 2'000'000'000); });
  expect_refused("resample", [] { curve_of(y_shape, 0, 1e-300); });
}

class FileCurve : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) { return folder_.write(name, text); }

  const Scratch folder_;
};

TEST_F(FileCurve, IsReadAndScaled) {
  const Curve curve = file_curve({write("y.OBJ", y_shape), 0.5, 0}, 0);
  EXPECT_EQ(curve.points[3], (Vec3d{0.5, 0, 1.5}));
  EXPECT_EQ(file_curve({write("y.obj", y_shape), 2, 0}, 17).edges.size(), 17u);
}

TEST_F(FileCurve, RefusesWhatItCannotRead) {
  const std::string good = write("y.obj", y_shape);
  expect_refused("path", [&] { file_curve({(folder_ / "none.obj").string(), 1, 0}, 0); });
  expect_refused("path", [&] { file_curve({write("y.bcc", y_shape), 1, 0}, 0); });
  expect_refused("path", [&] { file_curve({write("empty.obj", ""), 1, 0}, 0); });
  expect_refused("path", [&] { file_curve({write("points.obj", "v 0 0 0\n"), 1, 0}, 0); });
  std::filesystem::create_directories(folder_ / "folder.obj");
  expect_refused("path", [&] { file_curve({(folder_ / "folder.obj").string(), 1, 0}, 0); });
  expect_refused("scale", [&] { file_curve({good, 0, 0}, 0); });
  expect_refused("resample", [&] { file_curve({good, 1, -1}, 0); });
  expect_refused("resample", [&] { file_curve({good, 1, 0.1}, 10); });
}

}  // namespace
}  // namespace tendril
