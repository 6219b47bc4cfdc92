#include "scene/draft.h"

namespace tendril {

Followers read_followers(const Draft& draft) {
  Followers followers;
  for (std::size_t r = 0; r < draft.rods.size(); ++r) {
    const DraftRod& rod = draft.rods[r];
    if (!rod.table.has("followers")) continue;
    if (!rod.curve.chain)
      rod.table.fail("followers", "these need a single chain, and the curve has several or branches");
    const Table t = rod.table.table("followers");
    const auto rows = t.rows("spread");
    std::vector<double> spread;
    for (const double fraction : rod.fraction) spread.push_back(profile(rows, fraction));
    add_followers(draft.model, int(r), t.integer("count"), spread, followers);
  }
  return followers;
}

}  // namespace tendril
