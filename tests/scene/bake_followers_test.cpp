#include <gtest/gtest.h>

#include "bake_text.h"

namespace tendril::scene {
namespace {

std::string rod(const std::string& curve, const std::string& followers, int segments = 10) {
  return "[[rod]]\nname = \"tress\"\nmaterial = \"wire\"\nsegments = " + std::to_string(segments) +
         "\ncurve = " + curve + "\nnormal = [0, 1, 0]\n" + followers + "\n";
}

const std::string line = "{ type = \"line\", from = [0, 0, 0], to = [1, 0, 0] }";

TEST(BakeFollowers, StandBesideTheirRodAndAreNoPartOfTheModel) {
  const BakedScene scene = baked_wire(rod(line, "followers = { count = 12, spread = [[0, 0.01], [1, 0.03]] }"));
  EXPECT_EQ(scene.model.rods.size(), 1u);
  EXPECT_EQ(scene.model.vertices.size(), 11u);
  ASSERT_EQ(scene.followers.strands.size(), 12u);
  EXPECT_EQ(scene.followers.strands[11].name, "tress/11");
  const auto x = follower_positions(scene.followers, scene.state);
  ASSERT_EQ(x.size(), 12u * 11);
  const auto fibres = fibres_of_section(12, 1);
  for (int k = 0; k < 12; ++k)
    for (int n = 0; n <= 10; ++n) {
      const double spread = 0.01 + 0.02 * n / 10, along = 0.1 * n;
      const Vec3d expected{along, spread * fibres[k].x, spread * fibres[k].y};  // d1 is y, d2 is z
      EXPECT_LT(norm(x[11 * k + n] - expected), 1e-14);
    }
}

TEST(BakeFollowers, EveryCopyHasItsOwn) {
  const BakedScene scene =
      baked_wire(rod(line, "copies = { count = 3, step = [0, 1, 0] }\nfollowers = { count = 2, spread = 0.01 }"));
  ASSERT_EQ(scene.followers.strands.size(), 6u);
  EXPECT_EQ(scene.followers.strands[5].name, "tress.2/1");
  EXPECT_NEAR(follower_positions(scene.followers, scene.state).back().y, 2, 0.011);
}

TEST(BakeFollowers, NeedAChainANumberAndASpread) {
  const auto refusal = [](const std::string& curve, const std::string& followers, int segments = 10) {
    return error_of(wire + rod(curve, followers, segments));
  };
  expect_message(refusal("{ type = \"tree\" }", "followers = { count = 2, spread = 0.01 }", 5000),
                 {"followers", "single chain"});
  expect_message(refusal(line, "followers = { count = 0, spread = 0.01 }"), {"count"});
  expect_message(refusal(line, "followers = { count = 2 }"), {"spread"});
}

}  // namespace
}  // namespace tendril::scene
