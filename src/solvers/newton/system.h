#pragma once

#include <vector>

#include "solvers/newton/contact_terms.h"
#include "solvers/newton/strains.h"

namespace tendril::solvers::newton {

// where the unknowns of a part are
void copy(const Part& part, const Iterate& from, Iterate& to);

// The linear system of one Newton step of one part, H u = -gradient. How it is put together and factorised is what
// solvers differ in; what follows from its solution is here.
class System {
 public:
  System(const Problem& problem, const Parts& parts) : problem_(&problem), parts_(&parts) {}
  virtual ~System() = default;

  struct Pass {
    double energy = 0;         // [J]
    bool is_definite = false;  // H, positive
  };
  virtual void begin(const Part& part) = 0;
  void add_contact(const ContactTerms& contact_terms, int part, const Iterate& at, double hessian_share);
  virtual Pass factorise(const Iterate& at, const Prediction& prediction, double hessian_share) = 0;

  // What is held goes where it must by the end of the step: before factorise, what that does to the others; after solve
  // the direction has it.
  virtual void add_drive(const Iterate& at, const Prediction& prediction, double hessian_share);
  void set_drive();
  void leave_out_drive();  // again
  bool is_driven() const { return !driven_.empty(); }

  // after factorise
  virtual void solve() = 0;
  virtual void precondition(std::vector<Vec3d>& r) const = 0;  // H⁻¹ r

  // the direction is from one iterate to another
  void aim(const Part& part, const Iterate& from, const Iterate& to);

  std::vector<Vec3d>& direction() { return u_; }  // (row)
  const std::vector<Vec3d>& direction() const { return u_; }
  double step_size() const { return step_size(turn_size()); }  // the largest turn of an edge or a frame, or stretch [-]
  double step_size(double turn_size) const;
  double shift_size() const;                         // the largest way of a segment, over its length [-]
  double turn_size() const;                          // of a frame [rad]
  Vec3d moved(int vertex, const Iterate& at) const;  // by the direction [m]
  const Vec3d& turn_of(int segment) const { return u_[parts_->row_of_segment(segment)]; }  // likewise [rad]
  double moment_work() const;  // of external moments along the direction [J]
  // after solve, of a part that is not open: its second-order correction, see retraction.h
  void begin_way() { second_order_.clear(); }
  virtual bool keeps_strains() const;  // advance() leads to the strains of the linear equations, see retraction.h
  void bend_way(const Iterate& at);
  std::vector<Vec3d> excess_forces(
      const Iterate& at) const;                 // of strains at x + u beyond those of the linear equations (row)
  void bend_way_by(std::vector<Vec3d> forces);  // these and others
  // goes a fraction of the direction, see retraction.h; `from` and `to` may be one
  virtual void advance(double fraction, const Iterate& from, Iterate& to);
  void advance_straight(double fraction, const Iterate& from, Iterate& to);  // x + fraction u, exp(fraction theta) q
  const std::vector<Vec3d>& strains() const { return strains_; }             // that the last advance led to, by element
  void predict(Prediction& prediction) const;                                // keeps them

 protected:
  // blocks of H, of two different rows the one of (later, earlier), and parts of -gradient
  virtual void add_to_diagonal(int row, const Mat3d& H) = 0;
  virtual void add_to_coupling(int later, int earlier, const Mat3d& H) = 0;
  virtual void add_to_right(int row, const Vec3d& force) = 0;

  void predict_strains(const Iterate& at, double fraction);
  template <class Row>
  void go(const Iterate& from, Iterate& to, Row row) const;
  double add_unknown(int row, const Iterate& at);  // what is not a segment's spin
  double add_spin(int row, const Spin<double>& spin, const Quatd& q);
  double add_slaved(const Iterate& at, const Prediction& prediction, double hessian_share);
  void add_block(const Parts::Rows& a, const Parts::Rows& b, const Mat3d& H);
  void add_force(const Parts::Rows& a, const Vec3d& force, double hessian_share);

  const Problem* problem_;
  const Parts* parts_;
  const Part* part_ = nullptr;
  std::vector<Vec3d> u_;
  std::vector<std::pair<int, Vec3d>> driven_;  // rows of held vertices that are not there yet, and their ways
  std::vector<Vec3d> second_order_;            // of the way, beside fraction u: fraction² of it; empty: none (row)
  std::vector<Vec3d> strains_;                 // that the last advance led to, by element (see place_by_strains)
};

}  // namespace tendril::solvers::newton
