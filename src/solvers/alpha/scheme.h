#pragma once

#include <cmath>

#include "math/vec3.h"

namespace tendril::solvers::alpha {

// The weights of the generalised-alpha method for equations of first order, M y' + K(y) = 0 [chung1993, sobottka2008]:
//   M ((1 - alpha) y'_new + alpha y'_old) + (1 - beta) K(y_new) + beta K(y_old) = 0              Eq. 16 and 17
//   y_new = y_old + h ((1 - gamma) y'_old + gamma y'_new)                                        Eq. 19
struct Weights {
  double alpha = 0, beta = 0, gamma = 1;  // implicit Euler, which remembers no y'_old

  // of second order; rho is what remains of the fastest vibrations from step to step
  static Weights of_rho(double rho) { return {(3 * rho - 1) / (2 * (1 + rho)), rho / (1 + rho), 1 / (1 + rho)}; }
  static Weights euler() { return {}; }

  bool is_second_order() const { return std::abs(alpha - beta + gamma - 0.5) < 1e-12; }
  bool operator==(const Weights&) const = default;
};

// One time step for a displacement x, its velocity u and its acceleration. Two equations of first order, x' = u and
// m u' = F, each with a derivative that is remembered: w = x' and a = u'. With the displacement d = x_new - x_old
//   u_new = by_way() d + velocity_rest(u_old, w_old)
//   (1 - alpha) a_new + alpha a_old = by_velocity() u_new + acceleration_rest(u_old, a_old)
//
// Where something stiff keeps d at zero, w, u and a each keep what they had, times -rho in every step. With one rho for
// both equations these three feed each other, and a jolt grows to some 50 times its size before it fades: rods that
// whip in steps of 30 ms come apart. So x' = u has weights of its own, of a smaller rho. Both pairs are of second
// order.
//
// The first step knows neither w_old nor a_old. If the method is of second order it takes the acceleration as constant,
//   d = h/2 (u_old + u_new),  a_old = a_new = (u_new - u_old) / h,
// and w_old = u_old + (alpha - beta) h a: w and a are those of a moment beside the border of the step, and this is
// where the method keeps them when u is linear in time. So free fall is exact from the first step on.
struct Scheme {
  Weights weights;      // of m u' = F
  Weights way;          // of x' = u
  bool begins = false;  // nothing is remembered
  double h = 0;         // [s]

  static Scheme euler(double h) { return {Weights::euler(), Weights::euler(), false, h}; }
  bool is_euler() const { return weights == Weights::euler(); }

  double now() const { return 1 - weights.beta; }  // how much forces at the end of the step count, and at its start
  double before() const { return weights.beta; }

  double by_way() const { return begins ? 2 / h : (1 - way.alpha) / (way.gamma * h * (1 - way.beta)); }
  Vec3d velocity_rest(const Vec3d& u_old, const Vec3d& w_old) const {
    if (begins) return -u_old;
    const auto [alpha, beta, gamma] = way;
    return (1 / (1 - beta)) * ((alpha - (1 - alpha) * (1 - gamma) / gamma) * w_old - beta * u_old);
  }
  double by_velocity() const { return begins ? 1 / h : (1 - weights.alpha) / (weights.gamma * h); }
  Vec3d acceleration_rest(const Vec3d& u_old, const Vec3d& a_old) const {
    if (begins) return (-1 / h) * u_old;
    const auto [alpha, beta, gamma] = weights;
    return (-by_velocity()) * u_old + (alpha - (1 - alpha) * (1 - gamma) / gamma) * a_old;
  }

  // a_new of the mean (1 - alpha) a_new + alpha a_old
  Vec3d acceleration_of_mean(const Vec3d& mean, const Vec3d& a_old) const {
    return begins ? mean : (1 / (1 - weights.alpha)) * (mean - weights.alpha * a_old);
  }
  Vec3d velocity_of_acceleration(const Vec3d& u_old, const Vec3d& a_old, const Vec3d& a_new) const {
    return u_old + h * (begins ? a_new : (1 - weights.gamma) * a_old + weights.gamma * a_new);
  }
  // a derivative at the end of the step, of the change of its quantity
  Vec3d derivative(const Vec3d& change, const Vec3d& old) const {
    return begins ? change / h : (1 / weights.gamma) * (change / h - (1 - weights.gamma) * old);
  }
  // w_new, where the velocity is u_new and the acceleration a_new
  Vec3d way_per_time(const Vec3d& d, const Vec3d& w_old, const Vec3d& u_new, const Vec3d& a_new) const {
    if (begins) return u_new + ((way.alpha - way.beta) * h) * a_new;
    return (1 / way.gamma) * (d / h - (1 - way.gamma) * w_old);
  }
};

}  // namespace tendril::solvers::alpha
