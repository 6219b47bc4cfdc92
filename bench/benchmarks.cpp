#include "benchmark.h"

namespace tendril {

const std::vector<Benchmark>& benchmarks() {
  static const std::vector<Benchmark> all = {
      {"stable", "Table 1 of Stable Cosserat Rods: time per frame, ours beside theirs", bench_stable_table},
      {"stable-residual", "Fig. 11 of Stable Cosserat Rods: residual by iteration and by time", bench_stable_residual},
      {"block-cost", "what a Newton step of block costs per vertex", bench_block_cost},
  };
  return all;
}

}  // namespace tendril
