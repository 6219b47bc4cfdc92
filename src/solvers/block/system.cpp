#include "solvers/block/system.h"

namespace tendril::solvers::block {

void System::begin(const Part& part) {
  part_ = &part;
  matrix_.reset(*part.plan);
  matrix_.clear();
}

System::Pass System::factorise(const Iterate& at, const Prediction& prediction, double hessian_share) {
  const Part& part = *part_;
  ElementConstants& constants = constants_[part_];
  if (constants.version != problem_->version) load_constants(part, *problem_, constants);
  Pass pass{add_slaved(at, prediction, hessian_share), true};
  for (int row = 0; row < part.row_count(); ++row) {
    const Unknown& u = part.unknowns[row];
    pass.energy += u.kind == Kind::vertex ? add_vertex(row, u.index, at) : add_unknown(row, at);
    for (int e = part.places.first_stretch[row]; e < part.places.first_stretch[row + 1]; ++e) {
      if (e % element_lanes == 0) work_out(part, e, constants, *problem_, at, prediction, hessian_share, stretches_);
      pass.energy += add(part.stretches[e], part.places.stretches[e], stretches_[e % element_lanes]);
    }
    for (int e = part.places.first_bend[row]; e < part.places.first_bend[row + 1]; ++e) {
      if (e % element_lanes == 0) work_out(part, e, constants, *problem_, at, hessian_share, bends_);
      pass.energy += add(part.bends[e], part.places.bends[e], bends_[e % element_lanes]);
    }
    const bool is_held = u.kind == Kind::vertex && problem_->role[u.index] != Role::free;
    pass.is_definite &= is_held ? matrix_.eliminate_partly(row, problem_->free_axes(u.index)) : matrix_.eliminate(row);
  }
  return pass;
}

void System::solve() { matrix_.solve_backwards(u_); }
void System::precondition(std::vector<Vec3d>& r) const { matrix_.solve(r); }

void System::add_to_coupling(int later, int earlier, const Mat3d& H) {
  matrix_.coupling(part_->plan->coupling(earlier, later)) += H;
}

double System::add_vertex(int row, int vertex, const Iterate& at) {
  const double weight = problem_->weight[vertex];
  const Vec3d away = at.x[vertex] - problem_->goal[vertex];
  matrix_.diagonal(row) += weight;
  matrix_.right(row) -= weight * away;
  return 0.5 * weight * norm_squared(away);
}

double System::add(const StretchElement& e, const Places::OfStretch& places, const StretchBlocks& b) {
  matrix_.right(e.x0) += b.force, matrix_.right(e.x1) -= b.force, matrix_.right(e.theta) -= b.torque;
  matrix_.diagonal(e.x0) += b.xx, matrix_.diagonal(e.x1) += b.xx, matrix_.diagonal(e.theta) += b.theta_theta;
  matrix_.coupling(places.x0_x1.block) -= b.xx;
  matrix_.coupling(places.x0_theta.block) -= places.x0_theta.first_is_later ? b.x_theta : b.theta_x;
  matrix_.coupling(places.x1_theta.block) += places.x1_theta.first_is_later ? b.x_theta : b.theta_x;
  return b.energy;
}

double System::add(const BendElement& e, const Place& place, const BendBlocks& b) {
  if (e.a >= 0) matrix_.diagonal(e.a) += b.S, matrix_.right(e.a) += b.moment;
  if (e.b >= 0) matrix_.diagonal(e.b) += b.S, matrix_.right(e.b) -= b.moment;
  if (e.a >= 0 && e.b >= 0) matrix_.coupling(place.block) += place.first_is_later ? b.ab : b.ba;
  return b.energy;
}

}  // namespace tendril::solvers::block
