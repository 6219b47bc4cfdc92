#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/stable/potential.h"

namespace tendril::solvers::stable {

// Nesterov's momentum for the sweeps, which alone crawl where a rod is stiff: after each sweep go on by beta times its
// change, beta = (t - 1) / t_next growing towards 1 [nesterov1983]. When forces or torques grow it starts anew
// [odonoghue2015]; the next sweep is then a plain one, which never raises the energy.
class Momentum {
 public:
  double next(const Remainder& left) {
    if (!(first_.force_scale > 0 || first_.torque_scale > 0)) first_ = left;
    const double size = ratio(left.force, first_.force_scale) + ratio(left.torque, first_.torque_scale);
    // a little growth is only the order in which the sweeps see things, but it may not add up
    if (!(size <= 1.02 * last_ && size <= 1.1 * least_)) t_ = 1, least_ = size;
    last_ = size;
    least_ = std::min(least_, size);
    const double t_next = 0.5 * (1 + std::sqrt(1 + 4 * t_ * t_));
    const double beta = (t_ - 1) / t_next;
    t_ = t_next;
    return beta;
  }

 private:
  static double ratio(double size, double scale) { return scale > 0 ? size / scale : 0; }

  double t_ = 1;
  double last_ = std::numeric_limits<double>::infinity();
  double least_ = std::numeric_limits<double>::infinity();  // since the last restart
  Remainder first_;  // the scales must stay the same while both it and what is left vanish
};

}  // namespace tendril::solvers::stable
