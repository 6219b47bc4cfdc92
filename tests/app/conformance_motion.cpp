// rest, free fall and momentum: what holds for a rod that is left alone

#include <cmath>

#include "conformance.h"
#include "rod/energy.h"
#include "rod/momentum.h"

namespace tendril::app::conformance {
namespace {

constexpr double h = 0.01;

// straight, curved, twisted and coiled rods, free and clamped, each as it is without load
std::string resting_rods(const SolverInfo& solver) {
  const std::string twisted = "twist = 1.5\nnatural_curvature = [0, 0, 1.5]\n";
  std::string text = world(h, {}) + material({});
  text += rod("straight", 8, line({0, 0, 0}, {1, 0, 0}));
  text += rod("arc", 8, arc({0, 2, 0}, {1, 2, 0}, {0, 0, 1}, 2.0));
  text += rod("helix", 24,
              "{ type = \"helix\", center = [0, 4, 0], axis = [0.2, 0, 1], radius = 0.3, pitch = 0.1, turns = 2 }");
  text += rod("twisted", 8, line({0, 6, 0}, {1, 6, 0}), twisted);
  text += rod("clamped", 8, line({0, 8, 0}, {1, 8, 0.3}), "clamp = [\"start\", \"end\"]");
  text += rod("clamped_arc", 8, arc({0, 10, 0}, {1, 10, 0}, {0, 0.3, 1}, 2.0), "clamp = [\"start\", 3]\npin = \"end\"");
  text += rod("clamped_twisted", 8, line({0, 12, 0}, {1, 12, 0}), twisted + "clamp = \"start\"");
  if (solver.capabilities.loops)
    text += rod("ring", 16, "{ type = \"circle\", center = [0, 14, 0], axis = [0, 0.5, 1], radius = 0.5 }");
  return text;
}

void rest_stays_at_rest(const SolverInfo& solver) {
  const auto simulation = start(solver, resting_rods(solver), {.tight = false});
  const std::vector<Vec3d> x = simulation->state().x;
  const std::vector<Quatd> q = simulation->state().q;
  advance(*simulation, 20);
  EXPECT_LE(largest_distance(simulation->state().x, x),
            drift(solver, *simulation, 0));  // no force is at work: rounding only
  for (std::size_t s = 0; s < q.size(); ++s)
    EXPECT_NEAR(std::abs(dot(simulation->state().q[s], q[s])), 1, 1e-13) << "segment " << s;
}

// A constant acceleration: methods of the first order are exact for their own law v_n = g n h, x_n = x_0 + h Σ v, those
// of higher order for g t²/2.
void gravity_alone_is_free_fall(const SolverInfo& solver) {
  const auto simulation =
      start(solver, world(h, {1, 0, -gravity}) + material({}) + rod("stick", 6, line({0, 0, 0}, {1, 0, 0})) +
                        rod("bow", 6, arc({0, 2, 0}, {1, 2, 0}, {0, 0, 1}, 2.0), "velocity = [0, 3, 0]"));
  const State at_start = simulation->state();
  const int n = 30;
  advance(*simulation, n);
  const double t = n * h;
  const double fallen = solver.capabilities.order_in_time == 1 ? h * h * n * (n + 1) / 2 : t * t / 2;
  const double tolerance = drift(solver, *simulation, 0.04 * gravity);  // the weight of a vertex, 0.2/6 kg
  for (std::size_t i = 0; i < at_start.x.size(); ++i) {
    const Vec3d expected = at_start.x[i] + t * at_start.v[i] + fallen * Vec3d{1, 0, -gravity};
    EXPECT_LE(norm(simulation->state().x[i] - expected), tolerance) << "vertex " << i;
    EXPECT_LE(norm(simulation->state().v[i] - at_start.v[i] - t * Vec3d{1, 0, -gravity}), 2 * tolerance / t);
  }
}

// a bow that snaps straight while it flies and turns
std::string snapping_bow() {
  return world(h, {}) + material({}) +
         rod("bow", 10, arc({0, 0, 0}, {1, 0, 0}, {0, 0, 1}, 1.5),
             "rest = \"straight\"\nvelocity = [0.3, 0, 0.2]\nangular_velocity = [0.5, 0, 2]");
}

void linear_momentum_is_conserved(const SolverInfo& solver) {
  const auto simulation = start(solver, snapping_bow(), {.tight = false});
  const Vec3d before = linear_momentum(simulation->model(), simulation->state());
  const int n = 60;
  advance(*simulation, n);
  const Vec3d change = linear_momentum(simulation->model(), simulation->state()) - before;
  // unsolved forces at all vertices, always along one direction; forces in the bow are of the size of EI kappa / L²,
  // about 0.2 N
  EXPECT_LE(norm(change), unsolved_share(solver, {.tight = false}) * 0.2 * 11 * n * h + 1e-14 * norm(before));
  EXPECT_GT(largest_distance(simulation->state().x, start(solver, snapping_bow())->state().x), 0.05);  // it did move
}

// Implicit Euler loses up to h² |omega|² of it per step, methods of higher order less; none may gain.
void angular_momentum_is_bounded(const SolverInfo& solver) {
  const auto simulation = start(solver, snapping_bow());
  const auto about_centre = [&] {
    double mass = 0;
    Vec3d center;
    for (std::size_t i = 0; i < simulation->model().vertices.size(); ++i) {
      mass += simulation->model().vertices[i].mass;
      center += simulation->model().vertices[i].mass * simulation->state().x[i];
    }
    const Vec3d p = linear_momentum(simulation->model(), simulation->state());
    return angular_momentum(simulation->model(), simulation->state()) - cross(center / mass, p);
  };
  advance(*simulation, 1);  // without rotational inertia the first step decides how the frames turn
  const double before = norm(about_centre());
  const int n = 60;
  double loss = 0;
  for (int k = 0; k < n; ++k) {
    advance(*simulation, 1);
    double fastest = 0;
    for (const Vec3d& omega : simulation->state().omega) fastest = std::max(fastest, norm(omega));
    loss += std::pow(h * fastest, solver.capabilities.order_in_time + 1);
  }
  const double after = norm(about_centre());
  EXPECT_LE(after, before * (1 + 1e-6));
  EXPECT_GE(after, before * (1 - loss));
  EXPECT_LT(loss, 0.5) << "the bound says nothing";
}

struct Turning {
  double energy;  // kinetic and elastic [J]
  double spin;    // angular momentum [kg m²/s]
};

// a bow after 40 steps
Turning turn_bow(const SolverInfo& solver, double internal_damping, const std::string& more) {
  const Wire wire{.EI1 = 2, .EI2 = 2, .GJ = 1.6, .more = "internal_damping = " + toml(internal_damping)};
  const auto simulation =
      start(solver, world(h, {}) + material(wire) + rod("bow", 8, arc({0, 0, 0}, {1, 0, 0}, {0, 0, 1}, 1.5), more));
  advance(*simulation, 40);
  const Model& model = simulation->model();
  const State& state = simulation->state();
  return {kinetic_energy(model, state) + elastic_energy(model, state), norm(angular_momentum(model, state))};
}

void internal_damping_spares_rigid_rotation(const SolverInfo& solver) {
  // the centrifugal force bends the bow by about rho omega² L⁴ / 50 EI = 1e-2 L; the energy in it, what damping may
  // take, is the square of it
  const std::string turns = "angular_velocity = [0, 0, 1]";
  const Turning free = turn_bow(solver, 0, turns), damped = turn_bow(solver, 0.02, turns);
  EXPECT_NEAR(damped.spin, free.spin, 1e-4 * free.spin);
  EXPECT_NEAR(damped.energy, free.energy, 3e-4 * free.energy);
  // but a bow that snaps straight is braked
  const std::string snaps = "rest = \"straight\"";
  EXPECT_LT(turn_bow(solver, 0.02, snaps).energy, 0.5 * turn_bow(solver, 0, snaps).energy);
}

// what nothing resists may be missing: a straight rod that falls in its plane does not twist
void rods_need_no_twisting_stiffness(const SolverInfo& solver) {
  const auto tip_after_falling = [&](double GJ) {
    const auto simulation = start(solver, world(h, {0, 0, -gravity}) + material({.GJ = GJ}) +
                                              rod("rope", 20, line({0, 0, 0}, {1, 0, 0}), "clamp = \"start\""));
    advance(*simulation, 20);
    return simulation->state().x.back();
  };
  const Vec3d tip = tip_after_falling(0.4);
  EXPECT_LT(tip.z, -0.1);
  EXPECT_LE(norm(tip_after_falling(0) - tip), 1e-6);
}

// rho g = c v in a viscous medium, rho g = rho_air/2 Cd 2r v² in air; all of the rod falls alike
void falling_rods_reach_terminal_velocity(const SolverInfo& solver) {
  const double step = 0.05;
  const auto fall = [&](const std::string& field) {
    const auto simulation = start(solver, world(step, {0, 0, -gravity}) + material({}) +
                                              rod("stick", 6, line({0, 0, 0}, {1, 0, 0})) + "[[field]]\n" + field);
    advance(*simulation, 160);
    return simulation->state().v;
  };
  const double viscous = 0.2 * gravity / 0.5;
  for (const Vec3d& v : fall("type = \"drag\"\ncoefficient = 0.5\n")) EXPECT_LE(norm(v - Vec3d{0, 0, -viscous}), 1e-6);
  const double in_air = std::sqrt(0.2 * gravity / (0.5 * 1.225 * 1.2 * 0.04));
  for (const Vec3d& v : fall("type = \"wind\"\nvelocity = [0, 0, 0]\ndrag = 1.2\n"))
    EXPECT_LE(norm(v - Vec3d{0, 0, -in_air}), 1e-6);
  // and drift with the wind across them
  for (const Vec3d& v : fall("type = \"wind\"\nvelocity = [0, 4, 3]\ndrag = 1.2\n")) EXPECT_NEAR(v.y, 4, 0.05);
}

}  // namespace

std::vector<Property> motion_properties() {
  return {
      {"rest_stays_at_rest", rest_stays_at_rest},
      {"gravity_alone_is_free_fall", gravity_alone_is_free_fall},
      {"linear_momentum_is_conserved", linear_momentum_is_conserved},
      {"angular_momentum_is_bounded", angular_momentum_is_bounded},
      {"internal_damping_spares_rigid_rotation",
       internal_damping_spares_rigid_rotation,
       {&Capabilities::internal_damping}},
      {"rods_need_no_twisting_stiffness", rods_need_no_twisting_stiffness},
      {"falling_rods_reach_terminal_velocity", falling_rods_reach_terminal_velocity},
  };
}

}  // namespace tendril::app::conformance
