#include "solvers/block/cut_strand.h"

#include <gtest/gtest.h>

#include "math/thread_team.h"
#include "solvers/block/system.h"
#include "solvers/newton/retraction.h"
#include "solvers/newton/scalar_block.h"
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
  bool first = false, last = false;  // clamped
  bool middle = false;               // along two axes
  bool damped = false;               // within, so that the rest moves
  bool turned = false;               // by moments
};

// curled, twisted and moving, with a material that changes along it
Scene rod(const Case& c, int segments) {
  Scene scene;
  Dice dice(segments);
  RodOptions o;
  o.segments = segments, o.EA = 1e3, o.GA = c.isotropic ? o.EA : 3e2, o.internal_damping = c.damped ? 1e-3 : 0;
  o.EI1 = 2e-3, o.EI2 = c.isotropic ? o.EI1 : 1e-3, o.GJ = c.isotropic ? o.EI1 : 1.5e-3;
  scene.add_chain(o);
  for (Segment& s : scene.model.segments) {
    const double more = dice.decades(0.5, 2);
    s.EA *= more, s.GA *= more, s.linear_inertia = {1e-5, 1e-5, 2e-5};
  }
  for (rod::Bend& b : scene.model.bends) {
    const double more = dice.decades(0.5, 2);
    b.EI1 *= more, b.EI2 *= more, b.GJ *= more;
    b.rest = dice.turn(0.3);
  }
  if (c.first) scene.clamp(0, 0, o);
  if (c.last) scene.clamp(segments, segments - 1, o);
  if (c.middle) {
    Tie tie;
    tie.vertex = segments / 3, tie.body = scene.add_body({}, {scene.state.x[segments / 3], {}});
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

class CutStrands : public ::testing::TestWithParam<Case> {};

// one step from the same place, and what Newton asks for on the way
TEST_P(CutStrands, GoWhereTheyGoUncut) {
  for (int segments : {8 * strand_lanes, 8 * strand_lanes + 1, 9 * strand_lanes - 1, 131}) {
    Scene scene = rod(GetParam(), segments);
    Problem problem;
    Parts parts;
    problem.reset(scene.model), parts.reset(problem);
    ASSERT_EQ(parts.count(), 1);
    ASSERT_EQ(make_bundles<StrandLanes>(problem, parts).long_strands, std::vector<int>{0});
    problem.begin_step(scene.inputs, Scheme::implicit_euler(2e-3), scene.state, {});
    problem.set_vertices(scene.inputs, scene.state, {}, {0, segments + 1});
    problem.set_segments(scene.state, {}, {0, Problem::pack_count(segments)});
    problem.set_bends(scene.state, {0, static_cast<int>(problem.bends.size())});

    Iterate at = scene.state;
    for (int s = 0; s < segments; ++s) at.q[s] = problem.frame_goal[s];  // as a first guess is
    const Iterate start = at;
    Iterate uncut = at, trial = at;
    Prediction prediction(segments), uncut_prediction(segments);
    System system(problem, parts);
    place_by_guess(parts[0], problem, scene.state, uncut_prediction, uncut);
    ScalarBlock one(parts[0], problem, system, uncut, trial, uncut_prediction);
    Cut cut = cut_strand(problem, parts, 0);
    load_constants(problem, parts, cut);
    EXPECT_EQ(cut.pieces.constants->kind >= StrandKind::isotropic,
              GetParam().isotropic && !GetParam().middle && !(GetParam().last && cut.empty() > 0));
    CutStrand pieces(problem, parts);
    load_weights(problem, cut), load_predictions(prediction, cut.pieces);
    pieces.load(cut, at, start, scene.state);
    for (int n = 0; n < 2; ++n) {
      const double hessian_share = 0.25;
      const auto pass = pieces.factorise(hessian_share);
      const auto expected = one.factorise(hessian_share);
      ASSERT_TRUE(expected.is_definite && pass.is_definite);
      EXPECT_NEAR(pass.energy, expected.energy, 1e-12 * expected.energy);
      pieces.solve(), one.solve();
      EXPECT_NEAR(pieces.step_size(), one.step_size(), 1e-9 * one.step_size());
      EXPECT_NEAR(pieces.turn_size(), one.turn_size(), 1e-9 * one.turn_size());
      EXPECT_NEAR(pieces.moment_work(), one.moment_work(), 1e-9 * std::abs(one.moment_work()));
      EXPECT_LE(pieces.round_off(pass.energy), one.round_off(pass.energy));  // counted from the first guess
      const double along = one.energy_along(0.3);
      EXPECT_NEAR(pieces.energy_along(0.3), along, 1e-9 * along);
      pieces.advance(0.7, true), one.advance(0.7, true);
      pieces.keep_momentum(true), one.keep_momentum(true);
    }
    pieces.store(), store_predictions(cut.pieces, prediction);
    for (int i = 0; i <= segments; ++i) EXPECT_LT(norm(at.x[i] - uncut.x[i]), 1e-11) << i << " of " << segments;
    for (int s = 0; s < segments; ++s) {
      EXPECT_LT(norm((at.q[s] * conjugate(uncut.q[s])).imaginary()), 1e-10) << s << " of " << segments;
      EXPECT_LT(norm(prediction[s] - uncut_prediction[s]), 1e-9) << s << " of " << segments;
    }
    pieces.go_back(true);
    const double at_start = energy(parts[0], problem, start);
    EXPECT_NEAR(pieces.factorise(1).energy, at_start, 1e-12 * at_start);
    EXPECT_NEAR(pieces.start_energy(), at_start, 1e-12 * at_start);
  }
}
INSTANTIATE_TEST_SUITE_P(Block, CutStrands,
                         ::testing::Values(Case{"free"}, Case{"free_isotropic", true}, Case{"clamped", false, true},
                                           Case{"clamped_isotropic", true, true},
                                           Case{"clamped_at_the_other_end", true, false, true},
                                           Case{"clamped_at_both", false, true, true, false, true},
                                           Case{"held_in_the_middle", true, true, false, true},
                                           Case{"turned", true, false, false, false, false, true}),
                         [](const auto& info) { return std::string(info.param.name); });

// a pivot that is not positive is found, in whichever piece it is or between them
TEST(CutStrand, KnowsWhenItIsIndefinite) {
  const int segments = 8 * strand_lanes + 3;
  for (int pressed = 0; pressed < segments; pressed += 5) {
    Scene scene = rod({"free", true}, segments);
    Problem problem;
    Parts parts;
    problem.reset(scene.model), parts.reset(problem);
    problem.begin_step(scene.inputs, Scheme::implicit_euler(1), scene.state, {});
    problem.set_vertices(scene.inputs, scene.state, {}, {0, segments + 1});
    problem.set_segments(scene.state, {}, {0, Problem::pack_count(segments)});
    Prediction prediction(segments);
    prediction[pressed] = {0, 0, -50};
    Cut cut = cut_strand(problem, parts, 0);
    load_constants(problem, parts, cut);
    CutStrand pieces(problem, parts);
    load_weights(problem, cut), load_predictions(prediction, cut.pieces);
    pieces.load(cut, scene.state, scene.state, scene.state);
    EXPECT_FALSE(pieces.factorise(1).is_definite) << pressed;
    EXPECT_TRUE(pieces.factorise(0).is_definite) << pressed;
  }
}

// some of each kind: the same bits on any number of threads
TEST(CutStrand, StepsDoNotDependOnThreads) {
  Scene scene;
  for (int k = 0; k < 3; ++k) {
    RodOptions o;
    o.segments = 300 + 50 * (k / 2), o.EI1 = o.EI2 = o.GJ = 1e-3, o.from = {0, 0.2 * k, 0};
    const int vertex = static_cast<int>(scene.state.x.size()), segment = static_cast<int>(scene.state.q.size());
    scene.add_chain(o);
    scene.clamp(vertex, segment, o);
  }
  scene.fill_inputs();
  solvers::testing::expect_same_bits_on_any_number_of_threads(scene);
}

}  // namespace
}  // namespace tendril::solvers::block
