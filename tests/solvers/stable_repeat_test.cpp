#include <gtest/gtest.h>

#include <algorithm>

#include "rod/stream.h"
#include "solvers/stable_scenes.h"

namespace tendril::solvers::stable {
namespace {

using namespace testing;

TEST(StableRepeat, TurningTheWorldTurnsTheMotion) {
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

TEST(StableRepeat, ReversingTheVerticesChangesNothing) {
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

TEST(StableRepeat, FloatFollowsDoubleNearAndFarFromTheOrigin) {
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

// a small forest: enough work for several threads, and parts enough that one thread sweeps them one by one
Scene forest() {
  Scene scene;
  for (int tree = 0; tree < 90; ++tree) {
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

TEST(StableRepeat, TheSameBitsOnAnyNumberOfThreads) {
  for (int kind = 0; kind < 4; ++kind) {
    State end[3];
    const int threads[3] = {1, 2, 8};
    for (int k = 0; k < 3; ++k) {
      Scene scene = forest();
      Options options;
      options.iterations = 12, options.single_precision = kind % 2;
      if (kind > 1) options.tolerance = 0, options.acceleration = false;  // nothing to agree on between sweeps
      StableSolver solver(options);
      ThreadTeam team(threads[k]);
      solver.reset(scene.model, scene.state, team);
      EXPECT_EQ(solver.thread_count(), std::min(threads[k], 9));
      scene.advance(solver, 1e-3, 3);
      EXPECT_EQ(solver.layout().parts_are_apart, threads[k] == 1);
      end[k] = scene.state;
    }
    for (int k = 1; k < 3; ++k) {
      EXPECT_EQ(end[k].x, end[0].x);
      EXPECT_EQ(end[k].v, end[0].v);
      EXPECT_EQ(end[k].q, end[0].q);
    }
  }
}

TEST(StableRepeat, GoesOnFromASavedState) {
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

}  // namespace
}  // namespace tendril::solvers::stable
