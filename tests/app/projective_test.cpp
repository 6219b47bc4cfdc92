// what `projective` promises beside what every solver does

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "rod/energy.h"
#include "rod/momentum.h"
#include "run_scene.h"

namespace tendril::app {
namespace {

std::string world(double h, const std::string& options) {
  return fmt::format(
      "[simulation]\nsolver = \"projective\"\ntime_step = {}\nduration = 1\nthreads = 1\n[solver.projective]\n{}\n"
      "[material.hair]\nyoung_modulus = 3e9\npoisson_ratio = 0.35\ndensity = 1300\nsection = {{ shape = \"circle\", "
      "radius = 4e-5 }}\nfriction = 0.3\n",
      h, options);
}

std::string strand(const std::string& name, double y, const std::string& more = "clamp = \"start\"") {
  return fmt::format(
      "[[rod]]\nname = \"{}\"\nmaterial = \"hair\"\nsegments = 20\ncurve = {{ type = \"line\", from = [0, {}, 0], to = "
      "[0.1, {}, 0.02] }}\n{}\n",
      name, y, y, more);
}

std::unique_ptr<Simulation> start(const std::string& scene) {
  return make_simulation(load_scene_text(scene, "projective", {}, "projective"));
}

// Nine strands, one more than lanes: one falls on a ball, the others pass it by.
TEST(Projective, AStrandBesideASphereMovesBitForBitAsWithoutIt) {
  std::string strands = world(1.0 / 120, "");
  for (int k = 0; k < 9; ++k) strands += strand(fmt::format("hair {}", k), 0.02 * k);
  const auto without = start(strands);
  const auto with = start(strands +
                          "[[obstacle]]\nname = \"ball\"\nshape = \"sphere\"\ncenter = [0.05, 0, -0.02]\nradius = "
                          "0.015\nfriction = 0.3\n");
  int contacts = 0;
  double moved = 0;
  for (int n = 0; n < 40; ++n) {
    without->step();
    contacts += with->step().contacts;
    for (int k = 1; k < 9; ++k)
      for (int i : with->model().rods[k].vertices) {
        ASSERT_TRUE(with->state().x[i] == without->state().x[i] && with->state().v[i] == without->state().v[i])
            << "hair " << k << ", step " << n;
      }
  }
  for (int i : with->model().rods[0].vertices)
    moved = std::max(moved, norm(with->state().x[i] - without->state().x[i]));
  EXPECT_GT(contacts, 0) << "the first one touches the ball";
  EXPECT_GT(moved, 1e-3);
}

// A strand falls from its clamp, and one that flies and spins: in 400 steps energy stays below ten times what
// was there and weight put in, whatever is left unsolved.
TEST(Projective, FiveIterationsAreStableAtAnyStep) {
  for (int iterations : {5, 10, 20})
    for (double h : {1e-3, 1.0 / 60, 0.1}) {
      const auto sim = start(world(h, fmt::format("iterations = {}", iterations)) + strand("hanging", 0) +
                             strand("flying", 1, "velocity = [1, 0, 2]\nangular_velocity = [3, 40, 5]") +
                             "[contact]\nenabled = false\n");
      const Model& model = sim->model();
      const double at_start = kinetic_energy(model, sim->state());
      double largest = 0;
      for (int n = 0; n < 400; ++n) {
        sim->step();
        double work = 0;  // of the weight
        for (std::size_t i = 0; i < model.vertices.size(); ++i)
          work -= model.vertices[i].mass * 9.81 * sim->state().x[i].z;
        const double energy = kinetic_energy(model, sim->state()) + elastic_energy(model, sim->state());
        largest = std::max(largest, energy / (at_start + std::max(work, 0.0)));
      }
      EXPECT_LE(largest, 10) << iterations << " iterations of " << h << " s";
    }
}

// Once it is converged, a strand is as stiff after ten times the iterations; and the tolerance says so.
TEST(Projective, StiffnessDoesNotFollowFromTheNumberOfIterations) {
  const auto tip = [](const std::string& options, bool* converged) {
    const auto sim = start(world(1.0 / 120, options) + strand("hair", 0) + "[contact]\nenabled = false\n");
    *converged = true;
    for (int n = 0; n < 30; ++n) {
      const StepReport report = sim->step();
      *converged &= report.converged;
      EXPECT_TRUE(report.converged) << "step " << n << ": " << report.residual << " after " << report.iterations;
    }
    return sim->state().x.back();
  };
  bool few = false, many = false;
  const Vec3d a = tip("tolerance = 1e-4\niterations = 2000", &few),
              b = tip("tolerance = 1e-6\niterations = 20000", &many);
  EXPECT_TRUE(few && many);
  EXPECT_LE(norm(a - b), 1e-3 * 0.1);
}

}  // namespace
}  // namespace tendril::app
