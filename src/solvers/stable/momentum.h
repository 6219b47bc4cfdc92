#pragma once

#include <cmath>
#include <limits>

namespace tendril::stable {

// Nesterov's momentum for the sweeps, which alone crawl where a rod is stiff: after each sweep go on by beta times its change,
// beta = (t - 1) / t_next growing towards 1 [nesterov1983]. When the residual grows it starts anew [odonoghue2015]; the
// next sweep is then a plain one, which never raises the energy.
class Momentum {
 public:
  double next(double residual) {
    if (!(residual <= last_)) t_ = 1;
    last_ = residual;
    const double t_next = 0.5 * (1 + std::sqrt(1 + 4 * t_ * t_));
    const double beta = (t_ - 1) / t_next;
    t_ = t_next;
    return beta;
  }

 private:
  double t_ = 1;
  double last_ = std::numeric_limits<double>::infinity();
};

}  // namespace tendril::stable
