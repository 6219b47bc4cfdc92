#include <gtest/gtest.h>

#include <cmath>

#include "app/program.h"
#include "app/small_scene.h"
#include "comparison.h"
#include "verbs.h"

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

TEST(Compare, SolversWithOptionsOfTheirOwn) {
  const std::vector<Contender> two = read_contenders("stable,stable:iterations=32:precision=float");
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0].solver, "stable");
  EXPECT_TRUE(two[0].sets.empty());
  EXPECT_EQ(two[1].sets, (std::vector<std::string>{"solver.stable.iterations=32", "solver.stable.precision=float"}));
  EXPECT_EQ(two[1].folder_name(), "stable-iterations=32-precision=float");
}

TEST(Compare, MistakesAreNamed) {
  for (const auto& [words, said] :
       {std::pair{"stabel", "did you mean \"stable\"?"},
        std::pair{"stable:itrations=3", "did you mean \"iterations\"?"}, std::pair{"stable:iterations", "OPTION=VALUE"},
        std::pair{"stable,stable", "twice"}, std::pair{"", "no solver"}}) {
    try {
      read_contenders(words);
      FAIL() << words;
    } catch (const CLI::ValidationError& error) {
      EXPECT_NE(std::string(error.what()).find(said), std::string::npos) << error.what();
    }
  }
}

// 3-4-5 apart at the end, further in between
TEST(Compare, DistancesOfProbes) {
  const CsvTable a = parse_csv("time,p.x,p.y,p.z,lone.x\n0,0,0,0,1\n1,0,0,0,1\n2,0,0,0,1\n3,9,9,9,9\n", "a");
  const CsvTable b = parse_csv("time,p.x,p.y,p.z,lone.x\n0,0,0,0,1\n1,0,6,8,1\n2,3,0,4,1\n", "b");
  const std::vector<ProbeDistance> distances = probe_distances(a, b);
  ASSERT_EQ(distances.size(), 1u);  // a lone x is no probe
  EXPECT_EQ(distances[0].probe, "p");
  EXPECT_DOUBLE_EQ(distances[0].at_end, 5);
  EXPECT_DOUBLE_EQ(distances[0].largest, 10);
}

Outcome outcome(const std::string& label, const std::string& metrics) {
  Outcome o{{label, label, {}}, 0, "", {}, 0, 0, 0, {}};
  o.result.frames = 2;
  o.table = {"", label, "title", parse_csv(metrics, label)};
  return o;
}

// differences from the first, probe by probe; nothing else
TEST(Compare, TheChartShowsDifferences) {
  const std::vector<Outcome> three{
      outcome("a", "time,p.x,p.y,p.z,q.x,q.y,q.z\n0,100,0,0,1,1,1\n1,100,0,0,1,1,1\n"),
      outcome("b", "time,p.x,p.y,p.z,q.x,q.y,q.z\n0,100,0,0,1,1,1\n1,103,0,4,1,1,1\n2,0,0,0,0,0,0\n"),
      outcome("c", "time,p.x,p.y,p.z,q.x,q.y,q.z\n0,100,0,0,1,1,1\n1,100,0,0,1,1.5,1\n")};
  const Chart chart = comparison_chart(three);
  ASSERT_EQ(chart.lines.size(), 4u);
  EXPECT_EQ(chart.lines[0].name, "b: p");
  EXPECT_EQ(chart.lines[0].x, (std::vector<double>{0, 1}));
  EXPECT_EQ(chart.lines[0].y, (std::vector<double>{0, 5}));
  EXPECT_EQ(chart.lines[1].y, (std::vector<double>{0, 0}));
  EXPECT_EQ(chart.lines[3].y, (std::vector<double>{0, 0.5}));
  EXPECT_EQ(chart.y_label, "distance from a [m]");
  EXPECT_TRUE(chart.logarithmic);
  EXPECT_FALSE(comparison_chart({three[0], three[0]}).logarithmic) << "zero has no logarithm";

  const std::vector<Outcome> bare{outcome("a", "time,kinetic,elastic\n0,1,2\n1,3,4\n"),
                                  outcome("b", "time,kinetic,elastic\n0,1,2\n1,2.5,4.25\n")};
  EXPECT_EQ(comparison_chart(bare).lines[0].y, (std::vector<double>{0, 0.5}));
  EXPECT_EQ(comparison_chart(bare).lines[1].y, (std::vector<double>{0, 0.25}));
}

TEST(Compare, RunsAreKeptAndComparedAndDrawn) {
  const Scratch scratch;
  const std::string scene = scratch.write("beam.toml", small_scene), out = (scratch / "all").string();
  const Program program(scratch,
                        {"compare", scene, "--solvers", "stable,stable:iterations=1:tolerance=0", "--out", out});
  EXPECT_EQ(program.exit_code(), exit_good) << program.output();
  for (const char* folder : {"stable", "stable-iterations=1-tolerance=0"}) {
    EXPECT_TRUE(fs::exists(fs::path(out) / folder / "metrics.csv")) << folder;
    EXPECT_TRUE(fs::exists(fs::path(out) / folder / "frames/000003.npz")) << folder;
  }
  EXPECT_TRUE(fs::exists(fs::path(out) / "compare.png"));
  const std::string text = program.output();
  EXPECT_NE(text.find("1 of 1 expectations met"), std::string::npos) << text;
  EXPECT_NE(text.find("distance of probes from those of stable"), std::string::npos) << text;
  // the option was used: one sweep, and another result
  const CsvTable exact = read_csv(fs::path(out) / "stable/metrics.csv");
  const CsvTable rough = read_csv(fs::path(out) / "stable-iterations=1-tolerance=0/metrics.csv");
  EXPECT_EQ(rough.columns[std::size_t(rough.find("iterations"))].back(), 1);
  EXPECT_GT(probe_distances(exact, rough).at(0).largest, 1e-9);

  EXPECT_EQ(Program(scratch, {"compare", scene, "--solvers", "stable", "--out", out}).exit_code(), exit_usage)
      << "in use";
  EXPECT_EQ(Program(scratch, {"compare", scene, "--solvers", "none"}).exit_code(), exit_usage);
}

}  // namespace
}  // namespace tendril::app
