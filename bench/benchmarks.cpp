#include "benchmark.h"

namespace tendril {

const std::vector<Benchmark>& benchmarks() {
  static const std::vector<Benchmark> all = {
      {"stable", "Table 1 of Stable Cosserat Rods: time per frame, ours beside theirs", bench_stable_table},
      {"stable-residual", "Fig. 11 of Stable Cosserat Rods: residual by iteration and by time", bench_stable_residual},
      {"contact", "Fig. 1 and 12 of Stable Cosserat Rods: knits at full size, by stage and threads", bench_contact},
  };
  return all;
}

}  // namespace tendril
