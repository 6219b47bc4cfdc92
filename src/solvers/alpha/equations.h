#pragma once

#include <vector>

#include "solvers/alpha/block_elimination.h"
#include "solvers/alpha/chain.h"
#include "solvers/alpha/kernels.h"
#include "solvers/alpha/scheme.h"
#include "solvers/solver.h"
#include "solvers/supports.h"

namespace tendril::solvers::alpha {

// what the method remembers of the last step besides the State
struct Memory {
  std::vector<Vec3d> acceleration;   // a (vertex) [m/s²]
  std::vector<Vec3d> way_per_time;   // w (vertex) [m/s]
  std::vector<Vec3d> moment;         // rate of the angular momentum (segment) [N m, world]
  std::vector<Vec3d> turn_per_time;  // w of turns (segment) [rad/s, in the segment's frame]
  std::vector<Vec3d> force;          // N (segment) [N, world]
};

// where a step may end
struct Trial {
  std::vector<Vec3d> x;      // (vertex) [m]
  std::vector<Vec3d> way;    // since the start of the step: x has lost its last digits (vertex) [m]
  std::vector<Quatd> q;      // (segment)
  std::vector<Vec3d> turn;   // since the start of the step, see gibbs_turn(), in the frame of then (segment) [rad]
  std::vector<Vec3d> force;  // N, pulls the ends of a segment together over the step (segment) [N, world]
};

// The balances of a step of all chains: Eq. 6, 7 and 8 of [sobottka2008] in the weights of Eq. 17, on the grid that the
// State has. Velocity and displacement belong to vertices, angular velocity, frame and force to segments, curvature to
// bends, so that every space derivative is a difference of two neighbours about its own place. With the unknowns
//   x of vertices, w (turns) and N of segments:
//   vertex   m a + c m u - f - Σ ±N = 0                                                            Eq. 6, 12a
//   segment  dH/dt + c H - l - Σ moments of bends - (x1 - x0) x N = 0,   H = l R J Rᵀ omega        Eq. 7, 12b
//   strain   Rᵀ (x1 - x0) / l - e3 - Rᵀ N / K = 0                                                  Eq. 8, 10, 12d
// where kappa = log(q̄_a q_b) / l follows from the frames (Eq. 1, 12c) and u, omega from x and w (scheme.h).
class Equations {
 public:
  void reset(const Model& model);
  int chain_count() const { return static_cast<int>(chains_.size()); }
  const Chain& chain(int c) const { return chains_[c]; }

  // `start` and `memory` are those at the start of the step and outlive it
  void begin_step(const Inputs& inputs, const State& start, const Memory& memory);
  void prepare(const Chain& chain, const Scheme& scheme);  // what is known of a chain before the step
  // where velocities lead to, or where the step starts
  enum class Guess { moving, resting };
  void guess(const Chain& chain, Guess how, Trial& at) const;

  // The rows of a node at a trial state: its vertex and the segment behind it. Turns in world axes, q <- exp(w) q.
  void rows(const Chain& chain, int node, const Trial& at, NodeRows& out) const;

  // the end of the step: velocities and what is remembered
  void finish(const Chain& chain, const Trial& at, State& end, Memory& next) const;

  double rest_length(const Chain& chain, int node) const;

  // How the energy of a chain changed over the step, kinetic and elastic, beyond the work of loads and supports; and
  // all that was at work: the energy at the start and what came and went.
  struct EnergyChange {
    double surplus = 0, at_work = 0;  // seen from the centre of a chain that flies [J]
    double whole = 0;                 // at work with its flight, of which round-off is a share [J]
  };
  EnergyChange energy_change(const Chain& chain, const Trial& at, const State& end) const;

 private:
  struct VertexTerms {
    double stiffness = 0;  // of the row, by displacement [N/m]
    double damping = 0;    // [kg/s]
    double drag = 0;       // [kg/s]
    Vec3d load;            // [N]
  };
  struct SegmentTerms {
    Vec3d omega_rest;   // omega = by_way turn + omega_rest [rad/s, in its frame]
    Vec3d omega_old;    // [rad/s, in its frame]
    Vec3d spin_old;     // angular momentum at the start [kg m²/s, world]
    Vec3d load;         // of the row, all that does not change in the step [N m, world]
    Vec3d edge_old;     // x1 - x0 at the start [m]
    Vec3d strain_rest;  // of the strain row [-]
    double strain_share = 1, strain_rate = 0;
    Compliance compliance;
    Vec3d inertia;  // l J [kg m²]
  };

  Vec3d omega_at(int s, const Scheme& scheme, const Trial& at) const;
  Vec3d vertex_force(int i, const Scheme& scheme, const Trial& at) const;
  void add_vertex_rows(const Chain& chain, int node, const Trial& at, NodeRows& out) const;
  void add_segment_rows(const Chain& chain, int node, const Trial& at, NodeRows& out) const;
  void add_strain_rows(const Chain& chain, int node, const Trial& at, NodeRows& out) const;
  void add_bend_rows(const Chain& chain, int node, const Trial& at, NodeRows& out) const;
  void set_held(const Inputs& inputs);
  void prepare_vertex(int i, const Scheme& scheme);
  void prepare_segment(int s, const Scheme& scheme);
  void prepare_bends(const Chain& chain);
  double pull(int s, int vertex) const { return model_->segments[s].vertex[0] == vertex ? 1 : -1; }
  const Quatd& frame_old(const FrameId& id) const {
    return id.is_body ? start_->body_q[id.index] : start_->q[id.index];
  }
  const Quatd& frame(const FrameId& id, const Trial& at) const {
    return id.is_body ? inputs_->end.body_pose[id.index].q : at.q[id.index];
  }
  BendFrames frames_old(const Bend& bend) const { return {frame_old(bend.a), frame_old(bend.b) * bend.turn}; }
  BendMoment moment_of(int bend, const Scheme& scheme, const Trial& at) const;

  const Model* model_ = nullptr;
  Supports supports_;
  std::vector<Chain> chains_;
  std::vector<double> damped_mass_;        // (vertex) [kg/s]
  std::vector<Vec3d> rest_angle_;          // (bend) [rad]
  std::vector<VertexTerms> vertex_terms_;  // (vertex)
  std::vector<SegmentTerms> segment_terms_;
  std::vector<Vec3d> angle_old_;        // beyond rest, where the start of the step counts (bend) [rad]
  std::vector<Vec3d> held_x_, held_v_;  // where they are held (vertex)

  const Inputs* inputs_ = nullptr;
  const State* start_ = nullptr;
  const Memory* memory_ = nullptr;
  std::vector<Scheme> schemes_;  // of this step (chain)
};

}  // namespace tendril::solvers::alpha
