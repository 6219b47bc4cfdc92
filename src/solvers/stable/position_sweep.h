#pragma once

#include "math/thread_team.h"
#include "solvers/stable/kernels.h"
#include "solvers/stable/packs.h"

namespace tendril::solvers::stable {

// the largest of what the packs of a sweep met, lane by lane
template <class P>
struct PackMet {
  P force = P(0), force_scale = P(0), torque = P(0), torque_scale = P(0), displacement = P(0);
};

// Position update (Eq. 6, 28, 29 [hsu2025]) where every stiffness is scalar: the weighted mean of where inertia and the
// segments want the vertex to be.
template <bool measure, class S>
[[gnu::flatten]] void update_plain_positions(const Group& group, Share span, const Packs<S>& packs, Rows<S>& rows,
                                             PackMet<Pack<S>>& met) {
  using P = Pack<S>;
  for (int p = span.begin; p < span.end; ++p) {
    const VertexPack<P>& vertex = packs.vertices[p];
    const VertexSlotPack<P>* slots = &packs.vertex_slots[group.first_slot + (p - group.first_pack) * group.slots];
    Row<S>* own = &rows.u[static_cast<std::size_t>(p) * P::lanes];
    Vec3<P> sum = vertex.pull, before;
    P scale(0);
    if constexpr (measure) {
      before = vector_of(load_rows(own));
      scale = norm(vertex.weight * before - vertex.pull);
    }
    for (int k = 0; k < group.slots; ++k) {
      const RowPack<P> wanted = gather(rows.w.data(), slots[k].segment);
      const Vec3<P> other = vector_of(gather(rows.u.data(), slots[k].other));
      const Vec3<P> place = other + slots[k].sign * vector_of(wanted);
      sum += wanted.w * place;
      if constexpr (measure) scale += wanted.w * norm(place - before);
    }
    const Vec3<P> u = vertex.inverse * sum;
    store_rows(own, {u.x, u.y, u.z, P(0)});
    if constexpr (measure) {
      const P stiffness = select(vertex.inverse > P(0), P(1) / max(vertex.inverse, P(1e-30)), P(0));
      met.force = max(met.force, stiffness * norm(u - before));
      met.force_scale = max(met.force_scale, scale);
      met.displacement = max(met.displacement, norm(before));
    }
  }
}

// what contact does to the vertices of a pack
template <class P>
struct ContactPull {
  Vec3<P> force{P(0), P(0), P(0)};                            // [N]
  Mat3<P> stiffness = Mat3<P>::diagonal({P(0), P(0), P(0)});  // [N/m]
  P scale = P(0);                                             // sum of the forces' sizes [N]
};

// solves H u = f for a positive definite H of any size: H is scaled first, since a determinant of floats may overflow;
// where nothing acts (H = 0, as in an empty lane) nothing moves
template <class P>
Vec3<P> solve_scaled(const Mat3<P>& H, const Vec3<P>& f) {
  const P trace = H.c0.x + H.c1.y + H.c2.z, nothing = select(trace > P(0), P(0), P(1));
  const P scale = P(1) / (trace + nothing);
  return solve_symmetric(scale * H + Mat3<P>::diagonal({nothing, nothing, nothing}), scale * f);
}

// Position update with EA ≠ GA, with some axes held or with contact: one Newton step.
template <bool measure, class S>
[[gnu::flatten]] void update_general_positions(const Group& group, Share span, const Packs<S>& packs, Rows<S>& rows,
                                               PackMet<Pack<S>>& met, const ContactPull<Pack<S>>* contact = nullptr) {
  using P = Pack<S>;
  for (int p = span.begin; p < span.end; ++p) {
    const VertexPack<P>& vertex = packs.vertices[p];
    const int first_slot = group.first_slot + (p - group.first_pack) * group.slots;
    Row<S>* own = &rows.u[static_cast<std::size_t>(p) * P::lanes];
    const Vec3<P> before = vector_of(load_rows(own));
    Vec3<P> force = vertex.pull - vertex.weight * before;  // minus the gradient
    Mat3<P> H = Mat3<P>::diagonal({vertex.weight, vertex.weight, vertex.weight});
    P scale = norm(force);
    for (int k = 0; k < group.slots; ++k) {
      const VertexSlotPack<P>& slot = packs.vertex_slots[first_slot + k];
      const P excess = packs.slot_excess[first_slot + k];
      const RowPack<P> wanted = gather(rows.w.data(), slot.segment);
      const Vec3<P> other = vector_of(gather(rows.u.data(), slot.other));
      const Vec3<P> d3 = director3(quaternion_of(gather(rows.q.data(), slot.segment)));
      const Vec3<P> n = stretch_force(other + slot.sign * vector_of(wanted) - before, d3, wanted.w, excess);
      force += n;
      H += Mat3<P>::diagonal({wanted.w, wanted.w, wanted.w});
      H += excess * outer(d3, d3);
      if constexpr (measure) scale += norm(n);
    }
    if (contact) {
      force += contact->force, H += contact->stiffness;
      if constexpr (measure) scale += contact->scale;
    }
    const Vec3<P>& m = packs.free_axes[p];
    force = math::scale(m, force);
    H.c0 = m.x * math::scale(m, H.c0), H.c1 = m.y * math::scale(m, H.c1), H.c2 = m.z * math::scale(m, H.c2);
    const P held = H.c0.x + H.c1.y + H.c2.z + P(1e-30);  // any stiffness on the held axes' diagonal
    H += Mat3<P>::diagonal({held * (P(1) - m.x), held * (P(1) - m.y), held * (P(1) - m.z)});
    const Vec3<P> u = before + solve_scaled(H, force);
    store_rows(own, {u.x, u.y, u.z, P(0)});
    if constexpr (measure) {
      met.force = max(met.force, norm(force));
      met.force_scale = max(met.force_scale, scale);
      met.displacement = max(met.displacement, norm(before));
    }
  }
}

}  // namespace tendril::solvers::stable
