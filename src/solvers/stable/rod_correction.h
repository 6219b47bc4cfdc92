#pragma once

#include <vector>

#include "contact/contact.h"
#include "math/block_ldlt.h"
#include "solvers/stable/potential.h"

namespace tendril::solvers::stable {

// One Newton step of all unknowns of the rods that touch something, between the sweeps. Sweeps carry a force one
// neighbour further each: what bends or turns a stiff rod as a whole, and with that the forces between surfaces and the
// limits of friction, they find only after thousands. Here every rod is one block, factorised along its graph, and rods
// are coupled by their contacts through conjugate gradients:
//   H u = f,   H = sum Cᵀ K C over inertia, stretch, bends and contacts, positive semi-definite (Gauss-Newton)
// The step is a substep of its own, as long as no pair loses more than half of its gap. Rods that come near nothing in
// a step are left to the sweeps.
class RodCorrection {
 public:
  void reset(const StepProblem& problem);
  void begin_step(const Contact& contact);

  // Looks at the last waypoint of the path, which `at` is; whether something touches or nearly so, or did in this step.
  bool look(const StepProblem& problem, const Contact& contact, const State& at);
  // what is left above round-off, relative to what is at work in the same rod: the largest of those that touch [-]
  double residual(const StepProblem& problem, double round_off) const;
  // moves `at` on a straight way on which nothing meets, to be the next waypoint; after look()
  void step(const StepProblem& problem, Contact& contact, State& at);
  bool moves(int vertex) const { return island_of_part_[part_of_vertex_[vertex]] >= 0; }  // in step()
  bool moves_body(int body) const { return part_of_body_[body] >= 0 && island_of_part_[part_of_body_[body]] >= 0; }

 private:
  // Unknowns: the displacement of a vertex, the turn of a segment, the displacement and the turn of a body. A point
  // moves by a sum of maps of them.
  struct Term {
    int unknown;
    Mat3d map;
  };
  struct Terms {
    Term term[6];
    int count = 0;
    void add(int unknown, const Mat3d& map) { term[count++] = {unknown, map}; }
  };
  // what hangs together by segments, bends and ties; one block of the matrix
  struct Part {
    std::vector<int> vertices, segments, bends, bodies;
    std::vector<int> unknowns;  // by row
    Elimination plan;
    BlockLdlt<double> matrix;
    bool is_planned = false;
    bool is_near = false;  // something, in this step
  };
  // a contact: how its points move, and how its segments turn (u1 - u0), side by side
  struct Link {
    Terms point[2], turn[2];
    int part[2] = {-1, -1};  // -1: it is driven
    Mat3d stiffness;
    GapCurvature turning;  // of which aa to bb count, times the normal force [N/m]
    Vec3d normal;
  };
  // parts that touch each other
  struct Island {
    double share = 1;    // of the step
    double slope = 0;    // of the energy along the step, where it begins [J]
    double trial = 0;    // the same, where it ends
    double product = 0;  // rest·M⁻¹ rest, see solve()
    double first = 0;    // of them
    double factor = 0;
    bool is_open = true;
  };

  int turn_of_segment(int s) const { return vertex_count_ + s; }
  int place_of(int body) const { return vertex_count_ + segment_count_ + 2 * body; }
  int turn_of(int body) const { return place_of(body) + 1; }
  int part_of(const Pair& pair, int side) const;
  int island_of(const Pair& pair, int side) const;  // -1: it does not move
  template <class Visit>
  void for_active(Visit visit) const;  // visit(unknown, its island)

  void plan(const StepProblem& problem, Part& part);
  void find_near_parts(const Contact& contact);
  void find_islands(const Contact& contact);

  // rod_assembly.cpp
  void add_point(int vertex, double weight, const State& at, Terms& terms) const;
  void add_body_point(int body, const Vec3d& point, double weight, const State& at, Terms& terms) const;
  Link link_of(const Pair& pair, const State& at) const;
  void add_force(const Terms& terms, const Vec3d& force);
  void add_stiffness(Part& part, const Terms& terms, const Mat3d& stiffness);
  void add_vertices(const StepProblem& problem, const State& at, Part& part, bool with_stiffness);
  void add_segments(const StepProblem& problem, const State& at, Part& part, bool with_stiffness);
  void add_bends(const StepProblem& problem, const State& at, Part& part, bool with_stiffness);
  void add_bodies(const StepProblem& problem, const State& at, Part& part, bool with_stiffness);
  void add_parts(const StepProblem& problem, const State& at, bool with_stiffness);
  void add_contact(const Contact& contact, const State& at);
  void add_contact_of_trial(const Contact& contact, const State& trial);
  void release_held(const StepProblem& problem);

  // rod_system.cpp
  bool factorise(const StepProblem& problem, Part& part);
  void solve(std::vector<Vec3d>& out);  // H out = force
  void precondition();
  void couple(const Terms (&side)[2], const Mat3d& stiffness, std::vector<Vec3d>& out) const;

  // the way: a share s of the step leads to s way + s² curve
  void limit_turns();
  void find_curve(const StepProblem& problem, const State& from);
  Vec3d moved(int unknown, double share) const { return share * (way_[unknown] + share * curve_[unknown]); }
  void go(const StepProblem& problem, const State& from, State& to) const;
  void go_where_nothing_meets(const StepProblem& problem, Contact& contact, const State& from, State& to);

  int vertex_count_ = 0, segment_count_ = 0;
  std::vector<Part> parts_;
  std::vector<int> part_of_vertex_, part_of_body_;  // -1: it is driven (body)
  std::vector<int> follows_;                        // body, -1: none (vertex)
  std::vector<Vec3d> offset_;                       // in its frame [m] (vertex)
  std::vector<int> row_;                            // in the matrix of its part (unknown)

  std::vector<int> active_;          // parts
  std::vector<int> island_of_part_;  // -1: not active (part)
  std::vector<Island> islands_;
  std::vector<Link> links_;
  std::vector<Vec3d> force_;                             // minus the slope of the energy [N], [N m] (unknown)
  std::vector<double> scale_;                            // sum of the sizes of its parts (unknown)
  std::vector<double> displacement_;                     // largest, from the start of the step [m] (part)
  std::vector<Vec3d> way_, curve_;                       // the step [m], [rad] (unknown)
  std::vector<Vec3d> rest_, ahead_, direction_, image_;  // see solve() (unknown)
};

template <class Visit>
inline void RodCorrection::for_active(Visit visit) const {
  for (int p : active_)
    for (int unknown : parts_[p].unknowns) visit(unknown, island_of_part_[p]);
}

}  // namespace tendril::solvers::stable
