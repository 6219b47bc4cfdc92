#include "solvers/block/bundles.h"

#include <algorithm>
#include <map>
#include <optional>

namespace tendril::block {
namespace {

// where a strand ends in the Model
struct Strand {
  int last_vertex = 0, last_segment = 0;
};

// whether the bends between two unknown frames are one for each two neighbours
bool bends_make_a_chain(const Problem& problem, const Part& part, int last_segment) {
  std::vector<int> found(part.stretches.size(), 0);  // at segments, as b
  for (const BendElement& e : part.bends) {
    const tendril::Bend& bend = problem.model->bends[e.bend];
    if (bend.GJ == 0) return false;  // it swings
    if (e.a < 0 || e.b < 0) continue;
    if (bend.a.index + 1 != bend.b.index) return false;
    ++found[last_segment - bend.b.index];
  }
  return std::all_of(found.begin(), found.end() - 1, [](int count) { return count == 1; });
}

std::optional<Strand> strand_of(const Problem& problem, const Part& part) {
  const int segments = static_cast<int>(part.stretches.size());
  if (!part.slaved_segments.empty() || !part.slaved_vertices.empty()) return {};
  if (segments == 0 || part.row_count() != 2 * segments + 1) return {};
  Strand strand;
  for (const StretchElement& e : part.stretches) {
    strand.last_vertex = std::max(strand.last_vertex, e.vertex[1]);
    strand.last_segment = std::max(strand.last_segment, e.segment);
  }
  for (const StretchElement& e : part.stretches) {
    const int s = strand.last_segment - e.segment, i = strand.last_vertex - s;
    if (s >= segments || e.vertex[0] != i - 1 || e.vertex[1] != i) return {};
  }
  if (!bends_make_a_chain(problem, part, strand.last_segment)) return {};
  return strand;
}

bool are_alike(const Problem& problem, const Parts& parts, int p, int q) {
  const Part &a = parts[p], &b = parts[q];
  const Strand strand_a = *strand_of(problem, a), strand_b = *strand_of(problem, b);
  const auto same = [](const auto& one, const auto& other, auto equal) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end(), equal);
  };
  return same(a.unknowns, b.unknowns,
              [&](const Unknown& u, const Unknown& v) {
                if (u.kind != v.kind) return false;
                if (u.kind == Kind::segment) return strand_a.last_segment - u.index == strand_b.last_segment - v.index;
                return strand_a.last_vertex - u.index == strand_b.last_vertex - v.index &&
                       problem.role[u.index] == problem.role[v.index];
              }) &&
         same(a.bends, b.bends, [](const BendElement& e, const BendElement& f) { return e.a == f.a && e.b == f.b; });
}

// lanes that are left over do what the last member does
Bundle bundle_of(const Problem& problem, const Parts& parts, const std::vector<int>& members) {
  Bundle out;
  for (int lane = 0; lane < strand_lanes; ++lane) {
    const int part = members[std::min<std::size_t>(lane, members.size() - 1)];
    const Strand strand = *strand_of(problem, parts[part]);
    out.parts[lane] = part;
    out.last_vertex[lane] = strand.last_vertex, out.last_segment[lane] = strand.last_segment;
  }
  return out;
}

bool all_equal(const StrandLanes& a, const StrandLanes& b) { return !any((a < b) | (a > b)); }

bool is_round(const StrandConstants& constants) {
  return std::all_of(constants.segments.begin(), constants.segments.end(),
                     [](const StrandSegment& s) { return all_equal(s.spin.x, s.spin.y); });
}

bool is_isotropic(const StrandConstants& constants, const Problem& problem, int last_vertex) {
  for (std::size_t i = 0; i < constants.segments.size(); ++i)
    if (problem.role[last_vertex - i] != Role::free) return false;
  return std::all_of(constants.segments.begin(), constants.segments.end(),
                     [](const StrandSegment& s) { return all_equal(s.stretch.GA, s.stretch.EA); }) &&
         std::all_of(constants.bends.begin(), constants.bends.end(),
                     [](const Bend<StrandLanes>& b) { return all_equal(b.K.x, b.K.y) && all_equal(b.K.x, b.K.z); });
}

}  // namespace

