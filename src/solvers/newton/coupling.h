#pragma once

#include <memory>
#include <vector>

#include "math/thread_team.h"
#include "solvers/newton/islands.h"
#include "solvers/newton/system.h"

namespace tendril::newton {

// Newton's direction where rods touch each other, by conjugate gradients. The matrix is M + O: M are the factorised
// systems of the parts with their own share of contact, O what contact couples beyond. Preconditioned by M, its
// products need no M: of the search direction p = z + beta p the product M p = r + beta M p comes along, since z = M⁻¹
// r. Islands go side by side, each with its own alpha and beta and as far as it needs, so that the light ones are found
// as well as the heavy.
class Coupling {
 public:
  Coupling(const Problem& problem, const Parts& parts) : problem_(problem), parts_(parts) {}

  // improves the directions of the systems in open islands, each alone so far, to those of all together, to a part
  // `accuracy` of the change in the norm of the energy; the largest number of iterations
  int solve(const Touching& touching, const Islands& islands, const Iterate& at, double accuracy,
            std::vector<std::unique_ptr<System>>& systems, ThreadTeam& team);

 private:
  using Vectors = std::vector<std::vector<Vec3d>>;  // (part, row)

  // what happens to one side: how its point moves, and its segment turns towards the other
  struct Motion {
    Vec3d point;
    double turn;
  };
  Motion motion(const Touching::Term& term, int side, const Vectors& u, const Iterate& at) const;
  // a force on its point and a couple of forces at its ends
  void push(const Touching::Term& term, int side, const Motion& force, const Iterate& at, Vectors& out) const;
  void add_coupling(const Iterate& at, const Vectors& u, Vectors& out) const;
  std::vector<double> dots(const Vectors& a, const Vectors& b, const Islands& islands, ThreadTeam& team);  // (island)
  void gather(const Touching& touching, const Islands& islands);
  template <class IsDone>
  void leave_out(const Islands& islands, IsDone is_done);  // islands for which it says so
  template <class Work>
  void for_parts(ThreadTeam& team, Work work) const;  // that are in

  const Problem& problem_;
  const Parts& parts_;
  Vectors r_, z_, p_, mp_, ap_;
  std::vector<const Touching::Term*> terms_;  // that couple parts of islands which are not yet found
  std::vector<int> parts_in_;                 // of those islands
  std::vector<double> of_parts_;              // see dots (part)
};

}  // namespace tendril::newton
