#include "render_run.h"

#include <gtest/gtest.h>

#include "app/program.h"
#include "app/small_scene.h"
#include "run_scene.h"
#include "verbs.h"

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

class RenderRuns : public testing::Test {
 protected:
  void SetUp() override {
    RunRequest request;
    request.scene = scratch.write("beam.toml", small_scene);
    request.out = run;
    ASSERT_EQ(run_scene(request).exit_code, exit_good);
  }
  // `tendril render` of that run; the exit code
  int render(std::vector<std::string> words) const {
    words.insert(words.begin(), {"render", run});
    const Program program(scratch, words);
    const int code = program.exit_code();
    said = program.output();
    return code;
  }
  std::string file(const std::string& name) const { return (scratch / name).string(); }
  std::string contents(const std::string& name) const {
    std::stringstream text;
    text << std::ifstream(file(name), std::ios::binary).rdbuf();
    return text.str();
  }

  const Scratch scratch;
  const std::string run = (scratch / "run").string();
  mutable std::string said;
};

TEST_F(RenderRuns, TheSamePictureOnAnyNumberOfThreads) {
  for (const char* threads : {"1", "2", "5"})
    ASSERT_EQ(
        render({"-o", file(std::string(threads) + ".png"), "--size", "160x90", "--samples", "4", "--threads", threads}),
        exit_good)
        << said;
  EXPECT_GT(contents("1.png").size(), 500u);
  EXPECT_EQ(contents("1.png"), contents("2.png"));
  EXPECT_EQ(contents("1.png"), contents("5.png"));
}

TEST_F(RenderRuns, EveryColourIsDrawnAndSaysItsScale) {
  for (const char* color : {"strain", "curvature", "twist", "contact", "speed"}) {
    ASSERT_EQ(render({"-o", file("x.png"), "--size", "64x36", "--samples", "1", "--color", color}), exit_good) << said;
    EXPECT_NE(said.find(std::string("colours: ") + color + " from 0"), std::string::npos) << said;
  }
}

TEST_F(RenderRuns, MoviesHoldTheFramesThatAreAskedFor) {
  ASSERT_EQ(render({"-o", file("x.mp4"), "--size", "64x36", "--samples", "1", "--frames", "1:-1", "--fps", "5"}),
            exit_good)
      << said;
  ASSERT_EQ(render({"-o", file("y.mp4"), "--size", "64x36", "--samples", "1", "--frames", "1:-1", "--fps", "5",
                    "--threads", "1"}),
            exit_good);
  EXPECT_EQ(contents("x.mp4"), contents("y.mp4"));
  const std::string count =
      "ffprobe -v error -count_frames -show_entries stream=nb_read_frames,r_frame_rate -of csv=p=0 " + file("x.mp4");
  std::FILE* pipe = popen((count + " 2>/dev/null").c_str(), "r");
  char line[64] = "";
  EXPECT_NE(std::fgets(line, sizeof line, pipe), nullptr);
  pclose(pipe);
  EXPECT_EQ(std::string(line), "5/1,3\n");
}

// camera and colour scale are those of the whole run, so that pictures of its frames belong together; or of one frame
TEST_F(RenderRuns, FramesShareTheirScaleUnlessTheyStandAlone) {
  const auto scale = [&](const std::string& frame, const std::string& fit) {
    EXPECT_EQ(render({"-o", file("x.png"), "--size", "64x36", "--samples", "1", "--frame", frame, "--fit", fit,
                      "--color", "speed"}),
              exit_good)
        << said;
    const std::size_t line = said.find("colours:");
    return said.substr(line, said.find('\n', line) - line);
  };
  EXPECT_EQ(scale("0", "run"), scale("3", "run"));
  EXPECT_EQ(scale("0", "frame"), "colours: speed from 0 (blue) to 0 m/s (red)");  // it begins at rest
  EXPECT_NE(scale("0", "frame"), scale("3", "frame"));
}

// with an eye of one's own the picture is the same whatever is fitted
TEST_F(RenderRuns, AGivenCameraIsTaken) {
  for (const std::string fit : {"run", "frame"})
    ASSERT_EQ(render({"-o", file(fit + ".png"), "--size", "64x36", "--samples", "1", "--no-ground", "--fit", fit,
                      "--camera", "3,-3,1", "0.5,0,0"}),
              exit_good)
        << said;
  ASSERT_EQ(render({"-o", file("left.png"), "--size", "64x36", "--samples", "1", "--no-ground", "--camera", "-3,-3,1",
                    "0.5,0,0"}),
            exit_good);
  EXPECT_NE(contents("run.png"), contents("left.png"));
}

TEST_F(RenderRuns, CtrlCLeavesNoFileAndSaysSo) {
  const Program program(scratch, {"render", run, "-o", file("x.mp4"), "--size", "3840x2160", "--samples", "512"});
  EXPECT_TRUE(program.says("%"));
  program.interrupt();
  EXPECT_EQ(program.exit_code(), exit_interrupted);
  EXPECT_NE(program.output().find("was not written"), std::string::npos) << program.output();
  EXPECT_FALSE(fs::exists(file("x.mp4")));
  EXPECT_FALSE(fs::exists(file("x.mp4.part")));
}

// hours of rays, if it did not look first
TEST_F(RenderRuns, AFolderThatIsNotThereIsSaidBeforeItRenders) {
  for (const char* out : {"absent/x.png", "absent/x.mp4"}) {
    EXPECT_EQ(render({"-o", file(out), "--size", "8192x8192", "--samples", "4096", "--color", "speed"}),
              exit_resource_failed);
    EXPECT_NE(said.find("there is no folder"), std::string::npos) << said;
    EXPECT_EQ(said.find("colours"), std::string::npos) << said;
  }
}

TEST_F(RenderRuns, MistakesAreUsageErrors) {
  EXPECT_EQ(render({"-o", file("x.bmp")}), exit_usage);
  EXPECT_EQ(render({"-o", file("x.png"), "--size", "big"}), exit_usage);
  EXPECT_EQ(render({"-o", file("x.png"), "--camera", "1", "up"}), exit_usage);
  EXPECT_EQ(render({"-o", file("x.mp4"), "--transparent"}), exit_usage);
  EXPECT_NE(said.find("only a .png"), std::string::npos) << said;
  EXPECT_EQ(render({"-o", file("x.mp4"), "--frames", "2:1"}), exit_usage);
  EXPECT_EQ(render({"-o", file("x.mp4"), "--size", "63x35"}), exit_usage);
  EXPECT_EQ(render({"-o", file("x.png"), "--frame", "99"}), exit_bad_scene);
  EXPECT_NE(said.find("the frames 0 to 3"), std::string::npos) << said;
  EXPECT_EQ(render({"-o", file("absent/x.png"), "--size", "64x36", "--samples", "1"}), exit_resource_failed);
  EXPECT_EQ(Program(scratch, {"render", file("nothing"), "-o", file("x.png")}).exit_code(), exit_bad_scene);
}

}  // namespace
}  // namespace tendril::app
