#include "solvers/block/system.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>

#include "solvers/direct/system.h"
#include "solvers/random_rod.h"

// the linear systems of the solvers that take Newton steps of whole parts

namespace tendril::solvers::newton {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using solvers::testing::Dice;
using solvers::testing::RodOptions;
using solvers::testing::Scene;

// A strained structure at the start of a step, with no turn of its own: where its spin inertia is at its goal.
struct Strained {
  Scene scene;
  Problem problem;
  Parts parts;
  Iterate at;
  Prediction prediction;

  explicit Strained(Scene made, int seed) : scene(std::move(made)) {
    Dice dice(seed);
    State& s = scene.state;
    for (Vec3d& x : s.x) x += 0.02 * dice.direction();
    for (Quatd& q : s.q) q = dice.turn(0.3) * q;
    for (std::size_t b = 0; b < s.body_q.size(); ++b)
      if (scene.model.bodies[b].kind == BodyKind::dynamic) s.body_q[b] = dice.turn(0.3) * s.body_q[b];
    for (Segment& g : scene.model.segments) g.linear_inertia = {0.1, 0.2, 0.3};
    scene.fill_inputs();
    problem.reset(scene.model);
    parts.reset(problem);
    Accelerations none;
    none.forget(scene.model);
    problem.begin_step(scene.inputs, Scheme::implicit_euler(0.1), s, none);
    problem.set_vertices(scene.inputs, s, none, {0, static_cast<int>(s.x.size())});
    problem.set_segments(s, none, {0, static_cast<int>(s.q.size())});
    problem.set_bends(s, {0, static_cast<int>(scene.model.bends.size())});
    at = s;
    for (std::size_t i = 0; i < at.x.size(); ++i)
      if (problem.tie[i] >= 0) {
        const Tie& tie = scene.model.ties[problem.tie[i]];
        at.x[i] = at.body_x[tie.body] + rotate(at.body_q[tie.body], tie.offset);
      }
    for (std::size_t g = 0; g < s.q.size(); ++g) {
      const auto [i, j] = scene.model.segments[g].vertex;
      prediction.push_back(strain(problem.stretch(g), {(at.x[j] - at.x[i]) / problem.stretch(g).length, at.q[g]}));
    }
  }

  const Part& part() const { return parts[0]; }
  int size() const { return 3 * part().row_count(); }

  // numbers of the unknowns that nothing holds
  std::vector<int> free() const {
    std::vector<int> out;
    for (int k = 0; k < size(); ++k) {
      const Unknown& u = part().unknowns[k / 3];
      if (u.kind != Kind::vertex || problem.free_axes(u.index)[k % 3] != 0) out.push_back(k);
    }
    return out;
  }

