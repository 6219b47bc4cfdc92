#pragma once

#include <string>

#include "rod/model.h"

namespace tendril::app {

// the largest and the smallest of many values
struct Range {
  double low = forever, high = 0;
  void add(double value);
  std::string text() const;  // "4.2e+08/4.0e+02", largest first
};

// what Table 1 [hsu2025] says of a scene; there k_ss = k̃_ss l and k_bt = 4 k̃_bt / l, the weights of their constraints
struct Ranges {
  Range stretch;  // k_ss, over segments [N m]
  Range bend;     // k_bt, over bends, of the stiffest axis [N m]
  Range mass;     // of vertices [kg]
};

Ranges ranges_of(const Model& model);

}  // namespace tendril::app
