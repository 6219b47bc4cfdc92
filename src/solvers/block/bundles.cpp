#include "solvers/block/bundles.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

namespace tendril::solvers::block {
namespace {

// whether the bends between two unknown frames are one for each two neighbours
bool bends_make_a_chain(const Problem& problem, const Part& part, int last_segment) {
  std::vector<int> found(part.stretches.size(), 0);  // at segments, as b
  for (const BendElement& e : part.bends) {
    const rod::Bend& bend = problem.model->bends[e.bend];
    if (bend.holds_an_axis()) return false;
    if (e.a < 0 || e.b < 0) continue;
    if (bend.a.index + 1 != bend.b.index) return false;
    ++found[last_segment - bend.b.index];
  }
  return std::all_of(found.begin(), found.end() - 1, [](int count) { return count == 1; });
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
template <class T>
Bundle<T> bundle_of(const Problem& problem, const Parts& parts, const std::vector<int>& members) {
  Bundle<T> out;
  const Part& shape = parts[members[0]];
  out.is_free = shape.is_free, out.is_open = shape.skeleton.is_open;
  if (!shape.is_free) out.anchor = strand_of(problem, shape)->last_vertex - shape.skeleton.anchor;
  for (int lane = 0; lane < T::lanes; ++lane) {
    const int part = members[std::min<std::size_t>(lane, members.size() - 1)];
    const Strand strand = *strand_of(problem, parts[part]);
    out.parts[lane] = part;
    out.lineup.last_vertex[lane] = strand.last_vertex, out.lineup.last_segment[lane] = strand.last_segment;
  }
  out.make_room(static_cast<int>(parts[members[0]].stretches.size()));
  return out;
}

template <class T>
bool all_equal(const T& a, const T& b) {
  return !any((a < b) | (a > b));
}

template <class T>
bool is_round(const StrandConstants<T>& constants) {
  return std::all_of(constants.segments.begin(), constants.segments.end(),
                     [](const StrandSegment<T>& s) { return all_equal(s.spin.x, s.spin.y); });
}

template <class T>
bool is_isotropic(const StrandConstants<T>& constants) {
  return std::none_of(constants.is_held.begin(), constants.is_held.end() - 1, [](char held) { return held; }) &&
         std::all_of(constants.segments.begin(), constants.segments.end(),
                     [](const StrandSegment<T>& s) {
                       const auto& [length, GA, EA, p] = s.stretch;
                       return all_equal(GA, EA) && all_equal(p.x, T(0)) && all_equal(p.y, T(0)) && all_equal(p.z, T(1));
                     }) &&
         std::all_of(constants.bends.begin(), constants.bends.end(),
                     [](const Bend<T>& b) { return all_equal(b.K.x, b.K.y) && all_equal(b.K.x, b.K.z); });
}

template <class T>
bool is_straight(const StrandConstants<T>& constants) {
  const auto is_none = [](const Vec3<T>& a) {
    return all_equal(a.x, T(0)) && all_equal(a.y, T(0)) && all_equal(a.z, T(0));
  };
  return constants.turns.empty() &&
         std::all_of(constants.bends.begin(), constants.bends.end(), [&](const Bend<T>& b) { return is_none(b.rest); });
}

// Elimination takes stretching off itself, and what it leaves of the weights is off by its last digit.
template <class T>
bool is_stiff(const Bundle<T>& bundle) {
  constexpr double enough = 1e-3;  // of what is left: a Newton step need not be better
  const auto& segments = bundle.constants->segments;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const auto& [stretch, per_length, spin] = segments[s];
    const T lost = T(round_off<T>()) * max(stretch.EA, stretch.GA) * per_length;
    if (any(lost > T(enough) * min(bundle.weight[s], bundle.weight[s + 1]))) return true;
  }
  return false;
}

// A strand whose frames nothing holds has nothing but inertia against spinning about its axis. Elimination takes twist
// off itself, and what it leaves of that inertia is off by the last digit of the twist.
template <class T>
bool loses_spin(const Bundle<T>& bundle) {
  constexpr double enough = 1e-3;
  const StrandConstants<T>& constants = *bundle.constants;
  for (std::size_t s = 0; bundle.held.empty() && s < constants.bends.size(); ++s)
    if (any(T(round_off<T>()) * constants.bends[s].K.z > T(enough) * constants.segments[s].spin.z)) return true;
  return false;
}

// few strands of a kind would leave lanes empty; a long one fills them with its pieces
bool is_better_cut(std::size_t members, const Strand& strand) {
  return 2 * members <= strand_lanes && strand.segments >= 8 * strand_lanes;
}

template <class Item>
bool have_same_bits(const std::vector<Item>& a, const std::vector<Item>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Item)) == 0);
}
template <class T>
bool are_equal(const StrandConstants<T>& a, const StrandConstants<T>& b) {
  return a.version == b.version && have_same_bits(a.is_held, b.is_held) && have_same_bits(a.segments, b.segments) &&
         have_same_bits(a.bends, b.bends) && have_same_bits(a.turns, b.turns) && have_same_bits(a.damping, b.damping);
}

}  // namespace

