#include "math/thread_team.h"

#include <ctime>

namespace tendril::math {

namespace {

// A job lasts microseconds, and so does the time between two: a waiting thread looks so many times whether it goes on,
// for half a millisecond, before it sleeps. Where threads of the team itself want its core they are let in.
constexpr int looks_before_sleep = 10000;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

ThreadTeam::ThreadTeam(int size)
    : most_(std::max(size > 0 ? size : static_cast<int>(std::thread::hardware_concurrency()), 1)),
      size_(most_),
      left_(std::make_unique<Left[]>(most_)) {}

ThreadTeam::~ThreadTeam() { dismiss(); }

void ThreadTeam::employ(int count) {
  count = std::clamp(count, 1, most_);
  if (count == size_) return;
  dismiss();
  size_ = count;
}

// with the first job that is shared
void ThreadTeam::hire() {
  is_crowded_ = size_ > static_cast<int>(std::thread::hardware_concurrency());
  is_alone_ = false, asleep_ = Clock::duration{0};
  const unsigned last_job = job_number_.load(std::memory_order_relaxed);
  for (int worker = 1; worker < size_; ++worker) {
    workers_.emplace_back([this, worker, last_job] { serve(worker, last_job); });
    pthread_getcpuclockid(workers_.back().native_handle(), &clocks_.emplace_back());
  }
}

void ThreadTeam::dismiss() {
  is_dismissed_.store(true, std::memory_order_relaxed);
  job_number_.fetch_add(1, std::memory_order_release);
  job_number_.notify_all();
  workers_.clear(), clocks_.clear();
  is_dismissed_.store(false, std::memory_order_relaxed);
  awake_.store(0, std::memory_order_relaxed);
}

bool ThreadTeam::is_alone() {
  if (is_alone_) is_alone_ = Clock::now() < alone_until_;
  return is_alone_;
}

void ThreadTeam::be_alone(Clock::duration lost) {
  is_alone_ = true;
  alone_until_ = Clock::now() + 30 * lost;
}

void ThreadTeam::run_together() {
  if (workers_.empty()) hire();
  const bool all_sleep = awake_.load(std::memory_order_relaxed) == 0;
  const Clock::time_point begin = all_sleep ? Clock::now() : Clock::time_point{};
  done_.store(0, std::memory_order_relaxed);
  for (int worker = 0; worker < size_; ++worker) {
    const Share share = share_of(job_.count, worker, size_);
    left_[worker].chunks.store(share.end - share.begin, std::memory_order_release);
  }
  job_number_.fetch_add(1, std::memory_order_release);
  job_number_.notify_all();
  take_part(0);
  wait_for_others();
  if (all_sleep) see_who_wakes(begin);
}

void ThreadTeam::see_who_wakes(Clock::time_point begin) {
  constexpr auto time_to_wake_up = std::chrono::microseconds(300);
  const bool still_sleep = awake_.load(std::memory_order_relaxed) == 0;
  asleep_ = still_sleep ? asleep_ + (Clock::now() - begin) : Clock::duration{0};
  if (asleep_ < time_to_wake_up) return;
  be_alone(asleep_);
  asleep_ = Clock::duration{0};
}

// who comes late takes part in the next job
void ThreadTeam::take_part(int worker) {
  int count = 0, taken = 0;
  for (int k = 0; k < size_; ++k) {
    const int share = (worker + k) % size_;
    for (int left = take_from(share); left > 0; left = take_from(share), ++taken) {
      count = job_.count;
      job_.call(job_.work, share_of(count, share, size_).end - left, worker);
    }
  }
  if (taken > 0 && done_.fetch_add(taken, std::memory_order_acq_rel) + taken == count) done_.notify_one();
}

// how many chunks were left of a share before one was taken
int ThreadTeam::take_from(int share) {
  std::atomic<int>& chunks = left_[share].chunks;
  int left = chunks.load(std::memory_order_relaxed);
  while (left > 0 && !chunks.compare_exchange_weak(left, left - 1, std::memory_order_acquire)) {
  }
  return left;
}

// who have begun a chunk; if they did not run meanwhile they have lost their cores
void ThreadTeam::wait_for_others() {
  if (done_.load(std::memory_order_acquire) == job_.count) return;
  const Clock::time_point begin = Clock::now();
  for (int looks = 0; looks < looks_before_sleep; ++looks) {
    if (done_.load(std::memory_order_acquire) == job_.count) return;
    is_crowded_ ? std::this_thread::yield() : pause();
  }
  const Clock::time_point sleep = Clock::now();
  const double at_work = seconds_at_work();
  for (int done = done_.load(std::memory_order_acquire); done != job_.count;
       done = done_.load(std::memory_order_acquire))
    done_.wait(done, std::memory_order_acquire);
  const Clock::time_point end = Clock::now();
  if (seconds_at_work() - at_work < 0.5 * std::chrono::duration<double>(end - sleep).count()) be_alone(end - begin);
}

double ThreadTeam::seconds_at_work() const {
  double seconds = 0;
  for (const clockid_t& clock : clocks_) {
    timespec time{};
    clock_gettime(clock, &time);
    seconds += static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  return seconds;
}

void ThreadTeam::wait_for_job_after(unsigned last) {
  for (int looks = 0; looks < looks_before_sleep; ++looks) {
    if (job_number_.load(std::memory_order_acquire) != last) return;
    is_crowded_ ? std::this_thread::yield() : pause();
  }
  awake_.fetch_sub(1, std::memory_order_relaxed);
  job_number_.wait(last, std::memory_order_acquire);
  awake_.fetch_add(1, std::memory_order_relaxed);
}

void ThreadTeam::serve(int worker, unsigned last_job) {
  awake_.fetch_add(1, std::memory_order_relaxed);
  for (unsigned last = last_job;;) {
    wait_for_job_after(last);
    last = job_number_.load(std::memory_order_acquire);
    if (is_dismissed_.load(std::memory_order_relaxed)) return;
    take_part(worker);
  }
}

}  // namespace tendril::math
