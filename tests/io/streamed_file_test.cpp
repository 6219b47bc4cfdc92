#include "io/streamed_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include "io/formats.h"
#include "io/moving_take.h"
#include "scratch.h"

namespace tendril::io {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  const std::vector<char> bytes = read_file(path);
  return {bytes.begin(), bytes.end()};
}

TEST(streamed_file, writes_pieces_and_changes_what_it_wrote) {
  const Scratch scratch;
  const fs::path path = scratch / "pieces";
  StreamedFile out(path);
  std::string wanted;
  for (int k = 0; k < 40; ++k) {
    const std::string piece(k % 7 == 0 ? 2'000'000 : 1000, char('a' + k % 26));
    out.write(piece);
    wanted += piece;
    EXPECT_EQ(out.size(), wanted.size());
    if (k == 20) out.overwrite(5, "changed");
  }
  out.write_value(std::uint16_t(0x4241));
  EXPECT_FALSE(fs::exists(path)) << "it has its name only when it is whole";
  out.finish();
  wanted.replace(5, 7, "changed");
  EXPECT_EQ(contents(path), wanted + "AB");
  EXPECT_FALSE(fs::exists(path.string() + ".tmp"));
}

TEST(streamed_file, leaves_nothing_when_it_is_not_finished) {
  const Scratch scratch;
  { StreamedFile(scratch / "part").write("some"); }
  EXPECT_TRUE(fs::is_empty(scratch.path()));
  EXPECT_THROW(StreamedFile("/nowhere/at/all"), ResourceError);
}

// a disk that is full, for every format that we write
TEST(streamed_file, a_full_disk_is_a_resource_error) {
  signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  for (const Format& format : formats()) {
    if (!format.write) continue;
    const Scratch scratch;
    const fs::path path = scratch / ("rods" + format.extension);
    const rlimit small{64, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    EXPECT_THROW(write_rods(moving_take(), path), ResourceError) << format.extension;
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_TRUE(fs::is_empty(scratch.path())) << format.extension;
    EXPECT_THROW(write_rods(moving_take(), "/nowhere/rods" + format.extension), ResourceError);
  }
}

TEST(formats, unknown_ones_name_those_that_there_are) {
  for (const auto& act : std::vector<std::function<void()>>{[] { write_rods(moving_take(), "rods.foo"); },
                                                            [] { read_rods("rods.glb"); }}) {
    try {
      act();
      FAIL();
    } catch (const FileError& error) {
      EXPECT_NE(std::string(error.what()).find(".usda"), std::string::npos) << error.what();
    }
  }
  Take nothing = moving_take();
  nothing.strands.strands.clear();
  const Scratch scratch;
  for (const char* name : {"a.usda", "a.abc", "a.glb", "a.vtp", "a.pvd"})
    EXPECT_THROW(write_rods(nothing, scratch / name), FileError) << name;
}

}  // namespace
}  // namespace tendril::io