  // of the part, with its unknowns moved
  double energy_at(const VectorXd& u) const {
    Iterate moved = at;
    for (int row = 0; row < part().row_count(); ++row) {
      const Vec3d d{u[3 * row], u[3 * row + 1], u[3 * row + 2]};
      const Unknown& unknown = part().unknowns[row];
      if (unknown.kind == Kind::vertex) moved.x[unknown.index] += d;
      if (unknown.kind == Kind::segment) moved.q[unknown.index] = quaternion_exp(d) * at.q[unknown.index];
      if (unknown.kind == Kind::body_place) moved.body_x[unknown.index] += d;
      if (unknown.kind == Kind::body_turn) moved.body_q[unknown.index] = quaternion_exp(d) * at.body_q[unknown.index];
    }
    for (int i : part().slaved_vertices) {
      const Tie& tie = scene.model.ties[problem.tie[i]];
      moved.x[i] = moved.body_x[tie.body] + rotate(moved.body_q[tie.body], tie.offset);
    }
    return energy(part(), problem, moved);
  }
};

VectorXd packed(const std::vector<Vec3d>& u) {
  VectorXd out(3 * u.size());
  for (std::size_t row = 0; row < u.size(); ++row)
    for (int k = 0; k < 3; ++k) out[3 * row + k] = u[row][k];
  return out;
}

struct Block {
  explicit Block(const Strained& s) : system(s.problem, s.parts) {}
  block::System system;
};
struct Direct {
  explicit Direct(const Strained& s)
      : structures{direct::make_structure(s.part(), s.problem, s.parts)},
        system(s.problem, s.parts, structures, true) {}
  std::vector<direct::Structure> structures;
  direct::System system;
};
template <class Solver>
class Assembly : public ::testing::Test {};
using Solvers = ::testing::Types<Block, Direct>;
TYPED_TEST_SUITE(Assembly, Solvers);

// what the system solves: H from its inverse column by column, and the gradient from its direction -H⁻¹ g
struct Dense {
  MatrixXd H;
  VectorXd gradient;
};
template <class Solver>
Dense assembled(const Strained& s) {
  Solver solver(s);
  System& system = solver.system;
  system.begin(s.part());
  EXPECT_TRUE(system.factorise(s.at, s.prediction, 1).is_definite);
  system.solve();
  MatrixXd inverse(s.size(), s.size());
  for (int k = 0; k < s.size(); ++k) {
    std::vector<Vec3d> unit(s.part().row_count());
    unit[k / 3][k % 3] = 1;
    system.precondition(unit);
    inverse.col(k) = packed(unit);
  }
  const std::vector<int> free = s.free();
  const MatrixXd H = inverse(free, free).inverse();
  return {H, -H * packed(system.direction())(free)};
}

Dense by_differences(const Strained& s) {
  const int n = s.size();
  Dense out{MatrixXd(n, n), VectorXd(n)};
  const double d = 1e-3, fine = 1e-5;
  const auto at = [&](int a, double u, int b, double v) {
    VectorXd moved = VectorXd::Zero(n);
    moved[a] += u, moved[b] += v;
    return s.energy_at(moved);
  };
  for (int a = 0; a < n; ++a) {
    out.gradient[a] = (at(a, fine, a, 0) - at(a, -fine, a, 0)) / (2 * fine);
    for (int b = 0; b <= a; ++b)
      out.H(a, b) = out.H(b, a) = (at(a, d, b, d) - at(a, d, b, -d) - at(a, -d, b, d) + at(a, -d, b, -d)) / (4 * d * d);
  }
  const std::vector<int> free = s.free();
  return {out.H(free, free), out.gradient(free)};
}

RodOptions soft() {
  RodOptions o;
  o.segments = 4;
  o.EA = 30, o.GA = 20, o.EI1 = 1, o.EI2 = 2, o.GJ = 0.7, o.linear_density = 2;
  return o;
}

Scene chain() {
  Scene s;
  s.add_chain(soft());
  return s;
}

Scene tree() {
  Scene s = chain();
  RodOptions o = soft();
  const int tip = s.add_vertex(s.state.x[2] + Vec3d{0, 0.2, 0.1});
  o.normal = {1, 0, 0};
  const int branch = s.add_segment(2, tip, o);
  s.add_bend({1, false}, {branch, false}, 0.2, o);
  return s;
}

// two branches that are joined to each other, too
Scene fork() {
  Scene s = tree();
  s.add_bend({2, false}, {4, false}, 0.2, soft());
  return s;
}

Scene ring() {
  Scene s;
  const RodOptions o = soft();
  for (int i = 0; i < 5; ++i) s.add_vertex({0.3 * std::cos(1.2566 * i), 0.3 * std::sin(1.2566 * i), 0});
  for (int i = 0; i < 5; ++i) s.add_segment(i, (i + 1) % 5, o);
  for (int i = 0; i < 5; ++i) s.add_bend({i, false}, {(i + 1) % 5, false}, 0.35, o);
  return s;
}

Scene clamped_at_both_ends() {
  Scene s = chain();
  s.clamp(0, 0, soft()), s.clamp(4, 3, soft());
  return s;
}

// two rods on one body, away from its centre
Scene with_body() {
  Scene s = chain();
  Body body;
  body.kind = BodyKind::dynamic, body.mass = 0.5, body.inertia = {0.1, 0.2, 0.3};
  Tie tie;
  tie.vertex = 4, tie.offset = {0.05, -0.1, 0.02};
  tie.body = s.add_body(body, {s.state.x[4] - tie.offset, {}});
  s.model.ties.push_back(tie);
  s.add_bend({3, false}, {tie.body, true}, 0.1, soft());
  const int near = s.add_vertex(s.state.x[4] + Vec3d{0, 0.1, 0}), far = s.add_vertex(s.state.x[4] + Vec3d{0, 0.3, 0});
  const int segment = s.add_segment(near, far, soft());
  tie.vertex = near, tie.offset = s.state.x[near] - s.state.body_x[tie.body];
  s.model.ties.push_back(tie);
  s.add_bend({tie.body, true}, {segment, false}, 0.1, soft());
  return s;
}

Scene with_turns() {
  Scene s = chain();
  for (rod::Bend& bend : s.model.bends) {
    bend.turn = quaternion_exp({0.2, -0.4, 0.3});
    bend.rest = bend.rest * bend.turn;
  }
  return s;
}

Scene damped() {
  Scene s = chain();
  for (Segment& g : s.model.segments) g.internal_damping = 0.05, g.damping = 2;
  for (rod::Bend& b : s.model.bends) b.internal_damping = 0.05;
  return s;
}

TYPED_TEST(Assembly, IsTheDerivativeOfTheEnergy) {
  for (Scene (*make)() : {chain, tree, fork, ring, clamped_at_both_ends, with_body, with_turns, damped}) {
    const Strained s(make(), 3);
    ASSERT_EQ(s.parts.count(), 1);
    const Dense system = assembled<TypeParam>(s), truth = by_differences(s);
    ASSERT_GT(truth.gradient.norm(), 1e-2);
    EXPECT_LT((system.gradient - truth.gradient).norm(), 1e-7 * truth.gradient.norm());
    EXPECT_LT((system.H - truth.H).norm(), 1e-5 * truth.H.norm());
  }
}

// without twisting stiffness, or with another one across the segments, second derivatives may be approximate, but the
// gradient is not
TYPED_TEST(Assembly, HasItsGradientWhateverTheStiffness) {
  for (double GJ : {0.0, 0.7})
    for (double GA : {2.0, 300.0}) {
      Scene made = tree();
      for (rod::Bend& bend : made.model.bends) bend.GJ = GJ;
      for (Segment& g : made.model.segments) g.GA = GA;
      Strained s(std::move(made), 5);
      for (Vec3d& predicted : s.prediction) predicted = {};
      const Dense system = assembled<TypeParam>(s), truth = by_differences(s);
      EXPECT_LT((system.gradient - truth.gradient).norm(), 1e-6 * truth.gradient.norm());
    }
}

// a frame that is not a number spoils some pivots; the good ones must not outweigh them, nor a small step hide them
TYPED_TEST(Assembly, OfWhatIsNotANumberIsNotDefinite) {
  Strained s(tree(), 3);
  s.at.q[0].w = std::numeric_limits<double>::quiet_NaN();
  TypeParam solver(s);
  solver.system.begin(s.part());
  EXPECT_FALSE(solver.system.factorise(s.at, s.prediction, 1).is_definite);
  solver.system.solve();
  EXPECT_EQ(solver.system.step_size(), forever);
}

// without contact it is known when couplings are filled, and they need less memory; numbers are the same
TEST(DirectAssembly, IsTheSameInLittleRoom) {
  for (const Scene& scene : {chain(), tree(), fork(), ring(), clamped_at_both_ends(), with_body()}) {
    const Strained s(scene, 5);
    Direct roomy(s);
    direct::System narrow(s.problem, s.parts, roomy.structures, false);
    for (direct::System* system : {&roomy.system, &narrow}) {
      system->begin(s.part());
      EXPECT_TRUE(system->factorise(s.at, s.prediction, 1).is_definite);
      system->solve();
      EXPECT_DOUBLE_EQ(system->largest_turn(), system->turn_size());  // fused in one of the two files
      EXPECT_GE(system->step_bound(), system->step_size());
      EXPECT_TRUE(system->is_finite());
    }
    EXPECT_EQ(packed(narrow.direction()), packed(roomy.system.direction()));
  }
}

}  // namespace
}  // namespace tendril::solvers::newton
