#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <nlohmann/json.hpp>

#include "app/program.h"
#include "io/csv.h"
#include "io/formats.h"
#include "loaded_scene.h"
#include "sim/recorder.h"
#include "verbs.h"

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

const std::string pendulum = R"(
title = "Two ropes swing"
[simulation]
solver = "stable"
time_step = 0.01
duration = 0.2
[material.rubber]
stiffness = { EA = 1e4, GA = 1e4, EI1 = 1e-3, EI2 = 1e-3, GJ = 1e-3 }
linear_density = 0.1
radius = 0.005
[[rod]]
name = "first, long"
material = "rubber"
segments = 5
curve = { type = "line", from = [0, 0, 0], to = [1, 0, 0] }
clamp = ["start"]
[[rod]]
name = "second"
material = "rubber"
segments = 3
curve = { type = "line", from = [0, 1, 0], to = [0.5, 1, 0] }
clamp = ["start"]
)";

class Convert : public testing::Test {
 protected:
  void SetUp() override {
    scene = scratch.write("pendulum.toml", pendulum);
    run = (scratch / "run").string();
    ASSERT_EQ(Program(scratch, {"run", scene, "--out", run}).exit_code(), exit_good);
    last = read_frame(scratch / "run/frames/000006.npz");
  }
  int call(std::vector<std::string> words) {
    const Program program(scratch, std::move(words));
    const int code = program.exit_code();
    output = program.output();
    return code;
  }
  std::string path(const std::string& name) const { return (scratch / name).string(); }

  Scratch scratch;
  std::string scene, run, output;
  State last;
};

// time, rod, vertex, x, y, z with every digit: the frames themselves
TEST_F(Convert, CsvHasEveryVertexOfEveryFrame) {
  ASSERT_EQ(call({"convert", run, path("run.csv")}), exit_good) << output;
  std::ifstream file(path("run.csv"));
  std::string row;
  std::getline(file, row);
  EXPECT_EQ(row, "time,rod,vertex,x,y,z");
  const LoadedScene loaded = load_scene(scene);
  for (int frame = 0; frame < 7; ++frame) {
    const State state = read_frame(scratch / fmt::format("run/frames/{:06}.npz", frame));
    for (const Rod& rod : loaded.baked.model.rods)
      for (std::size_t k = 0; k < rod.vertices.size(); ++k) {
        ASSERT_TRUE(std::getline(file, row));
        const Vec3d& x = state.x[rod.vertices[k]];
        EXPECT_EQ(row, fmt::format("{:.17g},{},{},{:.17g},{:.17g},{:.17g}", state.time,
                                   rod.name == "second" ? "second" : "\"first, long\"", k, x.x, x.y, x.z));
      }
  }
  EXPECT_FALSE(std::getline(file, row));
}

TEST_F(Convert, AFormatOfOneMomentGetsTheLastOrTheOneAskedFor) {
  ASSERT_EQ(call({"convert", run, path("last.obj")}), exit_good) << output;
  ASSERT_EQ(call({"convert", run, path("named.obj"), "--frame", "last"}), exit_good) << output;
  ASSERT_EQ(call({"convert", run, path("third.usda"), "--frame", "3"}), exit_good) << output;
  const Take take = read_rods(path("last.obj"));
  ASSERT_EQ(take.strands.strands.size(), 2u);
  EXPECT_NEAR(norm(take.strands.points[take.strands.strands[0].points.back()] - last.x[5]), 0, 1e-9);
  EXPECT_TRUE(read_file(path("last.obj")) == read_file(path("named.obj")));
  const Take third = read_rods(path("third.usda"));
  const State state = read_frame(scratch / "run/frames/000003.npz");
  ASSERT_EQ(third.times.size(), 1u);
  EXPECT_EQ(cast<float>(third.moment(0).x[5]), cast<float>(state.x[5]));
}

// from format to format, the points stay to the precision of the poorest
TEST_F(Convert, ChainsOfFormatsKeepThePoints) {
  std::string from = run;
  for (const char* name : {"a.npz", "b.usda", "c.bcc", "d.obj", "e.hair"}) {
    ASSERT_EQ(call({"convert", from, path(name)}), exit_good) << output;
    from = path(name);
  }
  const Take take = read_rods(from);
  ASSERT_EQ(take.strands.strands.size(), 2u);
  for (int k = 0; k < 2; ++k)
    for (int n = 0; n < int(take.strands.strands[k].points.size()); ++n)
      EXPECT_NEAR(norm(take.strands.points[take.strands.strands[k].points[n]] - last.x[k * 6 + n]), 0, 1e-6);
}

