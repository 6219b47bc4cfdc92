#include "solvers/stable/packs.h"

#include <cmath>

namespace tendril::solvers::stable {

namespace {

template <class P>
void set(Vec3<P>& pack, int lane, const Vec3d& value) {
  pack.x.v[lane] = value.x, pack.y.v[lane] = value.y, pack.z.v[lane] = value.z;
}
template <class P>
void set(Quat<P>& pack, int lane, const Quatd& value) {
  pack.w.v[lane] = value.w, pack.x.v[lane] = value.x, pack.y.v[lane] = value.y, pack.z.v[lane] = value.z;
}

// The weight of the pull towards the current frame, relative to the other stiffnesses: just enough to choose among
// frames that cost the same. A segment without bends turns the shortest way.
template <class S>
double proximity(const StepProblem& problem, const std::vector<double>& bend_stiffness, int s) {
  const double stretch = 2 * problem.stretch[s].GA * problem.stretch[s].length;
  if (bend_stiffness[s] == 0) return stretch > 0 ? 1e-3 * stretch : 1.0;
  return std::max(16 * round_off<S>(), 1e-9) * (stretch + bend_stiffness[s]);
}

std::vector<double> bend_stiffness(const StepProblem& problem) {
  std::vector<double> sum(problem.stretch.size(), 0.0);
  for (std::size_t b = 0; b < problem.bends.size(); ++b)
    for (const FrameId& frame : {problem.model->bends[b].a, problem.model->bends[b].b})
      if (!frame.is_body) sum[frame.index] += problem.bends[b].k[0];
  return sum;
}

}  // namespace

template <class S>
void Packs<S>::load_model(const StepProblem& problem, const Layout& layout) {
  constexpr int lanes = P::lanes;
  const std::size_t vertex_packs = layout.vertex_at.size() / lanes, segment_packs = layout.segment_at.size() / lanes;
  vertices.assign(vertex_packs, {}), free_axes.assign(vertex_packs, {P(1), P(1), P(1)});
  segments.assign(segment_packs, {}), segment_extras.assign(segment_packs, {}), moments.clear();
  for (std::size_t row = 0; row < layout.vertex_at.size(); ++row)
    if (layout.vertex_at[row] >= 0) set(free_axes[row / lanes], row % lanes, problem.free_axes[layout.vertex_at[row]]);

  vertex_slots.assign(layout.vertex_slots.size() / lanes, {}), slot_excess.assign(vertex_slots.size(), P(0));
  for (std::size_t k = 0; k < layout.vertex_slots.size(); ++k) {
    const VertexSlot& slot = layout.vertex_slots[k];
    const std::size_t p = k / lanes, lane = k % lanes;
    vertex_slots[p].other[lane] = slot.other_row, vertex_slots[p].segment[lane] = slot.segment_row;
    vertex_slots[p].sign.v[lane] = slot.sign;
    if (slot.segment < 0) continue;
    const StretchTerm& term = problem.stretch[slot.segment];
    slot_excess[p].v[lane] = (term.EA - term.GA) / term.length;
  }

  const std::vector<double> bending = bend_stiffness(problem);
  for (std::size_t row = 0; row < layout.segment_at.size(); ++row) {
    const int s = layout.segment_at[row];
    SegmentPack<P>& pack = segments[row / lanes];
    const std::size_t lane = row % lanes;
    pack.first[lane] = pack.second[lane] = layout.vertex_row_count - 1;
    pack.length.v[lane] = 1, pack.proximity.v[lane] = 1;
    if (s < 0) continue;
    const StretchTerm& term = problem.stretch[s];
    pack.first[lane] = layout.vertex_row[problem.model->segments[s].vertex[0]];
    pack.second[lane] = layout.vertex_row[problem.model->segments[s].vertex[1]];
    pack.length.v[lane] = term.length, pack.GA.v[lane] = term.GA, pack.stiffness.v[lane] = term.GA / term.length;
    pack.proximity.v[lane] = proximity<S>(problem, bending, s);
    segment_extras[row / lanes].excess.v[lane] = term.EA - term.GA;
  }
  load_bends(problem, layout, false);
}

template <class S>
void Packs<S>::load_bends(const StepProblem& problem, const Layout& layout, bool damped_only) {
  constexpr int lanes = P::lanes;
  if (!damped_only) {
    segment_slots.assign(layout.segment_slots.size() / lanes, {}), bend_extras.assign(segment_slots.size(), {});
    for (std::size_t k = 0; k < layout.segment_slots.size(); ++k)
      segment_slots[k / lanes].frame[k % lanes] = layout.segment_slots[k].frame_row;
  }
  for (std::size_t k = 0; k < layout.segment_slots.size(); ++k) {
    const SegmentSlot& slot = layout.segment_slots[k];
    if (slot.bend < 0) continue;
    const BendTerm& forward = problem.bends[slot.bend];
    if (damped_only && forward.ratio == 0) continue;
    const BendTerm term = slot.reversed ? reversed(forward) : forward;
    const Quatd& t = term.target;
    const Quatd pull{term.k[0] * t.w, term.k[1] * t.x, term.k[2] * t.y, term.k[3] * t.z};
    set(segment_slots[k / lanes].pull, k % lanes, term.left * pull * term.right);
    if (damped_only) continue;
    const Quatd axes[3] = {{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    for (int j = 0, n = 0; j < 3 && n < 2; ++j) {
      const double stiffer = term.k[j + 1] - term.k[0];
      if (stiffer > 0)
        set(bend_extras[k / lanes].axis[n++], k % lanes, std::sqrt(stiffer) * (term.left * axes[j] * term.right));
    }
  }
}

template struct Packs<float>;
template struct Packs<double>;

}  // namespace tendril::solvers::stable
