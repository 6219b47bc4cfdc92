// the bends of a joint: what a rigid corner between segments, or between a segment and a body, is made of

#include <algorithm>
#include <cmath>
#include <numeric>

#include "scene/draft.h"

namespace tendril::scene {
namespace {

const DraftRod& rod_of(const Draft& draft, int segment) { return draft.rods[draft.model.segments[segment].rod]; }
const Quatd& untwisted_frame(const Draft& draft, int segment) {
  const DraftRod& rod = rod_of(draft, segment);
  return rod.untwisted[segment - rod.first_segment];
}

// bending and twisting conductance of half a segment, K / (l/2), about d1, d2, d3 [N m]
Vec3d half_conductance(const Segment& s) { return (2 / s.rest_length) * Vec3d{s.EI1, s.EI2, s.GJ}; }

// the diagonal, in frame a, of a tensor that is diagonal in frame b; `q` turns b into a
Vec3d diagonal_in(const Quatd& q, const Vec3d& d) {
  const Mat3d r = rotation_matrix(q);
  return {r.c0.x * r.c0.x * d.x + r.c1.x * r.c1.x * d.y + r.c2.x * r.c2.x * d.z,
          r.c0.y * r.c0.y * d.x + r.c1.y * r.c1.y * d.y + r.c2.y * r.c2.y * d.z,
          r.c0.z * r.c0.z * d.x + r.c1.z * r.c1.z * d.y + r.c2.z * r.c2.z * d.z};
}

Bend bend_between(const Draft& draft, int a, int b) {
  const Segment &sa = draft.model.segments[a], &sb = draft.model.segments[b];
  Bend bend;
  bend.a = {a, false};
  bend.b = {b, false};
  bend.length = 0.5 * (sa.rest_length + sb.rest_length);
  bend.internal_damping = 0.5 * (sa.internal_damping + sb.internal_damping);
  return bend;
}

void set_stiffness(Bend& bend, const Vec3d& conductance) {
  bend.EI1 = conductance.x * bend.length;
  bend.EI2 = conductance.y * bend.length;
  bend.GJ = conductance.z * bend.length;
}

// g_a g_b / sum, and nothing where there is no stiffness
Vec3d shared_conductance(const Vec3d& a, const Vec3d& b, const Vec3d& sum) {
  Vec3d g;
  for (int k = 0; k < 3; ++k) g[k] = sum[k] > 0 ? a[k] * b[k] / sum[k] : 0;
  return g;
}

// A closed rod is cut at its first vertex, turned by `twist` and glued there. A frame that is carried round a loop in
// space comes back turned by itself. Neither turn is strain: they are taken out of what the bend through the seam
// measures.
void glue(Bend& bend, const DraftRod& rod, int last) {
  const Quatd round = conjugate(rod.untwisted[last - rod.first_segment]) * rod.untwisted[0];
  const Quatd swing = rotation_between({0, 0, 1}, director3(round));
  bend.turn = normalized(conjugate(round) * swing * quaternion_exp({0, 0, rod.twist}));
  if (rod.rest == Rest::curve) bend.rest = swing;
}

// two neighbours along one rod: half of each in series, 1/g = 1/g_a + 1/g_b
Bend bend_along_rod(const Draft& draft, int a, int b) {
  const DraftRod& rod = rod_of(draft, a);
  Bend bend = bend_between(draft, a, b);
  const Vec3d ga = half_conductance(draft.model.segments[a]), gb = half_conductance(draft.model.segments[b]);
  set_stiffness(bend, shared_conductance(ga, gb, ga + gb));
  if (rod.rest == Rest::natural_curvature) {
    bend.rest = quaternion_exp(bend.length * rod.natural_curvature);
  } else if (rod.rest == Rest::curve) {
    bend.rest = normalized(conjugate(untwisted_frame(draft, a)) * untwisted_frame(draft, b));
  }
  if (rod.curve.closed && b == rod.first_segment) glue(bend, rod, a);
  return bend;
}

// where a segment meets the section at a vertex, on its own rod
struct Meeting {
  Quatd section;     // the section's frame at the start
  Quatd to_segment;  // from the section to the segment's frame without load
};

Meeting meeting(const Draft& draft, int segment, int vertex) {
  const DraftRod& rod = rod_of(draft, segment);
  const bool starts = draft.model.segments[segment].vertex[0] == vertex;
  const int edge = segment - rod.first_segment, point = rod.curve.edges[edge][starts ? 0 : 1];
  const bool closes = rod.curve.closed && !starts && point == 0;
  Meeting m;
  const Quatd untwisted = closes ? untwisted_section_frame(rod, point, edge) : untwisted_section_frame(rod, point);
  m.section = untwisted * quaternion_exp({0, 0, rod.twist * (closes ? 1 : rod.fraction[point])});
  if (rod.rest == Rest::curve)
    m.to_segment = conjugate(untwisted) * rod.untwisted[edge];
  else if (rod.rest == Rest::natural_curvature)
    m.to_segment =
        quaternion_exp((starts ? 0.5 : -0.5) * draft.model.segments[segment].rest_length * rod.natural_curvature);
  return m;
}

// how a sees b across a joint
struct Sight {
  Quatd turn;  // of b's frame, as if its rod went on where a's ends: the strain is a small rotation at any angle of the
               // joint
  Quatd rest;  // what is left without load: the two half bends, or nothing at a sharp corner
};

Sight sight(const Meeting& a, const Meeting& b) {
  const double largest_small_rotation = 0.5;  // [rad]
  const Quatd between = conjugate(a.section) * b.section;
  const Quatd rest = conjugate(a.to_segment) * between * b.to_segment * conjugate(between);
  if (std::abs(rest.w) > std::cos(0.5 * largest_small_rotation))
    return {normalized(conjugate(between)), normalized(shorter_turn(rest))};
  return {normalized(conjugate(between) * conjugate(rest)), {}};
}

// Several segments that meet in one rigid joint are a star of half segments; without the joint's own (massless) frame
// it is the mesh g_ij = g_i g_j / Σ g, which for two is the series above. Stiffness in a's frame.
Bend bend_across_junction(const Draft& draft, const Junction& junction, int a, int b) {
  const Meeting at_a = meeting(draft, a, junction.vertex);
  const auto seen = [&](int s) { return sight(at_a, meeting(draft, s, junction.vertex)); };
  const auto in_frame_a = [&](int s) {
    const Vec3d own = half_conductance(draft.model.segments[s]);
    return s == a ? own : diagonal_in(conjugate(seen(s).turn), own);
  };
  Vec3d sum;
  for (int s : junction.segments) sum += in_frame_a(s);
  Bend bend = bend_between(draft, a, b);
  set_stiffness(bend, shared_conductance(in_frame_a(a), in_frame_a(b), sum));
  bend.turn = seen(b).turn;
  bend.rest = seen(b).rest;
  return bend;
}

bool follow_each_other(const Draft& draft, const Junction& junction, int a, int b) {
  return &rod_of(draft, a) == &rod_of(draft, b) && draft.model.segments[a].vertex[1] == junction.vertex &&
         draft.model.segments[b].vertex[0] == junction.vertex;
}

// The members that do not feel each other: the softest ones that together hold less than 6 % of the joint's stiffness,
// twigs on a trunk. Without the bends between them the joint's energy is exact for all motions in which they are free
// or turn together; for any other it is less than the star's by at most their share of the stiffness (test:
// BakeJoint.Slight…). About every axis: the largest stiffness of a member against the smallest of all.
std::vector<bool> slight_members(const Draft& draft, const std::vector<int>& segments) {
  const double slight_share = 0.06;
  std::vector<double> largest;
  double whole = 0;
  for (int s : segments) {
    const Vec3d g = half_conductance(draft.model.segments[s]);
    largest.push_back(std::max({g.x, g.y, g.z}));
    whole += std::min({g.x, g.y, g.z});
  }
  std::vector<int> softest_first(segments.size());
  std::iota(softest_first.begin(), softest_first.end(), 0);
  std::stable_sort(softest_first.begin(), softest_first.end(), [&](int i, int j) { return largest[i] < largest[j]; });
  std::vector<bool> slight(segments.size(), false);
  double held = 0;
  for (int i : softest_first) slight[i] = (held += largest[i]) < slight_share * whole;
  return slight;
}

std::vector<Bend> mesh_of_bends(const Draft& draft, const Junction& junction) {
  const std::vector<int>& s = junction.segments;
  const std::vector<bool> slight = slight_members(draft, s);
  std::vector<Bend> bends;
  for (std::size_t i = 0; i < s.size(); ++i)
    for (std::size_t j = i + 1; j < s.size(); ++j)
      if (!(slight[i] && slight[j])) bends.push_back(bend_across_junction(draft, junction, s[i], s[j]));
  return bends;
}

// too many for a mesh, which grows with the square of their number: each is joined to the stiffest
std::vector<Bend> hub_of_bends(const Draft& draft, const Junction& junction) {
  const std::vector<int>& s = junction.segments;
  const auto softer = [&](int a, int b) {
    return half_conductance(draft.model.segments[a]).x < half_conductance(draft.model.segments[b]).x;
  };
  const int hub = *std::max_element(s.begin(), s.end(), softer);
  std::vector<Bend> bends;
  for (int spoke : s)
    if (spoke != hub) bends.push_back(bend_across_junction(draft, {junction.vertex, {hub, spoke}, {}, -1}, hub, spoke));
  return bends;
}

}  // namespace

std::vector<Bend> junction_bends(const Draft& draft, const Junction& junction) {
  const std::size_t most_in_a_mesh = 12;
  const std::vector<int>& s = junction.segments;
  const DraftRod& rod = rod_of(draft, s[0]);
  if (s.size() == 2 && (rod.curve.chain || rod.rest != Rest::curve)) {
    if (follow_each_other(draft, junction, s[0], s[1])) return {bend_along_rod(draft, s[0], s[1])};
    if (follow_each_other(draft, junction, s[1], s[0])) return {bend_along_rod(draft, s[1], s[0])};
  }
  return s.size() <= most_in_a_mesh ? mesh_of_bends(draft, junction) : hub_of_bends(draft, junction);
}

Bend half_bend(const Draft& draft, int body, int segment, int vertex) {
  const Segment& s = draft.model.segments[segment];
  const Meeting m = meeting(draft, segment, vertex);
  Bend bend;
  bend.a = {segment, false};
  bend.b = {body, true};
  bend.rest = normalized(conjugate(m.to_segment));
  bend.turn = normalized(conjugate(draft.state.body_q[body]) * m.section);
  bend.length = 0.5 * s.rest_length;
  bend.EI1 = s.EI1, bend.EI2 = s.EI2, bend.GJ = s.GJ;
  bend.internal_damping = s.internal_damping;
  return bend;
}

}  // namespace tendril::scene
