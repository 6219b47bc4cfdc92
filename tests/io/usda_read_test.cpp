#include "io/formats/usda_read.h"

#include <fmt/format.h>

#include "io/moving_take.h"
#include "io/take_checks.h"

namespace tendril::io {
namespace {

using Paths = std::vector<std::vector<int>>;

// one prim of curves in metres, z up
std::string prim(const std::string& body, const std::string& before = "", const std::string& behind = "") {
  return "#usda 1.0\n(\n    metersPerUnit = 1\n    upAxis = \"Z\"\n)\n" + before + "def BasisCurves \"c\" {\n" + body +
         "\n}\n" + behind;
}

Strands parse(const std::string& text) { return read_usda(bytes_of(text), "text").strands; }

void expect_near(const std::vector<Vec3d>& found, const std::vector<Vec3d>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_LT(norm(found[i] - wanted[i]), 1e-15) << i;
}

TEST(usda_read, takes_units_axes_and_frames_of_the_prims) {
  const Take take = read_usda(sample("curves.usda"), "curves.usda");
  const Strands& strands = take.strands;
  EXPECT_EQ(take.title, "curves of a \"test\"");
  EXPECT_EQ(paths_of(strands), (Paths{{0, 1, 2}, {3, 4}, {5, 6, 7, 8}}));
  EXPECT_EQ(loops_of(strands), (std::vector<bool>{false, false, true}));
  EXPECT_EQ(strands.strands[1].name, "rods_1");
  EXPECT_EQ(strands.strands[2].name, "loop");
  EXPECT_EQ(strands.strands[0].color, (Vec3d{0.8, 0.2, 0.1}));
  EXPECT_EQ(strands.strands[2].color, Strand{}.color);  // a variant is not the prim
  EXPECT_FALSE(strands.smooth);                         // not all of them are

  // tenths of a metre, y up; the rods are turned about z by 90 degrees and then moved by 10
  const double u = 0.1;
  expect_near({strands.points[2]}, {{10 * u, 0, 2 * u}});
  expect_near({strands.points[3]}, {{9 * u, 0, 0}});
  expect_near({strands.points[6]}, {{0, -u, 0}});
  EXPECT_NEAR(strands.radius[0], 0.05 * u, 1e-17);
  EXPECT_NEAR(strands.radius[4], 0.025 * u, 1e-17);
  EXPECT_NEAR(strands.radius[7], 0.01 * u, 1e-17);
}

TEST(usda_read, follows_time_samples) {
  const Take take = read_usda(sample("curves.usda"), "curves.usda");
  EXPECT_EQ(take.times, (std::vector<double>{0, 1}));  // 48 codes per second
  EXPECT_EQ(take.frame_rate, 24);
  expect_near({take.moment(1).x[2]}, {{0.9, 0, 0.2}});
  EXPECT_EQ(take.moment(1).time, 1);
  EXPECT_EQ(take.moment(1).x[7], take.moment(0).x[7]);
}

// prims with different samples: linear between them, held outside of them
TEST(usda_read, interpolates_between_samples) {
  const auto curves = [](const std::string& name, const std::string& samples) {
    return "def BasisCurves \"" + name + "\" {\nuniform token type = \"linear\"\nint[] curveVertexCounts = [2]\n" +
           "point3f[] points.timeSamples = {" + samples + "}\n}\n";
  };
  const Take take = read_usda(bytes_of("#usda 1.0\n(metersPerUnit = 1\nupAxis = \"Z\")\n" +
                                       curves("a", "0: [(0, 0, 0), (0, 0, 1)], 24: [(4, 0, 0), (4, 0, 1)]") +
                                       curves("b", "6: [(1, 0, 0), (0, 2, 1)], 12: None, 18: [(2, 0, 0), (0, 2, 1)],")),
                              "text");
  EXPECT_EQ(take.times, (std::vector<double>{0, 0.25, 0.75, 1}));
  const double first[] = {0, 1, 3, 4}, second[] = {1, 1, 2, 2};
  for (int k = 0; k < 4; ++k) {
    EXPECT_EQ(take.moment(k).x[0], (Vec3d{first[k], 0, 0}));
    EXPECT_EQ(take.moment(k).x[2], (Vec3d{second[k], 0, 0}));
  }
}

TEST(usda_read, puts_points_on_cubic_curves) {
  const std::string points = "point3f[] points = [(0, 0, 0), (1, 3, 0), (2, 3, 0), (3, 0, 0)]\n";
  const std::string counts = "int[] curveVertexCounts = [4]\n";
  const auto read = [&](const std::string& basis, const std::string& wrap) {
    return parse(
        prim("uniform token basis = \"" + basis + "\"\nuniform token wrap = \"" + wrap + "\"\n" + counts + points));
  };
  // B(1/3) = (8 p0 + 12 p1 + 6 p2 + p3) / 27
  expect_near(read("bezier", "nonperiodic").points, {{0, 0, 0}, {1, 2, 0}, {2, 2, 0}, {3, 0, 0}});
  // (p0 + 4 p1 + p2) / 6
  expect_near(read("bspline", "nonperiodic").points, {{1, 2.5, 0}, {2, 2.5, 0}});
  expect_near(read("bspline", "pinned").points, {{0, 0, 0}, {1, 2.5, 0}, {2, 2.5, 0}, {3, 0, 0}});
  expect_near(read("bspline", "periodic").points, {{4.0 / 6, 0.5, 0}, {1, 2.5, 0}, {2, 2.5, 0}, {14.0 / 6, 0.5, 0}});
  expect_near(read("catmullRom", "nonperiodic").points, {{1, 3, 0}, {2, 3, 0}});
  expect_near(read("catmullRom", "pinned").points, {{0, 0, 0}, {1, 3, 0}, {2, 3, 0}, {3, 0, 0}});
  EXPECT_TRUE(read("catmullRom", "periodic").strands[0].closed);
  EXPECT_TRUE(read("bezier", "nonperiodic").smooth);
}

TEST(usda_read, spreads_widths_as_they_are_meant) {
  // half the widths of two curves of `count` points each
  const auto expect_radii = [](const std::string& kind, int count, const std::string& widths, const std::string& spread,
                               const std::vector<double>& wanted) {
    std::string points;
    for (int i = 0; i < 2 * count; ++i) points += fmt::format("({}, 0, 0), ", i * i);
    const std::string metadata = spread.empty() ? "" : fmt::format("( interpolation = \"{}\" )", spread);
    const std::vector<double> found =
        parse(prim(fmt::format(
                  "{}\nint[] curveVertexCounts = [{}, {}]\npoint3f[] points = [{}]\nfloat[] widths = [{}] {}", kind,
                  count, count, points, widths, metadata)))
            .radius;
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-15) << i;
  };
  const std::string linear = "uniform token type = \"linear\"", bezier = "uniform token basis = \"bezier\"",
                    bspline = "uniform token basis = \"bspline\"";
  expect_radii(linear, 2, "2", "constant", {1, 1, 1, 1});
  expect_radii(linear, 2, "2, 4", "uniform", {1, 1, 2, 2});
  expect_radii(linear, 2, "2, 4, 6, 8", "", {1, 2, 3, 4});
  expect_radii(linear, 2, "2, 4, 6, 8", "varying", {1, 2, 3, 4});
  expect_radii(bspline, 4, "2, 2, 8, 8, 2, 2, 2, 2", "vertex", {1.5, 3.5, 1, 1});
  expect_radii(bspline, 4, "2, 4, 6, 8", "varying", {1, 2, 3, 4});
  expect_radii(bezier, 4, "6, 12, 2, 2", "varying", {3, 4, 5, 6, 1, 1, 1, 1});
  EXPECT_THROW(expect_radii(linear, 2, "1, 2, 3", "", {}), FileError);
  EXPECT_THROW(expect_radii(linear, 2, "1, 2, 3, -4", "", {}), FileError);
}

TEST(usda_read, knows_every_transformation) {
  const auto moved = [](const std::string& operations, const std::string& order) {
    const std::string body =
        "uniform token type = \"linear\"\nint[] curveVertexCounts = [2]\npoint3f[] points = [(1, 2, 3), (0, 0, 0)]";
    return parse(prim(body, "def Xform \"a\" {\n" + operations + "\nuniform token[] xformOpOrder = [" + order + "]\n",
                      "}\n"))
        .points;
  };
  expect_near(moved("double3 xformOp:translate = (1, 1, 1)", "\"xformOp:translate\""), {{2, 3, 4}, {1, 1, 1}});
  expect_near(moved("float3 xformOp:scale = (2, 3, 4)", "\"xformOp:scale\""), {{2, 6, 12}, {0, 0, 0}});
  expect_near(moved("float xformOp:rotateX = 90", "\"xformOp:rotateX\""), {{1, -3, 2}, {0, 0, 0}});
  expect_near(moved("float xformOp:rotateY = 90", "\"xformOp:rotateY\""), {{3, 2, -1}, {0, 0, 0}});
  // x first: (1, 2, 3) -> (1, -3, 2), then about z: (3, 1, 2)
  expect_near(moved("float3 xformOp:rotateXYZ = (90, 0, 90)", "\"xformOp:rotateXYZ\""), {{3, 1, 2}, {0, 0, 0}});
  // z first: (-2, 1, 3), then about x: (-2, -3, 1)
  expect_near(moved("float3 xformOp:rotateZYX = (90, 0, 90)", "\"xformOp:rotateZYX\""), {{-2, -3, 1}, {0, 0, 0}});
  expect_near(moved("quatf xformOp:orient = (1, 0, 0, 1)", "\"xformOp:orient\""), {{-2, 1, 3}, {0, 0, 0}});
  expect_near(moved("matrix4d xformOp:transform = ( (0, 1, 0, 0), (-1, 0, 0, 0), (0, 0, 1, 0), (5, 6, 7, 1) )",
                    "\"xformOp:transform\""),
              {{3, 7, 10}, {5, 6, 7}});
  // the last one acts first, about a pivot
  expect_near(moved("float3 xformOp:scale = (2, 2, 2)\nfloat3 xformOp:translate:pivot = (1, 2, 3)",
                    "\"xformOp:translate:pivot\", \"xformOp:scale\", \"!invert!xformOp:translate:pivot\""),
              {{1, 2, 3}, {-1, -2, -3}});
  EXPECT_THROW(moved("float3 xformOp:scale.timeSamples = { 0: (2, 2, 2) }", "\"xformOp:scale\""), FileError);
  EXPECT_THROW(moved("", "\"xformOp:scale\""), FileError);
  EXPECT_THROW(moved("float3 xformOp:scale = (0, 1, 1)", "\"!invert!xformOp:scale\""), FileError);
}

// prims of every kind side by side: points of one number are one point, but only where all prims have numbers
TEST(usda_read, takes_prims_of_every_kind) {
  const Take take = read_usda(sample("cubic.usda"), "cubic.usda");
  EXPECT_EQ(take.strands.strands.size(), 5u);
  EXPECT_EQ(take.strands.points.size(), 7u + 6 + 5);
  EXPECT_EQ(take.strands.strands[4].name, "b");
  EXPECT_TRUE(take.moment(0).v.empty() && take.moment(0).q.empty());
  const Bytes all = sample("cubic.usda");
  const std::string text(all.begin(), all.end());
  const std::string own = text.substr(0, text.find("def Xform")) + text.substr(text.find("def BasisCurves \"own\""));
  const Take alone = read_usda(bytes_of(own), "own.usda");
  EXPECT_EQ(paths_of(alone.strands), (Paths{{0, 1, 2}, {1, 3}}));
  EXPECT_EQ(alone.strands.points[3], (Vec3d{0, 0, 2}));  // x is up
  // the turn of the axes takes x to z, so it takes the frame's d1 there as well
  ASSERT_EQ(alone.moment(0).q.size(), 3u);
  EXPECT_LT(norm(rotate(alone.moment(0).q[2], {1, 0, 0}) - Vec3d{0, 0, 1}), 1e-15);
  EXPECT_LT(norm(rotate(alone.moment(0).q[0], {0, 1, 0}) - Vec3d{-1, 0, 0}), 1e-15);
}

// what our own writer adds brings back frames, names, order, and the points that strands share
TEST(usda_read, comes_back_in_single_precision) {
  const Take take = moving_take(), back = through(take, "x.usda");
  EXPECT_EQ(paths_of(back.strands), paths_of(take.strands));
  EXPECT_EQ(loops_of(back.strands), loops_of(take.strands));
  EXPECT_EQ(back.title, take.title);
  for (int s : {0, 1, 2}) EXPECT_EQ(back.strands.strands[s].name, take.strands.strands[s].name);
  ASSERT_EQ(back.times.size(), take.times.size());
  for (std::size_t i = 0; i < 13; ++i) EXPECT_EQ(float(2 * back.strands.radius[i]), float(2 * take.strands.radius[i]));
  for (int k = 0; k < 4; ++k) {
    const Moment a = take.moment(k), b = back.moment(k);
    EXPECT_NEAR(b.time, a.time, 1e-10);
    ASSERT_EQ(b.x.size(), a.x.size());
    ASSERT_EQ(b.v.size(), a.v.size());
    ASSERT_EQ(b.q.size(), a.q.size());
    for (std::size_t i = 0; i < a.x.size(); ++i) EXPECT_EQ(cast<float>(b.x[i]), cast<float>(a.x[i]));
    for (std::size_t i = 0; i < a.x.size(); ++i) EXPECT_EQ(cast<float>(b.v[i]), cast<float>(a.v[i]));
    for (std::size_t s = 0; s < a.q.size(); ++s) EXPECT_EQ(cast<float>(b.q[s]), cast<float>(a.q[s]));
  }
}

TEST(usda_read, refuses_what_is_wrong) {
  const std::string linear = "uniform token type = \"linear\"\n", counts = "int[] curveVertexCounts = [2]\n",
                    points = "point3f[] points = [(0, 0, 0), (1, 0, 0)]\n";
  EXPECT_NO_THROW(parse(prim(linear + counts + points)));
  const std::pair<std::string, std::string> cases[] = {
      {"", "not a .usda file"},
      {"PXR-USDC\x01\x02", "binary USD"},
      {"#usda 1.0\n", "no BasisCurves"},
      {"#usda 1.0\n(metersPerUnit = 0)\n", "metersPerUnit"},
      {"#usda 1.0\n(upAxis = \"W\")\n", "upAxis"},
      {prim(linear + counts), "a curve of 2 points when 0 are left"},
      {prim(linear + points), "no curveVertexCounts"},
      {prim(linear + points + "int[] curveVertexCounts = [1]"), "cannot have"},
      {prim(linear + points + "int[] curveVertexCounts = [2000000000]"),
       "a curve of 2000000000 points when 2 are left"},
      {prim(linear + points + "int[] curveVertexCounts = [-2]"), "a curve of -2 points"},
      {prim(linear + points + "int[] curveVertexCounts = [1.5]"), "a curve of 1.5 points"},
      {prim(counts + points), "a nonperiodic bezier curve cannot have"},
      {prim("uniform token type = \"wavy\"\n" + counts + points), "has the type \"wavy\""},
      {prim(linear + counts + "point3f[] points = [(0, 0, nan), (1, 0, 0)]"), "number 0 of its points is not finite"},
      {prim(linear + counts + "point3f[] points = [(0, 0, 0), (1, 0, 1e999)]"), "number 1 of its points is not finite"},
      {prim(linear + counts + "point3f[] points = [(0, 0), (1, 0, 0)]"), "not of 3 numbers"},
      {prim(linear + counts + "point3f[] points = [(0, 0, 0, 0), (1, 0, 0)]"), "not of 3 numbers"},
      {prim(linear + counts + points + "point3f[] points.timeSamples = { 0: [(0, 0, 0)] }"), "when 1 are left"},
      {prim(linear + counts + "point3f[] points.timeSamples = { 0: [(0, 0, 0), (1, 0, 0)], 1: [(0, 0, 0)] }"),
       "has 1 points where its curves have 2"},
      {prim(linear + counts + "point3f[] points.timeSamples = { 3: [(0, 0, 0)], 3: [(0, 0, 0)] }"),
       "two samples at the time code 3"},
      {prim(linear + counts + "point3f[] points = [(0, 0, 0), (1, 0, 0)"), "the file:10: has"},
      {prim("") + "}", "where a name should stand"},
      {prim("string a = \"open\n"), "quotes are not closed"}};
  for (const auto& [text, wanted] : cases) {
    SCOPED_TRACE(text);
    expect_refused(read_usda, bytes_of(text), wanted);
  }
  const Bytes good = sample("curves.usda");
  const std::string text(good.begin(), good.end());
  expect_cuts_refused(read_usda, bytes_of(text.substr(0, text.find("\n}\n\ndef"))));  // within the first prim
  std::string nested = "#usda 1.0\n";
  for (int k = 0; k < 100000; ++k) nested += "def \"a\" {";
  expect_refused(read_usda, bytes_of(nested), "nested deeper");
  expect_refused(read_usda, bytes_of("#usda 1.0\n(a = " + std::string(100000, '(')), "not closed");
}

}  // namespace
}  // namespace tendril::io
