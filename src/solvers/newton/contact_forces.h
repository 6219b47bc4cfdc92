#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "solvers/newton/coupling.h"

namespace tendril::solvers::newton {

// Forces f >= 0 of barriers on each other: c + N f is the gap at which each pushes so, or more where it does not push.
// N is positive semi-definite; false: none are found.
bool find_forces(const Eigen::MatrixXd& N, const Eigen::VectorXd& c, std::span<const Barrier> barriers,
                 Eigen::VectorXd& force);

// Newton's direction by the forces of contact, as active sets have it [zhao2022, App. B]. With A the parts without
// contact, and J how the gaps change with their unknowns, the direction is A⁻¹ (b + Jᵀ f), and leads to the gaps
//   gap + J A⁻¹ b + N f,   N = J A⁻¹ Jᵀ
// Forces that these barriers have there are found whatever the stiffness of a barrier is where it stands, and however
// much pairs have to do with each other: where rounds of linear equations (contact_direction.cpp) go astray. Without
// friction.
class ContactForces {
 public:
  using Systems = std::vector<std::unique_ptr<System>>;
  using IsNear = std::function<bool(const ContactTerms::Followed&)>;
  // of parts whose systems are factorised without contact, with the directions that this gives them
  ContactForces(std::vector<int> parts, ContactTerms& terms, const Coupling& coupling, const Problem& problem,
                const Parts& all_parts, const Contact& contact, const Iterate& at, Systems& systems);

  // the directions, with all pairs that come near by them; false: they are not found
  bool settle(const IsNear& comes_near);
  // Where the directions led to, gaps are not quite those of the linear equations: what they are beyond counts from now
  // on, so that the next directions end where the gaps are right.
  void see_gaps(const Iterate& there);
  // linearises the terms at their forces
  void press();

 private:
  using OfParts = std::vector<std::pair<int, std::vector<Vec3d>>>;  // part, and what its rows do
  struct Push {
    int followed = 0;  // number of the pair there
    OfParts way;       // what a unit force along the gap does to the parts
  };
  const ContactTerms::Term& term(int followed) const { return terms_.terms()[terms_.followed()[followed].term]; }
  bool is_between_these(const ContactTerms::Followed& f) const;
  void add(int followed);
  double moved(const ContactTerms::Term& term, int part, const std::vector<Vec3d>& u) const;
  double linear_gap(int followed) const;
  void solve();

  std::vector<int> parts_;
  std::vector<char> is_of_these_;  // (part)
  ContactTerms& terms_;
  const Coupling& coupling_;
  const Problem& problem_;
  const Parts& all_parts_;
  const Contact& contact_;
  const Iterate& at_;
  Systems& systems_;
  Coupling::Vectors alone_;  // directions without contact (part)
  std::vector<Push> pushes_;
  std::vector<Barrier> barriers_;  // of the pushes
  std::vector<char> pushes_now_;   // (followed)
  std::vector<double> beyond_;     // see see_gaps [m] (followed)
  Eigen::MatrixXd N_;
  Eigen::VectorXd force_;
  bool is_found_ = true;
};

}  // namespace tendril::solvers::newton
