#include "strands_of_model.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "io/file.h"
#include "loaded_scene.h"

namespace tendril::app {
namespace {

const std::string header = R"(
[simulation]
solver = "stable"
time_step = 0.01
duration = 1
[material.wire]
stiffness = { EA = 1e3, GA = 1e3, EI1 = 1e-2, EI2 = 1e-2, GJ = 1e-2 }
linear_density = 0.1
radius = 0.01
)";

std::string line(const std::string& name, const std::string& from, const std::string& to) {
  return "[[rod]]\nname = \"" + name +
         "\"\nmaterial = \"wire\"\nsegments = 4\ncurve = { type = \"line\", from = " + from + ", to = " + to + " }\n";
}

LoadedScene scene(const std::string& rods) { return load_scene_text(header + rods, "test.toml"); }

const std::string ring = R"(
[[rod]]
name = "ring"
material = "wire"
segments = 6
curve = { type = "circle", center = [0, 0, 0], axis = [0, 0, 1], radius = 1 }
)";

// each strand's d3 points along it, as far as the frames of straight segments do
void expect_frames_along(const Strands& strands, const Moment& moment) {
  std::size_t row = 0;
  for (const Strand& strand : strands.strands)
    for (int n = 0; n < strand.segment_count(); ++n, ++row) {
      const Vec3d chord = moment.x[strand.points[(n + 1) % strand.points.size()]] - moment.x[strand.points[n]];
      EXPECT_NEAR(dot(director3(moment.q[row]), normalized(chord)), 1, 1e-9);
    }
  EXPECT_EQ(row, moment.q.size());
}

TEST(StrandsOfModel, PlainRodsKeepTheirOrder) {
  const LoadedScene s = scene(line("rope", "[0, 0, 0]", "[1, 0, 0]") + ring);
  const StrandsOfModel strands(s.baked.model, s.baked.state, {});
  ASSERT_EQ(strands.strands().strands.size(), 2u);
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(strands.strands().strands[k].name, s.baked.model.rods[k].name);
    EXPECT_EQ(strands.strands().strands[k].points, s.baked.model.rods[k].vertices);
    EXPECT_EQ(strands.strands().strands[k].closed, k == 1);
  }
  expect_frames_along(strands.strands(), strands.moment(s.baked.state, {}));
}

TEST(StrandsOfModel, ABreakingSegmentIsAStrandThatCollapses) {
  const LoadedScene s = scene(line("rope", "[0, 0, 0]", "[1, 0, 0]"));
  const StrandsOfModel rope(s.baked.model, s.baked.state, {1});
  const Strands& cut = rope.strands();
  ASSERT_EQ(cut.strands.size(), 3u);
  EXPECT_EQ(cut.strands[0].points, (std::vector<int>{0, 1}));
  EXPECT_EQ(cut.strands[1].points, (std::vector<int>{1, 5}));
  EXPECT_EQ(cut.strands[2].points, (std::vector<int>{2, 3, 4}));
  for (const Strand& strand : cut.strands) EXPECT_EQ(strand.name, "rope");
  const Moment whole = rope.moment(s.baked.state, {}), broken = rope.moment(s.baked.state, {1});
  EXPECT_EQ(whole.x[5], s.baked.state.x[2]);
  EXPECT_EQ(broken.x[5], s.baked.state.x[1]);
  EXPECT_EQ(cut.radius.size(), 6u);
  expect_frames_along(cut, whole);
}

// a ring that breaks once is one open strand beside the segment, whichever segment it is
TEST(StrandsOfModel, ABrokenRingOpensWhereItBreaks) {
  const LoadedScene s = scene(ring);
  for (int broken = 0; broken < 6; ++broken) {
    const StrandsOfModel strands(s.baked.model, s.baked.state, {broken});
    ASSERT_EQ(strands.strands().strands.size(), 2u);
    const auto& all = strands.strands().strands;
    const Strand& rest = all[0].points.size() > 2 ? all[0] : all[1];
    EXPECT_FALSE(rest.closed);
    ASSERT_EQ(rest.points.size(), 6u);
    EXPECT_EQ(rest.points.front(), s.baked.model.segments[broken].vertex[1]);
    EXPECT_EQ(rest.points.back(), s.baked.model.segments[broken].vertex[0]);
    expect_frames_along(strands.strands(), strands.moment(s.baked.state, {}));
  }
}

// every segment of a tree once, all under its name
TEST(StrandsOfModel, ABranchedRodIsCutIntoPaths) {
  const LoadedScene s = load_scene("stiff_tree");
  const Model& model = s.baked.model;
  for (const std::vector<int>& broken : {std::vector<int>{}, std::vector<int>{0, 7}}) {
    const StrandsOfModel strands(model, s.baked.state, broken);
    std::size_t segments = 0;
    std::vector<std::pair<int, int>> edges, wanted;
    for (const Segment& segment : model.segments) wanted.push_back(std::minmax(segment.vertex[0], segment.vertex[1]));
    const Moment moment = strands.moment(s.baked.state, {});
    for (const Strand& strand : strands.strands().strands) {
      segments += strand.segment_count();
      for (std::size_t n = 0; n + 1 < strand.points.size(); ++n) {
        int a = strand.points[n], b = strand.points[n + 1];
        if (b >= int(model.vertices.size()))  // a further point stands where the second vertex is
          b = int(std::find(s.baked.state.x.begin(), s.baked.state.x.end(), moment.x[b]) - s.baked.state.x.begin());
        edges.push_back(std::minmax(a, b));
      }
    }
    std::sort(edges.begin(), edges.end());
    std::sort(wanted.begin(), wanted.end());
    EXPECT_EQ(edges, wanted);
    EXPECT_EQ(segments, model.segments.size());
    EXPECT_LT(strands.strands().strands.size(), model.segments.size() / 2) << "paths are longer than segments";
    expect_frames_along(strands.strands(), moment);
  }
}

TEST(StrandsOfModel, AStateOfAnotherSceneIsRefused) {
  const LoadedScene a = scene(ring), b = scene(line("rope", "[0, 0, 0]", "[1, 0, 0]"));
  EXPECT_THROW(StrandsOfModel(a.baked.model, a.baked.state, {}).moment(b.baked.state, {}), FileError);
}

}  // namespace
}  // namespace tendril::app
