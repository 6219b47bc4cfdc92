#pragma once

#include "solvers/stable/contact_sweep.h"
#include "solvers/stable/rows.h"
#include "solvers/stable/sweeps.h"

namespace tendril::solvers::stable {

// the dynamic bodies' part of a sweep: each body with the vertices that follow it is one block of six unknowns, and
// takes one Newton step with a positive definite matrix, halved until its energy falls
class Bodies {
 public:
  void reset(const StepProblem& problem, const Layout& layout);
  bool empty() const { return bodies_.empty(); }

  template <class S>
  void update(const StepProblem& problem, ContactSweep<S>& contact_sweep, Rows<S>& rows, State& iterate,
              Remainder* met) const;

  // puts the vertices of all bodies, and the bodies' frames, where the iterate has the bodies
  template <class S>
  void place(const StepProblem& problem, const Layout& layout, const State& iterate, Rows<S>& rows) const;

 private:
  struct End {  // a segment at a vertex that follows the body
    int other_row, segment_row, segment, sign;
  };
  struct Follower {
    int vertex, row;
    Vec3d offset;
    std::vector<End> ends;
  };
  struct Joint {  // a bend at the body's frame
    int frame_row, bend;
    bool reversed;
  };
  struct Block {
    int body, row;
    std::vector<Follower> followers;
    std::vector<Joint> joints;
  };
  struct Energy;

  template <class S>
  Energy assemble(const StepProblem& problem, const Block& block, const Vec3d& x, const Quatd& q,
                  const ContactSweep<S>& contact_sweep, const Rows<S>& rows) const;
  template <class S>
  void place(const StepProblem& problem, const Block& block, const State& iterate, Rows<S>& rows) const;

  std::vector<Block> bodies_;
};

}  // namespace tendril::solvers::stable
