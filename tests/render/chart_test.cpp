#include "render/chart.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "scratch.h"

namespace tendril {
namespace {

namespace fs = std::filesystem;

class Chart : public testing::Test {
 protected:
  void SetUp() override {
    csv = scratch.write("metrics.csv", "time,kinetic,min_gap,tip.z\n0,1,inf,0\n0.5,2,inf,-1\n1,4,0.1,-2\n");
  }

  static std::string contents(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string complaint(const std::vector<std::string>& columns, const fs::path& out) const {
    try {
      plot_csv(csv, columns, out, "title");
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }
  int file_count() const { return int(std::distance(fs::directory_iterator(folder), fs::directory_iterator())); }

  const Scratch scratch{fs::temp_directory_path(), "tendril it's a chart "};
  const fs::path& folder = scratch.path();
  fs::path csv;
};

TEST_F(Chart, DrawsSvgWithTheNamesOfItsColumns) {
  plot_csv(csv, {"kinetic", "tip.z"}, folder / "chart.svg", "Energy isn't everything");
  const std::string svg = contents(folder / "chart.svg");
  EXPECT_NE(svg.find("tip.z"), std::string::npos);
  EXPECT_NE(svg.find("kinetic"), std::string::npos);
  EXPECT_NE(svg.find("everything"), std::string::npos);
  EXPECT_EQ(file_count(), 2);  // the table and the chart, nothing left over
}

TEST_F(Chart, DrawsPng) {
  plot_csv(csv, {"min_gap"}, folder / "chart.png", "gap");
  EXPECT_EQ(contents(folder / "chart.png").substr(1, 3), "PNG");
}

TEST_F(Chart, SuggestsTheNearestColumn) {
  EXPECT_NE(complaint({"kinetc"}, folder / "chart.png").find("did you mean 'kinetic'?"), std::string::npos);
  EXPECT_EQ(file_count(), 1);
}

TEST_F(Chart, RefusesOtherFormatsAndNoColumns) {
  EXPECT_NE(complaint({"kinetic"}, folder / "chart.bmp").find(".png or .svg"), std::string::npos);
  EXPECT_NE(complaint({}, folder / "chart.png"), "");
  EXPECT_NE(complaint({"kinetic"}, folder / "absent" / "chart.png").find("folder"), std::string::npos);
}

TEST_F(Chart, SaysWhenGnuplotIsMissing) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder.c_str(), 1);
  const std::string message = complaint({"kinetic"}, folder / "chart.png");
  setenv("PATH", path.c_str(), 1);
  EXPECT_NE(message.find("install the package gnuplot"), std::string::npos) << message;
}

}  // namespace
}  // namespace tendril
