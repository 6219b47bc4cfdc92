#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loaded_scene.h"
#include "rod/energy.h"
#include "rod/momentum.h"
#include "rod/stream.h"
#include "run_scene.h"
#include "sim/simulation.h"

namespace tendril::app {
namespace {

// bodies with a shape collide: with obstacles, with each other, with rods

std::string world(const std::string& gravity, double h = 0.002) {
  return fmt::format(R"(
[simulation]
solver = "stable"
time_step = {}
duration = 1
gravity = {}
threads = 1
[material.cord]
young_modulus = 1e8
poisson_ratio = 0.4
density = 1000
section = {{ shape = "circle", radius = 0.004 }}
friction = 0.3
)",
                     h, gravity);
}

const char* const normal_gravity = "[0, 0, -9.81]";
const char* const no_gravity = "[0, 0, 0]";

std::string cord(const std::string& name, const std::string& from, const std::string& to, const std::string& more) {
  return fmt::format(
      "[[rod]]\nname = \"{}\"\nmaterial = \"cord\"\nsegments = 12\ncurve = {{ type = \"line\", from = {}, to = {} "
      "}}\n{}\n",
      name, from, to, more);
}

std::string body(const std::string& name, double mass, const std::string& shape, const std::string& more) {
  return fmt::format("[[body]]\nname = \"{}\"\nmass = {}\nshape = {{ {} }}\n{}\n", name, mass, shape, more);
}

// a scene has a rod, if only far away
const std::string bystander =
    "[[rod]]\nname = \"far\"\nmaterial = \"cord\"\nsegments = 1\ncurve = { type = \"line\", "
    "from = [9, 9, 9], to = [9, 9, 9.1] }\npin = \"all\"\n";

std::unique_ptr<Simulation> start(const std::string& text) {
  return make_simulation(load_scene_text(text, "bodies.toml"), true);
}

int number_of(const Simulation& simulation, const std::string& name) {
  const auto& bodies = simulation.model().bodies;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (bodies[b].name == name) return int(b);
  return -1;
}

// What is round may turn where it lies: that is no stiffness, nor the lack of one, even in long steps.
TEST(BodyContact, a_ball_at_a_rod_rolls_over_the_floor_in_long_steps) {
  const std::string rubber =
      "[material.rubber]\nyoung_modulus = 1e7\npoisson_ratio = 0.4\ndensity = 1100\n"
      "section = { shape = \"circle\", radius = 0.003 }\n"
      "[[rod]]\nname = \"rod\"\nmaterial = \"rubber\"\nsegments = 1\n"
      "curve = { type = \"line\", from = [-0.2, 0, 0.05], to = [0.2, 0, 0.05] }\n";
  const auto simulation = make_simulation(
      load_scene_text(world(normal_gravity, 0.02) + rubber +
                          body("ball", 0.05, "shape = \"sphere\", radius = 0.02", "rod = \"rod\"\nat = \"end\"") +
                          "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\n",
                      "rolls.toml", {}, "block"));
  int unsolved = 0;
  for (int k = 0; k < 50; ++k) unsolved += !simulation->step().converged;
  EXPECT_LE(unsolved, 2);  // it may when it lands
}

// A ball of 2 kg on the floor: the forces of contact carry its weight.
TEST(BodyContact, a_ball_lands_and_rests) {
  const auto simulation = start(world(normal_gravity) + bystander +
                                body("ball", 2, "shape = \"sphere\", center = [0, 0, 0.15], radius = 0.1", "") +
                                "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\n");
  double smallest = forever;
  for (int k = 0; k < 400; ++k) smallest = std::min(smallest, simulation->step().smallest_gap);
  const int ball = number_of(*simulation, "ball");
  const State& state = simulation->state();
  EXPECT_GT(smallest, 0);
  EXPECT_GT(state.body_x[ball].z, 0.1);
  EXPECT_LT(state.body_x[ball].z, 0.1 + 0.002);
  EXPECT_LT(norm(state.body_v[ball]), 1e-6);
  Forces forces = Forces::zero(simulation->model());
  simulation->contact().add_forces(forces);
  EXPECT_NEAR(forces.body_force[ball].z, 2 * 9.81, 1e-3);
}

// A box that falls on a corner comes to lie on a side: several of its edges carry it.
TEST(BodyContact, a_box_tumbles_and_lies_flat) {
  const auto simulation = start(
      world(normal_gravity) + bystander +
      body("box", 1, "shape = \"box\", center = [0, 0, 0.2], size = [0.2, 0.16, 0.1], rotation = [0.3, 0.2, 0]", "") +
      "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\nfriction = 0.5\n");
  double smallest = forever;
  for (int k = 0; k < 1000; ++k) smallest = std::min(smallest, simulation->step().smallest_gap);
  const int box = number_of(*simulation, "box");
  EXPECT_GT(smallest, 0);
  EXPECT_LT(norm(simulation->state().body_v[box]), 1e-3);
  EXPECT_NEAR(simulation->state().body_x[box].z, 0.05, 0.003);
}

// It hangs on a rope beside a wall, is let go from the side and swings against it.
TEST(BodyContact, a_ball_on_a_rope_does_not_pass_a_wall) {
  for (const std::string wall : {"shape = \"box\"\ncenter = [0.2, 0, -0.5]\nsize = [0.1, 2, 2]",
                                 "shape = \"plane\"\npoint = [0.15, 0, 0]\nnormal = [-1, 0, 0]"}) {
    const auto simulation =
        start(world(normal_gravity) + cord("rope", "[0, 0, 0]", "[-0.4, 0, -0.3]", "pin = [\"start\"]") +
              body("ball", 1, "shape = \"sphere\", radius = 0.06", "rod = \"rope\"\nat = \"end\"") +
              "[[obstacle]]\nname = \"wall\"\n" + wall + "\n");
    const int ball = number_of(*simulation, "ball");
    double smallest = forever, farthest = -1;
    for (int k = 0; k < 300; ++k) {
      smallest = std::min(smallest, simulation->step().smallest_gap);
      farthest = std::max(farthest, simulation->state().body_x[ball].x);
    }
    EXPECT_GT(smallest, 0);
    EXPECT_LT(farthest, 0.15 - 0.06);
    EXPECT_GT(farthest, 0.15 - 0.06 - 0.01) << "it reached the wall";
  }
}

// Nothing holds the two, so whatever they do to each other, their momentum and their angular momentum stay.
TEST(BodyContact, two_that_collide_exchange_momentum) {
  for (const std::string shape : {"shape = \"sphere\", radius = 0.05", "shape = \"box\", size = [0.1, 0.08, 0.06]",
                                  "shape = \"capsule\", from = [0, -0.05, 0], to = [0, 0.05, 0.01], radius = 0.04"}) {
    const auto simulation = start(world(no_gravity) + cord("one", "[0, 0, 0.4]", "[0, 0, 0]", "velocity = [2, 0, 0]") +
                                  cord("two", "[0.2, 0.01, 0.4]", "[0.2, 0.01, 0]", "") +
                                  body("striker", 1, shape, "rod = \"one\"\nat = \"end\"\noffset = [0, 0, -0.05]") +
                                  body("struck", 2, shape, "rod = \"two\"\nat = \"end\"\noffset = [0, 0, -0.05]"));
    const Vec3d before = linear_momentum(simulation->model(), simulation->state());
    const Vec3d spin_before = angular_momentum(simulation->model(), simulation->state());
    for (int k = 0; k < 100; ++k) simulation->step();
    const int struck = number_of(*simulation, "struck");
    EXPECT_GT(simulation->state().body_v[struck].x, 0.3) << shape;
    const Vec3d after = linear_momentum(simulation->model(), simulation->state());
    EXPECT_LT(norm(after - before), 1e-6 * norm(before)) << shape;
    const Vec3d spin = angular_momentum(simulation->model(), simulation->state());
    EXPECT_LT(norm(spin - spin_before), 1e-2 * norm(before) * 0.4) << shape;
  }
}

// a cord that falls across a ball on the floor stays on it or slides off it, never through it
TEST(BodyContact, a_rod_falls_on_a_free_body) {
  const auto simulation = start(world(normal_gravity) + cord("cord", "[-0.3, 0.01, 0.35]", "[0.3, 0.01, 0.35]", "") +
                                body("ball", 0.2, "shape = \"sphere\", center = [0.02, 0, 0.102], radius = 0.1", "") +
                                "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\nfriction = 0.4\n");
  double smallest = forever, fastest = 0;
  const int ball = number_of(*simulation, "ball");
  for (int k = 0; k < 400; ++k) {
    smallest = std::min(smallest, simulation->step().smallest_gap);
    fastest = std::max(fastest, norm(simulation->state().body_v[ball]));
  }
  EXPECT_GT(smallest, 0);
  EXPECT_GT(fastest, 0.05) << "the cord pushed the ball";
}

// also where the list of pairs was made for a body that has moved since
TEST(BodyContact, goes_on_with_the_same_bits_after_a_checkpoint) {
  const std::string scene = world(normal_gravity) + cord("cord", "[-0.3, 0.01, 0.21]", "[0.3, 0.01, 0.21]", "") +
                            body("ball", 0.2, "shape = \"sphere\", center = [0.02, 0, 0.101], radius = 0.1", "") +
                            body("box", 0.3, "shape = \"box\", center = [0.25, 0, 0.06], size = [0.1, 0.1, 0.1]", "") +
                            "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\nfriction = 0.4\n";
  const auto bits = [](const Simulation& simulation) {
    Writer out;
    simulation.save(out);
    return out.bytes();
  };
  const auto whole = start(scene);
  std::vector<std::vector<char>> saved;
  int contacts = 0;
  for (int k = 0; k < 60; ++k) {
    saved.push_back(bits(*whole));
    contacts = std::max(contacts, whole->step().contacts);
  }
  EXPECT_GT(contacts, 2);
  for (int from : {1, 13, 30, 47}) {
    const auto resumed = start(scene);
    Reader in(saved[from]);
    resumed->load(in);
    for (int k = from + 1; k < from + 8; ++k) {
      resumed->step();
      ASSERT_TRUE(bits(*resumed) == saved[k]) << "saved after " << from << " steps, now at " << k;
    }
  }
}

// A rod's end reaches into the ball that it carries; that is no overlap, and the two do not push each other.
TEST(BodyContact, what_hangs_on_a_rod_does_not_push_it) {
  const auto simulation = start(world(normal_gravity) + cord("rope", "[0, 0, 0]", "[0, 0, -0.5]", "pin = [\"start\"]") +
                                body("ball", 1, "shape = \"sphere\", radius = 0.1", "rod = \"rope\"\nat = \"end\""));
  for (int k = 0; k < 20; ++k) EXPECT_EQ(simulation->step().contacts, 0);
}

// a driven plate lifts two boxes that lie on each other
TEST(BodyContact, a_driven_plate_lifts_a_stack) {
  const auto simulation = start(
      world(normal_gravity) + bystander +
      body("lower", 1, "shape = \"box\", center = [0, 0, 0.051], size = [0.1, 0.1, 0.1]", "") +
      body("upper", 1, "shape = \"box\", center = [0.01, 0, 0.152], size = [0.1, 0.1, 0.1]", "") +
      "[[obstacle]]\nname = \"plate\"\nshape = \"box\"\ncenter = [0, 0, -0.05]\nsize = [1, 1, 0.1]\nfriction = 0.5\n"
      "[[drive]]\nobstacle = \"plate\"\ntranslate = { velocity = [0, 0, 0.5] }\n");
  double smallest = forever;
  for (int k = 0; k < 200; ++k) smallest = std::min(smallest, simulation->step().smallest_gap);
  EXPECT_GT(smallest, 0);
  EXPECT_NEAR(simulation->state().body_x[number_of(*simulation, "lower")].z, 0.2 + 0.05, 0.005);
  EXPECT_NEAR(simulation->state().body_x[number_of(*simulation, "upper")].z, 0.2 + 0.15, 0.006);
}

}  // namespace
}  // namespace tendril::app
