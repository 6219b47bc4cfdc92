#include "solvers/cartesian/solver.h"

#include <gtest/gtest.h>

#include <cmath>

#include "contact/contact.h"
#include "math/thread_team.h"
#include "rod/energy.h"
#include "solvers/cartesian/kernels.h"
#include "solvers/chain.h"

namespace tendril::solvers::cartesian {
namespace {

using solvers::testing::RodOptions;
using solvers::testing::Scene;

constexpr double h = 0.01;

RodOptions cord() {
  RodOptions o;
  o.segments = 12, o.linear_density = 0.2;
  o.EI1 = o.EI2 = 0.05, o.GJ = 0.04, o.EA = o.GA = 1e9;
  return o;
}

// a cord that falls from its clamp and is pulled aside
Scene falling() {
  Scene scene = cantilever(cord());
  scene.model.gravity = {0, 0, -9.81};
  for (Segment& s : scene.model.segments) s.linear_inertia = {2e-5, 2e-5, 4e-5};
  scene.fill_inputs();
  for (Instant* instant : {&scene.inputs.begin, &scene.inputs.end}) instant->force.back() += Vec3d{0, 0.5, 0};
  return scene;
}

struct Fall {
  Scene scene = falling();
  int iterations = 0;
  bool converged = true;
};
Fall run(const std::string& solver, const OptionValues& options, int steps = 30) {
  Fall out;
  const auto made = find_solver(solver)->make(options);
  ThreadTeam team(1);
  made->reset(out.scene.model, out.scene.state, team);
  Contact contact;
  for (int n = 0; n < steps; ++n) {
    const StepReport report = made->step(out.scene.inputs, contact, h, out.scene.state);
    EXPECT_TRUE(report.failure.empty());
    out.iterations += report.iterations, out.converged &= report.converged;
  }
  return out;
}

double largest_violation(const Scene& scene) {
  double largest = 0;
  for (std::size_t s = 0; s < scene.model.segments.size(); ++s) {
    const auto [i, j] = scene.model.segments[s].vertex;
    const double l = scene.model.segments[s].rest_length;
    const Vec3d c = violation(l, scene.state.x[j] - scene.state.x[i], rotation_matrix(scene.state.q[s]));
    largest = std::max(largest, norm(c) / l);
  }
  return largest;
}

double distance(const Scene& a, const Scene& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.state.x.size(); ++i) largest = std::max(largest, norm(a.state.x[i] - b.state.x[i]));
  return largest;
}

TEST(Kkt, MeetsItsConstraintsWhereItConverges) {
  const Fall solved = run("kkt", {});
  EXPECT_TRUE(solved.converged);
  EXPECT_LT(solved.iterations, 30 * 8) << "Newton's method converges quadratically";
  EXPECT_LT(largest_violation(solved.scene), 1e-12);
  EXPECT_LT(solved.scene.state.x.back().z, -0.2) << "it fell";
  const Fall early = run("kkt", {{"iterations", 1}});
  EXPECT_FALSE(early.converged);
  EXPECT_GT(largest_violation(early.scene), 1e-6) << "one iteration is not enough";
}

// springs yield by their forces over the weight
TEST(Penalty, YieldsByTheInverseOfItsWeight) {
  const Scene kkt = run("kkt", {}).scene;
  const Fall soft = run("penalty", {{"weight", 1e5}}), stiff = run("penalty", {{"weight", 1e6}});
  EXPECT_TRUE(soft.converged && stiff.converged);
  EXPECT_NEAR(distance(soft.scene, kkt) / distance(stiff.scene, kkt), 10, 0.5);
  EXPECT_NEAR(largest_violation(soft.scene) / largest_violation(stiff.scene), 10, 0.5);
  EXPECT_LT(distance(stiff.scene, kkt), 1e-4);
}

// a rod that hangs straight: each segment carries what is below it
TEST(Kkt, TellsWhatItsSegmentsCarry) {
  RodOptions o = cord();
  o.along = {0, 0, -1}, o.normal = {1, 0, 0};
  Scene scene = cantilever(o);
  scene.model.gravity = {0, 0, -9.81};
  scene.fill_inputs();
  const auto solver = find_solver("kkt")->make({});
  ThreadTeam team(1);
  solver->reset(scene.model, scene.state, team);
  scene.advance(*solver, h, 1);
  double weight = 0;
  for (int s = 11; s >= 0; --s) {
    weight += 9.81 * scene.model.vertices[s + 1].mass;
    EXPECT_LT(norm(solver->constraint_forces()[s] - Vec3d{0, 0, -weight}), 1e-9) << s;
  }
}

// a physical rod, nearly inextensible, is another way to the same limit
TEST(Kkt, IsTheLimitOfStiffRods) {
  const Scene kkt = run("kkt", {}).scene;
  const Fall block = run("block", {{"tolerance", 1e-10}});
  EXPECT_LT(distance(block.scene, kkt), 1e-7);
}

// as in Fig. 8 [zhao2022]: a large weight and few iterations hold the rod back
TEST(Penalty, IsHeldBackByFewIterations) {
  const double solved = run("penalty", {{"weight", 1e9}}).scene.state.x.back().z,
               early = run("penalty", {{"weight", 1e9}, {"iterations", 3}}).scene.state.x.back().z;
  EXPECT_LT(solved, -0.2);
  EXPECT_GT(early, 0.5 * solved);
}

// Both ends of a straight rod held: a row of constraints too many. It sags as multipliers yield, by 1e-12 h²/m: under a
// pull T by 1.4e-14 T a segment, which lets it sag by 2e-5 m, where T is 12 kN.
TEST(Kkt, TakesARodThatIsHeldAtBothEnds) {
  Scene scene = cantilever(cord());
  scene.clamp(12, 11, cord());
  scene.model.gravity = {0, 0, -9.81};
  scene.fill_inputs();
  const auto solver = find_solver("kkt")->make({});
  ThreadTeam team(1);
  solver->reset(scene.model, scene.state, team);
  Contact contact;
  for (int n = 0; n < 20; ++n) EXPECT_TRUE(solver->step(scene.inputs, contact, h, scene.state).converged);
  for (std::size_t i = 0; i < scene.state.x.size(); ++i)
    EXPECT_LT(norm(scene.state.x[i] - Vec3d{double(i) / 12, 0, 0}), 1e-4) << "there is no other place for it";
}

}  // namespace
}  // namespace tendril::solvers::cartesian
