#include "sim/overlap.h"

#include <gtest/gtest.h>

#include "contact/crossed_rods.h"

namespace tendril::sim {
namespace {

TEST(overlap, a_gap_is_fine_and_none_is_not) {
  const auto overlaps_at = [](double z) {
    const Chain c = stacked_rods({0, z});
    return find_overlaps(c.model, c.state, {}).pairs.size();
  };
  EXPECT_EQ(overlaps_at(0.04 + 1e-9), 0u) << "within the reach of the barrier";
  EXPECT_EQ(overlaps_at(0.04), 1u);
  EXPECT_EQ(overlaps_at(0.01), 1u);
  EXPECT_EQ(overlaps_at(0), 1u);
}

TEST(overlap, names_the_deepest_first) {
  Chain c = stacked_rods({0, 0.039, 0.05});
  add_obstacle(c, Plane{{0, 0, 0.04}, {0, 0, -1}}, "ceiling");
  const Overlaps overlaps = find_overlaps(c.model, c.state, {});
  EXPECT_EQ(overlaps.pairs.size(), 22u) << "twenty segments of two rods at the ceiling, and two crossings";
  EXPECT_NEAR(overlaps.pairs[0].gap, -0.03, 1e-15);
  const std::string text = describe(overlaps, c.model);
  for (const char* part : {"22 pairs", "rod \"rod 2\" segment", "obstacle \"ceiling\": 0.03 m deep", "and 17 more"})
    EXPECT_NE(text.find(part), std::string::npos) << text;

  const Chain two = stacked_rods({0, 0.039});
  const std::string crossing = describe(find_overlaps(two.model, two.state, {}), two.model);
  EXPECT_NE(crossing.find("1 pair overlaps\n  rod \"rod 0\" segment 5 and rod \"rod 1\" segment 5: 0.001 m deep"),
            std::string::npos)
      << crossing;
}

TEST(overlap, is_not_asked_where_contact_is_off) {
  const Chain c = stacked_rods({0, 0});
  EXPECT_TRUE(find_overlaps(c.model, c.state, {.enabled = false}).empty());
}

}  // namespace
}  // namespace tendril::sim
