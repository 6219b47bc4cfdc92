#pragma once

#include "benchmark.h"

namespace tendril::app {

void compare_on_birch(const BenchOptions& options, BenchResults& results);  // Table 2 [deul2018]
void compare_on_beam(const BenchOptions& options, BenchResults& results);   // Fig. 9

}  // namespace tendril::app
