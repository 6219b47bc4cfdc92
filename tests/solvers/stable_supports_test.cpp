#include <gtest/gtest.h>

#include <cmath>

#include "rod/momentum.h"
#include "solvers/stable_scenes.h"

namespace tendril::solvers::stable {
namespace {

using namespace testing;

TEST(StableSupports, DrivenEndsGoWhereTheyAreDriven) {
  for (bool single : {false, true}) {
    Scene scene = falling_cantilever(general_rod());
    Pose& pose = scene.inputs.end.body_pose[0];
    pose.x += Vec3d{0.01, 0.02, -0.03};
    scene.inputs.end.body_twist[0] = {{1, 2, -3}, {0, 0, 1}};
    Options options;
    options.single_precision = single;
    run(scene, 0.01, 1, options);
    EXPECT_EQ(scene.state.x[0], pose.x);
    EXPECT_EQ(scene.state.v[0], (Vec3d{1, 2, -3}));
    EXPECT_EQ(scene.state.body_x[0], pose.x);
  }
}

TEST(StableSupports, PartlyHeldVerticesSlideAlongTheirFreeAxes) {
  Scene scene = free_rod(general_rod());
  scene.model.gravity = {0, 0, -9.81};
  Tie tie;
  tie.vertex = 0, tie.body = scene.add_body({}, {});
  tie.held[2] = false;
  scene.model.ties.push_back(tie);
  scene.fill_inputs();
  const State before = scene.state;
  run(scene, 0.01, 10, Options{});
  EXPECT_LT(largest_distance(scene.state, before, {0, 0, -9.81 * 1e-4 * 55}), 1e-12);
  EXPECT_EQ(scene.state.x[0].x, 0);
  scene.inputs.end.force[12] += Vec3d{5, 5, 0};
  run(scene, 0.01, 10, Options{});
  EXPECT_EQ(scene.state.x[0].x, 0);
  EXPECT_EQ(scene.state.x[0].y, 0);
  EXPECT_GT(scene.state.x[12].y, 0.01);
}

// a bob on a light stiff rod, hinged at the top: omega² = g (m L) / (m L² + J)
TEST(StableSupports, ABobSwingsAsAPendulum) {
  RodOptions o;
  o.segments = 4, o.linear_density = 1e-4, o.EA = o.GA = 1e4, o.EI1 = o.EI2 = o.GJ = 50;
  o.along = {0, std::sin(0.05), -std::cos(0.05)}, o.normal = {1, 0, 0};
  Scene scene;
  scene.add_chain(o);
  Tie pin;
  pin.vertex = 0, pin.body = scene.add_body({}, {});
  scene.model.ties.push_back(pin);
  Body bob;
  bob.kind = BodyKind::dynamic, bob.mass = 1, bob.inertia = {0.1, 0.1, 0.1};
  const int body = scene.add_body(bob, {scene.state.x[4], scene.state.q[3]});
  Tie tie;
  tie.vertex = 4, tie.body = body;
  scene.model.ties.push_back(tie);
  scene.add_bend({3, false}, {body, true}, 0.125, o);
  scene.fill_inputs();
  const double omega = std::sqrt(9.81 / 1.1), h = 2e-3;
  const int quarter = static_cast<int>(std::lround(0.5 * M_PI / omega / h));
  StableSolver solver(tight(1e-7));
  ThreadTeam team(1);
  solver.reset(scene.model, scene.state, team);
  scene.advance(solver, h, quarter - 10);
  EXPECT_GT(scene.state.body_x[body].y, 0);
  scene.advance(solver, h, 20);
  EXPECT_LT(scene.state.body_x[body].y, 0);
  // it passes the lowest point with the bob turned with the rod
  EXPECT_NEAR(norm(scene.state.body_omega[body]), 0.05 * omega, 0.05 * 0.05 * omega);
  EXPECT_LT(norm(scene.state.x[4] - scene.state.body_x[body]), 1e-14);
}

// no forces, no rod: momentum and angular momentum of a tumbling body are kept
TEST(StableSupports, AFreeBodyTumblesWithItsAngularMomentum) {
  Scene scene;
  scene.model.gravity = {0, 0, 0};
  Body body;
  body.kind = BodyKind::dynamic, body.mass = 2, body.inertia = {0.1, 0.2, 0.25};
  scene.add_body(body, {{1, 2, 3}, normalized(Quatd{1, 0.5, 0.2, 0.1})});
  scene.state.body_omega[0] = {1, 3, -2}, scene.state.body_v[0] = {1, 0, 0};
  scene.fill_inputs();
  const auto angular_momentum = [&] {
    const Quatd& q = scene.state.body_q[0];
    return rotate(q, scale(body.inertia, rotate(conjugate(q), scene.state.body_omega[0])));
  };
  const Vec3d before = angular_momentum();
  run(scene, 0.01, 200, Options{});
  EXPECT_LT(norm(angular_momentum() - before), 1e-9 * norm(before));
  EXPECT_LT(norm(scene.state.body_x[0] - Vec3d{3, 2, 3}), 1e-12);
}

TEST(StableSupports, TakesWhatIsLeftWhenThingsBreak) {
  // an isolated vertex, a segment without bends, a bend without stiffness, nothing at all
  Scene scene;
  scene.add_vertex({5, 5, 5});
  scene.model.vertices[0].mass = 1;
  RodOptions o;
  o.segments = 1;
  scene.add_chain(o);
  o.segments = 3, o.EI1 = o.EI2 = o.GJ = 0, o.from = {0, 3, 0};
  scene.add_chain(o);
  scene.fill_inputs();
  scene.inputs.end.force[1] += Vec3d{0, 1, 0};  // turns the lone segment
  const Scene start = scene;
  run(scene, 0.01, 10, Options{});
  for (const Vec3d& x : scene.state.x) EXPECT_TRUE(is_finite(x));
  EXPECT_NEAR(scene.state.x[0].z, 5 - 9.81 * 1e-4 * 55, 1e-12);
  const Vec3d edge = scene.state.x[2] - scene.state.x[1];
  EXPECT_GT(edge.x - norm(edge), -0.1);
  EXPECT_NEAR(dot(normalized(edge), director3(scene.state.q[0])), 1, 1e-6);
  Scene empty;
  empty.fill_inputs();
  run(empty, 0.01, 2, Options{});
}

// six segments at a hub have five bends each in six slots, one of them empty; isotropic bends have no stiffer axes
TEST(StableSupports, EmptySlotsPullNothing) {
  for (double GA : {1e-2, 0.5e-2}) {
    Scene scene;
    scene.model.gravity = {0, 0, 0};
    RodOptions o;
    o.EA = 1e-2, o.GA = GA, o.EI1 = o.EI2 = o.GJ = 1e-6, o.linear_density = 1e-3;  // weak, so that a stray pull shows
    const int hub = scene.add_vertex({0, 0, 0});
    for (int k = 0; k < 6; ++k) scene.add_segment(hub, scene.add_vertex({std::cos(k), std::sin(k), 0.1 * k}), o);
    for (int k = 0; k < 6; ++k)
      for (int j = 0; j < k; ++j) scene.add_bend({j, false}, {k, false}, 1, o);
    scene.fill_inputs();
    const State before = scene.state;
    run(scene, 0.01, 5, Options{});
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(std::abs(dot(scene.state.q[k], before.q[k])), 1, 1e-12);
    EXPECT_LT(largest_distance(scene.state, before), 1e-12);
  }
}

}  // namespace
}  // namespace tendril::solvers::stable
