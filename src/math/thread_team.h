#pragma once

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "layers.h"

namespace tendril::math {

// a part of [0, count)
struct Share {
  int begin, end;
};
// one of `shares` equal ones that follow each other
inline Share share_of(int count, int share, int shares) {
  return {static_cast<int>(static_cast<long>(count) * share / shares),
          static_cast<int>(static_cast<long>(count) * (share + 1) / shares)};
}

// A few threads that do a job together, chunk by chunk:
//   team.run(chunks, [&](int chunk, int worker) { ... });
// The caller is worker 0; between jobs the others sleep. A worker starts with its own share of the chunks and then
// takes what is left of the others' shares, so nobody waits for a thread without a core, unless it lost it in the
// middle of a chunk. Where other programs want the cores, so that the others lose theirs or do not wake up, the caller
// does without them for thirty times as long as that has cost. What a chunk does must not depend on its worker, and it
// must not run another job of the team.
class ThreadTeam {
 public:
  explicit ThreadTeam(int size);  // 0: one thread for every core; they start with the first job
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int size() const { return size_; }

  // From now on so many of its threads, of those that it was made with; the others are sent home. Not within a job, and
  // what is kept per worker is to be made anew.
  void employ(int count);

  // work(chunk, worker) for all chunks below count
  template <class Work>
  void run(int count, const Work& work) {
    if (size_ == 1 || count <= 1 || is_alone()) {
      for (int chunk = 0; chunk < count; ++chunk) work(chunk, 0);
      return;
    }
    job_ = {count, &work,
            [](const void* of, int chunk, int worker) { (*static_cast<const Work*>(of))(chunk, worker); }};
    run_together();
  }

  // in how many chunks a job of many small things is done
  int chunks_of(int count) const {
    return size_ == 1 ? std::min(count, 1) : std::min(count, chunks_per_worker * size_);
  }

  // work(n, worker) for all n below count
  template <class Work>
  void for_each(int count, const Work& work) {
    const int chunks = chunks_of(count);
    run(chunks, [&](int chunk, int worker) {
      const Share share = share_of(count, chunk, chunks);
      for (int n = share.begin; n < share.end; ++n) work(n, worker);
    });
  }

 private:
  static constexpr int chunks_per_worker = 8;
  using Clock = std::chrono::steady_clock;

  struct Job {
    int count = 0;
    const void* work = nullptr;
    void (*call)(const void* work, int chunk, int worker) = nullptr;
  };
  struct alignas(64) Left {
    std::atomic<int> chunks{0};
  };

  void hire();
  void dismiss();
  bool is_alone();
  void be_alone(Clock::duration lost);
  void run_together();
  void take_part(int worker);
  void see_who_wakes(Clock::time_point begin);
  int take_from(int share);
  void wait_for_others();
  void serve(int worker, unsigned last_job);
  void wait_for_job_after(unsigned last);
  double seconds_at_work() const;

  const int most_;                        // threads
  int size_;                              // of them at work
  bool is_crowded_ = false;               // more threads than cores
  Job job_;                               // constant until all of its chunks are done
  std::unique_ptr<Left[]> left_;          // of the share of each worker, what nobody has taken yet (worker)
  alignas(64) std::atomic<int> done_{0};  // chunks
  alignas(64) std::atomic<unsigned> job_number_{0};
  std::atomic<bool> is_dismissed_{false};
  alignas(64) std::atomic<int> awake_{0};  // of the others
  Clock::duration asleep_{0};              // while jobs ran, since one of the others was awake
  bool is_alone_ = false;                  // the caller, until then:
  Clock::time_point alone_until_;
  std::vector<clockid_t> clocks_;  // of the time that the others spend at work (worker - 1)
  std::vector<std::jthread> workers_;
};

}  // namespace tendril::math
