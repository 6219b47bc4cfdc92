#include "math/thread_team.h"

#include <algorithm>

namespace tendril {

namespace {

// A phase lasts microseconds, and so does the time between two jobs: a waiting thread looks so many times whether it
// goes on, for half a millisecond, before it sleeps. Where other programs want its core a thread that sleeps, or
// yields, is back only after some milliseconds, and all of the team waits for it. Where threads of the team itself
// want it they are let in.
constexpr int looks_before_sleep = 10000;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

ThreadTeam::ThreadTeam(int size)
    : size_(std::max(size, 1)), is_crowded_(size_ > static_cast<int>(std::thread::hardware_concurrency())) {
  for (int worker = 1; worker < size_; ++worker) workers_.emplace_back([this, worker] { serve(worker); });
}

ThreadTeam::~ThreadTeam() {
  job_ = nullptr;
  job_number_.fetch_add(1, std::memory_order_release);
  job_number_.notify_all();
}

void ThreadTeam::run(const std::function<void(int)>& job) {
  if (size_ > 1) {
    job_ = &job;
    job_number_.fetch_add(1, std::memory_order_release);
    job_number_.notify_all();
  }
  job(0);
  wait();
}

void ThreadTeam::wait() {
  if (size_ == 1) return;
  const unsigned phase = phase_.load(std::memory_order_relaxed);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) == size_ - 1) {
    arrived_.store(0, std::memory_order_relaxed);
    phase_.store(phase + 1, std::memory_order_release);
    phase_.notify_all();
    return;
  }
  wait_while(phase_, phase);
}

void ThreadTeam::wait_while(const std::atomic<unsigned>& number, unsigned is) const {
  for (int looks = 0; number.load(std::memory_order_acquire) == is; ++looks)
    if (looks == looks_before_sleep)
      looks = 0, number.wait(is, std::memory_order_acquire);
    else
      is_crowded_ ? std::this_thread::yield() : pause();
}

void ThreadTeam::serve(int worker) {
  for (unsigned last = 0;; ++last) {
    wait_while(job_number_, last);
    if (!job_) return;
    (*job_)(worker);
    wait();
  }
}

}  // namespace tendril
