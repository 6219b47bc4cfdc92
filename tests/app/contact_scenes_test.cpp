// the scenes with contact that are made for another solver, under those that take Newton steps: every step is solved,
// and no gap closes

#include <gtest/gtest.h>

#include "run_scene.h"
#include "sim/simulation.h"

namespace tendril::app {
namespace {

struct ContactScene {
  const char *solver, *name;
  std::vector<std::string> sets;  // for a knit or a heap 1e-3 is plenty
  int steps;                      // so many take a few seconds
  int least_contacts;             // at the end: it is about contact
};

class ContactScenes : public testing::TestWithParam<ContactScene> {};

TEST_P(ContactScenes, are_solved) {
  const auto& [solver, name, sets, steps, least_contacts] = GetParam();
  const LoadedScene loaded = load_scene(name, sets, solver);
  const auto simulation = make_simulation(loaded);
  int unsolved = 0, contacts = 0;
  double gap = forever;
  for (int n = 0; n < steps; ++n) {
    const StepReport report = simulation->step();
    unsolved += report.converged ? 0 : 1;
    contacts = report.contacts;
    gap = std::min(gap, report.smallest_gap);
  }
  EXPECT_LE(unsolved, 2 + steps / 1000) << "of " << steps << " steps";  // what snaps may leave a few, and says so
  EXPECT_GE(contacts, least_contacts);
  EXPECT_GT(gap, 0);
}

INSTANTIATE_TEST_SUITE_P(
    All, ContactScenes,
    testing::Values(
        ContactScene{"block", "knots", {"simulation.time_step=0.002", "solver.block.tolerance=1e-4"}, 500, 10},
        ContactScene{"block", "twirled_cable", {"simulation.time_step=0.001", "solver.block.tolerance=1e-4"}, 4200, 5},
        ContactScene{"block", "pile", {"solver.block.tolerance=1e-3"}, 70, 5},
        ContactScene{"block", "knit_twist", {"solver.block.tolerance=1e-3"}, 120, 20},
        ContactScene{"block", "knit_letters", {"solver.block.tolerance=1e-3"}, 60, 1},
        ContactScene{
            "direct", "knots", {"simulation.time_step=0.002", "solver.direct.contact_tolerance=1e-4"}, 300, 10},
        ContactScene{"direct", "pile", {"solver.direct.contact_tolerance=1e-3"}, 70, 5}),
    [](const auto& info) { return std::string(info.param.solver) + "_" + info.param.name; });

}  // namespace
}  // namespace tendril::app
