#pragma once

#include <vector>

#include "rod/model.h"
#include "rod/state.h"

namespace tendril::render {

// the graph of unbroken segments cut into smooth paths: each segment lies in one chain
struct Chains {
  struct Chain {
    int first = 0, count = 0;  // range of `segments`
    bool closed = false;
    bool joins_start = false;  // its first vertex has further segments: a branch begins inside another chain
    bool joins_end = false;
  };
  std::vector<Chain> chains;
  std::vector<int> segments;  // along each chain, one chain after the other
  std::vector<int> from;      // the vertex at which each of these segments is entered

  int to(const Model& model, int slot) const {
    const int* ends = model.segments[segments[slot]].vertex;
    return ends[0] == from[slot] ? ends[1] : ends[0];
  }
};

// where more than two segments meet, the pairs that continue each other best (direction and radius) share a chain
Chains find_chains(const Model& model, const State& state);

}  // namespace tendril::render
