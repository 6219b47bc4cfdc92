#include "solvers/block/strands.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "contact/contact.h"
#include "math/thread_team.h"
#include "rod/stream.h"
#include "solvers/chain.h"
#include "solvers/random_rod.h"

namespace tendril::solvers::block {
namespace {

using newton::Scheme;
using solvers::testing::Dice;
using solvers::testing::RodOptions;
using solvers::testing::Scene;

constexpr int strands = strand_lanes + 3;  // a full bundle, and some that are left over
constexpr int segments = 7;

// each of its own material, place and motion; soft ones snap, so that lanes need line searches of their own
RodOptions material(int k, bool isotropic = false) {
  Dice dice(k);
  RodOptions o;
  o.segments = segments, o.length = dice.between(0.3, 1);
  o.EA = dice.decades(1e2, 1e6), o.GA = o.EA * dice.between(0.2, 1);
  o.EI1 = dice.decades(1e-4, 1), o.EI2 = dice.decades(1e-4, 1), o.GJ = dice.decades(1e-4, 1);
  o.damping = dice.between(0, 1), o.internal_damping = k % 2 ? 1e-3 : 0;
  o.from = {0, 0.1 * k, 0};
  if (isotropic) o.GA = o.EA, o.EI2 = o.GJ = o.EI1, o.internal_damping = 0;
  return o;
}

void add_strand(Scene& scene, int k, bool is_clamped, bool isotropic = false) {
  const RodOptions o = material(k, isotropic);
  const int vertex = static_cast<int>(scene.state.x.size()), segment = static_cast<int>(scene.state.q.size());
  scene.add_chain(o);
  for (int s = 0; s < segments; ++s) scene.model.segments[segment + s].linear_inertia = {1e-4, 1e-4, 2e-4};
  if (is_clamped) scene.clamp(vertex, segment, o);
  Dice dice(100 + k);
  for (int i = 1; i <= segments; ++i) scene.state.v[vertex + i] = dice.between(0, 5) * dice.direction();
  for (int s = 0; s < segments; ++s) scene.state.omega[segment + s] = dice.between(0, 2) * dice.direction();
}

// a solver with the threads that it works on
struct Stepper {
  Stepper(const Scene& scene, const OptionValues& options, int threads)
      : team(std::make_unique<ThreadTeam>(threads)), solver(find_solver("block")->make(options)) {
    solver->reset(scene.model, scene.state, *team);
  }
  Solver* operator->() const { return solver.get(); }
  Solver& operator*() const { return *solver; }

