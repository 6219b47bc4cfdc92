#include "io/file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <cmath>

#include "io/csv.h"
#include "scratch.h"

namespace tendril::io {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  const std::vector<char> bytes = read_file(path);
  return {bytes.begin(), bytes.end()};
}

// files can grow to `bytes` only while it lives: a disk that is full
struct FullDisk {
  explicit FullDisk(rlim_t bytes) {
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit limit{bytes, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() { setrlimit(RLIMIT_FSIZE, &before); }
  rlimit before{};
};

TEST(file, is_written_whole_or_not_at_all) {
  const Scratch folder;
  const fs::path path = folder / "whole.txt";
  write_file(path, std::string("first"));
  {
    const FullDisk full(100);
    EXPECT_THROW(write_file(path, std::string(1000, 'x'), Durable::yes), ResourceError);
  }
  EXPECT_EQ(contents(path), "first");
  EXPECT_FALSE(fs::exists(path.string() + ".tmp"));
  write_file(path, std::string("second"), Durable::yes);
  EXPECT_EQ(contents(path), "second");
}

TEST(file, names_path_and_reason) {
  try {
    write_file("/nowhere/at/all.txt", std::string("x"));
    FAIL();
  } catch (const ResourceError& error) {
    EXPECT_NE(std::string(error.what()).find("/nowhere/at/all.txt"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("No such file"), std::string::npos);
  }
  EXPECT_THROW(make_folder("/dev/null/folder"), ResourceError);
  EXPECT_THROW(read_file("/nowhere"), ResourceError);
}

TEST(file, appends_whole_pieces) {
  const Scratch folder;
  const fs::path path = folder / "rows.csv";
  {
    AppendedFile file(path, 0);
    file.append("a,b\n");
    const FullDisk full(6);
    EXPECT_THROW(file.append("1,2\n3,4\n"), ResourceError);
  }
  EXPECT_EQ(contents(path), "a,b\n");
  {
    AppendedFile file(path, 4);
    file.append("5,6\n");
    file.flush_to_disk();
    EXPECT_EQ(file.size(), 8u);
  }
  AppendedFile(path, 4).append("7,8\n");
  EXPECT_EQ(contents(path), "a,b\n7,8\n");
  EXPECT_THROW(AppendedFile(path, 100), FileError);
}

TEST(file, dev_full_is_an_error) {
  AppendedFile file("/dev/full", 0);
  EXPECT_THROW(file.append("x"), ResourceError);
}

TEST(csv, reads_numbers_and_leaves_out_a_cut_row) {
  const CsvTable t = parse_csv("time,tip.z,gap\n0,1.5,inf\n1,-2e-3,nan\n2,3", "m.csv");
  EXPECT_EQ(t.row_count(), 2u);
  EXPECT_EQ(t.columns[std::size_t(t.find("tip.z"))][1], -2e-3);
  EXPECT_TRUE(std::isinf(t.columns[2][0]));
  EXPECT_EQ(t.find("tip"), -1);
  EXPECT_THROW(parse_csv("a,b\n1\n", "m.csv"), FileError);
  EXPECT_THROW(parse_csv("a\nx\n", "m.csv"), FileError);
}

}  // namespace
}  // namespace tendril::io
