#include <fmt/format.h>

#include <algorithm>

#include "physics/case.h"
#include "physics/free_rod.h"

// 3.4: a free rod that is thrown about is the same seen from elsewhere.

namespace tendril::app::physics {

namespace {

// everything moved as one: turned, then shifted
State moved_rigidly(State state, const Quatd& turn, const Vec3d& shift) {
  for (Vec3d& x : state.x) x = rotate(turn, x) + shift;
  for (Quatd& q : state.q) q = turn * q;
  for (auto* rates : {&state.v, &state.omega})
    for (Vec3d& rate : *rates) rate = rotate(turn, rate);
  return state;
}

double largest_distance(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, norm(a[i] - b[i]));
  return largest;
}

}  // namespace

void rigid_motions(const Subject& subject, Findings& findings) {
  const Quatd turn = quaternion_exp({0.4, -1.7, 0.9});
  const Vec3d shift{0.7, -0.4, 1.1};
  for (int order : orders_in_time(subject.solver)) {
    // what the step cannot follow is damped by a scheme of first order, and tossed about by one of second
    RodScene scene = order == 1 ? free_rod(2e-3) : straight_free_rod(1e-4);
    if (orders_in_time(subject.solver).size() > 1) scene.tables = solved_to(subject.solver, 1e-9, 1000, order);
    const LoadedScene loaded = load(scene, subject.solver);
    const State start = order == 1 ? thrown(loaded.baked) : thrown_in_waves(loaded.baked);
    Simulation here = simulation(loaded, start), there = simulation(loaded, moved_rigidly(start, turn, shift));
    const int steps = subject.quick() ? 20 : 200;
    for (int n = 0; n < steps; ++n) here.step(), there.step();
    const State expected = moved_rigidly(here.state(), turn, shift);
    findings.compare({fmt::format("turned and shifted start, {} steps: largest distance / L", steps), "-",
                      fmt::format("order {}", order)},
                     largest_distance(there.state().x, expected.x), 0, 1e-9);
  }
}

}  // namespace tendril::app::physics
