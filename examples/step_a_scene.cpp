// Opens a scene, steps it for a second and prints where the middle of its first rod is: time [s], x, y, z [m].
//   step_a_scene rope.toml

#include <tendril/tendril.h>

#include <cstdio>

int main(int argc, char** argv) try {
  if (argc != 2) return std::fprintf(stderr, "usage: step_a_scene SCENE\n"), 2;
  tendril::Engine engine = tendril::Engine::open(argv[1]);
  const std::vector<int>& vertices = engine.model().rods.front().vertices;
  const tendril::Vec3d& middle = engine.state().x[vertices[vertices.size() / 2]];  // stays valid from step to step
  while (engine.state().time < 1) {
    const tendril::StepReport report = engine.step();
    if (!report.converged) std::fprintf(stderr, "not solved to the tolerance: %g\n", report.residual);
    std::printf("%.3f %.6f %.6f %.6f\n", engine.state().time, middle.x, middle.y, middle.z);
  }
} catch (const std::exception& error) {  // a SceneError names file and line, a SimulationFailed rod, time and remedy
  return std::fprintf(stderr, "%s\n", error.what()), 1;
}
