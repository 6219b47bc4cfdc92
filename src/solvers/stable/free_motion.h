#pragma once

#include <span>

#include "solvers/stable/contact_sweep.h"
#include "solvers/stable/rows.h"

namespace tendril::solvers::stable {

// Parts of the Model that nothing holds along some world axis. There the internal forces cancel, so the centre of mass
// must be where inertia, the external forces and contact put it; sweeps alone, which move one vertex at a time, would
// be slow to take it there.
class FreeMotion {
 public:
  void reset(const StepProblem& problem, const Layout& layout);
  bool empty() const { return parts_.empty(); }

  // shifts each part so that its centre of mass is right: where something touches it, by one Newton step, and then all
  // that touch each other together, whose forces on each other cancel; false if regions were in the way of the latter
  template <class S>
  bool balance(const StepProblem& problem, ContactSweep<S>& contact_sweep, Rows<S>& rows, State& iterate) const;

 private:
  struct Part {
    Vec3d axes;  // 1 where it is free
    std::vector<int> vertices, rows, bodies;
  };
  struct Inertia {
    Vec3d force;        // towards where a part would go alone [N]
    double weight = 0;  // [N/m]
  };
  template <class S>
  Inertia inertia_of(const StepProblem& problem, const Part& part, const Rows<S>& rows, const State& iterate) const;
  struct Push {  // of inertia and contact on a part
    Vec3d force;
    Mat3d stiffness;
    bool is_touched = false;
  };
  template <class S>
  bool balance_groups(const StepProblem& problem, ContactSweep<S>& contact_sweep, Rows<S>& rows, State& iterate) const;
  template <class S>
  bool shift(std::span<const int> parts, Vec3d way, ContactSweep<S>& contact_sweep, Rows<S>& rows,
             State& iterate) const;
  template <class Side>
  int part_of(const Side& side) const {
    if (side.row >= 0) return part_of_row_[side.row];
    return side.body >= 0 ? part_of_body_[side.body] : -1;
  }
  template <class S>
  std::vector<Push> pushes(const StepProblem& problem, ContactSweep<S>& contact_sweep, const Rows<S>& rows,
                           const State& iterate) const;

  std::vector<Part> parts_;
  std::vector<int> part_of_row_;   // -1: none (vertex row)
  std::vector<int> part_of_body_;  // (body)
};

}  // namespace tendril::solvers::stable
