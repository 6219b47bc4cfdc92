// Moves the clamp at the start of a rod up and down and pulls at its middle, both from code.
//   drive_and_load rope.toml

#include <tendril/tendril.h>

#include <cmath>
#include <cstdio>

int main(int argc, char** argv) try {
  if (argc != 2) return std::fprintf(stderr, "usage: drive_and_load SCENE\n"), 2;
  tendril::Engine engine = tendril::Engine::open(argv[1]);
  tendril::Simulation& simulation = engine.simulation();
  const std::vector<int>& vertices = engine.model().rods.front().vertices;
  const int middle = vertices[vertices.size() / 2], clamp = tendril::support_of(engine.model(), vertices.front());
  if (clamp < 0) return std::fprintf(stderr, "nothing holds the start of the rod\n"), 1;

  const tendril::Pose start{engine.state().body_x[clamp], engine.state().body_q[clamp]};
  simulation.set_force(middle, {0, 0.5, 0});  // [N], from now on
  while (engine.state().time < 1) {
    const double end = engine.state().time + simulation.time_step();  // of the step to come
    simulation.drive(clamp, {start.x + tendril::Vec3d{0, 0, 0.1 * std::sin(6 * end)}, start.q});
    engine.step();
  }
  const tendril::Vec3d &x = engine.state().x[middle], &held = engine.state().x[vertices.front()];
  std::printf("clamp at z = %.6f, middle at y = %.6f, z = %.6f\n", held.z, x.y, x.z);
} catch (const std::exception& error) {
  return std::fprintf(stderr, "%s\n", error.what()), 1;
}
