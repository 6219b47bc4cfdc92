#pragma once

#include <string>
#include <vector>

#include "contact/contact.h"
#include "solvers/newton/problem.h"

namespace tendril::solvers::direct {

using namespace newton;

// The way from where a step begins to where the iterations of mode = "paper" lead. A few iterations leave some
// collisions unsolved, and rods would pass through one another; so vertices and bodies go straight to their goals, and
// what runs into something a smaller share of its way.
class Approach {
 public:
  void reset(const Model& model);

  // `at` goes from the start of the step to `target` or near it, with what is driven. Why it cannot, or nothing.
  std::string go(const Iterate& target, Contact& contact, Iterate& at);
  double smallest_gap() const { return smallest_gap_; }  // on it [m]
  double cut_off() const { return cut_off_; }            // the largest part of a way that was left, over a radius [-]

 private:
  bool go_straight(const Iterate& target, Contact& contact, Iterate& at);
  bool go_apart(const Pair& pair, const Contact& contact, const Iterate& at) const;
  void place(const Iterate& target, const Contact& contact, Iterate& at) const;
  void shorten(const std::vector<std::pair<int, double>>& met, double factor, const Contact& contact,
               const Iterate& at);
  bool held_are_there(const Iterate& target, const Contact& contact) const;
  void measure(const Iterate& target, const Iterate& at);

  int body(int b) const { return static_cast<int>(mover_of_.size()) + b; }
  int mover(const Pair& pair, int side, int k) const;

  const Model* model_ = nullptr;
  std::vector<int> mover_of_;   // itself, or the free body that it follows (vertex)
  std::vector<char> is_held_;   // somehow (vertex)
  std::vector<double> shares_;  // of what is left of their ways (vertex, then body)
  double smallest_gap_ = forever, cut_off_ = 0;
};

}  // namespace tendril::solvers::direct
