#include "math/thread_team.h"

#include <algorithm>

namespace tendril {

namespace {

// a phase lasts microseconds, so a waiting thread looks again and again before it lets others run
constexpr int patience = 300;
// and between two jobs it looks that many times more before it sleeps
constexpr int looks_before_sleep = 20000;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

void linger(int looks) {
  if (looks < patience)
    pause();
  else
    std::this_thread::yield();
}

}  // namespace

ThreadTeam::ThreadTeam(int size) : size_(std::max(size, 1)) {
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
    return;
  }
  for (int looks = 0; phase_.load(std::memory_order_acquire) == phase; looks += looks < patience) linger(looks);
}

void ThreadTeam::serve(int worker) {
  for (unsigned last = 0;; ++last) {
    for (int looks = 0; job_number_.load(std::memory_order_acquire) == last; ++looks) {
      if (looks < looks_before_sleep)
        linger(looks);
      else
        job_number_.wait(last, std::memory_order_acquire);
    }
    if (!job_) return;
    (*job_)(worker);
    wait();
  }
}

}  // namespace tendril
