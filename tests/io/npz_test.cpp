#include "io/npz.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "math/random.h"
#include "scratch.h"

namespace tendril::io {
namespace {

NpzArrays sample() {
  return {{"x", NpyArray::of(std::vector<Vec3d>{{1, 2, 3}, {4, 5, 1.0 / 3}})},
          {"q", NpyArray::of(std::vector<Quatd>{{1, 2, 3, 4}})},
          {"empty", NpyArray::of(std::vector<Vec3d>{})},
          {"broken", NpyArray::of(std::vector<int>{-1, 7})},
          {"time", NpyArray::of(0.25)},
          {"names", NpyArray::of(std::vector<std::string>{"rope", "é→𝄞"})}};
}

TEST(npz, reads_what_it_wrote) {
  const NpzArrays back = parse_npz(npz_bytes(sample()), "a.npz");
  ASSERT_EQ(back.size(), 6u);
  EXPECT_EQ(back.at("x").vectors()[1], (Vec3d{4, 5, 1.0 / 3}));
  EXPECT_EQ(back.at("q").quaternions()[0], (Quatd{1, 2, 3, 4}));
  EXPECT_EQ(back.at("broken").integers(), (std::vector<int>{-1, 7}));
  EXPECT_EQ(back.at("time").numbers(), std::vector<double>{0.25});
  EXPECT_TRUE(back.at("time").shape.empty());
  EXPECT_EQ(back.at("empty").vectors().size(), 0u);
  EXPECT_EQ(back.at("names").type, "<U4");
  EXPECT_THROW(back.at("x").quaternions(), FileError);
  EXPECT_THROW(back.at("x").integers(), FileError);
}

TEST(npz, same_arrays_same_bytes) { EXPECT_EQ(npz_bytes(sample()), npz_bytes(sample())); }

// every cut, and thousands of damaged bytes: a FileError or an unharmed array, never a crash
TEST(npz, survives_damage) {
  const std::vector<char> good = npz_bytes(sample());
  for (std::size_t n = 0; n < good.size(); ++n)
    EXPECT_THROW(parse_npz(std::span(good).first(n), "cut"), FileError) << n;
  Random random(1);
  int refused = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::vector<char> bad = good;
    for (int k = 0; k < 1 + trial % 4; ++k) bad[random.next() % bad.size()] = char(random.next());
    try {
      for (const auto& [name, array] : parse_npz(bad, "bad")) EXPECT_LE(array.bytes.size(), good.size());
    } catch (const FileError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 10000);
}

// a shape whose product wraps around to the size of the file
TEST(npz, refuses_absurd_shapes) {
  for (const auto& shape : std::vector<std::vector<std::size_t>>{{1ull << 62, 4}, {999999999999, 999999999999}, {3}}) {
    NpyArray array = NpyArray::of(std::vector<double>{1, 2});
    array.shape = shape;
    EXPECT_THROW(parse_npz(npz_bytes({{"a", array}}), "absurd"), FileError);
  }
}

TEST(npz, numpy_agrees) {
  ASSERT_EQ(std::system("/usr/bin/python3 -c 'import numpy'"), 0) << "the tests need the package python3-numpy";
  const Scratch scratch;
  const std::string folder = scratch.path().string();
  write_npz(folder + "/from_us.npz", sample());
  std::ofstream(folder + "/check.py") << R"(
import numpy, sys
a = numpy.load(sys.argv[1] + '/from_us.npz')
assert a['x'].shape == (2, 3) and a['x'][1, 2] == 1 / 3
assert a['q'].tolist() == [[1, 2, 3, 4]] and a['empty'].shape == (0, 3)
assert a['broken'].tolist() == [-1, 7] and a['time'] == 0.25 and a['time'].shape == ()
assert a['names'].tolist() == ['rope', 'é→𝄞']
numpy.savez(sys.argv[1] + '/from_numpy.npz', v=numpy.arange(6.).reshape(2, 3), i=numpy.array([3, 4], dtype='i4'))
numpy.savez_compressed(sys.argv[1] + '/compressed.npz', v=numpy.arange(6.))
)";
  ASSERT_EQ(std::system(("/usr/bin/python3 " + folder + "/check.py " + folder).c_str()), 0);
  const NpzArrays back = read_npz(folder + "/from_numpy.npz");
  EXPECT_EQ(back.at("v").vectors()[1], (Vec3d{3, 4, 5}));
  EXPECT_EQ(back.at("i").integers(), (std::vector<int>{3, 4}));
  EXPECT_THROW(read_npz(folder + "/compressed.npz"), FileError);
}

}  // namespace
}  // namespace tendril::io
