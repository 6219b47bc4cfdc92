#include "solvers/newton/angular_momentum.h"

#include <algorithm>
#include <cmath>

#include "math/sym3.h"

namespace tendril::solvers::newton {
namespace {

// visit(mass, position, velocity, external force) of each point mass; by number, so that it serves two States
template <class Visit>
void for_masses(const Part& part, const Problem& p, Visit visit) {
  const auto vertex = [&](int i) {
    visit(
        p.model->vertices[i].mass, [i](auto& state) -> auto& { return state.x[i]; },
        [i](auto& state) -> auto& { return state.v[i]; }, p.inputs->end.force[i]);
  };
  for (const Unknown& u : part.unknowns) {
    const int b = u.index;
    if (u.kind == Kind::vertex) vertex(u.index);
    if (u.kind == Kind::body_place)
      visit(
          p.model->bodies[b].mass, [b](auto& state) -> auto& { return state.body_x[b]; },
          [b](auto& state) -> auto& { return state.body_v[b]; }, p.inputs->end.body_force[b]);
  }
  for (int i : part.slaved_vertices) vertex(i);
}

// visit(inertia, frame, angular velocity) likewise
template <class Visit>
void for_spins(const Part& part, const Problem& p, Visit visit) {
  for (const Unknown& u : part.unknowns) {
    const int k = u.index;
    if (u.kind == Kind::segment)
      visit(
          p.spin_inertia(k), [k](auto& state) -> auto& { return state.q[k]; },
          [k](auto& state) -> auto& { return state.omega[k]; });
    if (u.kind == Kind::body_turn)
      visit(
          p.model->bodies[k].inertia, [k](auto& state) -> auto& { return state.body_q[k]; },
          [k](auto& state) -> auto& { return state.body_omega[k]; });
  }
}

struct Motion {
  double mass = 0;
  Vec3d centre, velocity;  // of mass
  Vec3d momentum;          // angular, about the centre [kg m²/s]
};

Motion motion_of(const Part& part, const Problem& p, const State& state) {
  Motion out;
  for_masses(part, p, [&](double mass, auto x, auto v, const Vec3d&) {
    out.mass += mass, out.centre += mass * x(state), out.velocity += mass * v(state);
  });
  out.centre = out.centre / out.mass, out.velocity = out.velocity / out.mass;
  for_masses(part, p, [&](double mass, auto x, auto v, const Vec3d&) {
    out.momentum += mass * cross(x(state) - out.centre, v(state) - out.velocity);
  });
  for_spins(part, p, [&](const Vec3d& J, auto q, auto omega) {
    out.momentum += rotate(q(state), scale(J, rotate(conjugate(q(state)), omega(state))));
  });
  return out;
}

// of the part as a rigid body [kg m²]
Mat3d inertia_about(const Vec3d& centre, const Part& part, const Problem& p, const State& state) {
  Sym3<double> sum;
  for_masses(part, p, [&](double mass, auto x, auto, const Vec3d&) {
    const Vec3d arm = x(state) - centre;
    sum += square(-mass, arm), sum += mass * norm_squared(arm);
  });
  for_spins(part, p, [&](const Vec3d& J, auto q, auto) {
    const Mat3d R = rotation_matrix(q(state));
    sum += square(J.x, R.c0), sum += square(J.y, R.c1), sum += square(J.z, R.c2);
  });
  constexpr double of_nothing = 1e-12;  // a straight rod without inertia about its axis
  sum += of_nothing * (sum.xx + sum.yy + sum.zz);
  return full(sum);
}

Vec3d moment_of_forces(const Vec3d& centre, const Part& part, const Problem& p, const State& state) {
  Vec3d sum;
  for_masses(part, p, [&](double, auto x, auto, const Vec3d& force) { sum += cross(x(state) - centre, force); });
  return sum;
}

// see above [J]
double energy_taken(const Part& part, const Problem& p, const State& start, const State& end) {
  double sum = 0;
  for_masses(part, p, [&](double mass, auto, auto v, const Vec3d& force) {
    if (mass > 0) sum += mass * norm_squared(v(end) - v(start) - (p.scheme.h / mass) * force);
  });
  for_spins(part, p, [&](const Vec3d& J, auto q, auto omega) {
    const Vec3d change = rotate(conjugate(q(end)), omega(end) - omega(start));
    sum += dot(change, scale(J, change));
  });
  return sum;
}

// the largest share of a turning with a s² + b s of energy that takes no more than there is
double share_within(double a, double b, double energy) {
  if (a + b <= energy) return 1;
  return 2 * energy / (b + std::sqrt(b * b + 4 * a * energy));
}

bool has_moments(const Part& part, const Problem& p) {
  const Instant& end = p.inputs->end;
  const auto acts = [](const std::vector<Vec3d>& moments, int k) {
    return !moments.empty() && !(moments[k] == Vec3d{});
  };
  return std::any_of(part.unknowns.begin(), part.unknowns.end(), [&](const Unknown& u) {
    return (u.kind == Kind::segment && acts(end.moment, u.index)) ||
           (u.kind == Kind::body_turn && acts(end.body_moment, u.index));
  });
}

bool is_tied_to_ground(const Part& part) {
  return std::any_of(part.bends.begin(), part.bends.end(), [](const BendElement& e) { return e.a < 0 || e.b < 0; });
}

}  // namespace

void keep_angular_momentum(const Part& part, const Problem& p, const State& start, State& end) {
  if (has_moments(part, p) || is_tied_to_ground(part)) return;
  const Motion before = motion_of(part, p, start), now = motion_of(part, p, end);
  const Vec3d missing = before.momentum + p.scheme.h * moment_of_forces(now.centre, part, p, end) - now.momentum;
  const Mat3d inertia = inertia_about(now.centre, part, p, end);
  Vec3d turning = solve_symmetric(inertia, missing);
  turning = share_within(0.5 * dot(turning, missing), dot(turning, now.momentum), energy_taken(part, p, start, end)) *
            turning;
  if (!std::isfinite(norm_squared(turning))) return;
  for_masses(part, p, [&](double, auto x, auto v, const Vec3d&) { v(end) += cross(turning, x(end) - now.centre); });
  for_spins(part, p, [&](const Vec3d&, auto, auto omega) { omega(end) += turning; });
}

}  // namespace tendril::solvers::newton
