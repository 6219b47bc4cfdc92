#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "program.h"

namespace tendril::app {
namespace {

std::string wire(const std::string& moduli, double length, int copies = 1) {
  return "[simulation]\ntime_step = 0.01\nduration = 1\n[contact]\nenabled = false\n[material.m]\nyoung_modulus = "
         "1e9\n" +
         moduli +
         "\ndensity = 1000\nsection = { shape = \"circle\", radius = 0.01 }\n[[rod]]\nname = \"wire\"\nmaterial = "
         "\"m\"\n"
         "segments = 4\ncopies = { count = " +
         std::to_string(copies) +
         ", step = [0, 1, 0] }\nclamp = [\"start\"]\n"
         "curve = { type = \"line\", from = [0, 0, 0], to = [" +
         std::to_string(length) + ", 0, 0] }\n";
}

std::string check(const std::string& scene) {
  const Scratch scratch;
  const Program program(scratch, {"check", scratch.write("scene.toml", scene)});
  EXPECT_EQ(program.exit_code(), 0);
  return program.output();
}

bool warns(const std::string& scene) { return check(scene).find("warning") != std::string::npos; }

TEST(CheckWarnings, no_material_has_such_a_poissons_ratio) {
  EXPECT_FALSE(warns(wire("poisson_ratio = 0.5", 1)));
  EXPECT_TRUE(warns(wire("poisson_ratio = 0.6", 1)));
  EXPECT_FALSE(warns(wire("shear_modulus = 1e11", 1)));  // -0.995: soft in bending, but possible
  EXPECT_TRUE(warns(wire("shear_modulus = 3e8", 1)));    // 0.67
}

TEST(CheckWarnings, rods_are_longer_than_thick) {
  EXPECT_FALSE(warns(wire("poisson_ratio = 0.3", 0.02)));
  EXPECT_TRUE(warns(wire("poisson_ratio = 0.3", 0.009)));
}

// of the material, of a file, of the rod itself: the nearer word wins, and check says which
TEST(CheckWarnings, check_says_where_a_radius_comes_from) {
  const Scratch scratch;
  scratch.write("branch.swc", "1 3 0 0 0 0.02 -1\n2 3 0 0 1 0.02 1\n3 3 0 0 2 0.01 2\n");
  const std::string material =
      "[simulation]\ntime_step = 0.01\nduration = 1\n[material.m]\nyoung_modulus = 1e9\npoisson_ratio = 0.3\n"
      "density = 1000\nsection = { shape = \"circle\", radius = 0.005 }\n";
  const auto rod = [](const std::string& name, const std::string& keys) {
    return "[[rod]]\nname = \"" + name + "\"\nmaterial = \"m\"\n" + keys + "\n";
  };
  const std::string file = "curve = { type = \"file\", path = \"branch.swc\" }";
  const std::string line = "segments = 3\ncurve = { type = \"line\", from = [1, 0, 0], to = [2, 0, 0] }";
  const std::string scene = material + rod("plain", line) + rod("grown", file) +
                            rod("cut", "radius = 0.001\n" + file + "\n[contact]\nenabled = false");
  const Program program(scratch, {"check", scratch.write("scene.toml", scene)});
  EXPECT_EQ(program.exit_code(), 0) << program.output();
  for (const char* said :
       {"radius of plain: 0.005 m, from its material", "radius of grown: 0.015 … 0.02 m, from its file branch.swc",
        "radius of cut: 0.001 m, from its own `radius`"})
    EXPECT_NE(program.output().find(said), std::string::npos) << said << "\n" << program.output();
}

// four times as many rods take about four times as long
TEST(CheckWarnings, check_is_linear_in_rods) {
  const auto seconds = [](int rods) {
    double least = 1e9;
    for (int n = 0; n < 3; ++n) {
      const auto start = std::chrono::steady_clock::now();
      check(wire("poisson_ratio = 0.3", 1, rods));
      least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return least;
  };
  EXPECT_LT(seconds(16000), 8 * seconds(4000));
}

}  // namespace
}  // namespace tendril::app