// what is read once is still in the cache when the next bundle wants it
template <class T>
void share_constants(std::vector<Bundle<T>>& bundles) {
  for (std::size_t n = 1; n < bundles.size(); ++n)
    if (are_equal(*bundles[n].constants, *bundles[n - 1].constants)) bundles[n].constants = bundles[n - 1].constants;
}

std::optional<Strand> strand_of(const Problem& problem, const Part& part) {
  const int segments = static_cast<int>(part.stretches.size());
  if (!part.slaved_segments.empty() || !part.slaved_vertices.empty()) return {};
  if (segments == 0 || part.row_count() != 2 * segments + 1) return {};
  Strand strand{.segments = segments};
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

template <class T>
Bundles<T> make_bundles(const Problem& problem, const Parts& parts, const std::vector<int>& of) {
  Bundles<T> out;
  std::map<const Elimination*, std::vector<int>> open;  // bundles that are not full
  for (int p : of) {
    std::vector<int>& waiting = open[parts[p].plan.get()];
    if (!strand_of(problem, parts[p]) || (!waiting.empty() && !are_alike(problem, parts, waiting[0], p))) {
      out.singles.push_back(p);
      continue;
    }
    waiting.push_back(p);
    if (waiting.size() < T::lanes) continue;
    out.bundles.push_back(bundle_of<T>(problem, parts, waiting));
    waiting.clear();
  }
  for (int p : of) {  // in the order of the parts, whatever that of the plans is
    const std::vector<int>& waiting = open[parts[p].plan.get()];
    if (waiting.empty() || waiting[0] != p) continue;
    if (is_better_cut(waiting.size(), *strand_of(problem, parts[p])))
      out.long_strands.insert(out.long_strands.end(), waiting.begin(), waiting.end());
    else if (waiting.size() == 1)
      out.singles.push_back(p);
    else
      out.bundles.push_back(bundle_of<T>(problem, parts, waiting));
  }
  std::sort(out.singles.begin(), out.singles.end());
  return out;
}

template <class T>
StrandSegment<T> segment_constants(const Problem& p, const LaneIndices<T>& segments) {
  const auto term = [&](int k) { return p.stretch(segments[k]); };
  const Stretch<T> stretch{numbers<T>([&](int k) { return term(k).length; }),
                           numbers<T>([&](int k) { return term(k).GA; }), numbers<T>([&](int k) { return term(k).EA; }),
                           vectors<T>([&](int k) { return term(k).p; })};
  return {stretch, T(1) / stretch.length, vectors<T>([&](int k) { return p.spin(segments[k]).weight; })};
}

template <class T>
Bend<T> bend_constants(const Problem& p, const LaneIndices<T>& bends) {
  return make_bend(vectors<T>([&](int k) { return p.bend(bends[k]).K; }),
                   vectors<T>([&](int k) { return p.bend(bends[k]).rest; }));
}

template <class T>
Quat<T> turn_constants(const Problem& p, const LaneIndices<T>& bends) {
  return quaternions<T>([&](int k) -> const Quatd& { return p.model->bends[bends[k]].turn; });
}

// not stable_sort: its buffer is not aligned as lanes must be
template <class T>
void sort_by_segment(std::vector<HeldBend<T>>& held) {
  std::sort(held.begin(), held.end(), [](const HeldBend<T>& a, const HeldBend<T>& b) {
    return std::pair(a.segment, a.in_model) < std::pair(b.segment, b.in_model);
  });
}

template <class T>
StrandKind kind_of(const StrandConstants<T>& constants) {
  if (!is_round(constants)) return StrandKind::general;
  if (!is_isotropic(constants)) return StrandKind::round;
  return is_straight(constants) ? StrandKind::straight : StrandKind::isotropic;
}

template <class T>
void load_constants(const Problem& p, const Parts& parts, Bundle<T>& bundle) {
  const Part& shape = parts[bundle.parts[0]];
  if (!bundle.constants || bundle.constants.use_count() > 1) bundle.constants = std::make_shared<StrandConstants<T>>();
  StrandConstants<T>& constants = *bundle.constants;
  const int segments = static_cast<int>(shape.stretches.size());
  constants.segments.resize(segments), constants.bends.resize(segments - 1);
  constants.is_held.resize(segments + 1);
  bundle.held.clear();
  for (int s = 0; s < segments; ++s) constants.segments[s] = segment_constants<T>(p, bundle.lineup.segments(s));
  constants.damping.resize(segments);
  for (int s = 0; s < segments; ++s) {
    const LaneIndices<T> segment = bundle.lineup.segments(s);
    constants.damping[s] = numbers<T>([&](int k) { return p.model->segments[segment[k]].damping; });
  }
  if (std::none_of(constants.damping.begin(), constants.damping.end(), [](const T& c) { return any(c > T(0)); }))
    constants.damping.clear();
  for (int i = 0; i <= segments; ++i) constants.is_held[i] = p.role[bundle.lineup.vertices(i)[0]] != Role::free;
  constants.turns.resize(segments - 1);
  bool turns = false;
  for (std::size_t e = 0; e < shape.bends.size(); ++e) {
    LaneIndices<T> bends;
    for (int k = 0; k < T::lanes; ++k) bends[k] = parts[bundle.parts[k]].bends[e].bend;
    const Bend<T> bend = bend_constants<T>(p, bends);
    const Quat<T> turn = turn_constants<T>(p, bends);
    const BendElement& rows = shape.bends[e];
    const rod::Bend& ends = p.model->bends[rows.bend];
    const int at = bundle.lineup.last_segment[0] - (rows.b >= 0 ? ends.b.index : ends.a.index);
    if (rows.a < 0 || rows.b < 0) {
      bundle.held.push_back({at, bends, rows.a < 0, bend, turn});
      continue;
    }
    constants.bends[at] = bend, constants.turns[at] = turn;
    for (int b : bends) turns |= p.bends[b].turns;
  }
  if (!turns) constants.turns.clear();
  sort_by_segment(bundle.held);
  constants.kind = kind_of(constants);
  constants.version = p.version;
}

template <class T>
void load_weights(const Problem& p, Bundle<T>& bundle) {
  bool is_damped = false;
  bundle.damped_mass.resize(bundle.weight.size());
  for (std::size_t i = 0; i < bundle.weight.size(); ++i) {
    const LaneIndices<T> vertex = bundle.lineup.vertices(static_cast<int>(i));
    bundle.weight[i] = numbers<T>([&](int k) { return p.weight_of(vertex[k]); });
    bundle.damped_mass[i] = numbers<T>([&](int k) { return p.damped_mass(vertex[k]); });
    is_damped = is_damped || any(bundle.damped_mass[i] > T(0));
  }
  if (!is_damped) bundle.damped_mass.clear();
  bundle.weight_version = p.weight_version;
  bundle.is_stiff = !is_exact<T> && is_stiff(bundle);
  bundle.loses_spin = !is_exact<T> && loses_spin(bundle);
}

template <class T>
void load_predictions(const Prediction& from, Bundle<T>& bundle) {
  const auto prediction = bundle.lineup.of_segments(from.data());
  for (std::size_t s = 0; s < bundle.prediction.size(); ++s)
    bundle.prediction[s] = vectors<T>(prediction(static_cast<int>(s)));
}

// empty slots first, so that what they stand on has the last word
template <class T>
void store_predictions(const Bundle<T>& bundle, Prediction& to) {
  const auto prediction = bundle.lineup.of_segments(to.data());
  for (std::size_t s = 0; s < bundle.prediction.size(); ++s)
    scatter(exact(bundle.prediction[s]), prediction(static_cast<int>(s)));
}

template void load_weights(const Problem&, Bundle<FloatLanes>&);
template void load_weights(const Problem&, Bundle<WideLanes>&);
template void load_predictions(const Prediction&, Bundle<FloatLanes>&);
template void load_predictions(const Prediction&, Bundle<WideLanes>&);
template void store_predictions(const Bundle<FloatLanes>&, Prediction&);
template void store_predictions(const Bundle<WideLanes>&, Prediction&);
template Bundles<FloatLanes> make_bundles(const Problem&, const Parts&, const std::vector<int>&);
template Bundles<WideLanes> make_bundles(const Problem&, const Parts&, const std::vector<int>&);
template void load_constants(const Problem&, const Parts&, Bundle<FloatLanes>&);
template void load_constants(const Problem&, const Parts&, Bundle<WideLanes>&);
template void share_constants(std::vector<Bundle<FloatLanes>>&);
template void share_constants(std::vector<Bundle<WideLanes>>&);
// trees and pieces of long strands ask for these
template StrandSegment<WideLanes> segment_constants<WideLanes>(const Problem&, const LaneIndex&);
template Bend<WideLanes> bend_constants<WideLanes>(const Problem&, const LaneIndex&);
template Quat<WideLanes> turn_constants<WideLanes>(const Problem&, const LaneIndex&);
template void sort_by_segment(std::vector<HeldBend<WideLanes>>&);
template StrandKind kind_of(const StrandConstants<WideLanes>&);

}  // namespace tendril::solvers::block
