#include "published_rods.h"

#include <gtest/gtest.h>

#include <numbers>

namespace tendril::app {
namespace {

// the cantilever of [deul2018]: 10 m, radius 0.5 m, 1 GPa, 1000 N
Model beam(int segments, State& state) {
  constexpr double r = 0.5, A = std::numbers::pi * r * r, I = A * r * r / 4;
  const double l = 10.0 / segments;
  Model model;
  for (int s = 0; s < segments; ++s) {
    Segment g;
    g.vertex[0] = s, g.vertex[1] = s + 1, g.rest_length = l;
    g.EI1 = g.EI2 = 1e9 * I, g.GJ = 4e8 * 2 * I;
    g.linear_density = 1000 * A, g.linear_inertia = 1000 * I * Vec3d{1, 1, 2};
    model.segments.push_back(g);
    state.q.push_back(rotation_between({0, 0, 1}, {1, 0, 0})), state.omega.push_back({});
  }
  for (int i = 0; i <= segments; ++i) {
    model.vertices.push_back({(i == 0 || i == segments ? 0.5 : 1) * 1000 * A * l, r});
    state.x.push_back({l * i, 0, 0}), state.v.push_back({});
  }
  model.ties.push_back({});
  return model;
}

struct Rods {
  int segments;
  State state;
  Model model = beam(segments, state);
  PublishedRods rods{model, state, 1e-10};
  Instant load;

  explicit Rods(int count) : segments(count) {
    load.force.assign(model.vertices.size(), {}), load.force.back() = {0, 0, -1000};
  }
};

// where the middle of the last segment comes to rest
TEST(PublishedRods, TheBeamHangsAsFarAsThePaperSays) {
  Rods r(50);
  for (int n = 0; n < 200; ++n) {
    r.rods.begin_step(r.load, 0.1);
    for (int k = 0; k < 3; ++k) r.rods.solve_all_at_once();
    r.rods.end_step();
  }
  const std::vector<Vec3d>& x = r.rods.state().x;
  EXPECT_NEAR(0.5 * (x[49].z + x[50].z), -6.7949e-3, 1e-7);
}

// up to the directions that forces had on the way
TEST(PublishedRods, OneByOneComesToWhereAllAtOnceDoes) {
  Rods swept(8), direct(8);
  for (Rods* r : {&swept, &direct}) r->rods.begin_step(r->load, 0.01);
  for (int n = 0; n < 3; ++n) direct.rods.solve_all_at_once();
  EXPECT_LT(direct.rods.residual(), 1e-14);
  EXPECT_GT(swept.rods.residual(), 1e-4);
  for (int n = 0; n < 2000; ++n) swept.rods.solve_one_by_one();
  EXPECT_LT(swept.rods.residual(), 1e-14);
  swept.rods.end_step(), direct.rods.end_step();
  const State &a = swept.rods.state(), &b = direct.rods.state();
  for (std::size_t i = 0; i < a.x.size(); ++i) EXPECT_LT(norm(a.x[i] - b.x[i]), 1e-9);
  EXPECT_LT(b.x.back().z, -1e-5) << "it moves";
}

}  // namespace
}  // namespace tendril::app
