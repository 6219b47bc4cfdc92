#pragma once

#include <algorithm>
#include <vector>

#include "math/thread_team.h"
#include "rod/model.h"
#include "rod/strain.h"
#include "solvers/newton/kernels.h"
#include "solvers/newton/lanes.h"
#include "solvers/newton/scheme.h"
#include "solvers/supports.h"

namespace tendril::solvers::newton {

using solvers::Role;

// how the bend of a Model is measured
struct BendTraits {
  bool bent : 1 = false;    // at rest: its turn there is not the identity
  bool turns : 1 = false;   // the fixed turn of b's frame is not the identity
  bool scalar : 1 = false;  // by itself, not in lanes, see scalar_strain
};

// a dynamic body's inertia; of a kinematic one only where it is at the end of the step
struct BodyTerm {
  double weight = 0;  // m/h² [N/m]
  Vec3d goal;         // y [m]
  Spin<double> spin;
  Vec3d moment;  // external [N m, world]
};

// a world axis along which a vertex goes where it must
struct HeldAxis {
  int vertex = 0, k = 0;
  double z = 0;    // position at z, see scheme.h [m]
  double end = 0;  // at the end of the step [m]
  double v = 0;    // likewise [m/s]
};

// what a scheme of second order remembers of the last step; one of first order has none of vertices and segments
struct Accelerations {
  std::vector<Vec3d> vertex, body;        // [m/s²]
  std::vector<Vec3d> segment, body_turn;  // rates of their angular momenta [N m, world]
  bool known = false;

  void forget(const Model& model, int order = 2);
  Vec3d of_vertex(int i) const { return vertex.empty() ? Vec3d() : vertex[i]; }
  Vec3d of_segment(int s) const { return segment.empty() ? Vec3d() : segment[s]; }
};

// a share of the way from one frame to another
Quatd part_of_turn(const Quatd& from, const Quatd& to, double share);

// where things are while a step is solved; without velocities
using Iterate = State;

// all that the incremental potential of one step is made of:
//   sum w/2 |x - y|² + sum 2 |Im(q̄_y q)|²_W  of vertices, segments and bodies, their inertia
//   + sum l/2 gammaᵀ diag(GA, GA, EA) gamma + sum 1/2 (phi - rest)ᵀ K (phi - rest)  of segments and bends
// With external damping c and drag d a vertex weighs (m (1 + c h) + d h)/h², and a segment's spin I (1 + c h)/h².
// Internal damping eta adds the potential of the strain's rate, so that stiffnesses grow by 1 + eta/h and the rest
// moves towards the strain at the start of the step.
class Problem {
 public:
  void reset(const Model& model);
  void begin_step(const Inputs& inputs, const Scheme& scheme, const State& state, const Accelerations& old);
  // the rest of it, shared by workers
  void set_vertices(const Inputs& inputs, const State& state, const Accelerations& old, Share vertices);
  void set_segments(const State& state, const Accelerations& old, Share packs);
  void set_bends(const State& state, Share bends);
  void set_goal(const State& state, const Accelerations& old, int segment);  // of its frame

  const Quatd& frame(const Iterate& at, const FrameId& id) const {
    return id.is_body ? at.body_q[id.index] : at.q[id.index];
  }
  // Segments turn in packs, the same ones on any number of threads: lanes may take what their neighbours need.
  static int pack_count(std::size_t segments) {
    return static_cast<int>((segments + WideLanes::lanes - 1) / WideLanes::lanes);
  }
  int segment_in(int pack, int lane) const {  // what is left over does what the last one does
    return std::min(pack * WideLanes::lanes + lane, static_cast<int>(frame_goal.size()) - 1);
  }
  Vec3d spin_inertia(int segment) const {  // [kg m²]
    return model->segments[segment].rest_length * model->segments[segment].linear_inertia;
  }

  // What the kernels take of an element follows from the Model whenever it is asked for: to keep it would take as much
  // memory again. T is double or a SIMD pack.
  Stretch<double> stretch(int s) const {
    const Segment& segment = model->segments[s];
    const double more = stiffening(segment.internal_damping);
    return {segment.rest_length, segment.GA * more, segment.EA * more,
            stretch_rest.empty() ? Vec3d{0, 0, 1} : stretch_rest[s]};
  }
  double drag(int i) const { return inputs->end.drag.empty() ? 0 : inputs->end.drag[i]; }  // [kg/s]
  double damped_mass(int i) const { return damped_mass_[i]; }                              // c m [kg/s]
  double weight_of(int i) const {
    return model->vertices[i].mass * scheme.weight() + (damped_mass_[i] + drag(i)) * scheme.q();
  }
  Spin<double> spin(int s) const {
    const Segment& segment = model->segments[s];
    return {spin_weight(segment.rest_length, segment.damping, segment.linear_inertia), frame_goal[s]};
  }
  Bend<double> bend(int b) const {
    const rod::Bend& bend = model->bends[b];
    return make_bend((stiffening(bend.internal_damping) / bend.length) * Vec3d{bend.EI1, bend.EI2, bend.GJ},
                     bend_rest.empty() ? rest_of(b) : bend_rest[b]);
  }
  template <class T>
  T stiffening(const T& internal_damping) const {
    return T(1) + T(stiffening_) * internal_damping;
  }
  template <class T>
  Vec3<T> spin_weight(const T& length, const T& damping, const Vec3<T>& linear_inertia) const {
    return (length * (T(spin_weight_) + T(spin_damping_) * damping)) * linear_inertia;
  }
  bool rest_moves() const { return rest_moves_; }  // with internal damping, which stiffens, too

