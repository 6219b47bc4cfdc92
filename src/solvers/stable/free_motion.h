#pragma once

#include "solvers/stable/rows.h"

namespace tendril::stable {

// Parts of the Model that nothing holds along some world axis. There the internal forces cancel, so the centre of mass
// must be where inertia and the external forces put it; sweeps alone, which move one vertex at a time, would be slow to
// take it there.
class FreeMotion {
 public:
  void reset(const StepProblem& problem, const Layout& layout);
  bool empty() const { return parts_.empty(); }

  // shifts each part so that its centre of mass is right
  template <class S>
  void balance(const StepProblem& problem, Rows<S>& rows, State& iterate) const;

 private:
  struct Part {
    Vec3d axes;  // 1 where it is free
    std::vector<int> vertices, rows, bodies;
  };
  std::vector<Part> parts_;
};

}  // namespace tendril::stable
