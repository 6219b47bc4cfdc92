#include "solvers/alpha/free_rods.h"

#include <algorithm>
#include <cmath>

#include "math/sym3.h"

namespace tendril::solvers::alpha {
namespace {

struct Motion {
  double mass = 0;
  Vec3d centre, velocity;  // of mass
  Vec3d momentum;          // angular, about the centre [kg m²/s]
};

Motion motion_of(const Model& model, const Chain& chain, const State& state) {
  Motion out;
  for (int i : chain.vertices) {
    const double m = model.vertices[i].mass;
    out.mass += m, out.centre += m * state.x[i], out.velocity += m * state.v[i];
  }
  out.centre = out.centre / out.mass, out.velocity = out.velocity / out.mass;
  for (int i : chain.vertices)
    out.momentum += model.vertices[i].mass * cross(state.x[i] - out.centre, state.v[i] - out.velocity);
  for (int s : chain.segments) {
    const Vec3d J = model.segments[s].rest_length * model.segments[s].linear_inertia;
    out.momentum += rotate(state.q[s], scale(J, rotate(conjugate(state.q[s]), state.omega[s])));
  }
  return out;
}

// of the chain as a rigid body [kg m²]
Mat3d inertia_about(const Vec3d& centre, const Model& model, const Chain& chain, const State& state) {
  Sym3<double> sum;
  for (int i : chain.vertices) {
    const double m = model.vertices[i].mass;
    const Vec3d arm = state.x[i] - centre;
    sum += square(-m, arm), sum += m * norm_squared(arm);
  }
  for (int s : chain.segments) {
    const Vec3d J = model.segments[s].rest_length * model.segments[s].linear_inertia;
    const Mat3d R = rotation_matrix(state.q[s]);
    sum += square(J.x, R.c0), sum += square(J.y, R.c1), sum += square(J.z, R.c2);
  }
  constexpr double of_nothing = 1e-12;  // a straight rod without inertia about its axis
  sum += of_nothing * (sum.xx + sum.yy + sum.zz);
  return full(sum);
}

bool is_left_alone(const Model& model, const Chain& chain, const Inputs& inputs) {
  if (!chain.is_free || !inputs.end.drag.empty() || chain.segments.empty()) return false;
  const auto is_weight = [&](int i) {
    const Vec3d weight = model.vertices[i].mass * model.gravity;
    return inputs.end.force[i] == weight && inputs.begin.force[i] == weight;
  };
  const auto is_turned = [&](int s) {
    const auto acts = [s](const std::vector<Vec3d>& m) { return !m.empty() && !(m[s] == Vec3d{}); };
    return model.segments[s].damping > 0 || acts(inputs.begin.moment) || acts(inputs.end.moment);
  };
  return std::all_of(chain.vertices.begin(), chain.vertices.end(), is_weight) &&
         std::none_of(chain.segments.begin(), chain.segments.end(), is_turned);
}

}  // namespace

double keep_angular_momentum(const Model& model, const Chain& chain, const Inputs& inputs, const State& start,
                             double allowed_energy, State& end) {
  if (!is_left_alone(model, chain, inputs)) return 0;
  const Motion before = motion_of(model, chain, start), now = motion_of(model, chain, end);
  const Vec3d missing = before.momentum - now.momentum;
  const Vec3d turning = solve_symmetric(inertia_about(now.centre, model, chain, end), missing);
  const double energy = dot(turning, now.momentum) + 0.5 * dot(turning, missing);
  if (!(energy <= allowed_energy)) return 0;
  for (int i : chain.vertices) end.v[i] += cross(turning, end.x[i] - now.centre);
  for (int s : chain.segments) end.omega[s] += turning;
  return energy;
}

}  // namespace tendril::solvers::alpha
