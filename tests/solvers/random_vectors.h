#pragma once

#include <random>

#include "math/quat.h"
#include "math/sym3.h"

namespace tendril::solvers::testing {

// numbers of a normal distribution, and what is made of them
class RandomVectors {
 public:
  explicit RandomVectors(int seed) : random_(seed) {}
  double number() { return normal_(random_); }
  Vec3d vector(double size) { return size * Vec3d{number(), number(), number()}; }
  Quatd frame() { return normalized(Quatd{number(), number(), number(), number()}); }
  Sym3<double> definite(double size) {
    Sym3<double> out;
    for (int k = 0; k < 4; ++k) out += square(size, vector(1));
    return out;
  }

 private:
  std::mt19937 random_;
  std::normal_distribution<double> normal_;
};

}  // namespace tendril::solvers::testing
