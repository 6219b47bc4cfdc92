#include "render/movie.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "scratch.h"

namespace tendril::render {
namespace {

namespace fs = std::filesystem;

Picture plain(int width, int height, const Vec3f& color) {
  Picture picture{width, height, {}, {}};
  for (int i = 0; i < width * height; ++i) picture.rgb.insert(picture.rgb.end(), {color.x, color.y, color.z});
  return picture;
}

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// what a program prints
std::string output(const std::string& command) {
  std::string text;
  std::FILE* pipe = popen(command.c_str(), "r");
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += char(c);
  pclose(pipe);
  return text;
}

class Movies : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(std::system("ffmpeg -version >/dev/null 2>&1"), 0) << "the tests need the package ffmpeg";
  }
  // red, then green, then blue
  void make(const std::string& name, const MovieOptions& options) const {
    Movie movie(scratch / name, options);
    for (int k = 0; k < 3; ++k)
      movie.add(plain(options.width, options.height, {k == 0 ? 0.8f : 0, k == 1 ? 0.8f : 0, k == 2 ? 0.8f : 0}));
    movie.finish();
  }
  std::string complaint(const std::string& name, const MovieOptions& options) const {
    try {
      make(name, options);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }
  int file_count() const {
    return int(std::distance(fs::directory_iterator(scratch.path()), fs::directory_iterator()));
  }
  const Scratch scratch;
};

// ffmpeg's own reader finds the frames, their rate, and their colours within what the coding costs
TEST_F(Movies, AreReadBack) {
  for (const std::string name : {"x.mp4", "x.gif"}) {
    make(name, {64, 32, 10});
    const std::string file = (scratch / name).string();
    const std::string about = output(
        "ffprobe -v error -count_frames -show_entries stream=width,height,nb_read_frames,r_frame_rate -of csv=p=0 " +
        file);
    EXPECT_NE(about.find("64,32,10/1,3"), std::string::npos) << name << ": " << about;
    const std::string bytes = output("ffmpeg -loglevel error -i " + file + " -f rawvideo -pix_fmt rgb24 -");
    ASSERT_EQ(bytes.size(), 3u * 64 * 32 * 3) << name;
    for (int frame = 0; frame < 3; ++frame)
      for (int k = 0; k < 3; ++k) {
        const int value = static_cast<unsigned char>(bytes[std::size_t(3 * (64 * 32 * frame + 64 * 16 + 32) + k)]);
        EXPECT_NEAR(value, k == frame ? 231 : 0, 8) << name << " frame " << frame;  // 231 is 0.8 in sRGB
      }
  }
  EXPECT_EQ(file_count(), 2);  // nothing left over
}

TEST_F(Movies, Mp4StartsWithItsIndexAndIsShownEverywhere) {
  make("x.mp4", {64, 32, 30});
  const std::string bytes = contents(scratch / "x.mp4");
  EXPECT_LT(bytes.find("moov"), bytes.find("mdat"));
  EXPECT_EQ(output("ffprobe -v error -show_entries stream=codec_name,pix_fmt,color_space -of csv=p=0 " +
                   (scratch / "x.mp4").string()),
            "h264,yuv420p,bt709\n");
}

TEST_F(Movies, TheSamePicturesMakeTheSameBytes) {
  make("a.mp4", {64, 32, 30}), make("b.mp4", {64, 32, 30});
  EXPECT_EQ(contents(scratch / "a.mp4"), contents(scratch / "b.mp4"));
}

TEST_F(Movies, OneThatIsNotFinishedLeavesNothingAndKeepsWhatWasThere) {
  scratch.write("x.mp4", "older");
  {
    Movie movie(scratch / "x.mp4", {64, 32, 30});
    for (int k = 0; k < 3000 && !fs::exists(scratch / "x.mp4.part"); ++k) movie.add(plain(64, 32, {1, 0, 0}));
    EXPECT_TRUE(fs::exists(scratch / "x.mp4.part"));
  }
  EXPECT_EQ(contents(scratch / "x.mp4"), "older");
  EXPECT_EQ(file_count(), 1);
}

TEST_F(Movies, BadWishesAreRefused) {
  EXPECT_NE(complaint("x.mp4", {63, 31, 30}).find("take 64x32"), std::string::npos);
  EXPECT_NE(complaint("x.avi", {64, 32, 30}).find(".mp4 or a .gif"), std::string::npos);
  EXPECT_NE(complaint("x.mp4", {64, 32, 0}).find("frames per second"), std::string::npos);
  EXPECT_NE(complaint("absent/x.mp4", {64, 32, 30}).find("absent/x.mp4"), std::string::npos);
  EXPECT_EQ(file_count(), 0);
}

// in a process of its own PATH, where ffmpeg is absent or dies
TEST_F(Movies, AMissingOrDyingFfmpegIsExplained) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", scratch.path().c_str(), 1);
  const std::string missing = complaint("x.mp4", {64, 32, 30});
  const std::string script = scratch.write("ffmpeg", "#!/bin/sh\necho 'no such encoder' >&2\nexit 3\n");
  fs::permissions(script, fs::perms::owner_all);
  const std::string dead = complaint("x.mp4", {1280, 720, 30});
  setenv("PATH", path.c_str(), 1);
  EXPECT_NE(missing.find("install the package ffmpeg"), std::string::npos) << missing;
  EXPECT_NE(dead.find("code 3: no such encoder"), std::string::npos) << dead;
  EXPECT_EQ(file_count(), 1);
}

}  // namespace
}  // namespace tendril::render
