#include "sim/folder_lock.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/file.h"
#include "rod/chain.h"
#include "scratch.h"
#include "sim/recorder.h"

namespace tendril::sim {
namespace {

namespace fs = std::filesystem;

std::string refusal(const fs::path& folder) {
  try {
    FolderLock lock(folder);
  } catch (const ResourceError& error) {
    return error.what();
  }
  return "";
}

TEST(folder_lock, has_one_holder) {
  const Scratch scratch;
  const fs::path folder = scratch / "run";
  {
    FolderLock lock(folder);
    EXPECT_NE(refusal(folder).find(folder.string()), std::string::npos) << refusal(folder);
    EXPECT_NE(refusal(folder).find("--out"), std::string::npos) << refusal(folder);
    FolderLock other(scratch / "another");
  }
  EXPECT_EQ(refusal(folder), "");
  EXPECT_TRUE(fs::is_empty(folder)) << "nothing is left of it";
}

TEST(folder_lock, of_a_dead_process_is_gone) {
  const Scratch scratch;
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    FolderLock lock(scratch / "run");
    if (write(ready[1], "x", 1) == 1) pause();
    _exit(1);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_NE(refusal(scratch / "run"), "");
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(fs::exists(scratch.path() / "run" / FolderLock::file_name));
  EXPECT_EQ(refusal(scratch / "run"), "");
}

TEST(folder_lock, removes_its_folder_with_nothing_in_it) {
  const Scratch scratch;
  {
    FolderLock lock(scratch / "empty"), other(scratch / "full");
    scratch.write("full/notes", "mine");
    lock.remove_folder();
    other.remove_folder();
  }
  EXPECT_FALSE(fs::exists(scratch / "empty"));
  EXPECT_TRUE(fs::exists(scratch / "full/notes"));
}

// two runs into one folder, the second as a new one or as the first one's continuation
TEST(recorder, refuses_a_folder_that_is_written_to) {
  const Scratch scratch;
  const Chain c = make_chain({.segments = 2});
  const auto record = [&](RunStart start) {
    return std::make_unique<Recorder>(scratch / "run", RunInfo{"title = \"test\"\n", {}}, c.model, start);
  };
  auto first = record(RunStart::fresh);
  EXPECT_THROW(record(RunStart::fresh), ResourceError);
  EXPECT_THROW(record(RunStart::resume), ResourceError);
  first.reset();
  EXPECT_THROW(record(RunStart::fresh), RunFolderError) << "it holds a run";
  EXPECT_NO_THROW(record(RunStart::resume));
}

TEST(recorder, a_dead_run_s_lock_is_no_content) {
  const Scratch scratch;
  fs::create_directory(scratch / "run");
  scratch.write(std::string("run/") + FolderLock::file_name, "");
  const Chain c = make_chain({.segments = 2});
  EXPECT_NO_THROW(Recorder(scratch / "run", {"title = \"test\"\n", {}}, c.model, RunStart::fresh));
}

}  // namespace
}  // namespace tendril::sim
