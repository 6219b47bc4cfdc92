#include <algorithm>

#include "solvers/stable/regions/regions.h"

namespace tendril::solvers::stable {

// The least that has to move: what is driven pushes what is before it, and that pushes others, until all are apart.

namespace {

constexpr int most_rounds_of_pushing = 60;

}  // namespace

// First whoever is pushed goes all the way, so that a push runs through a row; then the two of a pair share it.
void Regions::make_way() {
  const std::span<const Pair> pairs = contact_->pairs();
  least_.assign(movers_.count(), {});
  for (std::size_t i = 0; i < wanted_.size(); ++i) least_[i] = held_part(i);
  for (int round = 0; round < most_rounds_of_pushing; ++round) {
    bool pushed = false;
    const bool evenly = 2 * round > most_rounds_of_pushing;
    auto tilt = tilts_.begin();
    for (std::size_t p = 0; p < pairs.size(); ++p)
      pushed |= tilt != tilts_.end() && tilt->pair == p ? push_apart(*tilt++, evenly)
                                                        : push_apart(pairs[p], plane_gap(pairs[p]), evenly);
    if (!pushed) return;
  }
}

bool Regions::push_apart(const Pair& pair, const PlaneGap& gap, bool evenly) {
  double plane = 0, deeper = 0;
  if (!movers_.meets_driven(pair)) {
    const double margin = 0.5 * gap.kept;
    const PlaneRange now = plane_range(pair, gap), at_rest{margin, gap.between - margin};
    const double overlap = now.low - now.high;
    if (overlap <= 0) return false;
    const double came_a = std::max(0.0, at_rest.high - now.high), came_b = std::max(0.0, now.low - at_rest.low);
    const double part_of_a = evenly || came_a + came_b == 0 ? 0.5 : came_b / (came_a + came_b);
    plane = now.high + part_of_a * overlap, deeper = 1e-3 * overlap;
  }
  bool pushed = false;
  for (int k = 0; k < 4; ++k) {
    const int mover = movers_.of(pair, k);
    if (mover < 0) continue;
    HalfSpace half = side(pair, gap, k, plane);
    half.bound += deeper;
    pushed |= push(mover, half);
  }
  return pushed;
}

bool Regions::push(int mover, const HalfSpace& half) {
  const bool is_vertex = mover < movers_.vertex_count();
  const Vec3d way = is_vertex ? scale(movers_.free_axes[mover], half.normal) : half.normal;
  const double digits = is_vertex ? 4 * last_digits(contact_->waypoint(mover)) : 0;  // room for safe()
  const double missing = half.bound + digits - dot(half.normal, least_[mover]), effect = norm_squared(way);
  if (missing <= 0 || effect < 1e-3) return false;
  least_[mover] += (missing / effect) * way;
  return true;
}

// where the plane of two that can be pushed may stand if they move the least
Regions::PlaneRange Regions::plane_range(const Pair& pair, const PlaneGap& gap) const {
  const double margin = 0.5 * gap.kept;
  double lead = -Bounds::infinity, lag = Bounds::infinity;
  for (int k = 0; k < 4; ++k) {
    const int mover = movers_.of(pair, k);
    if (mover < 0) continue;
    const double along = dot(gap.normal, least_[mover]);
    if (k < 2) lag = std::min(lag, along + gap.beyond[k]);
    if (k >= 2) lead = std::max(lead, along - gap.beyond[k]);
  }
  return {lead + margin, lag + gap.between - margin};
}

}  // namespace tendril::solvers::stable
