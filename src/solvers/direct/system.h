#pragma once

#include "solvers/direct/elements.h"
#include "solvers/newton/system.h"

namespace tendril::solvers::direct {

// The linear-time solution of [deul2018], Eq. 22: bodies and the constraints between them are eliminated in turn, from
// the tips of the structure to its root. A constraint that closes a loop couples nodes far from each other and is
// eliminated with them.
class System final : public newton::System {
 public:
  // `solves_again`: with further right-hand sides and contact
  System(const Problem& problem, const Parts& parts, const std::vector<Structure>& structures, bool solves_again)
      : newton::System(problem, parts), structures_(&structures), solves_again_(solves_again) {}

  void begin(const Part& part) override;
  Pass factorise(const Iterate& at, const Prediction& prediction, double hessian_share) override;
  void solve() override;
  void precondition(std::vector<Vec3d>& r) const override;

  // with a team, branches of the part are worked on side by side; nothing depends on it
  void use(ThreadTeam* team) { team_ = team; }
  // work(n) for n from 0 on
  template <class Work>
  void for_all(int count, Work work) const {
    if (!team_ || team_->size() == 1) {
      for (int n = 0; n < count; ++n) work(n);
      return;
    }
    team_->run(count, [&](int n, int) { work(n); });
  }

  const Structure& structure() const { return *structure_; }  // of the part

  // after solve
  double largest_turn() const { return largest_turn_; }  // the same as turn_size
  double step_bound() const;                             // not less than step_size, and known without a look at u
  bool is_finite() const { return is_finite_; }

 private:
  void add_to_diagonal(int row, const Mat3d& H) override;
  void add_to_coupling(int later, int earlier, const Mat3d& H) override;
  void add_to_right(int row, const Vec3d& force) override;

  struct Point {  // where the second derivatives are taken
    const Iterate& at;
    const Prediction& prediction;
    double hessian_share;
  };
  Pass eliminate(const Share& nodes, const Point& point);
  struct Size {
    double shift2 = 0;  // the largest [m²]
    double turn2 = 0;   // likewise [rad²]
    double sum = 0;     // a number only when all are
  };
  Size solve_backwards(const Share& nodes);
  TreeLdlt::Unknowns unknowns(int node) const;
  double add_inertia(int node, const Iterate& at);
  double add(const StretchElement& e, const Iterate& at, const Prediction& prediction, double hessian_share);
  double add(int node, const LooseBend& bend, const BendRows& rows);
  double add(int node, const Joint& joint, const JointBlocks& blocks);
  bool eliminate(int node);

  const std::vector<Structure>* structures_;
  bool solves_again_;
  const Structure* structure_ = nullptr;
  TreeLayout roomy_;  // for contact
  TreeLdlt matrix_;
  std::vector<Pass> passes_;  // (branch)
  std::vector<Size> sizes_;   // likewise
  double largest_shift_ = 0, largest_turn_ = 0;
  bool is_finite_ = true;
  ThreadTeam* team_ = nullptr;
};

}  // namespace tendril::solvers::direct
