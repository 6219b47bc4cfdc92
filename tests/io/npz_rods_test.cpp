#include <fmt/format.h>

#include <cstdlib>

#include "io/formats/npz.h"
#include "io/moving_take.h"
#include "io/npz.h"
#include "io/take_checks.h"

namespace tendril::io {
namespace {

using Paths = std::vector<std::vector<int>>;

TEST(npz_rods, reads_what_numpy_wrote) {
  const Take take = read_npz_rods(sample("moving.npz"), "moving.npz");
  EXPECT_EQ(paths_of(take.strands), (Paths{{0, 1, 2}, {2, 3, 4}}));
  EXPECT_EQ(loops_of(take.strands), (std::vector<bool>{false, true}));
  EXPECT_EQ(take.strands.strands[1].name, "ränk");
  EXPECT_EQ(take.strands.radius, (std::vector<double>{1, 2, 3, 4, 5}));
  EXPECT_EQ(take.times, (std::vector<double>{0, 0.5}));
  EXPECT_EQ(take.strands.points[4], (Vec3d{12.0 / 8, 13.0 / 8, 14.0 / 8}));
  EXPECT_EQ(take.moment(1).x[1], (Vec3d{18.0 / 8, 19.0 / 8, 20.0 / 8}));
}

// x[rod, moment, axis, node] = 36 rod + 12 moment + 4 axis + node; radius[rod, moment, element] = 9 rod + 3 moment +
// element + 1
TEST(npz_rods, reads_the_rods_of_pyelastica) {
  const Take take = read_npz_rods(sample("elastica.npz"), "elastica.npz");
  EXPECT_EQ(paths_of(take.strands), (Paths{{0, 1, 2, 3}, {4, 5, 6, 7}}));
  EXPECT_EQ(take.times, (std::vector<double>{0, 0.1, 0.2}));
  EXPECT_EQ(take.strands.points[6], (Vec3d{38, 42, 46}));
  EXPECT_EQ(take.moment(2).x[5], (Vec3d{61, 65, 69}));
  EXPECT_EQ(take.strands.radius, (std::vector<double>{1, 1.5, 2.5, 3, 10, 10.5, 11.5, 12}));
}

TEST(npz_rods, comes_back_to_the_last_bit) {
  Take take = moving_take();
  take.strands.smooth = true;
  const Take back = through(take, "x.npz");
  EXPECT_EQ(back.strands.points, take.strands.points);
  EXPECT_EQ(back.strands.radius, take.strands.radius);
  EXPECT_EQ(paths_of(back.strands), paths_of(take.strands));
  EXPECT_EQ(loops_of(back.strands), loops_of(take.strands));
  EXPECT_TRUE(back.strands.smooth);
  EXPECT_EQ(back.title, take.title);
  EXPECT_EQ(back.frame_rate, take.frame_rate);
  EXPECT_EQ(back.times, take.times);
  for (int s : {0, 1, 2}) {
    EXPECT_EQ(back.strands.strands[s].name, take.strands.strands[s].name);
    EXPECT_EQ(back.strands.strands[s].color, take.strands.strands[s].color);
  }
  for (int k = 0; k < 4; ++k) {
    const Moment a = take.moment(k), b = back.moment(k);
    EXPECT_EQ(b.time, a.time);
    EXPECT_EQ(b.x, a.x);
    EXPECT_EQ(b.v, a.v);
    EXPECT_EQ(b.q, a.q);
  }
  const Take plain = through(moving_take({.velocity = false, .frames = false, .radius = false}), "x.npz");
  EXPECT_TRUE(plain.strands.radius.empty() && plain.moment(0).v.empty() && plain.moment(0).q.empty());
}

// numpy sees the same numbers in .npz and .csv
TEST(npz_rods, numpy_agrees) {
  ASSERT_EQ(std::system("/usr/bin/python3 -c 'import numpy'"), 0) << "the tests need the package python3-numpy";
  const Scratch scratch;
  const Take take = moving_take();
  write_rods(take, scratch / "x.npz");
  write_rods(take, scratch / "x.csv");
  std::string wanted = "wanted = [";
  for (int k = 0; k < 4; ++k)
    for (const Vec3d& x : take.moment(k).x) wanted += fmt::format("({:.17g}, {:.17g}, {:.17g}),\n", x.x, x.y, x.z);
  scratch.write("check.py", wanted + R"(]
import csv, sys, numpy
x = numpy.array(wanted).reshape(4, 13, 3)
a = numpy.load(sys.argv[1] + '/x.npz')
assert (a['x'] == x).all() and a['v'].shape == (4, 13, 3) and a['q'].shape == (4, 12, 4)
assert a['strand_points'][a['strand_first'][1]:a['strand_first'][2]].tolist() == [2, 5, 6]
assert a['closed'].tolist() == [0, 0, 1] and a['name'].tolist() == ['rope', 'rope', 'ring']
assert (a['time'] == numpy.arange(4) / 24.0).all() and a['radius'].shape == (13,)
rows = list(csv.DictReader(open(sys.argv[1] + '/x.csv')))
assert list(rows[0]) == ['time', 'rod', 'vertex', 'x', 'y', 'z'] and len(rows) == 4 * 13
for k in range(4):
    for i in range(13):
        row = rows[13 * k + i]
        assert float(row['time']) == k / 24.0
        assert (row['rod'], int(row['vertex'])) == (('rope', i) if i < 7 else ('ring', i - 7))
        assert [float(row[c]) for c in 'xyz'] == x[k, i].tolist()
)");
  EXPECT_EQ(std::system(fmt::format("/usr/bin/python3 {0}/check.py {0}", scratch.path().string()).c_str()), 0);
}

TEST(csv_rods, names_need_not_be_plain) {
  const Scratch scratch;
  Take take = at_moment(moving_take(), 0);
  take.strands.strands[0].name = "a, \"b\"";
  take.strands.strands[1].name = take.strands.strands[2].name = "";
  write_rods(take, scratch / "x.csv");
  const Bytes bytes = read_file(scratch / "x.csv");
  const std::string text(bytes.begin(), bytes.end());
  EXPECT_NE(text.find("\n0,\"a, \"\"b\"\"\",0,0,"), text.npos);
  EXPECT_NE(text.find("\n0,1,2,"), text.npos);
  EXPECT_NE(text.find("\n0,2,5,"), text.npos);
}

TEST(npz_rods, refuses_what_is_wrong) {
  const NpzArrays good = parse_npz(sample("moving.npz"), "good");
  const auto refused_with = [&](const std::string& key, const NpyArray& array, const std::string& wanted) {
    NpzArrays arrays = good;
    arrays[key] = array;
    expect_refused(read_npz_rods, npz_bytes(arrays), wanted);
  };
  using Numbers = std::vector<int>;
  refused_with("strand_points", NpyArray::of(Numbers{0, 1, 2, 2, 3, 5}), "names point 5, there are 5");
  refused_with("strand_points", NpyArray::of(Numbers{0, 1, 2, 2, 3, -1}), "names point -1");
  refused_with("strand_first", NpyArray::of(Numbers{0, 3, 7}), "end with 6");
  refused_with("strand_first", NpyArray::of(Numbers{0, 2000000000, 6}), "gives strand 0 less");
  refused_with("strand_first", NpyArray::of(Numbers{0, 5, 6}), "gives strand 1 less than 3");
  refused_with("strand_first", NpyArray::of(Numbers{0, -5, 6}), "gives strand 0 less");
  refused_with("strand_first", NpyArray::of(std::vector<double>{0, 2.5, 6}), "not a whole number");
  refused_with("strand_first", NpyArray::of(std::vector<double>{0, NAN, 6}), "not a whole number");
  refused_with("closed", NpyArray::of(Numbers{0}), "a value for each strand");
  refused_with("radius", NpyArray::of(std::vector<double>{1, 2, 3}), "has the shape (3), it should be (5)");
  refused_with("radius", NpyArray::of(std::vector<double>{1, 2, -3, 4, 5}), "radius at point 2");
  refused_with("name", NpyArray::of(Numbers{1, 2}), "should hold texts");
  refused_with("color", NpyArray::of(std::vector<double>{1, 2}), "it should be (2, 3)");
  refused_with("time", NpyArray::of(std::vector<double>{1, 0}), "not go back");
  refused_with("time", NpyArray::of(std::vector<double>{1}), "has 1 values for 2 moments");
  refused_with("frame_rate", NpyArray::of(-1.0), "greater than 0");
  refused_with("body_x", NpyArray::of(0.0), "frame of a run");
  refused_with("v", NpyArray::of(std::vector<Vec3d>(5)), "has the shape (5, 3), it should be (2, 5, 3)");
  refused_with("q", NpyArray::of(std::vector<Quatd>(5)), "it should be (2, 5, 4)");
  refused_with("x", NpyArray::of(std::vector<double>{1, 2}), "it should be (points, 3)");
  NpyArray x = good.at("x");
  overwrite(x.bytes, (15 + 3 * 2) * sizeof(double), double(NAN));
  refused_with("x", x, "moment 1: point 2 is not finite");
  x = good.at("x");
  x.type = "<c8";
  refused_with("x", x, "values of type <c8");
  expect_refused(read_npz_rods, npz_bytes({{"a", NpyArray::of(0.0)}}), "these are no rods");
  expect_cuts_refused(read_npz_rods, sample("moving.npz"));
}

TEST(npz_rods, refuses_what_is_wrong_with_pyelastica) {
  const NpzArrays good = parse_npz(sample("elastica.npz"), "good");
  NpzArrays bad = good;
  bad["position_collection"].shape = {2, 3, 4, 3};
  expect_refused(read_npz_rods, npz_bytes(bad), "has the shape (2, 3, 4, 3)");
  bad = good;
  bad["radius_collection"].shape = {2, 9};
  expect_refused(read_npz_rods, npz_bytes(bad), "it should be (2, 3, 3)");
  bad = good;
  overwrite(bad["position_collection"].bytes, 8 * 12, double(NAN));
  expect_refused(read_npz_rods, npz_bytes(bad), "moment 1: point 0 is not finite");
}

}  // namespace
}  // namespace tendril::io
