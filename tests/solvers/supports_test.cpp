#include "solvers/supports.h"

#include <gtest/gtest.h>

#include "solvers/chain.h"
#include "solvers/inertia.h"

namespace tendril::solvers {
namespace {

using testing::RodOptions;
using testing::Scene;

// one vertex held along x and z, one along all axes by two ties, one on a body that moves freely
Scene supported() {
  Scene s;
  s.add_chain(RodOptions{});
  const int driven = s.add_body({}, {{1, 2, 3}, quaternion_exp({0, 0, 0.5})});
  Body bob;
  bob.kind = BodyKind::dynamic;
  const int free = s.add_body(bob, {});
  s.model.ties.push_back({2, driven, {0.1, 0.2, 0.3}, {true, false, true}});
  s.model.ties.push_back({5, driven, {}, {true, true, false}});
  s.model.ties.push_back({5, driven, {}, {false, false, true}});
  s.model.ties.push_back({7, free, {}, {true, true, true}});
  s.fill_inputs();
  return s;
}

TEST(supports, say_what_may_move_a_vertex) {
  const Scene s = supported();
  const Supports found = supports_of(s.model);
  EXPECT_EQ(found.role[0], Role::free);
  EXPECT_EQ(found.role[2], Role::partly_held);
  EXPECT_EQ(found.free_axes[2], (Vec3d{0, 1, 0}));
  EXPECT_EQ(found.role[5], Role::held);
  EXPECT_EQ(found.role[7], Role::slaved);
  EXPECT_EQ(found.tie[7], 3);
  EXPECT_EQ(found.tie[5], -1);
}

// a point of a body: x + R offset, v + omega x R offset
TEST(supports, held_axes_follow_their_body) {
  Scene s = supported();
  s.inputs.end.body_twist[0] = {{0.5, 0, -1}, {0, 2, 0}};
  const Supports found = supports_of(s.model);
  const Vec3d arm = rotate(quaternion_exp({0, 0, 0.5}), {0.1, 0.2, 0.3});
  const Vec3d x = Vec3d{1, 2, 3} + arm, v = Vec3d{0.5, 0, -1} + cross(Vec3d{0, 2, 0}, arm);
  int visited[3] = {};
  for_held_axes(s.model, found.role, s.inputs.end, [&](int i, int k, double at, double speed) {
    EXPECT_NE(i, 7);
    if (i != 2) return;
    ++visited[k];
    EXPECT_DOUBLE_EQ(at, x[k]);
    EXPECT_DOUBLE_EQ(speed, v[k]);
  });
  EXPECT_EQ(visited[0], 1);
  EXPECT_EQ(visited[1], 0);
  EXPECT_EQ(visited[2], 1);
}

// R exp(h w) J w, w in its own frame, is the angular momentum at the end of the step
TEST(inertia, a_free_spin_keeps_the_angular_momentum) {
  const Quatd q = quaternion_exp({0.3, 0.8, -0.2});
  const double h = 0.05;
  for (const Vec3d& J : {Vec3d{1, 2, 3.5}, Vec3d{1e-9, 1e-9, 1e-11}})  // a top, a slender segment
    for (double speed : {0.01, 1., 5.}) {
      const Vec3d omega = speed * Vec3d{0.6, -0.4, 0.2};
      const Vec3d w = free_spin(J, rotate(conjugate(q), omega), h);
      const Quatd turned = q * quaternion_exp(h * w);
      const Vec3d before = rotate(q, scale(J, rotate(conjugate(q), omega))), after = rotate(turned, scale(J, w));
      EXPECT_LT(norm(after - before), 1e-13 * norm(before));
      EXPECT_GT(norm(rotate(q, w) - omega), 1e-3 * h * speed * speed);  // which is not what it had
    }
}

// slow and fast ones, one without inertia about its axis, one that turns too far, one at rest
TEST(inertia, lanes_spin_as_each_would_alone) {
  using P = Pack<double, 64>;
  const Vec3d J[] = {{1, 2, 3.5}, {1e-9, 1e-9, 1e-11}, {2, 2, 0}, {1, 1, 2},
                     {1, 2, 3},   {1, 2, 3},           {1, 2, 3}, {3, 1, 2}};
  const double speed[] = {1, 5, 3, 1e-6, 40, 0, 400, 9};
  const double h = 0.05;
  Vec3<P> inertia, start;
  for (int lane = 0; lane < P::lanes; ++lane)
    for (int k = 0; k < 3; ++k)
      inertia[k].v[lane] = J[lane][k], start[k].v[lane] = (speed[lane] * Vec3d{0.6, -0.4, 0.2})[k];
  const Vec3<P> w = free_spin(inertia, start, P(h));
  for (int lane = 0; lane < P::lanes; ++lane) {
    const Vec3d alone = free_spin(J[lane], speed[lane] * Vec3d{0.6, -0.4, 0.2}, h);
    EXPECT_LE(norm(Vec3d{w.x[lane], w.y[lane], w.z[lane]} - alone), 1e-14 * norm(alone)) << lane;
  }
}

// round sections are solved by two scalar equations, one by one by Newton's method: the results must agree
TEST(inertia, round_lanes_spin_as_each_would_alone) {
  using P = Pack<double, 64>;
  const Vec3d omega[] = {{0.6, -0.4, 0.2}, {5, 3, 4},  {0, 0, 3},  {3, -4, 0},
                         {0, 0, 0},        {1, 2, 9.}, {8, 1, -6}, {1e-6, 2e-6, 1e-6}};
  const double h = 0.02;
  for (const Vec3d& J : {Vec3d{1, 1, 2}, Vec3d{3e-13, 3e-13, 6e-13}, Vec3d{1, 1, 1}, Vec3d{1, 1, 0.01}}) {
    Vec3<P> start;
    for (int lane = 0; lane < P::lanes; ++lane)
      for (int k = 0; k < 3; ++k) start[k].v[lane] = omega[lane][k];
    const Vec3<P> w = free_spin(Vec3<P>{P(J.x), P(J.y), P(J.z)}, start, P(h));
    for (int lane = 0; lane < P::lanes; ++lane) {
      const Vec3d alone = free_spin(J, omega[lane], h);
      EXPECT_LE(norm(Vec3d{w.x[lane], w.y[lane], w.z[lane]} - alone), 1e-14 * norm(alone)) << lane << " " << J.z;
    }
  }
}

TEST(inertia, an_axis_without_inertia_spins_on) {
  const Vec3d J{2, 2, 0}, omega{3, -2, 1};
  const Vec3d w = free_spin(J, omega, 0.01);
  EXPECT_DOUBLE_EQ(w.z, omega.z);
  EXPECT_LT(norm(free_spin(Vec3d{}, omega, 0.01) - omega), 1e-15);
}

// c m of a segment, half to each of its vertices
TEST(inertia, damping_is_shared_like_mass) {
  Scene s;
  RodOptions o;
  o.segments = 2, o.damping = 3, o.linear_density = 4, o.length = 1;
  s.add_chain(o);
  s.model.segments[1].damping = 0;
  const std::vector<double> found = damped_mass(s.model);
  EXPECT_DOUBLE_EQ(found[0], 3.0);
  EXPECT_DOUBLE_EQ(found[1], 3.0);
  EXPECT_DOUBLE_EQ(found[2], 0.0);
}

}  // namespace
}  // namespace tendril::solvers