  std::unique_ptr<ThreadTeam> team;
  std::unique_ptr<Solver> solver;
};

Stepper solver_of(const Scene& scene) { return {scene, {{"tolerance", 1e-9}}, 1}; }

struct Case {
  const char* name;
  bool is_clamped, isotropic;
};
class SideBySide : public ::testing::TestWithParam<Case> {};

TEST_P(SideBySide, EachStrandGoesItsOwnWay) {
  Scene all;
  for (int k = 0; k < strands; ++k) add_strand(all, k, GetParam().is_clamped, GetParam().isotropic);
  all.fill_inputs();
  Problem problem;
  Parts parts;
  problem.reset(all.model), parts.reset(problem);
  Bundles bundles = make_bundles<StrandLanes>(problem, parts);
  ASSERT_EQ(bundles.bundles.size(), 2u);
  ASSERT_TRUE(bundles.singles.empty());
  problem.begin_step(all.inputs, Scheme::implicit_euler(5e-3), all.state, {});
  load_constants(problem, parts, bundles.bundles[0]);
  EXPECT_EQ(bundles.bundles[0].constants->kind >= StrandKind::isotropic, GetParam().isotropic);

  const auto together = solver_of(all);
  all.advance(*together, 5e-3, 30);
  for (int k = 0; k < strands; ++k) {
    Scene one;
    add_strand(one, k, GetParam().is_clamped, GetParam().isotropic);
    one.fill_inputs();
    const auto alone = solver_of(one);
    one.advance(*alone, 5e-3, 30);
    for (int i = 0; i <= segments; ++i)
      EXPECT_LT(norm(one.state.x[i] - all.state.x[k * (segments + 1) + i]), 1e-8) << "strand " << k << ", vertex " << i;
    for (int s = 0; s < segments; ++s)
      EXPECT_LT(norm(one.state.omega[s] - all.state.omega[k * segments + s]), 1e-5) << "strand " << k;
  }
}
INSTANTIATE_TEST_SUITE_P(Block, SideBySide,
                         ::testing::Values(Case{"free", false, false}, Case{"clamped", true, false},
                                           Case{"free_isotropic", false, true}, Case{"clamped_isotropic", true, true}),
                         [](const auto& info) { return std::string(info.param.name); });

// forces, moments and drag of each, from its own dice
void push(Scene& scene, int vertex, int segment, int k) {
  Dice dice(200 + k);
  Instant& end = scene.inputs.end;
  end.drag.resize(scene.state.x.size()), end.moment.resize(scene.state.q.size());
  for (int i = 0; i <= segments; ++i)
    end.force[vertex + i] += dice.between(0, 1) * dice.direction(), end.drag[vertex + i] = dice.between(0, 0.5);
  for (int s = 0; s < segments; ++s) end.moment[segment + s] = dice.between(0, 1e-2) * dice.direction();
}

// Strands go from the start of a step to its end by themselves. What stands between them in the Model, and shares packs
// of segments with them, does not.
TEST(Strands, GoByThemselvesAsWithTheOthers) {
  Scene all;
  std::vector<int> vertex, segment;
  for (int k = 0; k < strands; ++k) {
    if (k == 3 || k == strand_lanes) add_strand(all, 50 + k, false);
    vertex.push_back(static_cast<int>(all.state.x.size())), segment.push_back(static_cast<int>(all.state.q.size()));
    add_strand(all, k, true);
  }
  for (Segment& s : all.model.segments) s.internal_damping = 0;
  for (rod::Bend& b : all.model.bends) b.internal_damping = 0;
  all.fill_inputs();
  for (int k = 0; k < strands; ++k) push(all, vertex[k], segment[k], k);
  const auto together = solver_of(all);
  all.advance(*together, 5e-3, 10);
  for (int k = 0; k < strands; ++k) {
    Scene one;
    add_strand(one, k, true);
    for (Segment& s : one.model.segments) s.internal_damping = 0;
    for (rod::Bend& b : one.model.bends) b.internal_damping = 0;
    one.fill_inputs();
    push(one, 0, 0, k);
    const auto alone = solver_of(one);
    one.advance(*alone, 5e-3, 10);
    for (int i = 0; i <= segments; ++i) {
      EXPECT_LT(norm(one.state.x[i] - all.state.x[vertex[k] + i]), 1e-8) << "strand " << k << ", vertex " << i;
      EXPECT_LT(norm(one.state.v[i] - all.state.v[vertex[k] + i]), 1e-5) << "strand " << k << ", vertex " << i;
    }
    for (int s = 0; s < segments; ++s)
      EXPECT_LT(norm(one.state.omega[s] - all.state.omega[segment[k] + s]), 1e-5) << "strand " << k;
  }
}

Stepper solver_in(const char* precision, const Scene& scene, int threads = 1) {
  return {scene, {{"precision", std::string(precision)}}, threads};
}

// the farthest that a strand of floats is from where doubles take it, in one step from where these were, over its
// length
double error_in_float(double h, int steps, bool isotropic, const Vec3d& away = {}, double stiffer = 1) {
  Scene in_double;
  for (int k = 0; k < 2 * strand_lanes + 3; ++k) add_strand(in_double, k, true, isotropic);
  for (Vec3d& x : in_double.state.x) x += away;
  for (Vec3d& x : in_double.state.body_x) x += away;
  for (Segment& s : in_double.model.segments) s.EA *= stiffer, s.GA *= stiffer;
  in_double.fill_inputs();
  Scene in_float = in_double;
  const auto exact = solver_of(in_double), rough = solver_in("float", in_float);
  double error = 0;
  for (int n = 0; n < steps; ++n) {
    in_float.state = in_double.state;
    Contact contact;
    EXPECT_TRUE(rough->step(in_float.inputs, contact, h, in_float.state).converged) << n;
    in_double.advance(*exact, h, 1);
    for (std::size_t i = 0; i < in_double.state.x.size(); ++i)
      error = std::max(error, norm(in_double.state.x[i] - in_float.state.x[i]));
    for (const Quatd& q : in_float.state.q) EXPECT_NEAR(norm(q), 1, 1e-12);
  }
  return error / 0.3;  // the least that one has
}

TEST(StrandsOfFloats, GoWhereDoublesGo) {
  EXPECT_LT(error_in_float(1e-3, 30, false), 2e-6);
  EXPECT_LT(error_in_float(1e-3, 30, true), 2e-6);
  EXPECT_GT(error_in_float(1e-3, 2, true), 1e-13);  // or it was none
}
TEST(StrandsOfFloats, AreNoWorseFarFromTheOrigin) { EXPECT_LT(error_in_float(1e-3, 30, true, {3e3, -2e3, 1e3}), 2e-6); }
// stretching is so stiff that some strands of floats get stuck all the same: 20 of 95 that are solved here
TEST(StrandsOfFloats, AreSolvedInDoubleWhereFloatsAreTooShort) {
  EXPECT_LT(error_in_float(2e-3, 5, true, {}, 1e4), 2e-6);
}
// without a digit of inertia and bending beside it, if it were not kept apart
TEST(StrandsOfFloats, KeepAStiffStretchApart) { EXPECT_LT(error_in_float(2e-3, 5, false, {}, 1e3), 2e-6); }

// what stays in lanes from step to step is saved, too
TEST(Strands, SavedAndLoadedGoOnToTheSameBits) {
  for (const char* precision : {"double", "float"}) {
    Scene scene;
    for (int k = 0; k < strands; ++k) add_strand(scene, k, true);
    scene.fill_inputs();
    const auto solver = solver_in(precision, scene);
    scene.advance(*solver, 2e-3, 5);
    Writer out;
    solver->save(out);
    Scene other = scene;
    const auto loaded = solver_in(precision, other);
    Reader in(out.bytes());
    loaded->load(in);
    scene.advance(*solver, 2e-3, 5), other.advance(*loaded, 2e-3, 5);
    EXPECT_TRUE(scene.state.x == other.state.x && scene.state.q == other.state.q) << precision;
  }
}

TEST(StrandsOfFloats, DoNotDependOnThreads) {
  const auto run = [](int threads) {
    Scene scene;
    for (int k = 0; k < 300; ++k) add_strand(scene, k, true);
    scene.fill_inputs();
    const auto solver = solver_in("float", scene, threads);
    scene.advance(*solver, 2e-3, 5);
    return scene.state;
  };
  const State one = run(1);
  for (int threads : {2, 8}) EXPECT_TRUE(run(threads).x == one.x) << threads;
}

// what is not a number in one strand is no solution of that one, and stays there
TEST(Strands, OneThatHasNoSolutionSaysIt) {
  Scene scene;
  for (int k = 0; k < 4; ++k) add_strand(scene, k, true);
  scene.fill_inputs();
  const int broken = 2;
  scene.inputs.end.force[broken * (segments + 1) + 3].x = std::numeric_limits<double>::quiet_NaN();
  const auto solver = solver_of(scene);
  Contact contact;
  EXPECT_FALSE(solver->step(scene.inputs, contact, 5e-3, scene.state).converged);
  for (int i = 0; i < 4 * (segments + 1); ++i)
    EXPECT_TRUE(i / (segments + 1) == broken || is_finite(scene.state.x[i])) << i;
}

// bundles of equal strands have one set of constants between them, until one of them has others
TEST(Bundles, ShareTheirConstants) {
  Scene scene;
  for (int k = 0; k < 3 * strand_lanes; ++k) add_strand(scene, 0, true);
  for (int b = 0; b < static_cast<int>(scene.model.bends.size()); ++b)
    if (b == static_cast<int>(scene.model.bends.size()) - 2) scene.model.bends[b].EI1 *= 2;
  Problem problem;
  Parts parts;
  problem.reset(scene.model), parts.reset(problem);
  scene.fill_inputs();
  Bundles made = make_bundles<StrandLanes>(problem, parts);
  std::vector<Bundle<StrandLanes>>& bundles = made.bundles;
  ASSERT_EQ(bundles.size(), 3u);
  for (double h : {1e-3, 2e-3}) {
    problem.begin_step(scene.inputs, Scheme::implicit_euler(h), scene.state, {});
    for (Bundle<StrandLanes>& bundle : bundles) load_constants(problem, parts, bundle);
    EXPECT_NE(bundles[0].constants, bundles[1].constants);
    share_constants(bundles);
    EXPECT_EQ(bundles[0].constants, bundles[1].constants);
    EXPECT_NE(bundles[1].constants, bundles[2].constants);
    EXPECT_EQ(bundles[0].constants->version, problem.version);
  }
}

TEST(Bundles, TakeOnlyWhatIsAlike) {
  Scene scene;
  for (int k = 0; k < 4; ++k) add_strand(scene, k, k != 2);  // one is not held
  RodOptions longer = material(0);
  longer.segments = segments + 1, longer.from = {0, 1, 0};
  scene.add_chain(longer);
  Problem problem;
  Parts parts;
  problem.reset(scene.model), parts.reset(problem);
  const Bundles bundles = make_bundles<StrandLanes>(problem, parts);
  ASSERT_EQ(bundles.bundles.size(), 1u);
  const auto& members = bundles.bundles[0].parts;
  EXPECT_EQ(std::set<int>(members.begin(), members.end()), (std::set<int>{0, 1, 3}));
  EXPECT_EQ(bundles.singles, (std::vector<int>{2, 4}));
}

}  // namespace
}  // namespace tendril::solvers::block
