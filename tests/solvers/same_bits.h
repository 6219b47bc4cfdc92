#pragma once

#include <gtest/gtest.h>

#include "math/thread_team.h"
#include "solvers/chain.h"

namespace tendril::solvers::testing {

// 20 steps of block lead to the same bits on any number of threads
inline void expect_same_bits_on_any_number_of_threads(const Scene& start) {
  const auto run = [&](int threads) {
    Scene scene = start;
    const auto solver = find_solver("block")->make({{"tolerance", 1e-9}});
    ThreadTeam team(threads);
    solver->reset(scene.model, scene.state, team);
    scene.advance(*solver, 5e-3, 20);
    return scene.state;
  };
  const State one = run(1);
  for (int threads : {2, 8}) {
    const State many = run(threads);
    EXPECT_EQ(one.x, many.x) << threads;
    EXPECT_EQ(one.q, many.q) << threads;
    EXPECT_EQ(one.v, many.v) << threads;
  }
}

}  // namespace tendril::solvers::testing
