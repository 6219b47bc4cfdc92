#include "sim/fields.h"

#include <algorithm>
#include <cmath>

namespace tendril::sim {

Fields::Fields(const Model& model, const Neighbours& neighbours, std::uint64_t seed) : fields_(model.fields) {
  if (empty()) return;
  for (std::size_t f = 0; f < fields_.size(); ++f) gusts_.emplace_back(fields_[f], seed + f);
  for (int i = 0; i < int(model.vertices.size()); ++i) {
    first_.push_back(int(halves_.size()));
    for (int s : neighbours.of(i)) {
      const Segment& segment = model.segments[s];
      halves_.push_back({segment.vertex[segment.vertex[0] == i], 0.5 * segment.rest_length, segment.radius});
    }
  }
  first_.push_back(int(halves_.size()));
}

void Fields::add(Share vertices, const State& now, double lead, double time, Instant& out) const {
  for (std::size_t f = 0; f < fields_.size(); ++f)
    if (fields_[f].kind == FieldKind::wind)
      add_wind(fields_[f], gusts_[f], vertices, now, lead, time, out);
    else
      add_drag(fields_[f], vertices, now, out);
}

// drag of a cylinder across the flow, on half a segment at each of its vertices:
//   F = rho Cd r l/2 |u_n| u_n,  u_n = the part of (wind - v) normal to the segment
// dF/dv has the eigenvalues -rho Cd r l/2 |u_n| (1 and 2), so twice that bounds it
// The segment is as velocities have turned it when the step ends: seen as it was a step ago, a rod that swings in a
// strong wind takes energy from it (by about U h / L of what the drag damps).
void Fields::add_wind(const Field& field, const Gust& gust, Share vertices, const State& now, double lead, double time,
                      Instant& out) const {
  const double factor = field.factor_keys.empty() ? 1 : interpolate(field.factor_keys, time).x;
  constexpr int at_once = 64;
  Vec3d wind[at_once];
  for (int first = vertices.begin; first < vertices.end; first += at_once) {
    const int count = std::min(at_once, vertices.end - first);
    std::fill_n(wind, count, field.velocity);
    if (field.gust_amplitude != 0) gust.add(&now.x[first], count, time, wind);
    for (int i = first; i < first + count; ++i) {
      const Vec3d flow = factor * wind[i - first] - now.v[i];
      for (int k = first_[i]; k < first_[i + 1]; ++k) {
        const Half& half = halves_[k];
        const Vec3d edge = now.x[half.other] - now.x[i] + lead * (now.v[half.other] - now.v[i]);
        const Vec3d across = flow - (dot(flow, edge) / std::max(norm_squared(edge), 1e-300)) * edge;
        const double drag = field.air_density * field.drag * half.radius * half.length * norm(across);
        out.force[i] += drag * across;
        out.drag[i] += 2 * drag;
      }
    }
  }
}

// a viscous medium at rest: -coefficient v per length
void Fields::add_drag(const Field& field, Share vertices, const State& now, Instant& out) const {
  for (int i = vertices.begin; i < vertices.end; ++i)
    for (int k = first_[i]; k < first_[i + 1]; ++k) {
      const double drag = field.coefficient * halves_[k].length;
      out.force[i] -= drag * now.v[i];
      out.drag[i] += drag;
    }
}

}  // namespace tendril::sim
