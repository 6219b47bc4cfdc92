#include "sim/sag_free.h"

#include <fmt/format.h>

#include <cmath>

#include "rod/strain.h"
#include "sim/inner_forces.h"
#include "sim/pair_name.h"

namespace tendril::sim {
namespace {

// l and d3 such that edge/l = d3 (1 + n·d3/EA - n·d3/GA) + n/GA: alternately the root of |edge/l - n/GA| = that factor,
// and d3. Whether there are such.
bool carry_force(Segment& segment, const Vec3d& edge, const Vec3d& n, Quatd& q) {
  Vec3d d3 = normalized(edge);
  const Vec3d shear = n / segment.GA;
  const auto factor = [&] { return 1 + dot(n, d3) * (1 / segment.EA - 1 / segment.GA); };
  double inverse_length = 1 / norm(edge);
  for (int step = 0; step < 50; ++step) {
    const double a = norm_squared(edge), b = dot(edge, shear), c = norm_squared(shear) - factor() * factor();
    inverse_length = (b + std::sqrt(std::max(b * b - a * c, 0.0))) / a;
    d3 = normalized(inverse_length * edge - shear);
  }
  segment.rest_length = 1 / inverse_length;
  q = normalized(rotation_between(director3(q), d3) * q);
  return std::isfinite(segment.rest_length) && segment.rest_length > 0 &&
         norm(inverse_length * edge - shear - factor() * d3) < 1e-6;
}

// The rest rotation at which the bend's moment on frame b is m; whether there is one: the law knows no turns that
// others are cheaper than.
bool carry_moment(Bend& bend, const Quatd& q_a, const Quatd& q_b, const Vec3d& m) {
  const Vec3d any{1, 1, 1}, angle = bend_angle({}, conjugate(q_a) * q_b * bend.turn, bend.rest, any);
  const Mat3d jt = transpose(rotation_vector_jacobian(angle));
  // m = -R_a Jᵀ (K/l) (angle - rest angle)
  const Vec3d local = -rotate(conjugate(q_a), m);
  const Vec3d r0 = cross(jt.c1, jt.c2), r1 = cross(jt.c2, jt.c0), r2 = cross(jt.c0, jt.c1);
  const Vec3d stress = (1 / dot(jt.c0, r0)) * Vec3d{dot(r0, local), dot(r1, local), dot(r2, local)};
  const auto turned = [&](double moment, double stiffness) {
    return stiffness > 0 ? bend.length * moment / stiffness : 0;
  };
  const Vec3d strain{turned(stress.x, bend.EI1), turned(stress.y, bend.EI2), turned(stress.z, bend.GJ)};
  bend.rest = quaternion_exp(angle - strain);
  const Vec3d stiffness = bend.holds_an_axis() ? any : Vec3d{bend.EI1, bend.EI2, bend.GJ};
  return norm(bend_strain(q_a, q_b * bend.turn, bend.rest, stiffness).angle - strain) < 1e-6;
}

[[noreturn]] void refuse_segment(const Model& model, int s, double force) {
  throw NoEquilibrium(fmt::format(
      "{} has to carry {:.3g} N, which it can at no rest length with EA = {:g} N and GA = {:g} N; make it stiffer or "
      "lighter, hold it at more places, or let it hang: settle = true",
      segment_name(model, s), force, model.segments[s].EA, model.segments[s].GA));
}

[[noreturn]] void refuse_bend(const Model& model, const Bend& bend, double moment) {
  throw NoEquilibrium(fmt::format(
      "{} has to carry {:.3g} N m, which it can at no rest shape with EI1 = {:g}, EI2 = {:g} and GJ = {:g} N m²: it "
      "would be turned by more than half a circle; make it stiffer or lighter, hold it at more places, or let it hang: "
      "settle = true",
      segment_name(model, bend.b.is_body ? bend.a.index : bend.b.index), moment, bend.EI1, bend.EI2, bend.GJ));
}

}  // namespace

void make_sag_free(Model& model, State& state) {
  const Present present(model);
  const InnerForces inner = balancing_forces(model, state, present);
  for (std::size_t s = 0; s < model.segments.size(); ++s) {
    Segment& segment = model.segments[s];
    const Vec3d edge = state.x[segment.vertex[1]] - state.x[segment.vertex[0]];
    if (!carry_force(segment, edge, inner.force[s], state.q[s])) refuse_segment(model, int(s), norm(inner.force[s]));
  }
  const auto frame = [&](FrameId f) { return f.is_body ? state.body_q[f.index] : state.q[f.index]; };
  for (std::size_t b = 0; b < model.bends.size(); ++b) {
    Bend& bend = model.bends[b];
    if (present.bend[b] && !carry_moment(bend, frame(bend.a), frame(bend.b), inner.moment[b]))
      refuse_bend(model, bend, norm(inner.moment[b]));
  }
}

}  // namespace tendril::sim
