#pragma once

#include "solvers/stable/frame_newton.h"
#include "solvers/stable/kernels.h"
#include "solvers/stable/packs.h"
#include "solvers/stable/position_sweep.h"

namespace tendril::solvers::stable {

// x1 - x0 of the segments of a pack
template <class S>
Vec3<Pack<S>> edge_of(const SegmentPack<Pack<S>>& segment, const Rows<S>& rows) {
  const auto first = vector_of(gather(rows.u.data(), segment.first));
  const auto second = vector_of(gather(rows.u.data(), segment.second));
  return segment.edge + (second - first);
}

template <class S>
void store_orientations(int pack, const Quat<Pack<S>>& q, const Vec3<Pack<S>>& wanted, Pack<S> stiffness,
                        Rows<S>& rows) {
  const std::size_t first_row = static_cast<std::size_t>(pack) * Pack<S>::lanes;
  store_rows(&rows.q[first_row], {q.w, q.x, q.y, q.z});
  store_rows(&rows.w[first_row], {wanted.x, wanted.y, wanted.z, stiffness});
}

template <Lambda rule, class S>
Quat<Pack<S>> new_frame(const Vec3<Pack<S>>& v, const Quat<Pack<S>>& b, int pack, Rows<S>& rows) {
  if constexpr (rule != Lambda::stored) return closed_form<rule>(v, b);
  Pack<S> y(1);
  S* stored = rows.y.data() + static_cast<std::size_t>(pack) * Pack<S>::lanes;
  for (int lane = 0; lane < Pack<S>::lanes; ++lane) y.v[lane] = stored[lane];
  const Quat<Pack<S>> q = closed_form<rule>(v, b, y);
  for (int lane = 0; lane < Pack<S>::lanes; ++lane) stored[lane] = y.v[lane];
  return q;
}

// Orientation update in closed form (Algorithm 2 [hsu2025]) where the stiffnesses are scalar and p = e3.
template <Lambda rule, bool measure, class S>
[[gnu::flatten]] void update_plain_orientations(const Group& group, Share span, const Packs<S>& packs, Rows<S>& rows,
                                                PackMet<Pack<S>>& met) {
  using P = Pack<S>;
  const bool moments = !packs.moments.empty();
  for (int p = span.begin; p < span.end; ++p) {
    const SegmentPack<P>& segment = packs.segments[p];
    const SegmentSlotPack<P>* slots = &packs.segment_slots[group.first_slot + (p - group.first_pack) * group.slots];
    const Quat<P> before = quaternion_of(load_rows(&rows.q[static_cast<std::size_t>(p) * P::lanes]));
    const Vec3<P> edge = edge_of(segment, rows);
    const Vec3<P> v = (P(-2) * segment.GA) * edge;  // Eq. 15
    Quat<P> b = segment.proximity * before;
    P scale(0);
    for (int k = 0; k < group.slots; ++k) {  // Eq. 17
      const Quat<P> other = quaternion_of(gather(rows.q.data(), slots[k].frame));
      const Quat<P> pull = nearest_sign(other * slots[k].pull, before);
      b += pull;
      if constexpr (measure) scale += norm(torque_of(pull, before));
    }
    if (moments) b += pull_of_moment(packs.moments[p], before);
    const Quat<P> q = new_frame<rule>(v, b, p, rows);  // Eq. 18, 22 or 26
    store_orientations(p, q, segment.length * director3(q) - segment.edge, segment.stiffness, rows);
    if constexpr (measure) {
      const Vec3<P> stretch = edge - segment.length * director3(before);
      met.torque_scale = max(met.torque_scale, scale + segment.GA * norm(stretch));
      if constexpr (rule != Lambda::approximate)
        met.torque = max(met.torque, norm(torque_of(stretch_pull(v, before) + b, before)));
      else  // the approximate material is at rest when its frames are
        met.torque = max(met.torque, P(0.5) * (norm(v) + norm(b)) * norm(q - before));
    }
  }
}

// Orientation update for any stiffness: the least 1/2 qᵀAq - bᵀq on the unit sphere.
template <bool measure, class S>
[[gnu::flatten]] void update_general_orientations(const Group& group, Share span, const Packs<S>& packs, Rows<S>& rows,
                                                  PackMet<Pack<S>>& met) {
  using P = Pack<S>;
  const bool moments = !packs.moments.empty();
  for (int p = span.begin; p < span.end; ++p) {
    const SegmentPack<P>& segment = packs.segments[p];
    const SegmentExtra<P>& extra = packs.segment_extras[p];
    const int first_slot = group.first_slot + (p - group.first_pack) * group.slots;
    const Quat<P> before = quaternion_of(load_rows(&rows.q[static_cast<std::size_t>(p) * P::lanes]));
    const Vec3<P> edge = edge_of(segment, rows), e = edge / segment.length, d3 = director3(before);
    const P axial_strain = dot(e, d3) - extra.p.z;
    const Vec3<P> direction = stretch_direction(extra.p, segment.GA, extra.excess, axial_strain);
    Quat<P> b = (segment.proximity + stretch_proximity(e, d3, extra.excess, direction.z, segment.length)) * before;
    Sym4<P> A;
    P scale(0);
    for (int k = 0; k < group.slots; ++k) {
      const SegmentSlotPack<P>& slot = packs.segment_slots[first_slot + k];
      const Quat<P> other = quaternion_of(gather(rows.q.data(), slot.frame));
      const Quat<P> pull = nearest_sign(other * slot.pull, before);
      const Quat<P> axis0 = other * packs.bend_extras[first_slot + k].axis[0];
      const Quat<P> axis1 = other * packs.bend_extras[first_slot + k].axis[1];
      b += pull;
      add_square(A, axis0), add_square(A, axis1);
      if constexpr (measure)
        scale += norm(torque_of(pull - dot(axis0, before) * axis0 - dot(axis1, before) * axis1, before));
    }
    if (moments) b += pull_of_moment(packs.moments[p], before);
    const FrameEnergy<P> energy{A, b, edge, direction};
    Quat<P> q;
    if constexpr (sizeof(S) < sizeof(double))
      q = least_energy_frame(energy, before);
    else
      q = frame_on_sphere(energy, before);
    store_orientations(p, q, wanted_edge(q, extra.p, segment.length) - segment.edge, segment.stiffness, rows);
    if constexpr (measure) {
      const Vec3<P> stretch = edge - wanted_edge(before, extra.p, segment.length);
      met.torque_scale = max(met.torque_scale, scale + norm(stretch_force(stretch, d3, segment.GA, extra.excess)));
      met.torque = max(met.torque, norm(cross(rotate(before, direction), edge) + torque_of(b - A * before, before)));
    }
  }
}

}  // namespace tendril::solvers::stable
