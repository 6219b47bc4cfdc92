#include <gtest/gtest.h>

#include <string>

#include "rod/stream.h"
#include "solvers/stable/first_guess.h"
#include "solvers/stable_scenes.h"

namespace tendril::solvers::stable {
namespace {

using namespace testing;

TEST(StablePaperMode, IsFourSweeps) {
  Scene scene = falling_cantilever(general_rod());
  const Options options = read_options({{"mode", std::string("paper")}});
  EXPECT_EQ(options.lambda, Lambda::approximate);
  StableSolver solver(options);
  ThreadTeam team(1);
  solver.reset(scene.model, scene.state, team);
  Contact contact;
  const StepReport report = solver.step(scene.inputs, contact, 1e-3, scene.state);
  EXPECT_EQ(report.iterations, 4);
  EXPECT_FALSE(report.converged);  // it says that four are too few
  EXPECT_GT(report.residual, 1e-5);
  EXPECT_EQ(report.stages[0].stage, "sweep");
}

// lambda = "exact" is that of Algorithm 1 there, whose shares are kept from step to step, also by checkpoints
TEST(StablePaperMode, StoresItsLambda) {
  const Options options = read_options({{"mode", std::string("paper")}, {"lambda", std::string("exact")}});
  EXPECT_EQ(options.lambda, Lambda::stored);
  RodOptions o;
  o.EA = o.GA = 1;
  Scene whole = falling_cantilever(o), first = whole;
  Contact contact;
  ThreadTeam team(1);
  StableSolver unbroken(options), before(options), after(options);
  unbroken.reset(whole.model, whole.state, team), before.reset(first.model, first.state, team);
  for (int n = 0; n < 6; ++n) unbroken.step(whole.inputs, contact, 1e-2, whole.state);
  for (int n = 0; n < 3; ++n) before.step(first.inputs, contact, 1e-2, first.state);
  Writer out;
  before.save(out);
  Reader in(out.bytes());
  after.reset(first.model, first.state, team);
  after.load(in);
  for (int n = 0; n < 3; ++n) after.step(first.inputs, contact, 1e-2, first.state);
  EXPECT_EQ(largest_distance(whole.state, first.state), 0);
}

// ã of [chen2024]: all of the external acceleration that the last step followed, no less
TEST(StablePaperMode, StartsWhereItsReferenceDoes) {
  StepProblem problem;
  Scene scene = falling_cantilever(general_rod());
  problem.reset(scene.model);
  problem.begin_step(scene.inputs, 0.1, scene.state);
  const int last = static_cast<int>(scene.state.x.size()) - 1;
  History history;
  history.acceleration.assign(scene.state.x.size(), 0.25 * problem.acceleration(last));
  State guess = scene.state;
  const auto fallen = [&](StartRule rule) {
    guess_positions(problem, history, rule, {last, last + 1}, guess);
    const Vec3d way = guess.x[last] - scene.state.x[last] - 0.1 * scene.state.v[last];
    return norm(way) / (0.01 * norm(problem.acceleration(last)));
  };
  EXPECT_NEAR(fallen(StartRule::published), 0.25, 1e-12);
  EXPECT_NEAR(fallen(StartRule::s_curve), 1.0 / 28, 1e-12);  // s³ / (s³ + (1 - s)³)
}

TEST(Registry, FindsTheSolverAndItsOptions) {
  const SolverInfo* info = find_solver("stable");
  ASSERT_TRUE(info);
  EXPECT_FALSE(find_solver("unstable"));
  EXPECT_TRUE(info->capabilities.anisotropic);
  EXPECT_TRUE(info->capabilities.contact);
  OptionValues values;
  for (const OptionInfo& option : info->options) values[option.name] = option.default_value;
  EXPECT_TRUE(info->make(values));
}

}  // namespace
}  // namespace tendril::solvers::stable
