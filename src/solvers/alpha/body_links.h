#pragma once

#include <vector>

#include "rod/model.h"
#include "rod/state.h"
#include "solvers/solver.h"

namespace tendril::solvers::alpha {

// Dynamic bodies at the ends of rods. Each is one more segment of the chain, a link from the vertex on which it hangs
// to one more vertex, its centre: rigid, with the body's frame and inertia, and with the body's mass at the centre. So
// the twelve equations of the rod's last node are those of any other; what closes the chain is the motion of the body,
//   centre   m a - f + N = 0
//   link     d(R I Rᵀ omega)/dt - l - Σ moments of bends - (x_centre - x) x N = 0
//   tie      Rᵀ (x_centre - x) - arm = 0
// in the same weights of time, and it keeps energy and momenta as rods do.
class BodyLinks {
 public:
  // the Model with links in place of dynamic bodies: `model` itself where there are none
  const Model& replace_bodies(const Model& model);
  bool empty() const { return links_.empty(); }

  // from the vertex to the centre, in the frame of the body, for segments that are links [m]; else nullptr
  const Vec3d* arm_of(int segment) const;

  void add_links(const State& from, State& to) const;
  void add_links(Inputs& inputs) const;
  void take_from_links(const State& from, State& to) const;  // the State of the scene

 private:
  struct Link {
    int body = 0;
    Vec3d arm;  // [m]
  };
  void add_link(const Model& model, const Tie& tie);
  void add_links(Instant& instant) const;

  Model model_;                      // with links, which stand last in the order of `links_`, and so do their centres
  std::vector<Link> links_;          // in the order of the ties
  int vertices_ = 0, segments_ = 0;  // of the scene
};

}  // namespace tendril::solvers::alpha
