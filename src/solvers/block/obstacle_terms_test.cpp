#include "solvers/block/obstacle_terms.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "math/thread_team.h"
#include "solvers/random_rod.h"

namespace tendril::solvers::block {
namespace {

using T = StrandLanes;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using solvers::testing::RodOptions;
using solvers::testing::Scene;

constexpr double r = 0.02, reach = 0.1 * r;

Vec3<T> lanes(const Vec3d& v) { return {T(v.x), T(v.y), T(v.z)}; }

// one segment at half of the reach from an obstacle
struct Touching {
  Scene scene;
  ThreadTeam team{1};
  Contact contact;

  explicit Touching(const Shape& shape) : scene(made(shape)), contact({}, scene.state) {
    contact.reset(scene.model);
    contact.find_candidates(scene.model, scene.state, {}, 0.01, team);
    contact.roll_from(scene.state.q);
  }
  static Scene made(const Shape& shape) {
    Scene s;
    RodOptions o;
    o.normal = {0, 0, 1};
    const int i = s.add_vertex({-0.07, 0.01, 0.503 + r + 0.4 * reach}), j = s.add_vertex({0.1, 0, 0.505 + r});
    s.add_segment(i, j, o);
    s.model.segments[0].radius = r, s.model.segments[0].friction = 0;
    Body body;
    body.kind = BodyKind::kinematic, body.shape = shape;
    s.add_body(body, {});
    // down to half of the reach
    Contact contact({}, s.state);
    ThreadTeam team{1};
    contact.reset(s.model);
    contact.find_candidates(s.model, s.state, {}, 0.01, team);
    const Pair& pair = contact.pairs()[0];
    for (int i : {0, 1}) s.state.x[i] -= (pair.true_gap - 0.5 * reach) * pair.normal;
    return s;
  }

