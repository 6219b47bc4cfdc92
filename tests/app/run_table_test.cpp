#include "run_table.h"

#include <gtest/gtest.h>

#include "scratch.h"

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

class RunTables : public testing::Test {
 protected:
  // a run's folder with what a chart needs
  RunTable make(const std::string& name, const std::string& title = "A beam") const {
    fs::create_directory(scratch / name);
    scratch.write(name + "/metrics.csv",
                  "time,kinetic,momentum_x,momentum_y,tip.x,tip.z,tip.vx,base.x\n"
                  "0,1,2,3,4,5,6,7\n0.5,1.5,2.5,3.5,4.5,5.5,6.5,7.5\n");
    scratch.write(name + "/report.json", "{\"title\": \"" + title + "\"}");
    return read_run_table(scratch / name);
  }
  std::vector<std::string> select(const std::vector<std::string>& words) const {
    return select_columns(make("run"), words);
  }

  const Scratch scratch;
};

TEST_F(RunTables, ColumnsByNameBeginningAndPattern) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(select({"kinetic"}), Names{"kinetic"});
  EXPECT_EQ(select({"tip"}), (Names{"tip.x", "tip.z", "tip.vx"}));
  EXPECT_EQ(select({"momentum"}), (Names{"momentum_x", "momentum_y"}));
  EXPECT_EQ(select({"*.x", "tip.?"}), (Names{"tip.x", "base.x", "tip.z"}));  // in the words' order, each once
  EXPECT_EQ(select({"t*"}), (Names{"tip.x", "tip.z", "tip.vx"}));            // time is the axis
}

TEST_F(RunTables, AnUnknownColumnIsAnErrorWithTheNearest) {
  try {
    select({"kinetc"});
    FAIL();
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean \"kinetic\"?"), std::string::npos) << error.what();
  }
  EXPECT_THROW(select({"tip.?z"}), FileError);
  EXPECT_THROW(read_run_table(scratch / "absent"), FileError);
}

// beside a tip that is 5 m away a place of 1e-13 m is round-off
TEST_F(RunTables, RoundOffIsKnownByTheLargestOfTheUnit) {
  EXPECT_DOUBLE_EQ(chart_columns({make("run")}, {"tip.x"}).round_off, 7.5e-12);  // of base.x
  EXPECT_EQ(chart_columns({make("run")}, {"tip.x", "kinetic"}).round_off, 0) << "several units";
}

TEST_F(RunTables, SeveralRunsAreDrawnOverOneAnother) {
  const RunTable a = make("coarse"), b = make("fine");
  const Chart one = chart_columns({a}, {"tip.x", "tip.z"});
  ASSERT_EQ(one.lines.size(), 2u);
  EXPECT_EQ(one.title, "A beam");
  EXPECT_EQ(one.lines[1].name, "tip.z");
  EXPECT_EQ(one.lines[1].x, (std::vector<double>{0, 0.5}));
  EXPECT_EQ(one.lines[1].y, (std::vector<double>{5, 5.5}));
  EXPECT_EQ(one.y_label, "m");

  EXPECT_EQ(chart_columns({a, b}, {"kinetic"}).lines[1].name, "fine");
  const Chart both = chart_columns({a, b}, {"tip.x", "tip.vx"});
  ASSERT_EQ(both.lines.size(), 4u);
  EXPECT_EQ(both.lines[3].name, "fine: tip.vx");
  EXPECT_EQ(both.y_label, "");  // metres and metres per second
  EXPECT_EQ(both.lines[0].color, both.lines[2].color);
  EXPECT_NE(both.lines[0].dash, both.lines[2].dash);
  EXPECT_EQ(chart_columns({a, make("other", "A rope")}, {"kinetic"}).title, "");
}

TEST_F(RunTables, UnitsOfTheColumns) {
  EXPECT_EQ(column_unit("gravity"), "J");
  EXPECT_EQ(column_unit("momentum_x"), "kg m/s");
  EXPECT_EQ(column_unit("a.tip.vz"), "m/s");
  EXPECT_EQ(column_unit("base.fz"), "N");
  EXPECT_EQ(column_unit("base.mx"), "N m");
  EXPECT_EQ(column_unit("tip.qw"), "");
  EXPECT_EQ(column_unit("contacts"), "");
}

TEST_F(RunTables, ResidualsByIteration) {
  const RunTable run = make("run");
  EXPECT_THROW(chart_residuals({run}, -1), FileError);
  scratch.write("run/residuals.csv",
                "step,iteration,residual\n1,1,0.1\n1,2,0.01\n2,1,0.5\n2,2,0.02\n3,1,0.3\n3,2,0.08\n3,3,0.001\n");
  const Chart all = chart_residuals({run}, -1);
  EXPECT_TRUE(all.logarithmic);
  ASSERT_EQ(all.lines.size(), 2u);
  EXPECT_EQ(all.lines[0].x, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(all.lines[0].y, (std::vector<double>{0.3, 0.02, 0.001}));
  EXPECT_EQ(all.lines[1].y, (std::vector<double>{0.5, 0.08, 0.001}));
  EXPECT_EQ(chart_residuals({run}, 1).lines[0].y, (std::vector<double>{0.1, 0.01}));
  EXPECT_THROW(chart_residuals({run}, 9), FileError);
}

}  // namespace
}  // namespace tendril::app
