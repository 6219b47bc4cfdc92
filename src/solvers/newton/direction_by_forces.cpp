#include "solvers/newton/contact_forces.h"
#include "solvers/newton/solver.h"

namespace tendril::solvers::newton {

// The direction of Newton's method by the forces of contact, see ContactForces, of islands that are hard.

void NewtonSolver::factorise_without_contact(int p) {
  System& system = *systems_[p];
  for (hessian_share_[p] = 1;; hessian_share_[p] = NewtonRules::share_after_indefinite(hessian_share_[p])) {
    system.begin(parts_[p]);
    system.add_contact(contact_terms_, p, at_, hessian_share_[p]);
    system.add_drive(at_, prediction_, hessian_share_[p]);
    const System::Pass pass = system.factorise(at_, prediction_, hessian_share_[p]);
    energies_[p] = pass.energy;
    if (pass.is_definite || hessian_share_[p] == 0) break;
  }
  system.solve();
}

// of all hard islands together; false: no forces are found
bool NewtonSolver::direction_by_forces(Contact& contact) {
  constexpr int looks = 2;  // at the gaps where it leads
  std::vector<int> parts;
  for (int p : open_)
    if (islands_.is_hard(islands_.of(p))) parts.push_back(p);
  if (parts.empty()) return true;
  contact_terms_.leave_out_forces();
  for_all(static_cast<int>(parts.size()), [&](int k, int) { factorise_without_contact(parts[k]); });
  ContactForces forces(parts, contact_terms_, coupling_, problem_, parts_, contact, at_, systems_);
  const auto is_near = [&](const ContactTerms::Followed& f) { return comes_near(f, contact); };
  if (!forces.settle(is_near)) return false;
  std::vector<std::vector<Vec3d>> linear(parts_.count());  // the direction where gaps are linear
  for (int p : parts) linear[p] = systems_[p]->direction();
  for (int n = 0; n < looks; ++n) {
    for_all(static_cast<int>(parts.size()), [&](int k, int) {
      System& system = *systems_[parts[k]];
      const std::vector<Vec3d> end = system.direction();
      system.bend_way_to(linear[parts[k]]);
      system.advance(1, at_, trial_);
      system.direction() = end;
    });
    contact.set_trial(trial_);
    forces.see_gaps(trial_);
    if (!forces.settle(is_near)) return false;
  }
  forces.press();
  for (int p : parts) systems_[p]->bend_way_to(linear[p]), by_forces_[p] = true;
  islands_.find(contact_terms_);
  return true;
}

}  // namespace tendril::solvers::newton
