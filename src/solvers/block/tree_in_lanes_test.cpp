#include "solvers/block/tree_in_lanes.h"

#include <gtest/gtest.h>

#include "solvers/block/system.h"
#include "solvers/random_rod.h"
#include "solvers/same_bits.h"

namespace tendril::solvers::block {
namespace {

using newton::Scheme;
using solvers::testing::Dice;
using solvers::testing::RodOptions;
using solvers::testing::Scene;

struct Case {
  const char* name;
  bool isotropic = false;
  bool clamped = false;   // at the root
  bool held = false;      // at the root, along two axes
  bool damped = false;    // within, so that the rest moves
  bool turned = false;    // by moments
  bool straight = false;  // most bends, at rest, between turned frames
};

// Curled and moving. Segments point either way, and bends join most of those that meet, in any order.
Scene tree(const Case& c, int segments, int seed) {
  Scene scene;
  Dice dice(seed);
  RodOptions o;
  o.EA = 1e3, o.GA = c.isotropic ? o.EA : 3e2, o.internal_damping = c.damped ? 1e-3 : 0;
  o.EI1 = 2e-3, o.EI2 = c.isotropic ? o.EI1 : 1e-3, o.GJ = c.isotropic ? o.EI1 : 1.5e-3;
  std::vector<std::vector<int>> meet = {{}};
  scene.add_vertex({});
  for (int s = 0; s < segments; ++s) {
    const int from = s < 3 ? s : 1 + dice.up_to(s - 1);
    const Vec3d along = dice.direction();
    o.normal = any_perpendicular(along);
    const int to = scene.add_vertex(scene.state.x[from] + dice.between(0.05, 0.1) * along);
    const int segment = dice.coin(0.3) ? scene.add_segment(to, from, o) : scene.add_segment(from, to, o);
    for (int other : meet[from]) {
      if (dice.coin(0.2)) continue;
      const bool is_first = dice.coin();
      scene.add_bend({is_first ? segment : other, false}, {is_first ? other : segment, false}, 0.1, o);
    }
    meet.emplace_back();
    meet[from].push_back(segment), meet[to].push_back(segment);
  }
  for (Segment& s : scene.model.segments) {
    const double more = dice.decades(0.5, 2);
    s.EA *= more, s.GA *= more, s.linear_inertia = {1e-5, 1e-5, 2e-5};
  }
  for (rod::Bend& b : scene.model.bends) {
    const double more = dice.decades(0.5, 2);
    b.EI1 *= more, b.EI2 *= more, b.GJ *= more;
    b.rest = normalized(dice.turn(0.3) * b.rest);
    if (c.straight && dice.coin(0.8)) b.turn = conjugate(b.rest), b.rest = {};
  }
  if (c.clamped) scene.clamp(0, 0, o);
  if (c.held) {
    Tie tie;
    tie.vertex = 0, tie.body = scene.add_body({}, {scene.state.x[0], {}});
    tie.held[1] = false;
    scene.model.ties.push_back(tie);
  }
  for (Vec3d& v : scene.state.v) v = dice.between(0, 1) * dice.direction();
  for (Vec3d& w : scene.state.omega) w = dice.between(0, 5) * dice.direction();
  for (Quatd& q : scene.state.q) q = normalized(dice.turn(0.1) * q);
  scene.fill_inputs();
  if (c.turned)
    for (int s = 0; s < segments; ++s) scene.inputs.end.moment.push_back(1e-3 * dice.direction());
  return scene;
}

// the potential of a step that begins
struct Step {
  Step(Scene& scene, double h) {
    const int segments = static_cast<int>(scene.model.segments.size());
    problem.reset(scene.model), parts.reset(problem);
    problem.begin_step(scene.inputs, Scheme::implicit_euler(h), scene.state, {});
    problem.set_vertices(scene.inputs, scene.state, {}, {0, segments + 1});
    problem.set_segments(scene.state, {}, {0, Problem::pack_count(segments)});
    problem.set_bends(scene.state, {0, static_cast<int>(problem.bends.size())});
    plan = plan_tree(problem, parts, 0);
    if (plan) load_constants(problem, *plan, constants);
  }
  Problem problem;
  Parts parts;
  std::optional<TreePlan> plan;
  TreeConstants constants;
};

class Trees : public ::testing::TestWithParam<Case> {};

// one step from the same place, and what Newton asks for on the way
TEST_P(Trees, GoWhereTheyGoRowByRow) {
  for (int seed = 0; seed < 12; ++seed) {
    const int segments = 50 + 15 * seed;
    Scene scene = tree(GetParam(), segments, seed);
    Step step(scene, 2e-3);
    const Problem& problem = step.problem;
    ASSERT_EQ(step.parts.count(), 1);
    ASSERT_TRUE(step.plan);
    EXPECT_EQ(step.constants.isotropic, GetParam().isotropic && !GetParam().damped);

    Iterate trial = scene.state, by_rows_trial = trial, at = trial;
    at.q = problem.frame_goal;
    Iterate by_rows = at;
    Prediction prediction(segments), by_rows_prediction(segments);
    System system(problem, step.parts);
    ScalarBlock one(step.parts[0], problem, system, by_rows, by_rows_trial, by_rows_prediction);
    TreeInLanes lanes(problem, step.parts);
    lanes.load(*step.plan, step.constants, at, trial, prediction);
    const double at_start = energy(step.parts[0], problem, trial);
    EXPECT_NEAR(lanes.start_energy(), at_start, 1e-12 * at_start);
    for (int n = 0; n < 3; ++n) {
      const double hessian_share = n == 1 ? 0.5 : 1;
      const auto pass = lanes.factorise(hessian_share), expected = one.factorise(hessian_share);
      ASSERT_TRUE(expected.is_definite && pass.is_definite);
      EXPECT_NEAR(pass.energy, expected.energy, 1e-12 * expected.energy);
      lanes.solve(), one.solve();
      EXPECT_NEAR(lanes.step_size(), one.step_size(), 1e-9 * one.step_size());
      EXPECT_NEAR(lanes.turn_size(), one.turn_size(), 1e-9 * one.turn_size());
      EXPECT_NEAR(lanes.moment_work(), one.moment_work(), 1e-9 * std::abs(one.moment_work()));
      EXPECT_NEAR(lanes.round_off(pass.energy), one.round_off(pass.energy), 1e-9 * one.round_off(pass.energy));
      const double along = one.energy_along(0.3);
      EXPECT_NEAR(lanes.energy_along(0.3), along, 1e-9 * along);
      lanes.advance(0.7, true), one.advance(0.7, true);
      lanes.keep_momentum(true), one.keep_momentum(true);
    }
    for (int i = 0; i <= segments; ++i) EXPECT_LT(norm(at.x[i] - by_rows.x[i]), 1e-11) << i << " of " << segments;
    for (int s = 0; s < segments; ++s) {
      EXPECT_LT(norm((at.q[s] * conjugate(by_rows.q[s])).imaginary()), 1e-10) << s << " of " << segments;
      EXPECT_LT(norm(prediction[s] - by_rows_prediction[s]), 1e-9) << s << " of " << segments;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Block, Trees,
                         ::testing::Values(Case{"free"}, Case{"free_isotropic", true}, Case{"clamped", false, true},
                                           Case{"clamped_isotropic", true, true},
                                           Case{"held_along_two_axes", false, false, true},
                                           Case{"held_isotropic", true, false, true},
                                           Case{"damped_and_turned", false, true, false, true, true},
                                           Case{"damped_isotropic", true, true, false, true},
                                           Case{"straight", false, true, false, false, true, true},
                                           Case{"straight_isotropic", true, true, false, false, true, true},
                                           Case{"straight_damped", true, true, false, true, false, true}),
                         [](const auto& info) { return std::string(info.param.name); });

// a pivot that is not positive is found, in whichever node it is
TEST(Tree, KnowsWhenItIsIndefinite) {
  const int segments = 83;
  for (int pressed = 0; pressed < segments; pressed += 5) {
    Scene scene = tree({"free", true}, segments, 1);
    Step step(scene, 1);
    Prediction prediction(segments);
    prediction[pressed] = {0, 0, -50};
    Iterate trial = scene.state, at = trial;
    at.q = step.problem.frame_goal;
    TreeInLanes lanes(step.problem, step.parts);
    lanes.load(*step.plan, step.constants, at, trial, prediction);
    EXPECT_FALSE(lanes.factorise(1).is_definite) << pressed;
    EXPECT_TRUE(lanes.factorise(0).is_definite) << pressed;
  }
}

// the order of nodes is that of dependence
TEST(Tree, EliminatesWhatHangsOnANodeBeforeIt) {
  for (int seed = 0; seed < 20; ++seed) {
    Scene scene = tree({"free"}, 150, seed);
    const TreePlan plan = *Step(scene, 1e-3).plan;
    int members = 0;
    for (std::size_t n = 0; n < plan.packs.size(); ++n) {
      const TreePlan::Pack& pack = plan.packs[n];
      members += pack.members;
      for (int k = 0; k < pack.members; ++k) {
        EXPECT_GT(pack.parent.slot[k] / strand_lanes, static_cast<int>(n));
        for (int j = pack.first_sibling; j < pack.first_sibling + pack.siblings; ++j)
          EXPECT_GT(plan.siblings[j].node.slot[k] / strand_lanes, static_cast<int>(n));
      }
    }
    EXPECT_EQ(members, 150);
  }
}

// those that do not fill the lanes, rings, and what is held in two places are left to others
TEST(Tree, LeavesWhatIsNoTreeOrTooSlender) {
  RodOptions o;
  o.segments = 40;
  Scene chain;
  chain.add_chain(o), chain.fill_inputs();
  EXPECT_FALSE(Step(chain, 1e-3).plan);

  Scene ring = tree({"free"}, 60, 3);
  ring.add_segment(10, 20, o), ring.fill_inputs();
  Problem problem;
  Parts parts;
  problem.reset(ring.model), parts.reset(problem);
  EXPECT_FALSE(plan_tree(problem, parts, 0));

  Scene held = tree({"clamped", true, true}, 60, 3);  // in a second place, too
  Tie tie;
  tie.vertex = 20, tie.body = held.add_body({}, {held.state.x[20], {}});
  held.model.ties.push_back(tie), held.fill_inputs();
  EXPECT_FALSE(Step(held, 1e-3).plan);
}

// the same bits on any number of threads
TEST(Tree, StepsDoNotDependOnThreads) {
  solvers::testing::expect_same_bits_on_any_number_of_threads(tree({"clamped", true, true}, 200, 5));
}

}  // namespace
}  // namespace tendril::solvers::block
