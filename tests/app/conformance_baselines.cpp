// what baselines do not hold, by what they are

#include "conformance.h"

namespace tendril::conformance {

const std::vector<Excuse>& excuses() {
  static const std::vector<Excuse> all{};
  return all;
}

}  // namespace tendril::conformance
