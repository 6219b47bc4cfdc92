#pragma once

#include <string>
#include <vector>

#include "rod/stream.h"
#include "sim/simulation.h"

namespace tendril::sim {

// Frames know how they are turned against each other but for whole turns. A joint that is turned by more than half a
// turn is taken for one that is turned the other way, and its moment changes sign: such joints are counted, for what
// they lost is not in the result.
class HalfTurns {
 public:
  explicit HalfTurns(const Model& whole_model) : sides_(whole_model.bends.size(), Side::unseen) {}

  // to be called often enough that no joint turns by a whole turn in between
  void look(const Simulation& simulation);

  int count() const { return count_; }  // of joints that were ever beyond half a turn from how they began
  const std::string& first() const { return first_; }  // rod "a" segment 3 and rod "a" segment 4 at t = 2.1 s

  void save(Writer& out) const;
  void load(Reader& in);

 private:
  enum class Side : char { unseen, near, far, counted };

  std::vector<Side> sides_;  // on which the product of both quaternions was first, which goes on through 0 (bend)
  std::string first_;
  int count_ = 0;
};

}  // namespace tendril::sim
