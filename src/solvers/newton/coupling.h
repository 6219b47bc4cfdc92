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
// r.
class Coupling {
 public:
  Coupling(const Problem& problem, const Parts& parts) : problem_(problem), parts_(parts) {}

  // improves the directions of the systems in open islands, each alone so far, to those of all together, to a part
  // `accuracy` of the change in the norm of the energy; the number of iterations
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
  double dot_of_all(const Vectors& a, const Vectors& b, ThreadTeam& team);
  template <class Work>
  void for_parts(ThreadTeam& team, Work work) const;  // that touch others

  const Problem& problem_;
  const Parts& parts_;
  Vectors r_, z_, p_, mp_, ap_;
  std::vector<const Touching::Term*> terms_;  // that couple them
  std::vector<int> parts_in_;                 // that touch others
  std::vector<double> sums_;                  // (part)
};

}  // namespace tendril::newton
