#pragma once

#include <cstdint>

#include "layers.h"

namespace tendril::math {

// splitmix64: the same numbers on every machine for the same seed
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  // in [from, to)
  double uniform(double from = 0, double to = 1) { return from + (to - from) * double(next() >> 11) * 0x1.0p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace tendril::math
