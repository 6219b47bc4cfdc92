#include <gtest/gtest.h>

#include "contact/contact.h"
#include "math/thread_team.h"
#include "solvers/chain.h"

namespace tendril::solvers {
namespace {

using testing::RodOptions;
using testing::Scene;

// two cantilevers that swing side by side, so far from each other
Scene two_cantilevers(double apart) {
  Scene scene;
  RodOptions o;
  o.segments = 12;
  for (int k = 0; k < 2; ++k) {
    o.from = {0, k * apart, 0};
    const int vertex = static_cast<int>(scene.state.x.size()), segment = static_cast<int>(scene.state.q.size());
    scene.add_chain(o);
    scene.clamp(vertex, segment, o);
  }
  for (Vertex& v : scene.model.vertices) v.radius = 1e-3;
  for (Segment& s : scene.model.segments) s.radius = 1e-3;
  scene.fill_inputs();
  return scene;
}

// in how many of its steps the solver made substeps
int swing(Scene& scene, const std::string& solver_name, Contact& contact) {
  constexpr double h = 1e-3;
  const auto solver = find_solver(solver_name)->make({});
  ThreadTeam team(1);
  solver->reset(scene.model, scene.state, team);
  contact.reset(scene.model);
  int followed = 0;
  for (int n = 0; n < 50; ++n) {
    contact.find_candidates(scene.model, scene.state, scene.inputs.end.body_pose, h, team);
    EXPECT_TRUE(solver->step(scene.inputs, contact, h, scene.state).converged);
    followed += contact.is_followed();
    contact.end_path(scene.state);
    contact.end_step();
    EXPECT_FALSE(contact.crossing());
  }
  return followed;
}

class FarFromContact : public ::testing::TestWithParam<const char*> {};

TEST_P(FarFromContact, AStepIsTheSameToTheBit) {
  Scene with = two_cantilevers(0.5), without = two_cantilevers(0.5);
  Contact on({}, with.state), off;
  EXPECT_EQ(swing(with, GetParam(), on), 0);
  swing(without, GetParam(), off);
  EXPECT_TRUE(with.state.x == without.state.x);
  EXPECT_TRUE(with.state.q == without.state.q);
}

TEST_P(FarFromContact, WhatTouchesIsFollowed) {
  Scene scene = two_cantilevers(2e-3 + 1e-6);
  Contact contact({}, scene.state);
  EXPECT_EQ(swing(scene, GetParam(), contact), 50);
}

INSTANTIATE_TEST_SUITE_P(Newton, FarFromContact, ::testing::Values("block", "direct"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace tendril::solvers
