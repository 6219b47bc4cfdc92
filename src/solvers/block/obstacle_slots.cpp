#include "solvers/block/obstacle_slots.h"

#include <algorithm>
#include <array>
#include <map>

#include "rod/closed_mesh.h"
#include "solvers/newton/contact_terms.h"

namespace tendril::solvers::block {

namespace {

// Else what goes on later in the step, on other substeps, could come near what has gone alone.
bool all_is_driven(const Contact& contact, const Problem& problem) {
  return !contact.options().rods && std::none_of(contact.solids().begin(), contact.solids().end(), [&](const Solid& s) {
    return problem.model->bodies[s.body].kind != BodyKind::kinematic;
  });
}

// corners go round it counterclockwise
Vec3d face_normal(const Solid& triangle) {
  return normalized(cross(triangle.p[1] - triangle.p[0], triangle.p[2] - triangle.p[0]));
}

}  // namespace

void ObstacleSlots::reset(const std::vector<Bundle<StrandLanes>>& bundles, const Parts& parts, const Model& model) {
  bundles_ = &bundles;
  is_closed_.clear();
  for (const Body& body : model.bodies) {
    const Mesh* mesh = std::get_if<Mesh>(&body.shape);
    is_closed_.push_back(body.kind == BodyKind::kinematic && (!mesh || is_closed(*mesh)));
  }
  bundle_.assign(parts.count(), -1);
  is_alone_.assign(parts.count(), false);
  slots_.assign(bundles.size(), {});
  list_number_ = -1, any_ = false;
  for (std::size_t b = 0; b < bundles.size(); ++b)
    for (int part : bundles[b].parts) bundle_[part] = int(b);
}

bool ObstacleSlots::look(const Contact& contact, const Problem& problem, const Parts& parts, ThreadTeam& team) {
  if (!all_is_driven(contact, problem)) return false;
  if (list_number_ == contact.list_number()) return any_;
  if (list_number_ < 0) measure_cones(contact.solids());
  list_number_ = contact.list_number();
  for (std::size_t p = 0; p < bundle_.size(); ++p) is_alone_[p] = bundle_[p] >= 0 && (*bundles_)[bundle_[p]].is_open;
  first_pair_.assign(problem.model->segments.size() + 1, 0);
  const std::span<const Pair> pairs = contact.pairs();
  int first = 0;  // of those with a body
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const Pair& pair = pairs[k];
    if (!pair.with_solid()) ++first;
    if (pair.with_solid() && pair.body_a < 0) ++first_pair_[pair.a + 1];
    for (int side = 0; side < 2 && !takes(pair, contact); ++side)
      if (const int p = ContactTerms::part_of(pair, side, problem, parts); p >= 0) is_alone_[p] = false;
  }
  first_pair_[0] = first;
  for (std::size_t s = 1; s < first_pair_.size(); ++s) first_pair_[s] += first_pair_[s - 1];
  team.for_each(int(slots_.size()), [&](int b, int) { fill(b, (*bundles_)[b], contact); });
  any_ = std::any_of(slots_.begin(), slots_.end(), [](const auto& slots) { return !slots.empty(); });
  return any_;
}

void ObstacleSlots::measure_cones(std::span<const Solid> solids) {
  const auto key = [](const Vec3d& p) { return std::array{p.x, p.y, p.z}; };
  std::map<std::pair<int, std::array<double, 3>>, std::vector<Vec3d>> normals;  // (body and corner)
  const auto for_corners = [&](auto work) {
    for (std::size_t s = 0; s < solids.size(); ++s)
      if (solids[s].core == Solid::Core::triangle)
        for (const Vec3d& p : solids[s].p) work(s, normals[{solids[s].body, key(p)}]);
  };
  for_corners([&](std::size_t s, std::vector<Vec3d>& here) { here.push_back(face_normal(solids[s])); });
  cones_.assign(solids.size(), 1);
  for_corners([&](std::size_t s, const std::vector<Vec3d>& here) {
    for (const Vec3d& n : here) cones_[s] = std::min(cones_[s], dot(n, face_normal(solids[s])));
  });
}

// whether what it meets knows its inside from its outside
bool ObstacleSlots::takes(const Pair& pair, const Contact& contact) const {
  if (!pair.with_solid() || pair.body_a >= 0 || !is_closed_[pair.body]) return false;
  const Solid::Core core = contact.solids()[pair.b].core;
  return core == Solid::Core::point || core == Solid::Core::triangle || core == Solid::Core::half_space;
}

// A segment is on that side of a closed mesh on which it is of the nearest triangle; of two that share the nearest
// edge, of the one that it is more in front of, or behind.
bool ObstacleSlots::is_on_back(int pair, const Contact& contact) const {
  const Pair& asked = contact.pairs()[pair];
  double nearest = forever, front = 0;
  for (int k = first_pair_[asked.a]; k < first_pair_[asked.a + 1]; ++k) {
    const Pair& other = contact.pairs()[k];
    if (other.body != asked.body) continue;
    const double gap = other.true_gap + other.radius, same = 1e-9 * (gap + asked.radius);
    if (gap > nearest + same) continue;
    const Solid& solid = contact.solids()[other.b];
    const double in_front = dot(rotate(contact.body_waypoint(solid.body).q, face_normal(solid)), other.normal);
    if (gap < nearest - same || std::abs(in_front) > std::abs(front))
      nearest = std::min(gap, nearest), front = in_front;
  }
  return front < 0;
}

void ObstacleSlots::fill(int b, const Bundle<StrandLanes>& bundle, const Contact& contact) {
  std::vector<ObstacleSlot>& slots = slots_[b];
  slots.clear();
  const auto core_of = [&](int pair) { return contact.solids()[contact.pairs()[pair].b].core; };
  for (int s = 0; s < int(bundle.prediction.size()); ++s) {
    const LaneIndex in_model = bundle.lineup.segments(s);
    const auto first = slots.size();
    for (int lane = 0; lane < StrandLanes::lanes; ++lane) {
      if (!is_alone_[bundle.parts[lane]]) continue;
      for (int k = first_pair_[in_model[lane]]; k < first_pair_[in_model[lane] + 1]; ++k) {
        const auto has_room = [&](const ObstacleSlot& of) { return of.core == core_of(k) && of.pair[lane] < 0; };
        auto slot = std::find_if(slots.begin() + first, slots.end(), has_room);
        if (slot == slots.end()) {
          slot = slots.insert(slots.end(), {s, core_of(k)});
          slot->pair.fill(-1);
        }
        slot->pair[lane] = k;
        slot->cone[lane] = cones_[contact.pairs()[k].b];
        slot->is_on_back[lane] = slot->core == Solid::Core::triangle && is_on_back(k, contact);
      }
    }
  }
}

}  // namespace tendril::solvers::block
