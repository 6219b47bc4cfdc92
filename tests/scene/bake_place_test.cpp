// where things are on a rod: every form of `at`, and the frames that probes report

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <numbers>

#include "rod/frame.h"
#include "scene/bake_text.h"
#include "scratch.h"

namespace tendril::scene {
namespace {

// the vertices that a load with this `at` acts on; the rod has the vertices 0 to 10 at x = 0 … 10
std::vector<int> places(const std::string& at) {
  return baked_wire(R"(
[[rod]]
name = "beam"
material = "wire"
segments = 10
curve = { type = "line", from = [0, 0, 0], to = [10, 0, 0] }
[[load]]
rod = "beam"
force = [1, 0, 0]
at = )" + at + "\n")
      .model.loads.at(0)
      .indices;
}

using Points = std::vector<int>;

TEST(BakePlace, EveryFormOfAt) {
  EXPECT_EQ(places("3"), Points{3});
  EXPECT_EQ(places("-1"), Points{10});
  EXPECT_EQ(places("-11"), Points{0});
  EXPECT_EQ(places("\"start\""), Points{0});
  EXPECT_EQ(places("\"end\""), Points{10});
  EXPECT_EQ(places("\"all\"").size(), 11u);
  EXPECT_EQ(places("\"roots\""), Points{0});
  EXPECT_EQ(places("{ fraction = 0.5 }"), Points{5});
  EXPECT_EQ(places("{ fraction = 0 }"), Points{0});
  EXPECT_EQ(places("{ fraction = 1 }"), Points{10});
  EXPECT_EQ(places("{ fraction = 0.34 }"), Points{3});
  EXPECT_EQ(places("{ near = [6.8, 3, 0] }"), Points{7});
  EXPECT_EQ(places("{ near = [4, 0, 0], radius = 1.5 }"), (Points{3, 4, 5}));
  EXPECT_EQ(places("{ low = [2, -1, 0], high = [4.5, 1, 0] }"), (Points{2, 3, 4}));  // the faces included
  EXPECT_EQ(places("[\"end\", 2, { fraction = 0.5 }]"), (Points{10, 2, 5}));
  EXPECT_EQ(places("[0, \"start\", -11]"), Points{0});  // each once
}

TEST(BakePlace, PartsOfAGeneratedCurve) {
  const auto place = [](const std::string& at) {
    return baked_wire(R"(
[[rod]]
name = "cloth"
material = "wire"
curve = { type = "knit", rows = 3, columns = 4, threaded = "top", yarn_radius = 0.02 }
[[load]]
rod = "cloth"
force = [1, 0, 0]
at = )" + at + "\n");
  };
  const BakedScene thread = place("{ part = \"thread\" }");
  const Points& all = thread.model.loads.at(0).indices;
  ASSERT_FALSE(all.empty());
  double low = 1, high = -1;
  for (int i : all) low = std::min(low, thread.state.x[i].z), high = std::max(high, thread.state.x[i].z);
  EXPECT_NEAR(low, high, 1e-15);  // it is level, and ends with the last vertex
  EXPECT_EQ(all.back(), static_cast<int>(thread.state.x.size()) - 1);
  EXPECT_EQ(all.size() + place("{ part = \"yarn\" }").model.loads.at(0).indices.size(), thread.state.x.size());
  EXPECT_EQ(place("{ part = \"thread\", near = [9, 0, 0] }").model.loads.at(0).indices, Points{all.back()});
  const std::string half = "low = [0, -9, -9], high = [9, 9, 9] }";
  const Points right = place("{ part = \"thread\", " + half).model.loads.at(0).indices;
  EXPECT_EQ(right, Points(all.end() - right.size(), all.end()));
  EXPECT_LE(std::abs(static_cast<int>(2 * right.size()) - static_cast<int>(all.size())), 1);
  EXPECT_GT(place("{ " + half).model.loads.at(0).indices.size(), right.size());
  EXPECT_THROW(place("{ part = \"wool\" }"), SceneError);
}

TEST(BakePlace, AClosedRodEndsWhereItStarts) {
  const auto place = [](const std::string& at) {
    return baked_wire(R"(
[[rod]]
name = "ring"
material = "wire"
segments = 12
curve = { type = "circle", center = [0, 0, 0], axis = [0, 0, 1], radius = 1 }
[[load]]
rod = "ring"
force = [1, 0, 0]
at = )" + at + "\n")
        .model.loads.at(0)
        .indices;
  };
  EXPECT_EQ(place("\"end\""), Points{0});
  EXPECT_EQ(place("{ fraction = 1.0 }"), Points{0});
  EXPECT_EQ(place("{ fraction = 0.99 }"), Points{0});
  EXPECT_EQ(place("{ fraction = 0.75 }"), Points{9});
}

TEST(BakePlace, WrongPlacesSayWhatThereIs) {
  const auto error = [](const std::string& at) {
    return error_of(wire + std::string(R"(
[[rod]]
name = "beam"
material = "wire"
segments = 10
curve = { type = "line", from = [0, 0, 0], to = [10, 0, 0] }
[[load]]
rod = "beam"
force = [1, 0, 0]
at = )") + at + "\n");
  };
  expect_message(error("11"), {"test.toml:16:", "no vertex 11", "0 to 10"});
  expect_message(error("-12"), {"test.toml:16:", "-11 to -1"});
  expect_message(error("\"middle\""), {"test.toml:16:", "\"middle\"", "\"start\""});
  expect_message(error("{ fraction = 1.5 }"), {"test.toml:16:", "from 0 to 1"});
  expect_message(error("{ low = [2.1, 0, 0], high = [2.9, 1, 1] }"), {"test.toml:16:", "no vertex", "box"});
  expect_message(error("{ part = \"thread\" }"), {"test.toml:16:", "no named parts"});
  expect_message(error("{ near = [4.3, 2, 0], radius = 0.1 }"), {"test.toml:16:", "nearest is vertex 4"});
}

// the same tree by an OBJ file whose lines are in any order and direction
BakedScene bake_obj(const std::string& file, const std::string& more) {
  const Scratch folder;
  return baked_wire(fmt::format(R"(
[[rod]]
name = "graph"
material = "wire"
curve = {{ type = "file", path = "{}" }}
{})",
                                folder.write("graph.obj", file), more));
}

TEST(BakePlace, RootsAreTheFirstVerticesOfAllStrands) {
  const std::string strands = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 2 1 0\nv 0 2 0\nv 1 2 0\nl 1 2\nl 3 4 5\nl 6 7\n";
  const BakedScene baked = bake_obj(strands, "clamp = \"roots\"\n");
  std::vector<double> held;  // by their y
  for (const auto& tie : baked.model.ties) held.push_back(baked.state.x[tie.vertex].y);
  EXPECT_EQ(held, (std::vector<double>{0, 1, 2}));
  for (const auto& tie : baked.model.ties) EXPECT_EQ(baked.state.x[tie.vertex].x, 0);
}

TEST(BakePlace, FractionsOfAGraphFollowItsEdgesInAnyOrder) {
  const std::string points = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 2 1 0\nv 4 0 0\n";
  const std::string load = "[[load]]\nrod = \"graph\"\nforce = [1, 0, 0]\nat = { fraction = 0.5 }\n";
  // the way from point 0 to the farthest point is 4 long, so its half is at (2, 0, 0), wherever the edges stand in the
  // file
  for (const char* lines :
       {"l 1 2\nl 2 3\nl 3 4\nl 3 5\n", "l 3 5\nl 3 4\nl 3 2\nl 2 1\n", "l 5 3\nl 4 3\nl 1 2\nl 2 3\n"}) {
    const BakedScene scene = bake_obj(points + lines, load);
    ASSERT_EQ(scene.model.loads.at(0).indices.size(), 1u);
    expect_near(scene.state.x[scene.model.loads[0].indices[0]], {2, 0, 0}, 1e-15);
  }
}

BakedScene rolled_arc(const std::string& rest) {
  return baked_wire(R"(
[[rod]]
name = "arc"
material = "wire"
segments = 9
normal = [0, 0, 1]
curve = { type = "arc", center = [0, 0, 0], from = [2, 0, 0], axis = [0, 0, 1], angle = 2.5 }
)" + rest + R"(
[output]
probe = [{ rod = "arc", at = "start", name = "a" }, { rod = "arc", at = 4, name = "b" },
  { rod = "arc", at = "end", name = "c" }]
)");
}

// a uniform curvature is rolled up exactly: the frame at an end is half a bend beyond its segment, inside it is
// half-way
TEST(BakePlace, ProbesSeeTheSectionOfAnArcExactly) {
  const BakedScene scene = rolled_arc("");
  const double at[] = {0, 4.0 / 9, 1};
  for (int k = 0; k < 3; ++k) {
    const double phi = 2.5 * at[k];
    const Quatd frame = section_frame(scene.state, scene.model.probes.at(k));
    expect_near(director3(frame), {-std::sin(phi), std::cos(phi), 0}, 1e-13);
    expect_near(director1(frame), {0, 0, 1}, 1e-13);
  }
  EXPECT_TRUE(scene.model.probes[0].at_end);
  EXPECT_FALSE(scene.model.probes[1].at_end);
  EXPECT_EQ(scene.model.probes[2].vertex, 9);
}

TEST(BakePlace, ProbesSeeTheTwistToTheVeryEnd) {
  const BakedScene scene = baked_wire(R"(
[[rod]]
name = "cord"
material = "wire"
segments = 8
normal = [0, 1, 0]
twist = 2.0
curve = { type = "line", from = [0, 0, 0], to = [1, 0, 0] }
[output]
probe = [{ rod = "cord", at = "start", name = "a" }, { rod = "cord", at = "end", name = "c" }]
)");
  EXPECT_NEAR(
      angle_between(section_frame(scene.state, scene.model.probes[0]), frame_from_tangent({1, 0, 0}, {0, 1, 0})), 0,
      1e-13);
  const Quatd end = section_frame(scene.state, scene.model.probes[1]);
  expect_near(director1(end), {0, std::cos(2.0), std::sin(2.0)}, 1e-13);
}

TEST(BakePlace, AProbeOnAClosedRodHasNoEnd) {
  const BakedScene scene = baked_wire(R"(
[[rod]]
name = "ring"
material = "wire"
segments = 12
normal = [1, 0, 0]
curve = { type = "circle", center = [0, 0, 0], axis = [0, 0, 1], radius = 1 }
[output]
probe = [{ rod = "ring", at = "start", name = "a" }]
)");
  EXPECT_FALSE(scene.model.probes[0].at_end);
  expect_near(director3(section_frame(scene.state, scene.model.probes[0])), {0, 1, 0}, 1e-13);
}

// a mesh of another kind is named, not read as one without faces
TEST(BakeMesh, OtherKindsOfFilesAreRefusedByName) {
  for (const std::string kind : {"stl", "PLY", "glb"})
    expect_message(error_of(wire +
                            std::string("[[rod]]\nname = \"a\"\nmaterial = \"wire\"\nsegments = 2\n"
                                        "curve = { type = \"line\", from = [0, 0, 0], to = [1, 0, 0] }\n"
                                        "[[obstacle]]\nname = \"o\"\nshape = \"mesh\"\npath = \"head.") +
                            kind + "\"\n"),
                   {"head.", "file; meshes are read from .obj files"});
}

}  // namespace
}  // namespace tendril::scene
