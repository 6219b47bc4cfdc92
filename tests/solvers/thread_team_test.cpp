#include "math/thread_team.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace tendril::solvers {
namespace {

TEST(ThreadTeam, DoesEveryChunkOnceAndSeesTheJobBefore) {
  for (int size : {1, 2, 3, 8})
    for (int count : {0, 1, 2, 7, 100}) {
      ThreadTeam team(size);
      std::vector<int> times(count, 0), sums(count, 0);
      const int jobs = 200;
      for (int job = 0; job < jobs; ++job) {
        team.run(count, [&](int chunk, int) { ++times[chunk]; });
        team.run(count, [&](int chunk, int) { sums[chunk] += std::accumulate(times.begin(), times.end(), 0); });
      }
      for (int chunk = 0; chunk < count; ++chunk) {
        EXPECT_EQ(times[chunk], jobs);
        EXPECT_EQ(sums[chunk], count * jobs * (jobs + 1) / 2);
      }
    }
}

TEST(ThreadTeam, AWorkerDoesOneChunkAtATime) {
  ThreadTeam team(4);
  std::vector<std::atomic<bool>> is_busy(team.size());
  std::atomic<int> clashes = 0;
  for (int job = 0; job < 200; ++job)
    team.run(50, [&](int, int worker) {
      if (is_busy.at(worker).exchange(true)) ++clashes;
      std::this_thread::yield();
      is_busy[worker] = false;
    });
  EXPECT_EQ(clashes, 0);
}

// one that is held up in its first chunk keeps nobody from the others of its share
TEST(ThreadTeam, OthersDoWhatIsLeftOfAShare) {
  ThreadTeam team(2);
  constexpr int count = 20;
  for (int job = 0; job < 100; ++job) {
    std::atomic<int> done = 0;
    team.run(count, [&](int, int worker) {
      while (worker == 1 && done < count - 1) std::this_thread::yield();
      ++done;
    });
    EXPECT_EQ(done, count);
  }
}

TEST(ThreadTeam, ForEachTakesAllOnce) {
  for (int size : {1, 3})
    for (int count : {0, 1, 5, 1000}) {
      ThreadTeam team(size);
      std::vector<int> times(count, 0);
      team.for_each(count, [&](int n, int) { ++times[n]; });
      EXPECT_EQ(std::count(times.begin(), times.end(), 1), count);
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
}  // namespace tendril::solvers
