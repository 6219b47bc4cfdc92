#include "session/save_run.h"

#include <gtest/gtest.h>

#include "command_line.h"
#include "io/csv.h"
#include "scratch.h"
#include "session/session_scenes.h"

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

std::vector<char> bytes(const fs::path& path) { return read_file(path); }

int program(std::vector<std::string> words) {
  words.insert(words.begin(), "tendril");
  std::vector<const char*> argv;
  for (const std::string& word : words) argv.push_back(word.c_str());
  return run_command_line(int(argv.size()), argv.data());
}

void save(const Session& session, const fs::path& folder) {
  save_run(session.recipe(), folder, {.program = {{"program", "tendril"}, {"version", TENDRIL_VERSION}}});
}

// all but the wall clock
void expect_same_run(const fs::path& a, const fs::path& b) {
  EXPECT_EQ(bytes(a / "scene.toml"), bytes(b / "scene.toml"));
  EXPECT_EQ(bytes(a / "model.npz"), bytes(b / "model.npz"));
  int frames = 0;
  for (const auto& entry : fs::directory_iterator(a / "frames")) {
    EXPECT_EQ(bytes(entry.path()), bytes(b / "frames" / entry.path().filename())) << entry.path();
    ++frames;
  }
  EXPECT_GT(frames, 10);
  const CsvTable rows = read_csv(a / "metrics.csv"), other = read_csv(b / "metrics.csv");
  ASSERT_EQ(rows.names, other.names);
  for (std::size_t c = 0; c < rows.names.size(); ++c)
    if (rows.names[c] != "step_ms") EXPECT_EQ(rows.columns[c], other.columns[c]) << rows.names[c];
}

TEST(save_run, an_untouched_session_is_the_run_of_the_command_line) {
  const Scratch scratch;
  const std::string file = scratch.write("scene.toml", hanging_rod());
  ASSERT_EQ(program({"run", file, "--out", (scratch / "run").string()}), 0);
  Session session(read_scene_text(file));
  while (session.simulation().step_count() < 100) session.step();
  save(session, scratch / "saved");
  expect_same_run(scratch / "run", scratch / "saved");
  EXPECT_TRUE(read_frame(scratch / "saved" / "frames" / "000030.npz").x == session.simulation().state().x)
      << "and what was seen";
}

TEST(save_run, a_played_session_is_saved_as_it_was_and_goes_on) {
  const Scratch scratch;
  const std::string file = scratch.write("scene.toml", hanging_rod());
  Session session(read_scene_text(file));
  const auto step = [&](int count) {
    for (int n = 0; n < count; ++n) session.step();
  };
  step(5);
  session.grab(0, {.segment = 9, .fraction = 0.5}, {0.5, 0, 0.2});
  step(20);
  session.drag(0, {0, 0.5, 0.2});
  session.move(support_of(session.model(), 0), {{0.1, 0, 1}, {}});
  step(10);
  session.use_solver("direct");
  step(10);
  session.set("material.cord.linear_density", "0.3");
  session.release(0);
  step(5);
  save(session, scratch / "saved");
  EXPECT_EQ(read_frame(scratch / "saved" / "frames" / "000015.npz").x, session.simulation().state().x);
  EXPECT_THROW(save(session, scratch / "saved"), RunFolderError) << "it is in use";

  const std::string scene = (scratch / "saved" / "scene.toml").string();
  ASSERT_EQ(program({"run", scene, "--resume", "--out", (scratch / "saved").string()}), 0);
  EXPECT_TRUE(fs::exists(scratch / "saved" / "frames" / "000030.npz"));
  ASSERT_EQ(program({"convert", (scratch / "saved").string(), (scratch / "last.csv").string()}), 0);
}

TEST(save_run, a_session_beyond_the_end_of_its_scene_is_a_longer_run) {
  const Scratch scratch;
  Session session(read_scene_text(scratch.write("scene.toml", hanging_rod())));
  while (session.simulation().step_count() < 120) session.step();
  save(session, scratch / "saved");
  EXPECT_TRUE(read_frame(scratch / "saved" / "frames" / "000036.npz").x == session.simulation().state().x);
  EXPECT_EQ(open_scene((scratch / "saved" / "scene.toml").string()).baked.settings.duration, 1.2);
}

TEST(save_run, what_is_no_run_says_why) {
  const Scratch scratch;
  Session session(read_scene_text(scratch.write("scene.toml", hanging_rod())));
  session.step();
  session.drop({3, 0, 0}, 0.1, 1);
  EXPECT_THROW(save(session, scratch / "saved"), std::runtime_error);
  EXPECT_FALSE(fs::exists(scratch / "saved"));
  session.reset();
  session.step();
  EXPECT_NO_THROW(save(session, scratch / "saved"));
}

}  // namespace
}  // namespace tendril::app
