#pragma once

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "layers.h"

namespace tendril::render {

// Does `work(row)` for every row of a picture; each thread takes the next one. 0 threads: all of the machine.
// The calling thread asks `go_on(part done)` after each of its rows; false when it said no and rows are left
template <class Work, class GoOn>
bool for_each_row(int rows, int threads, const Work& work, const GoOn& go_on) {
  std::atomic<int> next = 0;
  std::atomic<bool> stopped = false;
  const auto serve = [&](bool caller) {
    for (int row = next++; row < rows && !stopped; row = next++) {
      work(row);
      if (caller && !go_on(double(row + 1) / rows)) stopped = true;
    }
  };
  if (threads <= 0) threads = std::max(1, int(std::thread::hardware_concurrency()));
  {
    std::vector<std::jthread> crew;
    for (int t = 1; t < std::min(threads, rows); ++t) crew.emplace_back(serve, false);
    serve(true);
  }
  return !stopped;
}

template <class Work>
void for_each_row(int rows, int threads, const Work& work) {
  for_each_row(rows, threads, work, [](double) { return true; });
}

}  // namespace tendril::render
