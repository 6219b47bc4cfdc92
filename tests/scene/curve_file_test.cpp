// curves from files: strands become chains, loops and graphs, cut anew where it is asked for

#include "scene/curves/curve_file.h"

#include <filesystem>
#include <numbers>

#include "io/formats.h"
#include "io/formats/obj.h"
#include "scene/curve_checks.h"
#include "scene/curves/spline.h"
#include "scratch.h"

namespace tendril::scene {
namespace {

LineGraph parse(const std::string& text) {
  return line_graph(read_obj(std::span(text.data(), text.size()), "text").strands);
}

Curve curve_of(const std::string& text, int segments = 0, double longest_edge = 0) {
  return graph_curve(parse(text), {segments, longest_edge});
}

const std::string y_shape = "v 0 0 0\nv 0 0 1\nv 0 0 2\nv 1 0 3\nv -1 0 3\nl 1 2 3\nl 3 4\nl 3 5\n";

TEST(LineGraph, KeepsAChainInOrder) {
  const Curve chain = curve_of("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 2.5 1 0\nl 1 2 3 4\n");
  expect_sound(chain);
  EXPECT_TRUE(chain.chain);
  EXPECT_FALSE(chain.closed);
  EXPECT_EQ(chain.points, (std::vector<Vec3d>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {2.5, 1, 0}}));
  EXPECT_EQ(chain.tangents.size(), 4u);
}

TEST(LineGraph, JoinsLinesAtSharedPoints) {
  // three statements out of order, one of them against the others: still one chain
  const Curve chain = curve_of("v 2 0 0\nv 0 0 0\nv 1 0 0\nv 3 0 0\nl 2 3\nl 1 4\nl 1 3\n");
  EXPECT_TRUE(chain.chain);
  EXPECT_EQ(chain.points, (std::vector<Vec3d>{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}));
  const Curve loop = curve_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2 3 1\n");
  EXPECT_TRUE(loop.chain && loop.closed);
  EXPECT_EQ(loop.points.size(), 3u);
  EXPECT_EQ(loop.edges.size(), 3u);
}

TEST(LineGraph, MakesBranchesAndLoops) {
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

TEST(LineGraph, IsCutAnewPathByPath) {
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

TEST(LineGraph, CutsAChainAnew) {
  const Curve chain = curve_of("v 0 0 0\nv 1 0 0\nv 1 2 0\nl 1 2 3\n", 3);
  EXPECT_TRUE(chain.chain);
  EXPECT_NEAR(norm(chain.points[2] - Vec3d{1, 1, 0}), 0, 1e-15);
  EXPECT_EQ(curve_of("v 0 0 0\nv 1 0 0\nv 1 2 0\nl 1 2 3\n", 0, 0.7).edges.size(), 5u);
}

TEST(LineGraph, RefusesWhatIsNoRod) {
  for (const char* text :
       {"v 0 0 0\nv 1 0 0\nl 1 2 1\n", "v 0 0 0\nv 0 0 0\nl 1 2\n", "v 0 0 0\nv 1 0 0\nv 2 0 0\nl 1 2 3\nl 3 2\n"}) {
    SCOPED_TRACE(text);
    expect_refused("path", [&] { parse(text); });
  }
  expect_refused("", [] { curve_of(y_shape, 2); });
  expect_refused("", [] { curve_of(y_shape, -1); });
  expect_refused("", [] { curve_of(y_shape, 2'000'000'000); });
  expect_refused("resample", [] { curve_of(y_shape, 0, 1e-300); });
}

// an edge has the radius of its middle, linear between the points
TEST(LineGraph, CarriesRadii) {
  LineGraph chain{{{0, 0, 0}, {1, 0, 0}, {4, 0, 0}}, {1, 2, 5}, {{0, 1}, {1, 2}}, false};
  EXPECT_EQ(graph_curve(chain, {}).radius, (std::vector<double>{1.5, 3.5}));
  // cut into four edges of length 1: 1 -> 2, then 2 -> 5 over a length of 3
  EXPECT_EQ(graph_curve(chain, {.segments = 4}).radius, (std::vector<double>{1.5, 2.5, 3.5, 4.5}));
  chain.edges = {{1, 2}, {1, 0}};  // against the chain's order
  EXPECT_EQ(graph_curve(chain, {}).radius, (std::vector<double>{3.5, 1.5}));
  LineGraph fork{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, -1, 0}}, {4, 2, 1, 1}, {{0, 1}, {1, 2}, {1, 3}}, false};
  EXPECT_EQ(graph_curve(fork, {}).radius, (std::vector<double>{3, 1.5, 1.5}));
  EXPECT_EQ(graph_curve(fork, {.segments = 6}).radius, (std::vector<double>{3.5, 2.5, 1.75, 1.25, 1.75, 1.25}));
}

// between two points the curve is the cubic with these tangents: p(1/2) = (-p0 + 9 p1 + 9 p2 - p3) / 16
TEST(CatmullRom, PassesThroughItsPoints) {
  const std::vector<Vec3d> p{{0, 0, 0}, {1, 2, 0}, {3, 1, 1}, {4, 0, -2}, {6, 0, 0}};
  const CubicSpline open = CubicSpline::catmull_rom(p, false), closed = CubicSpline::catmull_rom(p, true);
  for (size_t k = 0; k < p.size(); ++k) {
    EXPECT_LT(norm(open.point(double(k)) - p[k]), 1e-15);
    EXPECT_LT(norm(closed.point(double(k)) - p[k]), 1e-15);
  }
  EXPECT_LT(norm(open.point(1.5) - (9.0 * (p[1] + p[2]) - p[0] - p[3]) / 16.0), 1e-15);
  EXPECT_LT(norm(closed.point(4.5) - (9.0 * (p[4] + p[0]) - p[3] - p[1]) / 16.0), 1e-15);
  EXPECT_LT(norm(open.derivative(0) - (p[1] - p[0])), 1e-15);
  EXPECT_LT(norm(closed.derivative(0) - 0.5 * (p[1] - p[4])), 1e-15);
}

// A ring of smooth points: the curve misses the circle by O(n^-4), the cut keeps to the curve and to its length.
TEST(CatmullRom, IsCutAlongTheSmoothCurve) {
  LineGraph ring;
  ring.smooth = true;
  const int n = 24;
  for (int k = 0; k < n; ++k) {
    const double angle = 2 * std::numbers::pi * k / n;
    ring.points.push_back({std::cos(angle), std::sin(angle), 0});
    ring.edges.push_back({k, (k + 1) % n});
  }
  const Curve cut = graph_curve(ring, {.longest_edge = 0.05});
  expect_sound(cut);
  EXPECT_TRUE(cut.chain && cut.closed);
  EXPECT_EQ(cut.edges.size(), size_t(std::ceil(2 * std::numbers::pi / 0.05)));
  EXPECT_LE(edge_range(cut).second, 0.05);
  // farthest off in the middle of a span of angle h: r = (9 cos(h/2) - cos(3h/2)) / 8 = 1 - 3/128 h^4 + …
  for (const Vec3d& x : cut.points) EXPECT_NEAR(norm(x), 1, 3.0 / 128 * std::pow(2 * std::numbers::pi / n, 4));
  double away = 0;  // straight edges would miss it by a hundred times more
  for (const Vec3d& x : graph_curve(LineGraph{ring.points, {}, ring.edges, false}, {.longest_edge = 0.05}).points)
    away = std::max(away, 1 - norm(x));
  EXPECT_GT(away, 5e-3);
  // tangents are the curve's, also at the points that are kept
  const Curve kept = graph_curve(ring, {});
  for (size_t i = 0; i < kept.points.size(); ++i) EXPECT_NEAR(dot(kept.points[i], kept.tangents[i]), 0, 1e-14);
}

TEST(CatmullRom, BranchesAreSmoothOneByOne) {
  LineGraph fork{{{0, 0, 0}, {1, 0.5, 0}, {2, 0, 0}, {3, 1, 0}, {3, 2, 0}, {3, -1, 0}},
                 {},
                 {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {2, 5}},
                 true};
  const Curve cut = graph_curve(fork, {.segments = 40});
  expect_sound(cut);
  EXPECT_EQ(cut.edges.size(), 40u);
  EXPECT_EQ(component_count(cut), 1);
  EXPECT_NE(std::find(cut.points.begin(), cut.points.end(), (Vec3d{2, 0, 0})), cut.points.end());
}

class CurveFile : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) { return folder_.write(name, text); }

  // two strands side by side, the second a point longer
  std::string write_two(const std::string& name, bool smooth = false) {
    Take take;
    take.strands.points = {{0, 0, 0}, {0, 1, 2}, {0, 0, 4}, {5, 0, 0}, {5, 0, 1}};
    take.strands.radius = {0.5, 0.25, 0.125, 0.5, 0.5};
    take.strands.strands.resize(2);
    take.strands.strands[0].points = {0, 1, 2};
    take.strands.strands[1].points = {3, 4};
    take.strands.smooth = smooth;
    take.times = {0};
    take.moment = [x = take.strands.points](int) { return Moment{0, x, {}, {}}; };
    write_rods(take, folder_ / name);
    return (folder_ / name).string();
  }

  const Scratch folder_;
};

TEST_F(CurveFile, IsReadAndScaled) {
  const Curve curve = file_curve({.path = write("y.OBJ", y_shape), .scale = 0.5}, 0);
  EXPECT_EQ(curve.points[3], (Vec3d{0.5, 0, 1.5}));
  EXPECT_EQ(file_curve({.path = write("y.obj", y_shape), .scale = 2}, 17).edges.size(), 17u);
}

TEST_F(CurveFile, TakesEveryFormatThatIsRead) {
  for (const Format& format : formats()) {
    if (!format.read || !format.write) continue;
    SCOPED_TRACE(format.extension);
    const Curve curve = file_curve({.path = write_two("two" + format.extension)}, 0);
    expect_sound(curve);
    EXPECT_EQ(component_count(curve), 2);
    ASSERT_EQ(curve.edges, (std::vector<std::array<int, 2>>{{0, 1}, {1, 2}, {3, 4}}));
    EXPECT_EQ(curve.points[1], (Vec3d{0, 1, 2}));
    if (!curve.radius.empty()) {
      EXPECT_EQ(curve.radius, (std::vector<double>{0.375, 0.1875, 0.5}));
    }
  }
  const Curve tree = file_curve(
      {.path = write("t.swc", "1 1 0 0 0 4 -1\n2 0 1 0 0 2 1\n3 0 2 0 0 2 1\n4 0 0 0 1 2 1\n"), .scale = 1e-6}, 0);
  EXPECT_EQ(tree.edges, (std::vector<std::array<int, 2>>{{0, 1}, {0, 2}, {0, 3}}));
  EXPECT_NEAR(tree.radius[0], 3e-6, 1e-20);
}

TEST_F(CurveFile, ResamplesSmoothStrands) {
  const Curve smooth = file_curve({.path = write_two("smooth.bcc", true), .resample = 0.2}, 0);
  expect_sound(smooth);
  EXPECT_LE(edge_range(smooth).second, 0.2 * (1 + 1e-12));
  // the polygon is y = 1 - |z - 2| / 2
  double away = 0;
  for (const Vec3d& x : smooth.points)
    if (x.x == 0) away = std::max(away, x.y - (1 - 0.5 * std::abs(x.z - 2)));
  EXPECT_GT(away, 0.05);
}

TEST_F(CurveFile, TurnsAndMeasuresWhatTheFileDoesNotTell) {
  const std::string hair = write_two("two.hair"), bcc = write_two("two.bcc");
  EXPECT_EQ(file_curve({.path = hair, .up = "y"}, 0).points[1], (Vec3d{0, -2, 1}));
  EXPECT_EQ(file_curve({.path = hair, .up = "x"}, 0).points[3], (Vec3d{0, 0, 5}));
  EXPECT_EQ(file_curve({.path = hair, .scale = 2, .thickness = "radius"}, 0).radius[2], 2);
  expect_refused("up", [&] { file_curve({.path = bcc, .up = "y"}, 0); });
  expect_refused("thickness", [&] { file_curve({.path = bcc, .thickness = "radius"}, 0); });
}

// the header's one thickness for all does not stand against the radius of the material
TEST_F(CurveFile, AThicknessForAllIsNotTheRods) {
  Take take;
  take.strands.points = {{0, 0, 0}, {0, 0, 1}, {0, 0, 2}};
  take.strands.radius = {0.25, 0.25, 0.25};
  take.strands.strands.resize(1);
  take.strands.strands[0].points = {0, 1, 2};
  take.times = {0};
  take.moment = [x = take.strands.points](int) { return Moment{0, x, {}, {}}; };
  write_rods(take, folder_ / "even.hair");
  EXPECT_TRUE(file_curve({.path = (folder_ / "even.hair").string()}, 0).radius.empty());
  take.strands.radius = {0.25, 0.25, 0.125};
  write_rods(take, folder_ / "thin.hair");
  EXPECT_EQ(file_curve({.path = (folder_ / "thin.hair").string()}, 0).radius, (std::vector<double>{0.25, 0.1875}));
}

TEST_F(CurveFile, RefusesWhatItCannotRead) {
  const std::string good = write("y.obj", y_shape);
  expect_refused("path", [&] { file_curve({.path = (folder_ / "none.obj").string()}, 0); });
  expect_refused("path", [&] { file_curve({.path = write("y.bcc", y_shape)}, 0); });
  expect_refused("path", [&] { file_curve({.path = write("y.stl", y_shape)}, 0); });
  expect_refused("path", [&] { file_curve({.path = write("y.csv", "time,rod,vertex,x,y,z\n")}, 0); });
  expect_refused("path", [&] { file_curve({.path = write("empty.obj", "")}, 0); });
  expect_refused("path", [&] { file_curve({.path = write("points.obj", "v 0 0 0\n")}, 0); });
  std::filesystem::create_directories(folder_ / "folder.obj");
  expect_refused("path", [&] { file_curve({.path = (folder_ / "folder.obj").string()}, 0); });
  expect_refused("scale", [&] { file_curve({.path = good, .scale = 0}, 0); });
  expect_refused("resample", [&] { file_curve({.path = good, .resample = -1}, 0); });
  expect_refused("resample", [&] { file_curve({.path = good, .resample = 0.1}, 10); });
}

}  // namespace
}  // namespace tendril::scene
