#pragma once

#include <memory>
#include <utility>

#include "math/stopwatch.h"
#include "solvers/compact/holds.h"
#include "solvers/compact/options.h"
#include "solvers/newton/system.h"

namespace tendril::solvers::compact {

// what the stages of a Newton step took, as Table 1 [zhao2022] has them
struct Stages {
  Stopwatch evaluation;      // of A, b and the constraints
  Stopwatch precomputation;  // factors, of the constraints, too
  Stopwatch solving;
};

// The linear equations of one Newton step of a chain, Eq. 12 to 14 [zhao2022], and where their solution leads: frames
// turn, positions follow, so that no segment can change its length.
class System final : public newton::System {
 public:
  // `reactions` are those of held vertices, of the last Newton step [N] (vertex)
  System(const Problem& problem, const Parts& parts, const std::vector<Chain>& chains, const Options& options,
         std::vector<Vec3d>& reactions);

  void begin(const Part& part) override;
  void add_drive(const Iterate& at, const Prediction& prediction, double exact) override;
  Pass factorise(const Iterate& at, const Prediction& prediction, double exact) override;
  void solve() override;
  void precondition(std::vector<Vec3d>& r) const override;
  bool keeps_strains() const override { return true; }
  void advance(double share, const Iterate& from, Iterate& to) override;
  bool holds_are_met() const { return holds_are_met_; }  // by the last advance

  // Eq. 11: what constraints that are not met add to the merit function [J]; after solve
  double penalty() const;
  int linear_iterations() const { return solver_->iterations(); }
  Stages take_stages() { return std::exchange(stages_, {}); }  // since the last time

 private:
  void add_to_diagonal(int row, const Mat3d& H) override;
  void add_to_coupling(int later, int earlier, const Mat3d& H) override;
  void add_to_right(int row, const Vec3d& force) override;

  Kind kind(int row) const { return part_->unknowns[row].kind; }
  bool is_vertex(int row) const { return kind(row) == Kind::vertex; }
  bool is_body(int row) const { return kind(row) > Kind::segment; }
  Equations::Coupling& coupling(int link);
  void add_to_body(int later, int earlier, const Mat3d& H);
  void put_centres_on_links(const Iterate& at, double exact);
  double add_bodies(const Iterate& at, double exact);
  double add_inertia(const Iterate& at, double exact);
  double add_bends(const Iterate& at, double exact);
  struct BendTerm : BendDerivatives<double> {
    double energy = 0;
  };
  BendTerm bend_term(int bend, const Iterate& at, double exact) const;
  void add_arms(double exact);
  void stiffen_holds();
  Vectors taken(const std::vector<Vec3d>& of_rows) const;
  void put(const Vectors& u, std::vector<Vec3d>& into) const;
  bool meet_holds(double share, const Iterate& from, Iterate& to);
  Vectors zero() const;
  void turn_by(double share, const Vectors& way, Iterate& at) const;

  const std::vector<Chain>* chains_;
  const Chain* chain_ = nullptr;
  bool quaternion_strain_;
  std::vector<Vec3d>* reactions_;
  std::vector<int> place_;  // in the chain, of a vertex or a link (row)
  Equations equations_;
  // what acts at the centre X of a body, X = x + w x arm with the near vertex and the turn of its link
  struct AtCentre {
    Sym3<double> H;   // [N/m]
    Mat3d with_turn;  // dXᵀ with_turn w
    Vec3d right;      // -gradient [N]
    Vec3d arm;        // [m]
  };
  std::vector<AtCentre> at_centres_;  // (centre)
  std::unique_ptr<LinearSolver> solver_;
  Holds holds_;
  std::vector<double> ways_;  // to where what is held must be (hold) [m]
  Vec3d root_way_;            // likewise
  double stiffness_ = 0;      // rho, see Holds [N/m]
  bool holds_are_met_ = true;
  Vectors u_of_chain_;
  mutable Stages stages_;
};

// of a chain in the incremental potential, without the work of external moments [J]
double energy(const Part& part, const Chain& chain, const Problem& problem, const Iterate& at);

}  // namespace tendril::solvers::compact