  // of what holds an axis; else the strain of [deul2018]
  BendStrain scalar_strain(int b, const Quatd& q_a, const Quatd& q_b) const {
    const rod::Bend& bend = model->bends[b];
    return bend.holds_an_axis() ? swing_strain(q_a, q_b, bend.rest, !bend.b.is_body)
                                : quaternion_strain(q_a, q_b, bend.rest);
  }
  // 1 where the world axis is free, 0 where it is held
  const Vec3d& free_axes(int i) const {
    static constexpr Vec3d axes[] = {{1, 1, 1}, {0, 1, 1}, {1, 0, 1}, {0, 0, 1}, {1, 1, 0}, {0, 1, 0}, {1, 0, 0}, {}};
    return axes[static_cast<int>(held_axes[i])];
  }
  // where a vertex goes by the end of the step along the axes that are held, else x
  Vec3d held_place(int i, Vec3d x) const {
    for (int n = first_held[i]; n >= 0 && n < static_cast<int>(held.size()) && held[n].vertex == i; ++n)
      x[held[n].k] = held[n].z;
    return x;
  }
  // visit(tie) of every vertex that follows a dynamic body
  template <class Visit>
  void for_slaved(Visit visit) const {
    for (std::size_t t = 0; t < model->ties.size(); ++t)
      if (tie[model->ties[t].vertex] == static_cast<int>(t)) visit(model->ties[t]);
  }
  bool is_unknown(const FrameId& id) const { return !id.is_body || model->bodies[id.index].kind == BodyKind::dynamic; }

  const Model* model = nullptr;
  bool bends_leap = false;             // some may take whole turns at once: the energy has ridges
  bool has_quaternion_strain = false;  // all bends have that of [deul2018]
  long version = 0;                    // of stiffnesses and rest: another number when they change
  long weight_version = 0;             // likewise of the weights of vertices
  Scheme scheme;
  const Inputs* inputs = nullptr;   // of this step
  std::vector<Role> role;           // (vertex)
  std::vector<char> held_axes;      // bit k: world axis k is held (vertex)
  std::vector<int> tie;             // to a dynamic body, -1: none (vertex)
  std::vector<double> weight;       // [N/m] (vertex)
  std::vector<Vec3d> goal;          // y [m] (vertex)
  std::vector<HeldAxis> held;       // likewise, one by one
  std::vector<int> first_held;      // of a vertex in there; -1: none (vertex)
  std::vector<Quatd> frame_goal;    // q_y (segment)
  std::vector<Vec3d> moment;        // external [N m, world] (segment); empty: none
  std::vector<BendTraits> bends;    // (bend)
  std::vector<Vec3d> stretch_rest;  // p of a Stretch (segment); empty: e3
  std::vector<Vec3d> bend_rest;     // [rad] (bend); empty: that of the Model
  std::vector<BodyTerm> bodies;     // (body)
  std::vector<Twist> twists;        // prescribed, at the end of the step (body)

 private:
  Vec3d rest_of(int b) const {  // in the Model
    return bends[b].bent && !bends[b].scalar ? turn_angle(model->bends[b].rest) : Vec3d{};
  }
  void set_bodies(const Inputs& inputs, const State& state, const Accelerations& old);
  void set_held(const Inputs& inputs, const State& state);
  void set_goals_in_lanes(const State& state, int pack);
  void set_moving_rests(const State& state, Share segments);
  Vec3d free_turn_to_z(const Vec3d& J, double damping, const Quatd& q, const Vec3d& omega, const Vec3d& rate) const;

  std::vector<double> damped_mass_;  // sum of c m [kg/s] (vertex)
  bool rest_moves_ = false;
  bool has_drag_ = false;
  // of this step
  double stiffening_ = 0;                      // by internal damping [1/s]
  double spin_weight_ = 0, spin_damping_ = 0;  // per inertia [1/s²], and per damping [1/s]
};

}  // namespace tendril::solvers::newton
