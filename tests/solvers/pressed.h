#pragma once

#include <Eigen/Dense>

#include "contact/contact.h"
#include "solvers/newton/system.h"
#include "solvers/random_rod.h"

namespace tendril::solvers::testing {

// Rods and bodies that touch, at a waypoint of the path of a step: what contact adds to the incremental potential of
// `block`, as dense matrices over the unknowns of all parts.
class Pressed {
 public:
  // first everything is `apart`, then goes where `scene` has it: what lies against each other has been dragged
  Pressed(Scene scene, const std::vector<Vec3d>& apart);

  int size() const { return first_.back(); }  // of all unknowns
  int first(int part) const { return first_[part]; }
  newton::Iterate moved(const Eigen::VectorXd& u) const;
  double energy_at(const Eigen::VectorXd& u);  // of contact [J]

  // of the terms of contact
  Eigen::VectorXd gradient() const;
  Eigen::MatrixXd stiffness() const;

  Scene scene;
  newton::Problem problem;
  newton::Parts parts;
  newton::Iterate at;
  Contact contact;
  ThreadTeam team{1};
  newton::ContactTerms contact_terms;

 private:
  // how the point of a term's side moves, or that of its surface, as part of a's against b's: 3 rows
  Eigen::MatrixXd motion(const newton::ContactTerms::Term& term, int side, bool surface) const;
  // how its segment turns towards the other: 1 row
  Eigen::MatrixXd turn(const newton::ContactTerms::Term& term, int side) const;

  std::vector<int> first_;  // unknown of each part, and the end
};

Scene crossing_rods(double friction);  // at a small angle, two parts
Scene rod_on_ball(double friction);    // the ball moves freely
Scene box_on_ball(double friction);    // both move freely, beside a rod that touches neither

}  // namespace tendril::solvers::testing
