// curves as a scene file writes them

#include <toml++/toml.h>

#include "scene/curve_checks.h"
#include "scene/document.h"
#include "scene/table.h"

namespace tendril::scene {
namespace {

// a file with one table `curve`
Table curve_table(const std::string& text) {
  auto document = std::make_shared<Document>();
  document->file = "test.toml";
  document->root = toml::parse(text, std::string_view("test.toml"));
  document->key.types = {KeyType::table};
  document->key.keys = {{.name = "curve",
                         .types = {KeyType::table},
                         .keys = {{.name = "type", .types = {KeyType::text}, .required = true}},
                         .selector = "type",
                         .variants = curve_types()}};
  return Table(document).table("curve");
}

Curve make(const std::string& inner, int segments = 0, const Vec3d* normal = nullptr) {
  return make_curve(curve_table("curve = { " + inner + " }"), segments, normal);
}

void expect_scene_error(const std::string& inner, int segments, const std::string& part) {
  try {
    make(inner, segments);
    ADD_FAILURE() << inner << " was not refused";
  } catch (const SceneError& error) {
    EXPECT_NE(std::string(error.what()).find("test.toml:1:"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(CurveTypes, AreAllDocumentedWithReadableDefaults) {
  std::set<std::string> names;
  for (const Key::Variant& type : curve_types()) {
    EXPECT_TRUE(names.insert(type.name).second);
    EXPECT_FALSE(type.meaning.empty());
    for (const Key& key : type.keys) {
      SCOPED_TRACE(type.name + "." + key.name);
      EXPECT_FALSE(key.meaning.empty());
      EXPECT_FALSE(key.types.empty());
      EXPECT_NE(key.required, !key.default_text.empty());
      if (!key.required) {
        EXPECT_NO_THROW(parse_default(key));
      }
    }
  }
  EXPECT_EQ(names, (std::set<std::string>{"line", "arc", "circle", "helix", "polyline", "knot", "file", "tree",
                                          "bridge", "teapot_slinky", "slingshot", "knit"}));
}

TEST(MakeCurve, ReadsEveryType) {
  EXPECT_EQ(make(R"(type = "line", from = [0, 0, 0], to = [1, 0, 0])", 4).points[1], (Vec3d{0.25, 0, 0}));
  EXPECT_NEAR(
      make(R"(type = "arc", center = [0, 0, 0], from = [1, 0, 0], axis = [0, 0, 1], angle = 1.0)", 4).points[4].x,
      std::cos(1.0), 1e-15);
  EXPECT_TRUE(make(R"(type = "circle", radius = 2)", 8).closed);
  const Vec3d normal{0, 1, 0};
  EXPECT_NEAR(make(R"(type = "helix", radius = 2, pitch = 0.1, turns = 3)", 30, &normal).points[0].y, 2, 1e-15);
  EXPECT_NEAR(make(R"(type = "helix", radius = [[0, 1], [1, 2]], pitch = 0.1, turns = 3)", 30).points[30].x, 2, 1e-12);
  EXPECT_EQ(make(R"(type = "polyline", points = [[0, 0, 0], [1, 0, 0], [1, 1, 0]])").edges.size(), 2u);
  EXPECT_TRUE(make(R"(type = "polyline", points = [[0, 0, 0], [1, 0, 0], [1, 1, 0]], closed = true)", 9).closed);
  EXPECT_EQ(make(R"(type = "knot", kind = "figure_eight", size = 0.1, tail = 0.1)", 80).edges.size(), 80u);
  EXPECT_EQ(make(R"(type = "tree")").edges.size(), 3315u);
  EXPECT_EQ(make(R"(type = "tree", vertices = 4000)").points.size(), 4000u);
  EXPECT_EQ(make(R"(type = "tree")", 5000).edges.size(), 5000u);
  EXPECT_EQ(make(R"(type = "bridge")").edges.size(), 2298u);
  EXPECT_EQ(make(R"(type = "slingshot")", 46).points.size(), 44u);
  EXPECT_EQ(make(R"(type = "teapot_slinky")").edges.size(), 2880u);
  EXPECT_EQ(make(R"(type = "knit", rows = 3, columns = 4, stitch_segments = 30)").edges.size(), 360u);
  EXPECT_EQ(make(R"(type = "knit", rows = 6, yarns = 2, threaded = "both")", 5000).points.size(), 5004u);
  EXPECT_EQ(make(R"(type = "teapot_slinky", turns = 20)", 900).edges.size(), 900u);
}

TEST(MakeCurve, NamesTheKeyAtFault) {
  expect_scene_error(R"(type = "line", from = [0, 0, 0], to = [0, 0, 0])", 4, "curve.to");
  expect_scene_error(R"(type = "line", from = [0, 0, 0], to = [1, 0, 0])", 0, "segments");
  expect_scene_error(R"(type = "helix", radius = 0, pitch = 0.1, turns = 3)", 30, "curve.radius");
  expect_scene_error(R"(type = "file", path = "nothing.obj")", 0, "curve.path");
  expect_scene_error(R"(type = "tree", vertices = 4000)", 17, "curve.vertices");
  expect_scene_error(R"(type = "bridge")", 17, "2298");
}

}  // namespace
}  // namespace tendril::scene
