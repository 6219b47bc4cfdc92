#pragma once

#include <random>

#include "solvers/chain.h"

namespace tendril::solvers::testing {

class Dice {
 public:
  explicit Dice(int seed) : engine_(seed) {}
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  double decades(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }
  int up_to(int most) { return std::uniform_int_distribution<int>(0, most)(engine_); }
  bool coin(double chance = 0.5) { return between(0, 1) < chance; }
  Vec3d direction();
  Quatd turn(double most);  // about any axis, by at most this angle [rad]

 private:
  std::mt19937 engine_;
};

// how the clamp of a random rod moves
enum class Drive { none, sine, turn, jump };

// A chain, a tree or a ring, free or clamped, some with a bob; its stiffnesses over twelve decades and each on its own,
// curled and twisted at rest, moving and spinning at the start, with steps from 10 us to 0.25 s.
struct RandomRod {
  explicit RandomRod(int seed);

  void prescribe(double time);  // the inputs of the step that ends then

  Scene scene;
  double h = 0;        // [s]
  double length = 0;   // of one chain, or of the way around a ring [m]
  double damping = 0;  // [1/s]
  bool is_clamped = false;
  Drive drive = Drive::none;

 private:
  void draw_material(Dice& dice);
  void add_tree(Dice& dice);
  void add_ring(Dice& dice);
  void add_bob(Dice& dice);
  void curl(Dice& dice);
  void push(Dice& dice);
  void draw_drive(Dice& dice);

  RodOptions material_;
  Vec3d linear_inertia_;
  Pose clamp_;       // at the start
  Vec3d amplitude_;  // of sine or jump [m]
  Vec3d rate_;       // of sine or turn [rad/s]
  double jump_time_ = 0;
};

}  // namespace tendril::solvers::testing
