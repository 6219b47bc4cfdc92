#include <gtest/gtest.h>

#include "scratch.h"
#include "session/session_scenes.h"

namespace tendril::session {
namespace {

void step(Session& session, int count) {
  for (int n = 0; n < count; ++n) ASSERT_TRUE(session.step());
}

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// frames too: the same State, another solver from there on
TEST(scene_changes, another_solver_goes_on_from_the_same_state) {
  Session session = open_text(hanging_rod());
  session.grab(0, {.segment = 9}, {0.5, 0, 0.2});
  step(session, 50);
  session.release(0);
  for (const char* solver : {"stable", "direct", "block"}) {
    const State before = session.simulation().state();
    EXPECT_TRUE(session.use_solver(solver));
    EXPECT_EQ(session.scene().solver->name, solver);
    const State& after = session.simulation().state();
    EXPECT_TRUE(after.x == before.x && after.v == before.v && after.q == before.q && after.omega == before.omega);
    EXPECT_EQ(after.time, before.time);
    step(session, 1);
    EXPECT_NEAR(session.simulation().time(), before.time + 0.01, 1e-12);
    EXPECT_LT(norm(session.simulation().state().x.back() - before.x.back()), 0.1) << solver;
  }
}

TEST(scene_changes, a_number_keeps_the_state) {
  Session session = open_text(hanging_rod());
  step(session, 10);
  const State before = session.simulation().state();
  EXPECT_TRUE(session.set("material.cord.linear_density", "0.2"));
  EXPECT_TRUE(session.simulation().state().x == before.x);
  EXPECT_EQ(session.simulation().step_count(), 10);
  EXPECT_NEAR(session.model().vertices[5].mass, 0.02, 1e-12);
  step(session, 10);
  EXPECT_TRUE(session.set("simulation.time_step", "0.005")) << "which is no topology either";
  EXPECT_EQ(session.simulation().step_count(), 40);
}

// where the text says it, the text changes, and nothing else of it
TEST(scene_changes, a_number_is_written_where_it_stands) {
  const std::string text = "# a cord — of glass\n" + hanging_rod();
  Session session = open_text(text);
  session.set("material.cord.linear_density", "0.2");
  EXPECT_EQ(session.text().text, changed(text, "linear_density = 0.1", "linear_density = 0.2"));
  EXPECT_TRUE(session.text().sets.empty());
  session.set("material.cord.stiffness.EA", "5000");
  EXPECT_NE(session.text().text.find("{ EA = 5000, GA"), std::string::npos) << session.text().text;
  session.set("rod.rod.curve.to", "[0, 0, -0.1]");
  EXPECT_NE(session.text().text.find("to = [0, 0, -0.1] }"), std::string::npos);
  session.set("rod.rod.twist", "0.1");
  EXPECT_EQ(session.text().sets, std::vector<std::string>{"rod.rod.twist=0.1"}) << "which stood nowhere";
  EXPECT_EQ(session.model().segments[0].EA, 5000);
}

TEST(scene_changes, more_segments_start_anew) {
  Session session = open_text(hanging_rod());
  step(session, 10);
  EXPECT_FALSE(session.set("rod.rod.segments", "12"));
  EXPECT_EQ(session.simulation().step_count(), 0);
  EXPECT_EQ(session.model().segments.size(), 12u);
  EXPECT_FALSE(session.replace(hanging_rod()));
  EXPECT_EQ(session.model().segments.size(), 10u);
}

TEST(scene_changes, a_mistake_gives_its_line_and_changes_nothing) {
  Session session = open_text(hanging_rod());
  step(session, 10);
  const std::string bad = changed(hanging_rod(), "segments = 10", "segmets = 10");
  try {
    session.replace(bad);
    FAIL() << "it was taken";
  } catch (const SceneError& error) {
    const std::vector<SceneProblem> problems = problems_of(error, "scene.toml");
    ASSERT_FALSE(problems.empty());
    const int line = 1 + int(std::count(bad.begin(), bad.begin() + std::ptrdiff_t(bad.find("segmets")), '\n'));
    bool is_found = false;
    for (const SceneProblem& p : problems)
      is_found |= p.line == line && p.column == 1 && p.message.find("segmets") < 100;
    EXPECT_TRUE(is_found) << error.what();
  }
  EXPECT_THROW(session.set("material.cord.radius", "-1"), SceneError);
  EXPECT_THROW(session.use_solver("bloc"), SceneError);
  EXPECT_EQ(session.simulation().step_count(), 10);
  EXPECT_EQ(session.text().text, hanging_rod());
  step(session, 1);
}

TEST(scene_changes, what_would_reach_into_something_is_refused) {
  Session session = open_text(rod_over_ball());
  step(session, 3);
  EXPECT_THROW(session.set("obstacle.ball.radius", "0.25"), SceneError);
  EXPECT_TRUE(session.set("obstacle.ball.radius", "0.15"));
  step(session, 10);
}

// an obstacle that stands elsewhere in the new scene goes there, it does not jump
TEST(scene_changes, what_stands_elsewhere_goes_there) {
  Session session = open_text(rod_over_ball());
  const int ball = session_body(session, "ball");
  session.set("obstacle.ball.center", "[0.1, 0, -0.5]");
  EXPECT_EQ(session.simulation().state().body_x[ball].z, 0);
  step(session, 1);
  EXPECT_GT(session.simulation().state().body_x[ball].z, -0.1);
  step(session, 200);
  EXPECT_NEAR(session.simulation().state().body_x[ball].z, -0.5, 1e-12);
  EXPECT_NEAR(session.simulation().state().body_x[ball].x, 0.1, 1e-12);
}

TEST(scene_changes, gravity_and_wind_are_switched) {
  Session session = open_text(hanging_rod());
  EXPECT_TRUE(session.switch_gravity(false));
  EXPECT_FALSE(session.has_gravity());
  EXPECT_TRUE(session.switch_wind(true, Vec3d{3, 0, 0}));
  EXPECT_TRUE(session.has_wind());
  step(session, 100);
  const double blown = session.simulation().state().x.back().x;
  EXPECT_GT(blown, 0.05);
  EXPECT_TRUE(session.switch_wind(false));
  EXPECT_FALSE(session.has_wind());
  EXPECT_TRUE(session.switch_gravity(true));
  EXPECT_EQ(session.model().gravity.z, -9.81);
  step(session, 400);
  EXPECT_LT(std::abs(session.simulation().state().x.back().x), 0.3 * blown);
}

TEST(scene_changes, a_weight_drops_onto_the_rod) {
  Session session = open_text(rod_over_ball());
  step(session, 50);
  const State before = session.simulation().state();
  const int weight = session.drop({0.25, 0, 0.4}, 0.05, 0.5);
  EXPECT_EQ(session.model().bodies[weight].kind, BodyKind::dynamic);
  EXPECT_TRUE(session.simulation().state().x == before.x);
  EXPECT_EQ(session.simulation().step_count(), 50);
  for (int n = 0; n < 25; ++n) {
    step(session, 1);
    ASSERT_GT(session.report().smallest_gap, 0);
  }
  EXPECT_LT(session.simulation().state().body_x[weight].z, 0.3);
  EXPECT_THROW(session.drop({0, 0, 0}, 0.05, 0.5), SceneError) << "there is the ball";
  session.reset();
  EXPECT_EQ(session.simulation().state().body_x[weight].z, 0.4);
}

TEST(scene_changes, an_edited_scene_reads_nothing_outside_its_folder) {
  const Scratch scratch;
  const std::filesystem::path inside = scratch / "scenes";
  std::filesystem::create_directory(inside);
  const char* const triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
  std::ofstream(scratch / "secret.obj") << triangle;
  std::ofstream(inside / "mesh.obj") << triangle;
  std::filesystem::create_symlink(scratch / "secret.obj", inside / "link.obj");
  Session session(SceneText{(inside / "scene.toml").string(), rod_over_ball()});
  const auto with = [](const std::string& path) {
    return rod_over_ball() + "[[obstacle]]\nname = \"m\"\nshape = \"mesh\"\npath = \"" + path + "\"\nscale = 0.01\n";
  };
  for (const std::string& path :
       {std::string("../secret.obj"), (scratch / "secret.obj").string(), std::string("link.obj"),
        std::string("x/../../secret.obj"), std::string("/etc/passwd")})
    EXPECT_THROW(session.replace(with(path)), SceneError) << path;
  EXPECT_THROW(session.set("rod.rod.curve", "{ type = \"file\", path = \"/etc/passwd\" }"), SceneError);
  EXPECT_EQ(session.text().text, rod_over_ball());
  EXPECT_NO_THROW(session.replace(with("mesh.obj")));
}

}  // namespace
}  // namespace tendril::session
