#include "benchmark.h"

namespace tendril::app {

const std::vector<Benchmark>& benchmarks() {
  static const std::vector<Benchmark> all = {
      {"stable", "Table 1 of Stable Cosserat Rods: time per frame, ours beside theirs", bench_stable_table},
      {"stable-residual", "Fig. 11 of Stable Cosserat Rods: residual by iteration and by time", bench_stable_residual},
      {"block", "block beside stable: error after so many sweeps or Newton steps, and time; then block-cost",
       bench_block},
      {"block-cost", "what a Newton step of block costs per vertex", bench_block_cost, true},
      {"direct", "Tables 1 and 2 and Fig. 9 of Direct Position-Based Solver for Stiff Rods", bench_direct},
      {"direct-cost", "what an iteration of direct costs per segment, its set-up and its memory", bench_direct_cost},
      {"alpha", "alpha beside its talk: Newton steps and time; and beside block in second order", bench_alpha},
      {"compact", "Table 1, Fig. 3 to 5, 7 to 10 and 12 of Inextensible Cosserat Rods by a Compact Representation",
       bench_compact},
      {"contact", "Fig. 1 and 12 of Stable Cosserat Rods: knits at full size, by stage and threads", bench_contact},
      {"afro", "Fig. 13 of Stable Cosserat Rods: 45,772 strands, without and with hair as a volume", bench_afro},
      {"hair", "hair on a head that turns: contact off, on a sphere, on a mesh, and hair on hair", bench_hair},
      {"projective", "hair of 30 segments at ten iterations: steps per second, by strands and threads, with a sphere",
       bench_projective},
      {"tolerance", "what the tolerance of block leaves unsolved, beside the error of the time step", bench_tolerance},
  };
  return all;
}

}  // namespace tendril::app