TEST_F(Convert, ScalesAndTurns) {
  ASSERT_EQ(call({"convert", run, path("turned.npz"), "--up", "y", "--scale", "0.01", "--frame", "last"}), exit_good)
      << output;
  const Take take = read_rods(path("turned.npz"));
  const Moment moment = take.moment(0);
  EXPECT_NEAR(norm(moment.x[5] - 0.01 * Vec3d{last.x[5].x, -last.x[5].z, last.x[5].y}), 0, 1e-15);
  EXPECT_NEAR(take.strands.radius[0], 0.00005, 1e-15);
  const Vec3d d3 = director3(last.q[4]);
  EXPECT_NEAR(norm(director3(moment.q[4]) - Vec3d{d3.x, -d3.z, d3.y}), 0, 1e-12);
}

TEST_F(Convert, MistakesHaveTheirExitCodes) {
  EXPECT_EQ(call({"convert", run, path("x.max")}), exit_usage);
  EXPECT_NE(output.find(".usda"), std::string::npos) << "it lists the formats: " << output;
  EXPECT_EQ(call({"convert", run, path("x.obj"), "--frame", "7"}), exit_usage);
  EXPECT_NE(output.find("0 to 6"), std::string::npos) << output;
  EXPECT_EQ(call({"convert", run, path("x.obj"), "--frame", "first"}), exit_usage);
  EXPECT_EQ(call({"convert", path("nothing.obj"), path("x.obj")}), exit_bad_scene);
  EXPECT_EQ(call({"convert", scratch.write("bad.hair", "HAIR and then nothing"), path("x.obj")}), exit_bad_scene);
  EXPECT_NE(output.find("bad.hair"), std::string::npos) << output;
  EXPECT_EQ(call({"convert", scratch.write("x.max", "?"), path("x.obj")}), exit_bad_scene);
  EXPECT_EQ(call({"convert", scratch.path().string(), path("x.obj")}), exit_bad_scene);
  EXPECT_EQ(call({"convert", run, "/nowhere/x.obj"}), exit_resource_failed);
  EXPECT_EQ(call({"convert", run, "/dev/full/x.obj"}), exit_resource_failed);
  EXPECT_FALSE(fs::exists(path("x.obj")));
}

TEST_F(Convert, AFullDiskIsExit5) {
  signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{200, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const int code = call({"convert", run, path("x.usda")});
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(code, exit_resource_failed);
  EXPECT_FALSE(fs::exists(path("x.usda")));
  EXPECT_FALSE(fs::exists(path("x.usda.tmp")));
}

TEST_F(Convert, InfoCountsAndMeasures) {
  using Json = nlohmann::json;
  const auto info = [&](const std::string& file) {
    EXPECT_EQ(call({"info", file, "--json"}), exit_good) << output;
    return Json::parse(output);
  };
  const Json of_run = info(run), of_scene = info(scene);
  EXPECT_EQ(of_run["kind"], "run");
  EXPECT_EQ(of_run["title"], "Two ropes swing");
  EXPECT_EQ(of_run["state"], "finished");
  EXPECT_EQ(of_run["at_the_end"]["moments"], 7);
  EXPECT_NEAR(of_run["at_the_end"]["time"][1].get<double>(), 0.2, 1e-12);
  EXPECT_EQ(of_scene["kind"], "scene");
  EXPECT_EQ(of_scene["vertices"], 10);
  EXPECT_NEAR(of_scene["at_the_start"]["length"]["total"].get<double>(), 1.5, 1e-12);
  ASSERT_EQ(call({"convert", scene, path("start.npz")}), exit_good) << output;
  const Json rods = info(path("start.npz"));
  EXPECT_EQ(rods["kind"], "rods");
  EXPECT_EQ(rods["strands"], 2);
  EXPECT_EQ(rods["points"], 10);
  EXPECT_EQ(rods["segments"], 8);
  EXPECT_EQ(rods["bounds"], Json({{0, 0, 0}, {1, 1, 0}}));
  EXPECT_EQ(rods["radius"], Json({0.005, 0.005}));
  EXPECT_EQ(call({"info", path("start.npz")}), exit_good);
  EXPECT_NE(output.find("strands          2"), std::string::npos) << output;
  EXPECT_EQ(call({"info", path("nothing")}), exit_bad_scene);
}

}  // namespace
}  // namespace tendril::app
