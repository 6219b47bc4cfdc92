#include "solvers/stable/first_guess.h"

#include <algorithm>
#include <cmath>

namespace tendril::solvers::stable {

namespace {

// With the published rule four sweeps a step left trees of light wood twenty times the elastic energy of their
// equilibrium: its gain of one keeps every trembling alive.
Vec3d followed_acceleration(const Vec3d& external, const Vec3d& last, StartRule rule) {
  const double size_squared = norm_squared(external);
  if (size_squared == 0) return {};
  const double s = std::clamp(dot(last, external) / size_squared, 0.0, 1.0), rest = 1 - s;
  return (rule == StartRule::published ? s : s * s * s / (s * s * s + rest * rest * rest)) * external;
}

}  // namespace

void guess_bodies(const StepProblem& p, const History& history, StartRule rule, State& guess) {
  guess.body_x.resize(p.bodies.size()), guess.body_q.resize(p.bodies.size());
  for (std::size_t b = 0; b < p.bodies.size(); ++b) {
    guess.body_x[b] = p.bodies[b].goal, guess.body_q[b] = p.bodies[b].turn_goal;
    if (p.model->bodies[b].kind == BodyKind::kinematic) continue;
    const Vec3d inertial = p.begin.body_x[b] + p.h * p.begin.body_v[b];
    const Vec3d external = (1 / (p.h * p.h)) * (p.bodies[b].goal - inertial);
    guess.body_x[b] = inertial + (p.h * p.h) * followed_acceleration(external, history.body_acceleration[b], rule);
  }
  place_followers(p, guess);
}

void place_followers(const StepProblem& p, State& state) {
  for (const Tie& tie : p.model->ties)
    if (p.role[tie.vertex] == Role::slaved)
      state.x[tie.vertex] = state.body_x[tie.body] + rotate(state.body_q[tie.body], tie.offset);
}

void guess_positions(const StepProblem& p, const History& history, StartRule rule, Share vertices, State& guess) {
  for (int i = vertices.begin; i < vertices.end; ++i) {
    if (p.role[i] == Role::slaved) continue;
    const Vec3d a = followed_acceleration(p.acceleration(i), history.acceleration[i], rule);
    guess.x[i] = p.begin.x[i] + p.h * (p.begin.v[i] + p.h * a);
    if (p.role[i] == Role::free) continue;
    for (int k = 0; k < 3; ++k)
      if (p.free_axes[i][k] == 0) guess.x[i][k] = p.prescribed_x[i][k];
  }
}

void keep_frames(const StepProblem& p, Share segments, State& guess) {
  std::copy_n(p.begin.q.begin() + segments.begin, segments.end - segments.begin, guess.q.begin() + segments.begin);
}

void carry_frames(const StepProblem& p, Share segments, State& guess) {
  for (int s = segments.begin; s < segments.end; ++s) {
    const int* i = p.model->segments[s].vertex;
    const Quatd& q = p.begin.q[s];
    const Vec3d &old_edge = p.edge[s], edge = guess.x[i[1]] - guess.x[i[0]];
    const Vec3d axis = cross(old_edge, edge);
    const double cosine = dot(old_edge, edge), size = std::sqrt(norm_squared(old_edge) * norm_squared(edge));
    const Quatd swing = cosine > 0 ? Quatd{size + cosine, axis.x, axis.y, axis.z} : Quatd{};  // else it is no guide
    const Vec3d d3 = director3(q);
    const Vec3d half_spin = (0.5 * p.h * dot(p.begin.omega[s], d3)) * d3;
    guess.q[s] = normalized(swing * (Quatd{1, half_spin.x, half_spin.y, half_spin.z} * q));
  }
}

}  // namespace tendril::solvers::stable
