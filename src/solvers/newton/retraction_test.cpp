#include "solvers/newton/retraction.h"

#include <gtest/gtest.h>

#include "solvers/block/system.h"
#include "solvers/random_rod.h"

namespace tendril::solvers::newton {
namespace {

using solvers::testing::Dice;
using solvers::testing::RandomRod;

// what the kernel says of an edge: in the turned frame it is e + de - theta x e
TEST(Retraction, AnEdgeGoesBeyondTheLinearStep) {
  Dice dice(1);
  for (int n = 0; n < 100; ++n) {
    const Vec3d e = dice.between(0.5, 2) * dice.direction(), de = dice.decades(1e-8, 1) * dice.direction();
    const Vec3d theta = dice.decades(1e-8, 2) * dice.direction();
    const Vec3d expected = rotate(turn_by(theta), e + de - cross(theta, e)) - e - de;
    EXPECT_LT(norm(beyond_linear(e, de, theta) - expected), 1e-15 * (1 + norm(de)) * (1 + norm_squared(theta)) * 4);
  }
}

// a Newton step of a random rod, as its own equations have it
struct Step {
  explicit Step(int seed) : rod(seed) {
    const State& state = rod.scene.state;
    rod.prescribe(rod.h);
    problem.reset(rod.scene.model), parts.reset(problem);
    problem.begin_step(rod.scene.inputs, Scheme::implicit_euler(rod.h), state, {});
    const int vertices = static_cast<int>(state.x.size()), segments = static_cast<int>(state.q.size());
    problem.set_vertices(rod.scene.inputs, state, {}, {0, vertices});
    problem.set_segments(state, {}, {0, Problem::pack_count(segments)});
    problem.set_bends(state, {0, static_cast<int>(problem.bends.size())});
    at = to = state;
    for (std::size_t b = 0; b < at.body_x.size(); ++b)
      if (rod.scene.model.bodies[b].kind == BodyKind::kinematic)
        at.body_x[b] = problem.bodies[b].goal, at.body_q[b] = problem.bodies[b].spin.goal;
    for (const HeldAxis& axis : problem.held) at.x[axis.vertex][axis.k] = axis.z;
    to = at;
    prediction.resize(segments);
  }
  bool solve(int part) {
    system = std::make_unique<block::System>(problem, parts);
    system->begin(parts[part]);
    if (!system->factorise(at, prediction, 0).is_definite) return false;
    system->solve();
    return system->turn_size() > 1e-6;
  }
  Vec3d centre(int part, const Iterate& where) const {
    Vec3d sum;
    double weight = 0;
    const auto add = [&](double w, const Vec3d& x) { sum += w * x, weight += w; };
    for (const Unknown& u : parts[part].unknowns) {
      if (u.kind == Kind::vertex) add(problem.weight[u.index], where.x[u.index]);
      if (u.kind == Kind::body_place) add(problem.bodies[u.index].weight, where.body_x[u.index]);
    }
    for (int i : parts[part].slaved_vertices) add(problem.weight[i], where.x[i]);
    return sum / weight;
  }

  RandomRod rod;
  Problem problem;
  Parts parts;
  Iterate at, to;
  Prediction prediction;
  std::unique_ptr<block::System> system;
};

// Chains, trees and bobs, free and clamped: strains are where the linear equations have them, to round-off, what is
// held stays, and the centre of what is free goes where x + s u has it.
TEST(Retraction, StrainsGoWhereTheLinearEquationsHaveThem) {
  int open = 0, free = 0, with_bodies = 0;
  for (int seed = 0; seed < 200; ++seed) {
    Step step(seed);
    for (int p = 0; p < step.parts.count(); ++p) {
      const Part& part = step.parts[p];
      if (!part.skeleton.is_open || part.stretches.empty() || !retracts(part, step.problem) || !step.solve(p)) continue;
      const double fraction = std::min(1.0, 1 / step.system->turn_size());
      step.system->advance_straight(fraction, step.at, step.to);
      const Vec3d straight = step.centre(p, step.to);
      step.system->advance(fraction, step.at, step.to);
      step.system->predict(step.prediction);
      double size = 0;
      for (const StretchElement& e : part.stretches) size = std::max(size, norm(step.to.x[e.vertex[0]]));
      const auto check = [&](int s) {
        const auto [i, j] = step.rod.scene.model.segments[s].vertex;
        const Stretch<double> stretch = step.problem.stretch(s);
        const Vec3d gamma = strain(stretch, stretch_state(step.problem, s, i, j, step.to));
        const double last_digit = 1e-15 * (1 + norm(step.prediction[s]) + size / stretch.length);
        EXPECT_LT(norm(gamma - step.prediction[s]), 100 * last_digit) << "seed " << seed << ", segment " << s;
      };
      for (const StretchElement& e : part.stretches) check(e.segment);
      for (int s : part.slaved_segments) check(s);
      for (const HeldAxis& axis : step.problem.held) EXPECT_EQ(step.to.x[axis.vertex][axis.k], axis.z);
      if (part.is_free) {
        EXPECT_LT(norm(step.centre(p, step.to) - straight), 1e-13 * (1 + size)) << "seed " << seed;
      }
      ++open, free += part.is_free, with_bodies += !part.slaved_segments.empty();
    }
  }
  EXPECT_GT(open, 50);
  EXPECT_GT(free, 10);
  EXPECT_GT(with_bodies, 5);
}

// Rings: their strains are not those, but nearer to them than x + u has them, unless they are so soft that inertia
// alone says where they go.
TEST(Retraction, TheSecondOrderOfAClosedWayFollowsStrains) {
  int closed = 0, much_nearer = 0;
  for (int seed = 0; seed < 200; ++seed) {
    Step step(seed);
    for (int p = 0; p < step.parts.count(); ++p) {
      const Part& part = step.parts[p];
      if (part.skeleton.is_open || !retracts(part, step.problem) || !step.solve(p)) continue;
      step.system->bend_way(step.at);
      const double fraction = 0.01 / std::max(1.0, step.system->turn_size());
      const auto excess = [&] {  // energy of the strains beyond the linear ones
        double sum = 0;
        for (std::size_t n = 0; n < part.stretches.size(); ++n) {
          const StretchElement& e = part.stretches[n];
          const Stretch<double> stretch = step.problem.stretch(e.segment);
          const auto state = stretch_state(step.problem, e.segment, e.vertex[0], e.vertex[1], step.to);
          sum += stretch_energy(stretch, strain(stretch, state) - step.system->strains()[n]);
        }
        return sum;
      };
      step.system->advance_straight(fraction, step.at, step.to);
      const double straight = excess();
      step.system->advance(fraction, step.at, step.to);
      EXPECT_LE(excess(), (1 + 1e-9) * straight) << "seed " << seed;
      ++closed, much_nearer += excess() < 0.1 * straight;
    }
  }
  EXPECT_GT(closed, 10);
  EXPECT_GT(2 * much_nearer, closed);
}

}  // namespace
}  // namespace tendril::solvers::newton
