#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tendril::app {

using BenchResults = nlohmann::ordered_json;  // a list of objects, see `--json`

struct BenchOptions {
  double seconds = 1.0;  // of measuring per case, at least
  bool quiet = false;    // no table, only results
};

struct Benchmark {
  std::string name, meaning;
  BenchResults (*run)(const BenchOptions& options);  // prints its table and gives its numbers
  bool is_within_another = false;                    // which prints it, too
};

const std::vector<Benchmark>& benchmarks();

BenchResults bench_alpha(const BenchOptions& options);            // [sobottka2008], and block in second order
BenchResults bench_stable_table(const BenchOptions& options);     // Table 1 [hsu2025]
BenchResults bench_stable_residual(const BenchOptions& options);  // Fig. 11 [hsu2025]
BenchResults bench_block(const BenchOptions& options);            // beside stable
BenchResults bench_block_cost(const BenchOptions& options);       // of one Newton step
BenchResults bench_direct(const BenchOptions& options);           // Tables 1 and 2, Fig. 9 [deul2018]
BenchResults bench_direct_cost(const BenchOptions& options);      // of one iteration, set-up, memory
BenchResults bench_compact(const BenchOptions& options);          // Table 1, Fig. 3 to 5, 7 to 10 and 12 [zhao2022]
BenchResults bench_contact(const BenchOptions& options);          // Fig. 1 and 12 [hsu2025]
BenchResults bench_afro(const BenchOptions& options);             // Fig. 13 [hsu2025]
BenchResults bench_hair(const BenchOptions& options);             // on a head that turns
BenchResults bench_projective(const BenchOptions& options);       // hair at ten iterations, on a head that turns
BenchResults bench_tolerance(const BenchOptions& options);        // of block, beside the error of the time step

}  // namespace tendril::app
