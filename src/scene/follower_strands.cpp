#include "scene/draft.h"
#include "scene/grooms/guides.h"

namespace tendril::scene {
namespace {

void follow_rod(const Draft& draft, int r, Followers& followers) {
  const DraftRod& rod = draft.rods[r];
  if (!rod.curve.chain) rod.table.fail("followers", "these need a single chain, and the curve has several or branches");
  const Table t = rod.table.table("followers");
  const auto rows = t.rows("spread");
  std::vector<double> spread;
  for (const double fraction : rod.fraction) spread.push_back(profile(rows, fraction));
  add_followers(draft.model, r, t.integer("count"), spread, followers);
}

// the strands of a groom, in order: their vertices and segments follow each other
std::vector<GuideStrand> guides_of(const DraftRod& rod) {
  std::vector<GuideStrand> guides;
  const int count = int(rod.roots.size());
  for (int k = 0; k < count; ++k) {
    const int first = rod.roots[k], end = k + 1 < count ? rod.roots[k + 1] : int(rod.vertex.size());
    guides.push_back({{rod.vertex.begin() + first, rod.vertex.begin() + end}, rod.first_segment + first - k, 1});
  }
  return guides;
}

void follow_groom(const Draft& draft, int r, Followers& followers) {
  const DraftRod& rod = draft.rods[r];
  const std::vector<GuideStrand> strands = guides_of(rod);
  std::vector<Vec3d> roots;
  for (int p : rod.roots) roots.push_back(rod.curve.points[p]);
  const Guides guides(roots);
  const std::string name = rod.table.text("name");
  for (std::size_t k = 0; k < rod.follower_shapes.size(); ++k) {
    const std::vector<Vec3d>& x = rod.follower_shapes[k];
    std::vector<GuideStrand> own;
    for (const auto& [guide, weight] : guides.near(x[0], rod.guides_of_a_follower)) {
      own.push_back(strands[guide]);
      own.back().weight = weight;
    }
    add_follower(draft.model, draft.state, name + "/" + std::to_string(k), r, x, own, followers);
  }
}

}  // namespace

Followers read_followers(const Draft& draft) {
  Followers followers;
  for (int r = 0; r < int(draft.rods.size()); ++r) {
    const DraftRod& rod = draft.rods[r];
    if (!rod.follower_shapes.empty())
      follow_groom(draft, r, followers);
    else if (rod.roots.empty() && rod.table.has("followers"))
      follow_rod(draft, r, followers);
  }
  return followers;
}

}  // namespace tendril::scene
