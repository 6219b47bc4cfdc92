#include "math/thread_team.h"

#include <gtest/gtest.h>

#include <numeric>

namespace tendril {
namespace {

TEST(ThreadTeam, EveryPhaseSeesTheOneBefore) {
  for (int size : {1, 2, 3, 8}) {
    ThreadTeam team(size);
    std::vector<int> counts(size, 0);
    std::vector<int> sums(size, 0);
    const int phases = 200;
    for (int job = 0; job < 3; ++job)
      team.run([&](int worker) {
        for (int phase = 0; phase < phases; ++phase) {
          ++counts[worker];
          team.wait();
          sums[worker] += std::accumulate(counts.begin(), counts.end(), 0);
          team.wait();
        }
      });
    const int total = 3 * phases;
    for (int worker = 0; worker < size; ++worker) {
      EXPECT_EQ(counts[worker], total);
      EXPECT_EQ(sums[worker], size * total * (total + 1) / 2);
    }
  }
}

TEST(ThreadTeam, SharesCoverEverythingOnce) {
  for (int count : {0, 1, 7, 1000}) {
    int next = 0;
    for (int worker = 0; worker < 3; ++worker) {
      const Share share = share_of(count, worker, 3);
      EXPECT_EQ(share.begin, next);
      next = share.end;
    }
    EXPECT_EQ(next, count);
  }
}

}  // namespace
}  // namespace tendril
