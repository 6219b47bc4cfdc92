#include "physics/free_rod.h"

#include "math/random.h"
#include "physics/bifurcation.h"

namespace tendril::app::physics {

RodScene free_rod(double time_step) {
  RodScene scene;
  scene.time_step = time_step;
  scene.EA = scene.GA = 1e3;
  scene.EI = 1e-2, scene.GJ = 0.7e-2;
  scene.linear_density = 0.05;
  scene.segments = 30;
  scene.curve = "{ type = \"arc\", center = [0, 0, 0], from = [0.5, 0, 0], axis = [0, 0, 1], angle = 2 }";
  scene.support = "rest = \"straight\"\ntwist = 1\nvelocity = [0.3, -0.2, 0.5]\nangular_velocity = [1, 2, 0.5]";
  return scene;
}

State thrown(const BakedScene& baked) {
  State state = baked.state;
  Random random(1);
  for (Vec3d& v : state.v) v += 0.3 * Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  return state;
}

RodScene straight_free_rod(double time_step) {
  RodScene scene = free_rod(time_step);
  scene.radius = 0.01;  // for the inertia of its sections
  scene.curve = line({0, 0, 0}, {1, 0, 0});
  scene.support = "velocity = [0.3, -0.2, 0.5]\nangular_velocity = [1, 2, 0.5]";
  return scene;
}

State thrown_in_waves(const BakedScene& baked, bool stretches) {
  State state = baked.state;
  const Vec3d along{1, 0, 0};
  const auto moved = smooth_noise(1), turned = smooth_noise(2);
  const double n = double(state.q.size());
  for (std::size_t i = 0; i < state.v.size(); ++i) {
    const Vec3d v = moved(double(i) / n);
    state.v[i] += stretches ? v : v - v.x * along;
  }
  for (std::size_t s = 0; s < state.q.size(); ++s) {
    const Vec3d slope = n * (moved(double(s + 1) / n) - moved(double(s) / n));
    state.omega[s] += cross(along, slope) + 10 * turned((double(s) + 0.5) / n).x * along;
  }
  return state;
}

}  // namespace tendril::app::physics
