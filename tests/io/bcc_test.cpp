#include "io/formats/bcc.h"

#include "io/moving_take.h"
#include "io/take_checks.h"

namespace tendril::io {
namespace {

TEST(bcc, reads_a_file_made_by_the_description) {
  const Take take = read_bcc(sample("yarn.bcc"), "yarn.bcc");
  EXPECT_EQ(take.title, "yarn");
  EXPECT_TRUE(take.strands.smooth);
  EXPECT_TRUE(take.strands.radius.empty());
  EXPECT_EQ(paths_of(take.strands), (std::vector<std::vector<int>>{{0, 1, 2}, {3, 4, 5, 6}}));
  EXPECT_EQ(loops_of(take.strands), (std::vector<bool>{false, true}));
  EXPECT_EQ(take.strands.points[1], (Vec3d{1, -3, 2}));  // the file's y is up
  EXPECT_EQ(take.strands.points[6], (Vec3d{0, 1, 0.5}));
}

// a turn, not a mirror: x, y and z of the file stay right-handed
TEST(bcc, turns_every_axis_up) {
  Bytes bytes = sample("yarn.bcc");
  for (const int up : {0, 1, 2}) {
    overwrite<std::int8_t>(bytes, 7, up);
    const Vec3d point = read_bcc(bytes, "yarn.bcc").strands.points[1];
    EXPECT_EQ(point.z, up + 1);
    EXPECT_EQ(norm_squared(point), 14);
  }
  overwrite<std::int8_t>(bytes, 7, 0);
  EXPECT_EQ(read_bcc(bytes, "yarn.bcc").strands.points[1], (Vec3d{2, 3, 1}));
}

TEST(bcc, comes_back_in_single_precision) {
  for (const bool smooth : {false, true}) {
    Take take = at_moment(moving_take(), 3);
    take.strands.smooth = smooth;
    const Take back = through(take, "x.bcc");
    EXPECT_EQ(back.strands.smooth, smooth);
    EXPECT_EQ(back.title, take.title);
    EXPECT_EQ(loops_of(back.strands), loops_of(take.strands));
    for (std::size_t s = 0; s < 3; ++s) EXPECT_EQ(single_points(back.strands, s), single_points(take.strands, s));
  }
}

TEST(bcc, refuses_what_is_wrong) {
  const Bytes good = sample("yarn.bcc");
  expect_cuts_refused(read_bcc, good);
  const auto refused_with = [&](std::size_t at, auto value, const std::string& wanted) {
    Bytes bad = good;
    overwrite(bad, at, value);
    expect_refused(read_bcc, bad, wanted);
  };
  refused_with(0, 'b', "not a .bcc file");
  refused_with(3, '\x88', "not of four bytes");
  refused_with(4, 'B', "type \"B0\"");
  refused_with(6, '\x02', "2 dimensions");
  refused_with(7, '\x03', "up axis is 3");
  refused_with(8, std::uint64_t(0), "no curves");
  refused_with(8, ~std::uint64_t(0), "cut short");
  refused_with(16, std::uint64_t(8), "its curves have 7 points, its header says 8");
  refused_with(64, std::int32_t(1), "curve 0 has 1 points");
  refused_with(64, std::int32_t(-2), "needs at least 3");
  refused_with(64, std::int32_t(2000000000), "24000000000 bytes should follow");
  refused_with(64, std::numeric_limits<std::int32_t>::min(), "cut short");
  refused_with(68 + 12 * 2, std::nanf(""), "point 2 is not finite");
  Bytes longer = good;
  longer.push_back(0);
  expect_refused(read_bcc, longer, "1 bytes follow");
}

}  // namespace
}  // namespace tendril::io
