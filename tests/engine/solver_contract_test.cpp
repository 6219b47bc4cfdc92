#include <gtest/gtest.h>

#include "engine/engine.h"
#include "io/csv.h"
#include "scratch.h"

namespace tendril::engine {
namespace {

// What every registered solver owes those who use it.
class SolverContract : public testing::TestWithParam<std::string> {};

// Rods that fall on each other, or apart. Those that cannot stretch are stiffer, and held at one end: between two there
// is no way for them to yield.
std::string rods(bool contact, bool stretches) {
  return std::string(R"(
[simulation]
time_step = 0.004
duration = 0.04
threads = 2
[contact]
enabled = )") +
         (contact ? "true" : "false") + R"(
[material.rubber]
young_modulus = )" +
         (stretches ? "1e6" : "1e8") + R"(
poisson_ratio = 0.4
density = 1000
section = { shape = "circle", radius = 0.01 }
friction = 0.3
[[rod]]
name = "beam"
material = "rubber"
segments = 12
curve = { type = "line", from = [-0.2, 0, 0], to = [0.2, 0, 0] }
clamp = )" +
         (stretches ? R"(["start", "end"])" : R"("start")") + R"(
[[rod]]
name = "stick"
material = "rubber"
segments = 8
curve = { type = "line", from = [0.02, -0.2, 0.021], to = [0.02, 0.2, 0.021] }
velocity = [0, 0, -0.5]
)";
}

struct Places {
  const void *x, *v, *q, *omega, *body_x, *body_q;
  explicit Places(const State& s)
      : x(s.x.data()),
        v(s.v.data()),
        q(s.q.data()),
        omega(s.omega.data()),
        body_x(s.body_x.data()),
        body_q(s.body_q.data()) {}
  bool operator==(const Places&) const = default;
};

// `rods` for a solver, without contact and, if it has it, with
std::vector<std::pair<bool, std::string>> scenes_for(const std::string& solver) {
  const Capabilities can = find_solver(solver)->capabilities;
  std::vector<std::pair<bool, std::string>> all{{false, rods(false, can.extensible)}};
  if (can.contact) all.push_back({true, rods(true, can.extensible)});
  return all;
}

// a view of the State is valid from step to step, through settling and through a saved state
TEST_P(SolverContract, ArraysOfTheStateStayWhereTheyAre) {
  for (const auto& [contact, text] : scenes_for(GetParam()))
    for (const bool in_halves : {false, true}) {
      Engine engine = Engine::open_text(text, "rods.toml", {.solver = GetParam()});
      Simulation& simulation = engine.simulation();
      const Places start(simulation.state());
      const Vec3d before = simulation.state().x.back();
      int contacts = 0;
      for (int n = 0; n < 20; ++n) contacts += simulation.step().contacts;
      EXPECT_EQ(contacts > 0, contact) << "the rods must meet where they can";
      EXPECT_FALSE(simulation.state().x.back() == before) << "they must move";
      EXPECT_EQ(Places(simulation.state()), start) << "contact " << contact;
      if (in_halves) simulation.settle({.max_steps = 3});
      EXPECT_EQ(Places(simulation.state()), start) << "after settling";
      Writer out;
      simulation.save(out);
      Reader in(out.bytes());
      simulation.load(in);
      simulation.step();
      EXPECT_EQ(Places(simulation.state()), start) << "after a saved state";
    }
}

// [output] residuals = true: a row for every iteration of every step, the last of which is the residual of the step
TEST_P(SolverContract, ResidualsHaveARowForEveryIteration) {
  for (const auto& [contact, text] : scenes_for(GetParam())) {
    Engine engine = Engine::open_text(text, "rods.toml", {.sets = {"output.residuals=true"}, .solver = GetParam()});
    const Scratch scratch;
    Recorder recorder(scratch / "run", engine.run_info({}), engine.model(), RunStart::fresh);
    Progress quiet(stderr, Progress::Style::none);
    RunOptions options = engine.run_options();
    options.schedule.frame_rate = 250;  // a frame for every step
    run(engine.simulation(), options, recorder, quiet);
    const CsvTable rows = read_csv(scratch / "run/residuals.csv"), metrics = read_csv(scratch / "run/metrics.csv");
    const auto of_step = [&](const char* name) { return metrics.columns[metrics.find(name)]; };
    std::vector<double> last(metrics.row_count(), -1);
    for (std::size_t row = 0; row < rows.row_count(); ++row)
      last[std::size_t(rows.columns[0][row])] = rows.columns[2][row];
    ASSERT_GT(metrics.row_count(), 5u);
    for (std::size_t step = 1; step < metrics.row_count(); ++step)
      EXPECT_EQ(last[step], of_step("residual")[step]) << "step " << step << ", contact " << contact;
  }
}

// what the registry says is what the solver says
TEST_P(SolverContract, CapabilitiesAreThoseOfTheRegistry) {
  const Capabilities made = find_solver(GetParam())->make({})->capabilities();
  EXPECT_EQ(made.long_steps, find_solver(GetParam())->capabilities.long_steps);
  EXPECT_EQ(made.contact, find_solver(GetParam())->capabilities.contact);
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const SolverInfo& info : registered_solvers()) all.push_back(info.name);
  return all;
}
INSTANTIATE_TEST_SUITE_P(All, SolverContract, testing::ValuesIn(names()),
                         [](const auto& solver) { return solver.param; });

}  // namespace
}  // namespace tendril::engine
