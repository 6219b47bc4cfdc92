#include "io/formats/swc.h"

#include "io/take_checks.h"

namespace tendril::io {
namespace {

Strands parse(const std::string& text) { return read_swc(bytes_of(text), "text").strands; }

using Paths = std::vector<std::vector<int>>;

TEST(swc, reads_branches) {
  const Strands strands = read_swc(sample("neuron.swc"), "neuron.swc").strands;
  EXPECT_EQ(paths_of(strands), (Paths{{0, 1, 2}, {2, 3}, {2, 4, 5}}));
  EXPECT_EQ(strands.points.size(), 6u);  // the root alone is left out
  EXPECT_EQ(strands.points[5], (Vec3d{-5, 0, 40}));
  EXPECT_EQ(strands.radius, (std::vector<double>{5, 2, 1.5, 1, 1, 0.5}));
}

TEST(swc, takes_any_order_and_numbering) {
  // a root in the middle of a straight line, children before their parents
  const Strands strands = parse("70 0 2 0 0 1 50\n50 0 1 0 0 1 30\n30 1 0 0 0 1 -1\n90 0 -1 0 0 1 30 extra\n");
  EXPECT_EQ(paths_of(strands), (Paths{{2, 1, 0}, {2, 3}}));
}

TEST(swc, a_long_branch_does_not_nest) {
  std::string text = "1 0 0 0 0 1 -1\n";
  for (int k = 2; k <= 100000; ++k)
    text += std::to_string(k) + " 0 " + std::to_string(k) + " 0 0 1 " + std::to_string(k - 1) + "\n";
  const Strands strands = parse(text);
  ASSERT_EQ(strands.strands.size(), 1u);
  EXPECT_EQ(strands.strands[0].points.size(), 100000u);
}

TEST(swc, refuses_what_is_wrong) {
  const std::string root = "1 1 0 0 0 1 -1\n";
  const std::pair<std::string, std::string> cases[] = {
      {"", "no two points that are joined"},
      {root, "no two points that are joined"},
      {root + "2 1 0 0 1 1\n", "the file:2: has 6 columns"},
      {root + "2 1 0 nan 1 1 1\n", "the file:2: \"nan\" is not finite"},
      {root + "2 1 0 0 1 -1 1\n", "radius is negative"},
      {root + "2 1 0 0 1 1 7\n", "there is no point with the id 7"},
      {root + "1 1 0 0 1 1 1\n", "the id 1 stands in line 1 already"},
      {root + "2.5 1 0 0 1 1 1\n", "\"2.5\" is not a whole number"},
      {root + "-2 1 0 0 1 1 1\n", "cannot be negative"},
      {root + "2 1 0 0 1 1 2\n", "is its own ancestor"},
      {root + "2 1 0 0 1 1 4\n3 1 0 0 1 1 2\n4 1 0 0 1 1 3\n5 1 0 0 1 1 3\n", "is its own ancestor"}};
  for (const auto& [text, wanted] : cases) {
    SCOPED_TRACE(text);
    expect_refused(read_swc, bytes_of(text), wanted);
  }
}

}  // namespace
}  // namespace tendril::io
