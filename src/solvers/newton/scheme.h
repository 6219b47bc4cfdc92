#pragma once

#include "math/vec3.h"

namespace tendril::solvers::newton {

// How a step is made of one solution z, somewhere on its way: the generalised-alpha method, with forces at
//   z = alpha_f x_old + (1 - alpha_f) x_new
//   m ((1 - alpha_m) a_new + alpha_m a_old) = F(z)
//   x_new = x_old + h v_old + h² ((1/2 - beta) a_old + beta a_new),   v_new = v_old + h ((1 - gamma) a_old + gamma
//   a_new)
// Eliminating a_new leaves the balance of a spring between z and a goal, so every scheme is the minimum of one
// incremental potential. Of second order for alpha_m, alpha_f, beta and gamma as below; rho is what remains of the
// fastest vibrations from step to step [chung1993]. rho = 1 is the implicit midpoint rule, which damps nothing.
// Implicit Euler is alpha = 0, beta = gamma = 1, with no memory of a_old.
struct Scheme {
  double alpha_m = 0, alpha_f = 0, beta = 1, gamma = 1;
  bool remembers = false;  // a_old
  double h = 0;

  static Scheme implicit_euler(double h) { return {0, 0, 1, 1, false, h}; }
  static Scheme generalised_alpha(double rho, double h) {
    const double m = (2 * rho - 1) / (rho + 1), f = rho / (rho + 1);
    return {m, f, 0.25 * (1 - m + f) * (1 - m + f), 0.5 - m + f, true, h};
  }

  bool operator==(const Scheme&) const = default;

  double share() const { return 1 - alpha_f; }  // of the step at which z lies

  // with d = z - x_old: a_new = p d + a0 and the velocity at z is q d + v0
  double p() const { return 1 / (beta * h * h * share()); }
  double q() const { return gamma / (beta * h); }
  Vec3d a0(const Vec3d& v, const Vec3d& a) const { return (-1 / (beta * h)) * v + ((beta - 0.5) / beta) * old(a); }
  Vec3d v0(const Vec3d& v, const Vec3d& a) const {
    return v + (share() * h) * ((1 - gamma) * old(a) + gamma * a0(v, a));
  }

  // the balance of z: mass (weight d - pull) = force, without damping
  double weight() const { return (1 - alpha_m) * p(); }
  Vec3d pull(const Vec3d& v, const Vec3d& a) const { return -((1 - alpha_m) * a0(v, a) + alpha_m * old(a)); }

  // at the end of the step
  Vec3d new_acceleration(const Vec3d& d, const Vec3d& v, const Vec3d& a) const { return p() * d + a0(v, a); }
  Vec3d new_velocity(const Vec3d& v, const Vec3d& a, const Vec3d& a_new) const {
    return v + h * ((1 - gamma) * old(a) + gamma * a_new);
  }

 private:
  Vec3d old(const Vec3d& a) const { return remembers ? a : Vec3d{}; }
};

}  // namespace tendril::solvers::newton
