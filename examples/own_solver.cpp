// A solver of one's own: symplectic Euler, which needs short steps but no equations.
//   own_solver rope.toml

#include <tendril/tendril.h>

#include <cstdio>

namespace {

using tendril::Vec3d;

class SymplecticEuler : public tendril::Solver {
 public:
  void reset(const tendril::Model& model, const tendril::State&, tendril::ThreadTeam&) override { model_ = &model; }

  // v <- v + h f(x) / m, omega <- omega + h moment(q) / J; then x <- x + h v, q <- exp(h omega) q
  tendril::StepReport step(const tendril::Inputs& inputs, tendril::Contact&, double h, tendril::State& state) override {
    tendril::Forces forces = tendril::Forces::zero(*model_);
    tendril::add_elastic_forces(*model_, state, forces);
    tendril::add_external_damping(*model_, state, forces);
    for (std::size_t i = 0; i < state.x.size(); ++i) {
      state.v[i] += h / model_->vertices[i].mass * (forces.force[i] + inputs.end.force[i]);
      state.x[i] += h * state.v[i];
    }
    for (std::size_t s = 0; s < state.q.size(); ++s) {
      const tendril::Segment& segment = model_->segments[s];
      const Vec3d moment = rotate(conjugate(state.q[s]), forces.moment[s]), J = segment.linear_inertia;
      state.omega[s] +=
          rotate(state.q[s], h / segment.rest_length * Vec3d{moment.x / J.x, moment.y / J.y, moment.z / J.z});
      state.q[s] = normalized(tendril::quaternion_exp(h * state.omega[s]) * state.q[s]);
    }
    hold(inputs.end, state);
    return {};
  }

  void save(tendril::Writer&) const override {}  // it remembers nothing
  void load(tendril::Reader&) override {}

 private:
  void hold(const tendril::Instant& end, tendril::State& state) const {
    for (std::size_t b = 0; b < state.body_x.size(); ++b)
      state.body_x[b] = end.body_pose[b].x, state.body_q[b] = end.body_pose[b].q;
    for (const tendril::Tie& tie : model_->ties)
      state.x[tie.vertex] = state.body_x[tie.body] + rotate(state.body_q[tie.body], tie.offset),
      state.v[tie.vertex] = {};
  }

  const tendril::Model* model_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) return std::fprintf(stderr, "usage: own_solver SCENE\n"), 2;
  const tendril::LoadedScene scene = tendril::open_scene(argv[1]);
  tendril::Simulation simulation(scene.baked.model, scene.baked.state, {.time_step = 1e-5},
                                 std::make_unique<SymplecticEuler>());
  while (simulation.time() < 0.1) simulation.step();
  const Vec3d& middle = simulation.state().x[simulation.model().rods.front().vertices.size() / 2];
  std::printf("middle at z = %.6f after %.3f s\n", middle.z, simulation.time());
} catch (const std::exception& error) {
  return std::fprintf(stderr, "%s\n", error.what()), 1;
}
