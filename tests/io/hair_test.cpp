#include "io/formats/hair.h"

#include "io/moving_take.h"
#include "io/take_checks.h"

namespace tendril::io {
namespace {

TEST(hair, reads_a_file_made_by_the_description) {
  const Take take = read_hair(sample("two.hair"), "two.hair");
  const Strands& strands = take.strands;
  EXPECT_EQ(take.title, "two hairs");
  EXPECT_EQ(take.times, std::vector<double>{0});
  EXPECT_EQ(paths_of(strands), (std::vector<std::vector<int>>{{0, 1, 2}, {3, 4, 5, 6}}));
  EXPECT_EQ(loops_of(strands), (std::vector<bool>{false, false}));
  EXPECT_EQ(strands.points[2], (Vec3d{0, 0.5, 2}));
  EXPECT_EQ(strands.points[6], (Vec3d{1, 0.25, 3}));
  EXPECT_EQ(strands.radius,
            (std::vector<double>{0.5 * 0.2f, 0.5 * 0.1f, 0.5 * 0.05f, 0.5 * 0.2f, 0.5 * 0.2f, 0.5 * 0.1f, 0}));
  EXPECT_EQ(strands.strands[0].color, (Vec3d{1, 0.5, 0.25}));
  EXPECT_EQ(strands.strands[1].color, (Vec3d{0, 0, 1}));
  EXPECT_FALSE(strands.smooth);
  EXPECT_EQ(take.moment(0).x, strands.points);
}

TEST(hair, comes_back_in_single_precision) {
  const Take take = at_moment(moving_take(), 2), back = through(take, "x.hair");
  ASSERT_EQ(back.strands.strands.size(), 3u);
  EXPECT_EQ(loops_of(back.strands), loops_of(take.strands));
  EXPECT_EQ(back.title, take.title);
  for (std::size_t s = 0; s < 3; ++s) {
    EXPECT_EQ(single_points(back.strands, s), single_points(take.strands, s));
    EXPECT_EQ(cast<float>(back.strands.strands[s].color), cast<float>(take.strands.strands[s].color));
    for (std::size_t k = 0; k < take.strands.strands[s].points.size(); ++k)
      EXPECT_EQ(float(2 * back.strands.radius[back.strands.strands[s].points[k]]),
                float(2 * take.strands.radius[take.strands.strands[s].points[k]]));
  }
  // and again without loss
  const Take twice = through(back, "x.hair");
  EXPECT_EQ(twice.strands.points, back.strands.points);
  EXPECT_EQ(twice.strands.radius, back.strands.radius);
}

// what is the same everywhere stands in the header, also when it is what the format takes for "not set"
TEST(hair, keeps_a_thickness_for_all) {
  Take take = at_moment(moving_take({.radius = false}), 0);
  EXPECT_TRUE(through(take, "x.hair").strands.radius.empty());
  for (const double radius : {0.25, 0.5}) {
    take.strands.radius.assign(13, radius);
    EXPECT_EQ(through(take, "x.hair").strands.radius, std::vector<double>(14, radius));
  }
}

TEST(hair, reads_what_the_header_says_for_all) {
  const Take take = read_hair(sample("plain.hair"), "plain.hair");
  EXPECT_EQ(paths_of(take.strands), (std::vector<std::vector<int>>{{0, 1, 2, 3, 4, 5, 6}}));
  EXPECT_EQ(take.strands.radius, std::vector<double>(7, 0.5 * 0.1f));
}

TEST(hair, refuses_what_is_wrong) {
  const Bytes good = sample("two.hair");
  expect_cuts_refused(read_hair, good);
  const auto refused_with = [&](std::size_t at, auto value, const std::string& wanted) {
    Bytes bad = good;
    overwrite(bad, at, value);
    expect_refused(read_hair, bad, wanted);
  };
  refused_with(0, 'h', "not a .hair file");
  refused_with(4, 0u, "no strands");
  refused_with(4, 4000000000u, "8000000000 bytes should follow");
  refused_with(8, 8u, "its strands need 7 points, its header says 8");
  refused_with(12, 1u, "no points");
  refused_with(12, 255u, "unknown kind");
  refused_with(128, std::uint16_t(0), "strand 0 has no segments");
  refused_with(132 + 12 * 4, std::nanf(""), "point 4 is not finite");
  refused_with(132 + 12 * 7, -1.0f, "the radius at point 0 is -0.5");
  refused_with(132 + 12 * 7 + 4 * 7, INFINITY, "the color of strand 0");
  Bytes longer = good;
  longer.push_back(0);
  expect_refused(read_hair, longer, "1 bytes follow");

  // a hundred bytes that claim gigabytes
  Bytes claim(good.begin(), good.begin() + 128);
  overwrite(claim, 4, 2000000000u);
  overwrite(claim, 8, 4000000000u);
  overwrite(claim, 12, 2u);
  overwrite(claim, 16, 1u);
  expect_refused(read_hair, claim, "48000000000 bytes should follow, 0 are left");
}

TEST(hair, refuses_to_write_what_it_cannot_hold) {
  const Scratch scratch;
  Take take = at_moment(moving_take(), 0);
  take.strands.points[3].y = 1e39;
  EXPECT_THROW(write_hair(take, scratch / "x.hair"), FileError);
  take.strands.points.assign(70000, {});
  take.strands.radius.clear();
  take.strands.strands.resize(1);
  take.strands.strands[0].points.resize(70000);
  EXPECT_THROW(write_hair(take, scratch / "x.hair"), FileError);
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
}

}  // namespace
}  // namespace tendril::io
