#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace tendril {

// a few threads that do one job together, phase by phase
//   team.run([&](int worker) { part_one(worker); team.wait(); part_two(worker); });
// the caller is worker 0; between jobs the others sleep
class ThreadTeam {
 public:
  explicit ThreadTeam(int size);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int size() const { return size_; }
  void run(const std::function<void(int worker)>& job);
  void wait();  // inside a job: goes on when every worker has come here

 private:
  void serve(int worker);
  void wait_while(const std::atomic<unsigned>& number, unsigned is) const;

  const int size_;
  const bool is_crowded_;                          // more threads than cores
  const std::function<void(int)>* job_ = nullptr;  // nullptr when the team is dismissed
  alignas(64) std::atomic<unsigned> job_number_{0};
  alignas(64) std::atomic<int> arrived_{0};
  alignas(64) std::atomic<unsigned> phase_{0};
  std::vector<std::jthread> workers_;
};

// the part of [0, count) that belongs to a worker
struct Share {
  int begin, end;
};
inline Share share_of(int count, int worker, int workers) {
  return {static_cast<int>(static_cast<long>(count) * worker / workers),
          static_cast<int>(static_cast<long>(count) * (worker + 1) / workers)};
}

}  // namespace tendril
