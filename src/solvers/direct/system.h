#pragma once

#include "solvers/direct/elements.h"
#include "solvers/newton/system.h"

namespace tendril::direct {

// The linear-time solution of [deul2018], Eq. 22: bodies and the constraints between them are eliminated in turn, from
// the tips of the structure to its root. A constraint that closes a loop couples nodes far from each other and is
// eliminated with them.
class System final : public newton::System {
 public:
  System(const Problem& problem, const Parts& parts, const std::vector<Structure>& structures,
         std::vector<Constants>& constants)
      : newton::System(problem, parts), structures_(&structures), all_constants_(&constants) {}

  void begin(const Part& part) override;
  Pass factorise(const Iterate& at, const Prediction& prediction, double exact) override;
  void solve() override;
  void precondition(std::vector<Vec3d>& r) const override;

  const Structure& structure() const { return *structure_; }  // of the part
  const Constants& constants() const { return *constants_; }

 private:
  void add_to_diagonal(int row, const Mat3d& H) override;
  void add_to_coupling(int later, int earlier, const Mat3d& H) override;
  void add_to_right(int row, const Vec3d& force) override;

  double add_inertia(int node, const Iterate& at);
  double add(const StretchElement& e, const Iterate& at, const Prediction& prediction, double exact);
  double add(const LooseBend& bend, const BendRows& rows);
  double add(int node, const Joint& joint, const JointBlocks& blocks);
  bool eliminate(int node);

  const std::vector<Structure>* structures_;
  std::vector<Constants>* all_constants_;
  const Structure* structure_ = nullptr;
  Constants* constants_ = nullptr;
  TreeLdlt matrix_;
  std::array<JointBlocks, joint_lanes> joints_;  // those that are added next
  std::array<BendRows, joint_lanes> bends_;
  std::vector<TreeLdlt::Unknowns> by_node_;
};

}  // namespace tendril::direct
