// Coulomb's law: a threshold below which nothing creeps, and a force of mu times the normal one above it

#include <cmath>

#include "conformance_contact.h"
#include "rod/momentum.h"

namespace tendril::app::conformance {
namespace {

// J_t = μ J_n while it slides, also in the steps in which it lands: J_n = Δp_z + m g t, J_t = -Δp_x
void sliding_friction_is_mu_times_the_normal_force(const SolverInfo& solver, const RealMaterial& material, double h) {
  const double low = material.radius + 2e-3;
  const auto sim = start_contact(
      solver, toml(World{h}) + toml(material, friction) +
                  contact_rod(material, "rod", {0, 0, low}, {length, 0, low}, "velocity = [2, 0, 0]") + level_floor);
  const auto momentum = [&] { return linear_momentum(sim->model(), sim->state()); };
  const double mass = mass_of_vertices(sim->model());
  const Vec3d before = momentum();
  do {
    sim->step();
  } while (sim->time() < 0.1 && momentum().x > 0.1 * mass);
  const Vec3d change = momentum() - before;
  const double normal = change.z + mass * physics::standard_gravity * sim->time();
  EXPECT_GT(normal, 0.5 * mass * physics::standard_gravity * 0.1) << "it landed";
  EXPECT_NEAR(-change.x / normal, friction, 0.01 * friction) << "at " << sim->time() << " s";
}

// how far a rod on a slope came, and how fast it is; gravity is tilted, the floor is level
struct Slid {
  double way = 0, acceleration = 0;  // [m], [m/s²]
};

Slid on_slope(const SolverInfo& solver, const RealMaterial& material, double h, double angle) {
  const double low = 1.09 * material.radius, seconds = 0.3;
  const Vec3d pull = physics::standard_gravity * Vec3d{std::sin(angle), 0, -std::cos(angle)};
  const auto sim = start_contact(solver, toml(World{h, pull}) + toml(material, friction) +
                                             contact_rod(material, "rod", {0, 0, low}, {length, 0, low}) + level_floor);
  const auto middle = [&] { return sim->state().x[segments / 2].x; };
  const auto speed = [&] { return sim->state().v[segments / 2].x; };
  run_until(*sim, seconds);
  const double x = middle(), v = speed();
  run_until(*sim, 2 * seconds);
  return {middle() - x, (speed() - v) / seconds};
}

void rods_stick_below_the_friction_angle_and_slide_above(const SolverInfo& solver, const RealMaterial& material,
                                                         double h) {
  const double limit = std::atan(friction), below = limit - 0.05, above = limit + 0.15;
  EXPECT_LE(std::abs(on_slope(solver, material, h, below).way), 1e-6) << "it creeps";
  const double expected = physics::standard_gravity * (std::sin(above) - friction * std::cos(above));
  EXPECT_NEAR(on_slope(solver, material, h, above).acceleration, expected, 0.01 * expected);
}

// A steel wire of a metre lands while it slides. Whatever its bounces are, the floor has carried m g t when it lies
// again, so that friction has taken μ g t of its speed, and the energy of that.
void a_landing_wire_is_slowed_by_mu_g_t(const SolverInfo& solver) {
  constexpr double speed = 2, seconds = 0.3;
  const RealMaterial& steel = physics::real_materials().front();
  const auto sim = start_contact(
      solver,
      toml(World{4e-3}) + toml(steel, friction) +
          toml(RodText{"wire", steel.name, 50, physics::line({0, 0, 3e-3}, {1, 0, 3e-3}), "velocity = [2, 0, 0]"}) +
          level_floor);
  run_until(*sim, seconds);
  const double mass = mass_of_vertices(sim->model()), left = linear_momentum(sim->model(), sim->state()).x / mass;
  const double expected = speed - friction * physics::standard_gravity * seconds;
  EXPECT_NEAR(left, expected, 0.01 * expected);
  const double lost = 0.5 * mass * (speed * speed - left * left);
  EXPECT_NEAR(sim->contact().friction_work(), lost, 0.02 * lost);
}

}  // namespace

std::vector<Property> friction_properties() {
  const std::vector<bool Capabilities::*> needs{&Capabilities::contact, &Capabilities::friction};
  std::vector<Property> all = for_real_rods({
      {"sliding_friction_is_mu_times_the_normal_force", sliding_friction_is_mu_times_the_normal_force, needs},
      {"rods_stick_below_the_friction_angle_and_slide_above", rods_stick_below_the_friction_angle_and_slide_above,
       needs},
  });
  all.push_back({"a_landing_wire_is_slowed_by_mu_g_t", a_landing_wire_is_slowed_by_mu_g_t, needs});
  return all;
}

}  // namespace tendril::app::conformance
