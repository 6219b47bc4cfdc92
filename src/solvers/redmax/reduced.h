#pragma once

#include "solvers/redmax/chain.h"
#include "solvers/redmax/kernels.h"

namespace tendril::solvers::redmax {

// the velocity of the root, which counts where it is free, and the rates of all joints
struct Rates {
  Vec3d root;                // [m/s]
  std::vector<Vec3d> joint;  // Q' [1/s]; of a first joint that turns freely its angular velocity [rad/s, world]
};

// what the vertices and segments of a chain do, from its root on: velocities, accelerations, or impulses
struct Maximal {
  Vec3d root;
  std::vector<Vec3d> far;   // of each joint's farther vertex (joint)
  std::vector<Vec3d> turn;  // of each joint's segment (joint)
};

// Where a chain stands, with what takes rates to velocities, J, and back, Jᵀ; all in linear time.
class Configuration {
 public:
  Configuration(const Chain& chain, const Model& model, const State& state);

  const Chain& chain() const { return chain_; }
  const Vec3d& Q(std::size_t j) const { return Q_[j]; }
  Rates rates(const State& state) const;
  Rates zero() const { return {{}, std::vector<Vec3d>(chain_.joints.size())}; }

  // `base`: how the root moves where it does not count
  Maximal velocities(const Rates& rates, const Twist& base) const;
  // of all that goes on at these rates: J' Q' [m/s²]
  Maximal accelerations(const Rates& rates, const Twist& base) const;
  Rates pull_back(const Maximal& impulses) const;  // Jᵀ; none of a root that is held
  Maximal weighed(const Maximal& velocities, const std::vector<double>& mass, double spin_factor) const;  // M v

  // the blocks on the diagonal of Jᵀ M J
  struct Diagonal {
    double root;
    std::vector<Mat3d> joint;
  };
  Diagonal diagonal(const std::vector<double>& mass, double spin_factor) const;

  Vec3d turned(std::size_t j, const Vec3d& spin) const {  // I omega [kg m²/s, world]
    return rotate(frame_[j], scale(inertia_[j], rotate(conjugate(frame_[j]), spin)));
  }

 private:
  const Chain& chain_;
  std::vector<Vec3d> Q_;
  std::vector<Quatd> base_, frame_;  // of the joint, and of its segment
  std::vector<Vec3d> arm_;           // from near to far [m]
  std::vector<Mat3d> axes_;          // omega_child - omega_parent by Q', world
  std::vector<Vec3d> inertia_;       // of the segment about its directors [kg m²]
};

// the frames and places of a chain with other coordinates Q, from those of its root in `state`. A joint that turns
// freely in the world does so by Q from where it was.
void place(const Chain& chain, const std::vector<Vec3d>& Q, State& state);

}  // namespace tendril::solvers::redmax