  double energy_at(const Vector6& u) const {
    State there = scene.state;
    for (int i = 0; i < 2; ++i) there.x[i] += Vec3d{u[3 * i], u[3 * i + 1], u[3 * i + 2]};
    const Pair& pair = contact.pairs()[0];
    return pair.barrier.at(contact.gap_at(pair, there)).energy;
  }
};

Vector6 gradient_by_differences(const Touching& t, const Vector6& at) {
  const double step = 1e-4 * reach;
  Vector6 out;
  for (int k = 0; k < 6; ++k) {
    const Vector6 d = step * Vector6::Unit(k);
    out[k] = (8 * (t.energy_at(at + d) - t.energy_at(at - d)) - t.energy_at(at + 2 * d) + t.energy_at(at - 2 * d)) /
             (12 * step);
  }
  return out;
}

Matrix6 hessian_by_differences(const Touching& t) {
  const double step = 1e-3 * reach;
  Matrix6 out;
  for (int k = 0; k < 6; ++k) {
    const Vector6 d = step * Vector6::Unit(k);
    out.col(k) = (gradient_by_differences(t, d) - gradient_by_differences(t, -d)) / (2 * step);
  }
  return out;
}

// of the last lane, in which a pair is as in the first
void put(const Mat3<T>& m, Matrix6& to, int row, int column) {
  const Vec3<T>* columns[3] = {&m.c0, &m.c1, &m.c2};
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) to(3 * row + i, 3 * column + k) = (*columns[k])[i][T::lanes - 1];
}

void derivatives_are_those_of_the_barrier(const Shape& shape) {
  const Touching t(shape);
  ASSERT_EQ(t.contact.pairs().size(), 1u);
  ObstacleSlot slot;
  slot.core = t.contact.solids()[0].core;
  slot.pair.fill(0);
  slot.pair[1] = -1;
  Lineup<T> lineup;
  lineup.last_vertex.fill(1), lineup.last_segment.fill(0);
  ObstacleTerm term(slot, t.contact, t.scene.state, lineup);
  const Quatd& q = t.scene.state.q[0];
  term.measure(lanes(t.scene.state.x[0]), lanes(t.scene.state.x[1]), {T(q.w), T(q.x), T(q.y), T(q.z)});
  TouchBlocks<T> blocks;
  term.add(blocks, T(1));

  const Vector6 gradient = gradient_by_differences(t, Vector6::Zero());
  ASSERT_GT(gradient.norm(), 0);
  for (int k = 0; k < 6; ++k) {
    const Vec3<T>& force = blocks.force[k / 3];
    EXPECT_NEAR(force[k % 3][0], -gradient[k], 1e-6 * gradient.norm());
    EXPECT_EQ(force[k % 3][1], 0) << "no pair in this lane";
  }
  Matrix6 H;
  put(full(blocks.xx[0]), H, 0, 0), put(full(blocks.xx[1]), H, 1, 1), put(blocks.x0_x1, H, 0, 1);
  H.block<3, 3>(3, 0) = H.block<3, 3>(0, 3).transpose();
  const Matrix6 expected = hessian_by_differences(t);
  // nearly all of it is the curvature of the barrier along the normal: the rest is measured by itself
  const Pair& pair = t.contact.pairs()[0];
  Vector6 along;
  for (int k = 0; k < 6; ++k) along[k] = pair.weight[k / 3] * pair.normal[k % 3];
  const double k = pair.barrier.at(pair.gap).curvature * pair.slope * pair.slope;
  const Matrix6 rest = expected - k * along * along.transpose();
  EXPECT_LT((H - expected).norm(), 0.02 * rest.norm()) << H << "\n\n" << expected;
}

TEST(ObstacleTerm, DerivativesAreThoseOfTheBarrierOfASphere) {
  derivatives_are_those_of_the_barrier(Sphere{{0, 0, 0}, 0.5});
}
TEST(ObstacleTerm, DerivativesAreThoseOfTheBarrierOfAPlane) {
  derivatives_are_those_of_the_barrier(Plane{{0, 0, 0.5}, normalized(Vec3d{-0.0067, 0.001, 1})});
}
TEST(ObstacleTerm, DerivativesAreThoseOfTheBarrierOfATriangle) {
  derivatives_are_those_of_the_barrier(
      Mesh{{{-1, -1, 0.4943}, {1, -1, 0.5077}, {0, 1, 0.499}}, {{0, 1, 2}}, false, ""});
}
TEST(ObstacleTerm, DerivativesAreThoseOfTheBarrierOfAnEdge) {
  derivatives_are_those_of_the_barrier(Mesh{{{0.02, 1, 0.5}, {0.01, -1, 0.5}, {1, 0, -0.5}}, {{0, 1, 2}}, false, ""});
}

// The force of the next linearisation is on the tangent of the barrier where the way leads, and never negative.
TEST(ObstacleTerm, FollowsTheDirection) {
  const Touching t(Sphere{{0, 0, 0}, 0.5});
  ObstacleSlot slot;
  slot.pair.fill(0);
  Lineup<T> lineup;
  lineup.last_vertex.fill(1), lineup.last_segment.fill(0);
  ObstacleTerm term(slot, t.contact, t.scene.state, lineup);
  const Quatd& q = t.scene.state.q[0];
  term.measure(lanes(t.scene.state.x[0]), lanes(t.scene.state.x[1]), {T(q.w), T(q.x), T(q.y), T(q.z)});
  const Vec3<T> nowhere = lanes({}), up = lanes({0, 0, 10 * reach});
  EXPECT_TRUE(term.follow(nowhere, nowhere, nowhere, T(1))[0]) << "the barrier pushes as it did";
  EXPECT_TRUE(term.is_pressed()[0]);
  EXPECT_FALSE(term.follow(up, up, nowhere, T(1))[0]);
  EXPECT_FALSE(term.is_pressed()[0]) << "it leaves";
  const Vec3<T> down = lanes({0, 0, -10 * reach});
  EXPECT_FALSE(term.follow(down, down, nowhere, T(1))[0]);
  EXPECT_TRUE(term.is_pressed()[0]) << "it comes";
}

}  // namespace
}  // namespace tendril::solvers::block
