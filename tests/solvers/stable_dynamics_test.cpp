#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "contact/contact.h"
#include "math/thread_team.h"
#include "rod/energy.h"
#include "rod/momentum.h"
#include "rod/stream.h"
#include "solvers/chain.h"
#include "solvers/stable/solver.h"

namespace tendril::stable {
namespace {

using testing::cantilever;
using testing::RodOptions;
using testing::Scene;

Options tight(double tolerance = 1e-9) {
  Options options;
  options.tolerance = tolerance, options.iterations = 20000;
  return options;
}

void run(Scene& scene, double h, int steps, const Options& options, int threads = 1) {
  StableSolver solver(options);
  ThreadTeam team(threads);
  solver.reset(scene.model, scene.state, team);
  scene.advance(solver, h, steps);
}

Vec3d momentum(const Scene& scene) {
  Vec3d sum;
  for (std::size_t i = 0; i < scene.state.v.size(); ++i) sum += scene.model.vertices[i].mass * scene.state.v[i];
  for (std::size_t b = 0; b < scene.state.body_v.size(); ++b) sum += scene.model.bodies[b].mass * scene.state.body_v[b];
  return sum;
}

double largest_distance(const State& a, const State& b, const Vec3d& offset = {}) {
  double largest = 0;
  for (std::size_t i = 0; i < a.x.size(); ++i) largest = std::max(largest, norm(a.x[i] - b.x[i] - offset));
  return largest;
}

Scene free_rod(const RodOptions& o) {
  Scene scene;
  scene.model.gravity = {0, 0, 0};
  scene.add_chain(o);
  scene.fill_inputs();
  return scene;
}

// a clamped rod that falls, with everything unequal; the start is a little bent so that nothing is symmetric
Scene falling_cantilever(RodOptions o) {
  o.along = normalized(Vec3d{1, 0.2, 0.1});
  Scene scene = cantilever(o);
  scene.model.gravity = {0, 0, -9.81};
  scene.fill_inputs();
  return scene;
}

RodOptions general_rod() {
  RodOptions o;
  o.segments = 12, o.EA = 2000, o.GA = 700, o.EI1 = 0.3, o.EI2 = 0.5, o.GJ = 0.2, o.linear_density = 0.5;
  return o;
}

TEST(StableDynamics, RestStaysAtRest) {
  for (bool general : {false, true}) {
    RodOptions o = general ? general_rod() : RodOptions{};
    o.along = normalized(Vec3d{1, 2, 3});
    Scene scene = cantilever(o);
    const State before = scene.state;
    run(scene, 0.01, 20, Options{});
    EXPECT_LT(largest_distance(scene.state, before), 1e-14);
    for (const Vec3d& v : scene.state.v) EXPECT_LT(norm(v), 1e-12);
  }
}

TEST(StableDynamics, FreeFallIsExactAndKeepsTheShape) {
  Scene scene = free_rod(general_rod());
  scene.model.gravity = {0, 0, -9.81};
  scene.fill_inputs();
  const State before = scene.state;
  const int steps = 10;
  const double h = 0.01;
  run(scene, h, steps, Options{});
  // implicit Euler: z = -g h² n (n + 1) / 2
  const double fall = 9.81 * h * h * steps * (steps + 1) / 2;
  EXPECT_LT(largest_distance(scene.state, before, {0, 0, -fall}), 1e-12);
}

TEST(StableDynamics, AFreeRodKeepsItsMomentum) {
  Scene scene = free_rod(general_rod());
  std::mt19937 generator(1);
  std::normal_distribution<double> normal;
  for (Vec3d& v : scene.state.v) v = {normal(generator), normal(generator), normal(generator)};
  const Vec3d before = momentum(scene);
  run(scene, 0.002, 20, Options{});
  EXPECT_LT(norm(momentum(scene) - before), 1e-10 * norm(before));
}

// rigid rotation: a stiff rod turns at the speed that implicit Euler gives a dumbbell, tan(angle) = h omega per step,
// damped or not
TEST(StableDynamics, InternalDampingDoesNotBrakeRigidMotion) {
  double angle[2];
  for (int damped = 0; damped < 2; ++damped) {
    RodOptions o = general_rod();
    o.EA = o.GA = 1e5, o.EI1 = o.EI2 = o.GJ = 100, o.segments = 4;
    o.internal_damping = damped ? 0.5 : 0;
    Scene scene = free_rod(o);
    const Vec3d centre{0.5, 0, 0}, omega{0, 0, 2};
    for (std::size_t i = 0; i < scene.state.x.size(); ++i)
      scene.state.v[i] = Vec3d{0, 1, 3} + cross(omega, scene.state.x[i] - centre);
    run(scene, 0.01, 20, tight());
    const Vec3d axis = scene.state.x.back() - scene.state.x.front();
    angle[damped] = std::atan2(axis.y, axis.x);
    EXPECT_LT(norm(momentum(scene) - 0.5 * Vec3d{0, 1, 3}), 1e-9);
  }
  EXPECT_NEAR(angle[0], 0.4, 2e-3);
  EXPECT_NEAR(angle[1] / angle[0], 1, 1e-3);
}

// an axial mode decays by exp(-eta omega² t / 2) (Kelvin and Voigt) on top of implicit Euler's exp(-h omega² t / 2)
TEST(StableDynamics, InternalDampingDampsVibration) {
  const double h = 1e-4, eta = 2e-4, omega2 = 1e4;  // EA/l / m, m = 1
  const int steps = 5000;
  double amplitude[2], time[2];
  for (int damped = 0; damped < 2; ++damped) {
    RodOptions o;
    o.segments = 1, o.EA = o.GA = omega2, o.linear_density = 2, o.internal_damping = damped ? eta : 0;
    Scene scene = cantilever(o);
    scene.state.x[1].x += 0.01;
    StableSolver solver(tight(1e-7));
    ThreadTeam team(1);
    solver.reset(scene.model, scene.state, team);
    amplitude[damped] = 0;
    for (int n = 0; n < steps; ++n) {
      scene.advance(solver, h, 1);
      const double stretch = scene.state.x[1].x - 1;
      if (n > 0.85 * steps && stretch > amplitude[damped]) amplitude[damped] = stretch, time[damped] = scene.state.time;
    }
  }
  EXPECT_NEAR(time[0], time[1], 2e-3);
  EXPECT_NEAR(amplitude[0], 0.01 * std::exp(-0.5 * h * omega2 * time[0]), 2e-4);
  EXPECT_NEAR(std::log(amplitude[0] / amplitude[1]), 0.5 * eta * omega2 * time[0], 0.01);
}

// external damping: v decays by 1 / (1 + c h) per step, and statics do not change
TEST(StableDynamics, ExternalDampingIsExactInImplicitEuler) {
  RodOptions o = general_rod();
  o.damping = 3;
  Scene scene = free_rod(o);
  for (Vec3d& v : scene.state.v) v = {1, 2, 3};
  run(scene, 0.01, 10, Options{});
  for (const Vec3d& v : scene.state.v) EXPECT_LT(norm(v - std::pow(1.03, -10) * Vec3d{1, 2, 3}), 1e-10);
}

TEST(StableDynamics, FieldDragEntersImplicitly) {
  Scene scene = free_rod(general_rod());
  for (Vec3d& v : scene.state.v) v = {1, 0, 0};
  // a drag force -d v, given as its value and slope at the start of the step
  const double h = 0.1;
  scene.inputs.end.drag.resize(scene.state.x.size());
  for (std::size_t i = 0; i < scene.state.x.size(); ++i) {
    const double d = 4 * scene.model.vertices[i].mass;
    scene.inputs.end.drag[i] = d, scene.inputs.end.force[i] = {-d, 0, 0};
  }
  run(scene, h, 1, Options{});
  for (const Vec3d& v : scene.state.v) EXPECT_NEAR(v.x, 1 / (1 + 4 * h), 1e-10);
}

TEST(StableDynamics, DrivenEndsGoWhereTheyAreDriven) {
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

TEST(StableDynamics, PartlyHeldVerticesSlideAlongTheirFreeAxes) {
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
TEST(StableDynamics, ABobSwingsAsAPendulum) {
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
TEST(StableDynamics, AFreeBodyTumblesWithItsAngularMomentum) {
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

TEST(StableDynamics, TurningTheWorldTurnsTheMotion) {
  const Quatd turn = normalized(Quatd{0.3, 0.5, -0.7, 0.2});
  Scene a = falling_cantilever(general_rod()), b = a;
  for (Vec3d& x : b.state.x) x = rotate(turn, x);
  for (Quatd& q : b.state.q) q = turn * q;
  b.state.body_x[0] = rotate(turn, b.state.body_x[0]), b.state.body_q[0] = turn * b.state.body_q[0];
  b.model.gravity = rotate(turn, a.model.gravity);
  b.fill_inputs();
  run(a, 0.01, 10, tight()), run(b, 0.01, 10, tight());
  for (Vec3d& x : a.state.x) x = rotate(turn, x);
  EXPECT_LT(largest_distance(a.state, b.state), 1e-6);
}

TEST(StableDynamics, ReversingTheVerticesChangesNothing) {
  const RodOptions o = general_rod();
  Scene a = falling_cantilever(o), b;
  b.model.gravity = a.model.gravity;
  const int n = o.segments;
  for (int i = n; i >= 0; --i) b.add_vertex(a.state.x[i]);
  for (int s = 0; s < n; ++s) b.add_segment(s, s + 1, o);
  // the frame of a reversed segment is turned by pi about d1
  for (int s = 0; s < n; ++s) b.state.q[s] = a.state.q[n - 1 - s] * Quatd{0, 1, 0, 0};
  for (int s = 0; s + 1 < n; ++s) b.add_bend({s, false}, {s + 1, false}, o.length / n, o);
  b.clamp(n, n - 1, o);
  b.fill_inputs();
  run(a, 0.01, 10, tight()), run(b, 0.01, 10, tight());
  std::reverse(b.state.x.begin(), b.state.x.end());
  EXPECT_LT(largest_distance(a.state, b.state), 1e-6);
}

TEST(StableDynamics, ConvergesWithFirstOrderInTime) {
  State end[4];
  for (int k = 0; k < 4; ++k) {
    Scene scene = falling_cantilever(general_rod());
    run(scene, 0.01 / (1 << k), 8 << k, tight(1e-8));
    end[k] = scene.state;
  }
  const double first = largest_distance(end[0], end[1]), second = largest_distance(end[1], end[2]),
               third = largest_distance(end[2], end[3]);
  EXPECT_NEAR(std::log2(first / second), 1, 0.4);
  EXPECT_NEAR(std::log2(second / third), 1, 0.3);
}

TEST(StableDynamics, FloatFollowsDoubleNearAndFarFromTheOrigin) {
  for (bool general : {false, true}) {
    RodOptions o = general ? general_rod() : RodOptions{};
    if (!general) o.EA = o.GA = 1000, o.EI1 = o.EI2 = o.GJ = 0.3;
    Scene wide = falling_cantilever(o), narrow = wide;
    o.from = {1e5, 1e5, 1e5};
    Scene far = falling_cantilever(o);
    const Vec3d start = wide.state.x.back();
    Options options;
    options.tolerance = 1e-6;
    run(wide, 0.005, 20, options);
    options.single_precision = true, options.tolerance = 1e-4;
    run(narrow, 0.005, 20, options);
    run(far, 0.005, 20, options);
    EXPECT_GT(norm(wide.state.x.back() - start), 0.03);
    EXPECT_LT(largest_distance(narrow.state, wide.state), 2e-4);
    EXPECT_LT(largest_distance(far.state, wide.state, o.from), 2e-4);
  }
}

// a small forest: enough work for several threads
Scene forest() {
  Scene scene;
  for (int tree = 0; tree < 60; ++tree) {
    RodOptions o = tree % 3 ? RodOptions{} : general_rod();
    o.segments = 100, o.length = 3, o.EI1 = o.EI2 = 1, o.GJ = tree % 3 ? 1 : 0.6;
    o.from = {0.0, 1.0 * tree, 0};
    const int first_vertex = static_cast<int>(scene.state.x.size()),
              first_segment = static_cast<int>(scene.state.q.size());
    scene.add_chain(o);
    scene.clamp(first_vertex, first_segment, o);
  }
  scene.fill_inputs();
  return scene;
}

TEST(StableDynamics, TheSameBitsOnAnyNumberOfThreads) {
  for (bool single : {false, true}) {
    State end[3];
    const int threads[3] = {1, 2, 8};
    for (int k = 0; k < 3; ++k) {
      Scene scene = forest();
      Options options;
      options.iterations = 12, options.single_precision = single;
      StableSolver solver(options);
      ThreadTeam team(threads[k]);
      solver.reset(scene.model, scene.state, team);
      EXPECT_EQ(solver.thread_count(), std::min(threads[k], 6));
      scene.advance(solver, 1e-3, 3);
      end[k] = scene.state;
    }
    for (int k = 1; k < 3; ++k) {
      EXPECT_EQ(end[k].x, end[0].x);
      EXPECT_EQ(end[k].v, end[0].v);
      EXPECT_EQ(end[k].q, end[0].q);
    }
  }
}

TEST(StableDynamics, GoesOnFromASavedState) {
  Scene scene = falling_cantilever(general_rod());
  StableSolver solver(Options{});
  ThreadTeam team(1);
  solver.reset(scene.model, scene.state, team);
  scene.advance(solver, 0.01, 5);
  Writer out;
  solver.save(out);
  Scene copy = scene;
  scene.advance(solver, 0.01, 5);

  StableSolver resumed(Options{});
  resumed.reset(copy.model, copy.state, team);
  Reader in(out.bytes());
  resumed.load(in);
  EXPECT_TRUE(in.at_end());
  copy.advance(resumed, 0.01, 5);
  EXPECT_EQ(copy.state.x, scene.state.x);
  EXPECT_EQ(copy.state.q, scene.state.q);
  EXPECT_EQ(copy.state.v, scene.state.v);
}

TEST(StableDynamics, TakesWhatIsLeftWhenThingsBreak) {
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
TEST(StableDynamics, EmptySlotsPullNothing) {
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

TEST(StableDynamics, PaperModeIsFourSweeps) {
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
TEST(StableDynamics, PaperModeStoresItsLambda) {
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
TEST(StableDynamics, PaperModeStartsWhereItsReferenceDoes) {
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

// too few sweeps leave a step unsolved, but its start must not drive the rod: frames that went along would, by 46 %
TEST(StableDynamics, FewSweepsCreateLittleEnergy) {
  for (double tolerance : {0.0, 1e-5}) {
    RodOptions o;
    o.segments = 30, o.EA = o.GA = 1e4, o.EI1 = o.EI2 = o.GJ = 1;
    Scene scene = cantilever(o);
    for (std::size_t i = 0; i < scene.state.x.size(); ++i)
      scene.state.v[i] = {0, 0, 3 * std::pow(scene.state.x[i].x, 2)};
    const auto energy = [&] {
      return kinetic_energy(scene.model, scene.state) + elastic_energy(scene.model, scene.state);
    };
    const double before = energy();
    Options options;
    options.iterations = 4, options.tolerance = tolerance, options.acceleration = false;
    StableSolver solver(options);
    ThreadTeam team(1);
    solver.reset(scene.model, scene.state, team);
    for (int n = 0; n < 100; ++n) {
      scene.advance(solver, 2e-3, 1);
      EXPECT_LT(energy(), 1.05 * before) << "step " << n << ", tolerance " << tolerance;
    }
    EXPECT_GT(energy(), 1e-3 * before);
  }
}

TEST(StableDynamics, SaysWhenItDidNotConverge) {
  Scene scene = falling_cantilever(general_rod());
  Options options;
  options.iterations = 2, options.residuals = true;
  StableSolver solver(options);
  ThreadTeam team(1);
  solver.reset(scene.model, scene.state, team);
  Contact contact;
  const StepReport report = solver.step(scene.inputs, contact, 0.01, scene.state);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.residuals.size(), 2u);
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
}  // namespace tendril::stable
