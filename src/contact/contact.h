#pragma once

#include "rod/model.h"
#include "rod/state.h"

namespace tendril {

// pairs of things that touch; nothing collides yet
class Contact {
 public:
  void find_candidates(const Model&, const State&, double /*h*/) {}
};

}  // namespace tendril
