#pragma once

#include <Eigen/Dense>
#include <vector>

#include "rod/model.h"
#include "solvers/solver.h"

namespace tendril::app {

// Rods as [deul2018] has them, for its comparison of two ways to solve them. A segment is a rigid body; a constraint of
// six rows joins its nearer end to the segment before it, and that of the first to the world:
//   C = (R_a p_a + x_a - R_b p_b - x_b,  2/l Im(q̄_a q_b - q̄_a⁰ q_b⁰))                         Eq. 23
// What differs from solvers/direct: the mass of a segment is that of a cylinder about its centre, not at its vertices;
// strains are quaternions' imaginary parts; zero-stretch rows have the same compliance at every joint; a branch is
// joined to the segment it grows from, and to no sibling; the clamp is a segment too, so that its l is a whole length.
// Loads act on centres.
class PublishedRods {
 public:
  PublishedRods(const Model& model, const State& at_rest, double zero_stretch_compliance);

  // Algorithm 1, lines 1 to 4: everything goes where it would without constraints, multipliers are zero
  void begin_step(const Instant& outside, double h);
  // lines 6 to 9, all constraints at once by the sparse LDLᵀ of Eq. 22
  void solve_all_at_once();
  // Eq. 21, one by one, from the root to the tips
  void solve_one_by_one();
  // lines 16 and 17
  void end_step();

  // the largest |C + alpha lambda|, the Chebyshev norm of b in Eq. 22 [m, 1/m]
  double residual() const;
  const State& state() const { return state_; }  // after end_step: vertices are where the segments end
  int depth() const;                             // joints between the world and the farthest tip

 private:
  using Vector3 = Eigen::Vector3d;
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  using Quaternion = Eigen::Quaterniond;

  // one of the Model, in an order in which the one before it comes first
  struct Segment {
    int in_model = 0;
    double mass = 0;                     // [kg]
    Vector3 inertia;                     // about its directors [kg m²]
    Vector3 x;                           // its centre [m]
    Quaternion q;                        // material frame to world
    Vector3 v = {0, 0, 0};               // [m/s]
    Vector3 omega = {0, 0, 0};           // [rad/s]
    Vector3 x_before = {0, 0, 0};        // at the beginning of the step
    Quaternion q_before = {1, 0, 0, 0};  // likewise
  };
  // of a segment with the one before it
  struct Joint {
    int before = -1;                  // -1: the world
    Vector3 arm_before, arm;          // from the centres to where they meet, in their frames [m]
    Quaternion clamp = {1, 0, 0, 0};  // the frame of the world
    double length = 0;                // l [m]
    double side = 1;                  // the sign of Re(q̄_a q_b) at rest
    Vector3 rest;                     // 2/l Im(q̄_a q_b) [1/m]
    Vector6 compliance;               // alpha without 1/h² [m/N, 1/(N m³)]
    Vector6 lambda = Vector6::Zero();
  };
  struct Rows {
    Vector6 left;                   // C + alpha lambda
    Matrix6 by_before, by_segment;  // Eq. 25 and 26
  };

  void add(int in_model, int vertex, int before, double zero_stretch_compliance);
  Vector6 left(int joint) const;
  Rows rows(int joint) const;
  Vector6 alpha(const Joint& joint) const { return (1 / (h_ * h_)) * joint.compliance; }

  const Model* model_;
  double h_ = 0;
  State state_;
  std::vector<Segment> segments_;
  std::vector<Joint> joints_;  // (segment)
};

}  // namespace tendril::app