Bundles make_bundles(const Problem& problem, const Parts& parts) {
  Bundles out;
  std::map<const Elimination*, std::vector<int>> open;  // bundles that are not full
  for (int p = 0; p < parts.count(); ++p) {
    std::vector<int>& waiting = open[parts[p].plan.get()];
    if (!strand_of(problem, parts[p]) || (!waiting.empty() && !are_alike(problem, parts, waiting[0], p))) {
      out.singles.push_back(p);
      continue;
    }
    waiting.push_back(p);
    if (waiting.size() < strand_lanes) continue;
    out.bundles.push_back(bundle_of(problem, parts, waiting));
    waiting.clear();
  }
  for (int p = 0; p < parts.count(); ++p) {  // in the order of the parts, whatever that of the plans is
    const std::vector<int>& waiting = open[parts[p].plan.get()];
    if (waiting.empty() || waiting[0] != p) continue;
    if (waiting.size() == 1)
      out.singles.push_back(p);
    else
      out.bundles.push_back(bundle_of(problem, parts, waiting));
  }
  std::sort(out.singles.begin(), out.singles.end());
  return out;
}

void load_constants(const Problem& p, const Parts& parts, Bundle& bundle) {
  const Part& shape = parts[bundle.parts[0]];
  StrandConstants& constants = bundle.constants;
  const int segments = static_cast<int>(shape.stretches.size());
  constants.segments.resize(segments), constants.bends.resize(segments - 1);
  constants.held.clear();
  for (int s = 0; s < segments; ++s) {
    const auto index = [&](int k) { return bundle.last_segment[k] - s; };
    StrandSegment& segment = constants.segments[s];
    segment.stretch = {numbers<StrandLanes>([&](int k) { return p.stretch[index(k)].length; }),
                       numbers<StrandLanes>([&](int k) { return p.stretch[index(k)].GA; }),
                       numbers<StrandLanes>([&](int k) { return p.stretch[index(k)].EA; }),
                       vectors<StrandLanes>([&](int k) -> const Vec3d& { return p.stretch[index(k)].p; })};
    segment.per_length = StrandLanes(1) / segment.stretch.length;
    segment.spin = vectors<StrandLanes>([&](int k) -> const Vec3d& { return p.spin[index(k)].weight; });
  }
  const auto index = [&](int e, int k) { return parts[bundle.parts[k]].bends[e].bend; };
  const auto term = [&](int e, int k) -> const BendTerm& { return p.bends[index(e, k)]; };
  const auto in_model = [&](int e, int k) -> const tendril::Bend& { return p.model->bends[index(e, k)]; };
  const int bends = static_cast<int>(shape.bends.size());
  constants.turns.resize(segments - 1);
  bool turns = false;
  for (int e = 0; e < bends; ++e) {
    const Bend<StrandLanes> bend{
        vectors<StrandLanes>([&](int k) -> const Vec3d& { return term(e, k).K; }),
        vectors<StrandLanes>([&](int k) -> const Vec3d& { return term(e, k).rest; }),
        side_of(quaternions<StrandLanes>([&](int k) -> const Quatd& { return in_model(e, k).rest; }))};
    const Quat<StrandLanes> turn = quaternions<StrandLanes>([&](int k) -> const Quatd& { return in_model(e, k).turn; });
    const BendElement& rows = shape.bends[e];
    const tendril::Bend& ends = p.model->bends[rows.bend];
    const int at = bundle.last_segment[0] - (rows.b >= 0 ? ends.b.index : ends.a.index);
    if (rows.a < 0 || rows.b < 0) {
      constants.held.push_back({at, e, rows.a < 0, bend, turn});
      continue;
    }
    constants.bends[at] = bend, constants.turns[at] = turn;
    for (int k = 0; k < strand_lanes; ++k) turns |= term(e, k).turns;
  }
  if (!turns) constants.turns.clear();
  // not stable_sort: its buffer is not aligned as lanes must be
  std::sort(constants.held.begin(), constants.held.end(), [](const HeldBend& a, const HeldBend& b) {
    return std::pair(a.segment, a.element) < std::pair(b.segment, b.element);
  });
  constants.round = is_round(constants);
  constants.isotropic = constants.round && is_isotropic(constants, p, bundle.last_vertex[0]);
  constants.version = p.version;
}

}  // namespace tendril::block
