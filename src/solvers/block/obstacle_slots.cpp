#include "solvers/block/obstacle_slots.h"

#include <algorithm>

#include "solvers/newton/contact_terms.h"

namespace tendril::block {

namespace {

// Else what goes on later in the step, on other substeps, could come near what has gone alone.
bool all_is_driven(const Contact& contact, const Problem& problem) {
  return !contact.options().rods && std::none_of(contact.solids().begin(), contact.solids().end(), [&](const Solid& s) {
    return problem.model->bodies[s.body].kind != BodyKind::kinematic;
  });
}

}  // namespace

void ObstacleSlots::reset(const std::vector<Bundle<StrandLanes>>& bundles, const Parts& parts) {
  bundles_ = &bundles;
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
  list_number_ = contact.list_number();
  for (std::size_t p = 0; p < bundle_.size(); ++p) is_alone_[p] = bundle_[p] >= 0 && (*bundles_)[bundle_[p]].is_open;
  first_pair_.assign(problem.model->segments.size() + 1, 0);
  const std::span<const Pair> pairs = contact.pairs();
  int first = 0;  // of those with a body
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const Pair& pair = pairs[k];
    const bool with_driven = pair.with_solid() && pair.body_a < 0 &&
                             problem.model->bodies[pair.body].kind == BodyKind::kinematic &&
                             ObstacleSlot::takes(contact.solids()[pair.b]);
    if (!pair.with_solid()) ++first;
    if (pair.with_solid() && pair.body_a < 0) ++first_pair_[pair.a + 1];
    for (int side = 0; side < 2 && !with_driven; ++side)
      if (const int p = ContactTerms::part_of(pair, side, problem, parts); p >= 0) is_alone_[p] = false;
  }
  first_pair_[0] = first;
  for (std::size_t s = 1; s < first_pair_.size(); ++s) first_pair_[s] += first_pair_[s - 1];
  team.for_each(int(slots_.size()), [&](int b, int) { fill(b, (*bundles_)[b], contact); });
  any_ = std::any_of(slots_.begin(), slots_.end(), [](const auto& slots) { return !slots.empty(); });
  return any_;
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
      }
    }
  }
}

}  // namespace tendril::block
