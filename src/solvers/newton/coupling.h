#pragma once

#include <memory>
#include <vector>

#include "math/thread_team.h"
#include "solvers/newton/islands.h"
#include "solvers/newton/system.h"

namespace tendril::solvers::newton {

// Newton's direction where rods touch each other, by conjugate gradients. The matrix is M + O: M are the factorised
// systems of the parts with their own share of contact, O what contact couples beyond. Preconditioned by M, its
// products need no M: of the search direction p = z + beta p the product M p = r + beta M p comes along, since z = M⁻¹
// r. Islands go side by side, each with its own alpha and beta and as far as it needs, so that the light ones are found
// as well as the heavy.
//
// The equations are solved several times with other linear terms of contact. What is left of them, r, is kept and
// changed with the terms, so that each time goes on from the directions of the last.
class Coupling {
 public:
  Coupling(const Problem& problem, const Parts& parts) : problem_(problem), parts_(parts) {}

  // the directions of these parts are those of each alone
  void begin(std::span<const int> parts, const ContactTerms& contact_terms, const Iterate& at,
             std::span<const double> hessian_share, const std::vector<std::unique_ptr<System>>& systems);
  // the linear form of a term has changed
  void change(const ContactTerms::Term& term, const ContactTerms::Linear& before, const ContactTerms::Linear& after,
              const Iterate& at, std::span<const double> hessian_share,
              const std::vector<std::unique_ptr<System>>& systems);
  // improves the directions of the systems in islands that are asked for to those of all together, to a part `accuracy`
  // of the first change since begin() in the norm of the energy; the largest number of iterations
  int solve(const ContactTerms& contact_terms, const Islands& islands, const std::vector<char>& asked,
            const std::vector<int>& open, const Iterate& at, std::span<const double> hessian_share, double accuracy,
            std::vector<std::unique_ptr<System>>& systems, ThreadTeam& team);

  using Vectors = std::vector<std::vector<Vec3d>>;  // (part, row)
  // to forces that are asked for, those of the gaps at `straight` beyond what the linear equations made of them
  void add_excess(const ContactTerms& contact_terms, const std::vector<std::unique_ptr<System>>& systems,
                  const Contact& contact, const Iterate& at, const Iterate& straight, ThreadTeam& team,
                  Vectors& forces) const;

  // what happens to one side: how its point moves, that of its surface, too, and its segment turns towards the other
  struct Motion {
    Vec3d point, surface;
    double turn = 0;
  };
  Motion motion(const ContactTerms::Term& term, int side, const std::vector<Vec3d>& u, const Iterate& at) const;

 private:
  // forces on its points and a couple of forces at its ends
  void push(const ContactTerms::Term& term, int side, const Motion& force, const Iterate& at, Vectors& out) const;
  Motion pull(const ContactTerms::Term& term, const ContactTerms::Linear& linear, int side, const Motion (&moved)[2],
              std::span<const double> hessian_share) const;
  void add_coupling(const ContactTerms::Term& term, const Iterate& at, std::span<const double> hessian_share,
                    const Vectors& u, double factor, Vectors& out) const;
  void add_couplings(const Iterate& at, std::span<const double> hessian_share, const Vectors& u, Vectors& out) const;
  std::vector<double> dots(const Vectors& a, const Vectors& b, const Islands& islands, ThreadTeam& team);  // (island)
  void gather(const ContactTerms& contact_terms, const Islands& islands, const std::vector<char>& asked,
              const std::vector<int>& open);
  template <class IsDone>
  void leave_out(const Islands& islands, IsDone is_done);  // islands for which it says so
  template <class Work>
  void for_parts(ThreadTeam& team, Work work) const;  // that are in

  const Problem& problem_;
  const Parts& parts_;
  Vectors u_, r_, z_, p_, mp_, ap_;
  std::vector<const ContactTerms::Term*> terms_;  // that couple parts of islands which are not yet found
  std::vector<int> parts_in_;                     // of those islands
  std::vector<double> of_parts_;                  // see dots (part)
  std::vector<double> scale_;  // r M⁻¹ r that the first solve() since begin() began with (part) [J]
};

}  // namespace tendril::solvers::newton
