#include "solvers/alpha/equations.h"

namespace tendril::solvers::alpha {
namespace {

// of what is known of each vertex, by mass; nothing for a chain that something holds
template <class Of>
Vec3d mean_of_free(const Model& model, const Chain& chain, Of of) {
  Vec3d sum;
  double mass = 0;
  for (int i : chain.vertices) sum += model.vertices[i].mass * of(i), mass += model.vertices[i].mass;
  return chain.is_free && mass > 0 ? sum / mass : Vec3d{};
}

// of a chain: kinetic, seen from its centre if it flies, and elastic as rod/energy.h has it
double energy_of(const Model& model, const Chain& chain, const std::vector<Vec3d>& rest_angle, const State& state) {
  const Vec3d flight = mean_of_free(model, chain, [&](int i) { return state.v[i]; });
  double energy = 0;
  for (int i : chain.vertices) energy += 0.5 * model.vertices[i].mass * norm_squared(state.v[i] - flight);
  for (int s : chain.segments) {
    const Segment& segment = model.segments[s];
    const double l = segment.rest_length;
    const Vec3d spin = rotate(conjugate(state.q[s]), state.omega[s]);
    const Vec3d gamma = stretch_shear_strain(state.x[segment.vertex[0]], state.x[segment.vertex[1]], state.q[s], l);
    energy += 0.5 * l * dot(spin, scale(segment.linear_inertia, spin));
    energy += 0.5 * l * dot(gamma, scale({segment.GA, segment.GA, segment.EA}, gamma));
  }
  const auto frame = [&](const FrameId& id) { return id.is_body ? state.body_q[id.index] : state.q[id.index]; };
  for (const ChainBend& place : chain.bends) {
    const Bend& bend = model.bends[place.bend];
    const Vec3d angle = angle_beyond_rest(bend, rest_angle[place.bend], frame(bend.a), frame(bend.b));
    energy += 0.5 / bend.length * dot(angle, scale({bend.EI1, bend.EI2, bend.GJ}, angle));
  }
  return energy;
}

}  // namespace

Equations::EnergyChange Equations::energy_change(const Chain& chain, const Trial& at, const State& end) const {
  const Scheme& scheme = schemes_[chain.number];
  const Vec3d flown = mean_of_free(*model_, chain, [&](int i) { return end.x[i] - start_->x[i]; });
  double work = 0, moved = 0, flying = 0;
  const auto add = [&](double done) { work += done, moved += std::abs(done); };
  for (int n = 0; n < static_cast<int>(chain.vertices.size()); ++n) {
    const int i = chain.vertices[n];
    Vec3d acting = scheme.now() * inputs_->end.force[i] + scheme.before() * inputs_->begin.force[i];
    Vec3d inner;
    if (n > 0) inner += pull(chain.segments[n - 1], i) * at.force[chain.segments[n - 1]];
    if (n < chain.segment_count()) inner += pull(chain.segments[n], i) * at.force[chain.segments[n]];
    const Vec3d needed = (model_->vertices[i].mass / scheme.h) * (end.v[i] - start_->v[i]) - inner;  // where it is held
    for (int k = 0; k < 3; ++k)
      if (supports_.free_axes[i][k] == 0) acting[k] = needed[k];
    add(dot(acting, end.x[i] - start_->x[i] - flown));
    flying += std::abs(dot(acting, flown)) + model_->vertices[i].mass * norm_squared(start_->v[i]);
  }
  for (int s : chain.segments)
    for (const auto& [moments, share] :
         {std::pair{&inputs_->end.moment, scheme.now()}, std::pair{&inputs_->begin.moment, scheme.before()}})
      if (!moments->empty()) add(share * dot((*moments)[s], rotate(start_->q[s], at.turn[s])));
  for (const ChainBend& place : chain.bends) {
    if (place.a >= 0 && place.b >= 0) continue;
    const Bend& bend = model_->bends[place.bend];
    const BendMoment m = moment_of(place.bend, scheme, at);
    const int body = place.a < 0 ? bend.a.index : bend.b.index;
    const double sign = place.a < 0 ? 1 : -1;  // of what the body does to the rod by turning
    add(sign * dot(m.moment, gibbs_turn(inputs_->end.body_pose[body].q * conjugate(start_->body_q[body]))));
  }
  const double before = energy_of(*model_, chain, rest_angle_, *start_);
  return {energy_of(*model_, chain, rest_angle_, end) - before - work, before + moved, before + moved + flying};
}

}  // namespace tendril::solvers::alpha
