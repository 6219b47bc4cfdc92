#include "physics/orbital_momentum.h"

namespace tendril::physics {

Vec3d orbital_momentum(const Model& model, const State& state) {
  Vec3d sum;
  for (std::size_t i = 0; i < state.v.size(); ++i) sum += model.vertices[i].mass * cross(state.x[i], state.v[i]);
  return sum;
}

Vec3d implicit_euler_gain(const Model& model, const State& before, const State& after, double h) {
  Vec3d sum;
  for (std::size_t i = 0; i < after.v.size(); ++i) sum += (h * model.vertices[i].mass) * cross(after.v[i], before.v[i]);
  return sum;
}

double impetus(const Model& model, const State& state) {
  double sum = 0;
  for (std::size_t i = 0; i < state.v.size(); ++i) sum += model.vertices[i].mass * norm(state.v[i]);
  return sum;
}

}  // namespace tendril::physics
