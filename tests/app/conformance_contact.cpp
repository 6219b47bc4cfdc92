// contact and friction: what holds for rods of every real material, under default settings

#include <algorithm>
#include <cmath>

#include "conformance.h"
#include "physics/real_rods.h"
#include "rod/momentum.h"
#include "run_scene.h"

namespace tendril::conformance {
namespace {

using physics::RealMaterial;
using physics::RodText;
using physics::World;

constexpr double length = 0.1;  // of every rod [m]
constexpr int segments = 10;
constexpr double friction = 0.4;
constexpr double time_steps[] = {5e-3, 1e-3};  // [s]
const char* const floor_plane = "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\nfriction = 0.4\n";

std::string rod(const RealMaterial& material, const std::string& name, const Vec3d& from, const Vec3d& to,
                const std::string& more = "") {
  return toml(RodText{name, material.name, segments, physics::line(from, to), more});
}

std::unique_ptr<Simulation> start_contact(const SolverInfo& solver, const std::string& scene,
                                          bool check_crossings = false) {
  return make_simulation(load_scene_text(scene, "conformance", {}, solver.name), check_crossings);
}

double fastest(const State& state) {
  double speed = 0;
  for (const Vec3d& v : state.v) speed = std::max(speed, norm(v));
  return speed;
}

// one end 1 mm lower than the other, 2 mm above the floor
void dropped_rods_come_to_rest_above_the_floor(const SolverInfo& solver, const RealMaterial& material) {
  for (double h : time_steps) {
    SCOPED_TRACE(h);
    const double low = material.radius + 2e-3;
    const auto sim =
        start_contact(solver, toml(World{h}) + toml(material, friction) +
                                  rod(material, "rod", {0, 0, low}, {length, 0, low + 1e-3}) + floor_plane);
    double gap = forever;
    while (sim->time() < 0.5) gap = std::min(gap, sim->step().smallest_gap);
    EXPECT_GT(gap, 0);
    for (const Vec3d& x : sim->state().x) {
      EXPECT_GT(x.z, material.radius);
      EXPECT_LT(x.z, 2 * material.radius) << "it lies on the floor, above which a barrier begins within a radius";
    }
    EXPECT_LT(fastest(sim->state()), 1e-3) << "it hit the floor at 0.2 m/s";
  }
}

// J_t = μ J_n while it slides, also in the steps in which it lands: J_n = Δp_z + m g t, J_t = -Δp_x
void sliding_friction_is_mu_times_the_normal_force(const SolverInfo& solver, const RealMaterial& material) {
  for (double h : time_steps) {
    SCOPED_TRACE(h);
    const double low = material.radius + 2e-3;
    const auto sim = start_contact(
        solver, toml(World{h}) + toml(material, friction) +
                    rod(material, "rod", {0, 0, low}, {length, 0, low}, "velocity = [2, 0, 0]") + floor_plane);
    const auto momentum = [&] { return linear_momentum(sim->model(), sim->state()); };
    const double mass = physics::mass_of(sim->model(), sim->model().rods.front());
    const Vec3d before = momentum();
    do {
      sim->step();
    } while (sim->time() < 0.1 && momentum().x > 0.1 * mass);
    const Vec3d change = momentum() - before;
    EXPECT_NEAR(-change.x / (change.z + mass * physics::standard_gravity * sim->time()), friction, 0.01 * friction)
        << "at " << sim->time() << " s";
  }
}

// how far a rod on a slope came, and how fast it is; gravity is tilted, the floor is level
struct Slid {
  double way = 0, acceleration = 0;  // [m], [m/s²]
};

Slid on_slope(const SolverInfo& solver, const RealMaterial& material, double angle) {
  const double low = 1.09 * material.radius, seconds = 0.3;
  const Vec3d pull = physics::standard_gravity * Vec3d{std::sin(angle), 0, -std::cos(angle)};
  const auto sim = start_contact(solver, toml(World{5e-3, pull}) + toml(material, friction) +
                                             rod(material, "rod", {0, 0, low}, {length, 0, low}) + floor_plane);
  const auto middle = [&] { return sim->state().x[segments / 2].x; };
  const auto speed = [&] { return sim->state().v[segments / 2].x; };
  while (sim->time() < seconds) sim->step();
  const double x = middle(), v = speed();
  while (sim->time() < 2 * seconds) sim->step();
  return {middle() - x, (speed() - v) / seconds};
}

void rods_stick_below_the_friction_angle_and_slide_above(const SolverInfo& solver, const RealMaterial& material) {
  const double limit = std::atan(friction), below = limit - 0.05, above = limit + 0.15;
  EXPECT_LE(std::abs(on_slope(solver, material, below).way), 1e-6) << "it creeps";
  const double expected = physics::standard_gravity * (std::sin(above) - friction * std::cos(above));
  EXPECT_NEAR(on_slope(solver, material, above).acceleration, expected, 0.01 * expected);
}

// one rod comes from above across the other at the given speed, both free, without gravity
std::string colliding_rods(const RealMaterial& material, double h, double speed) {
  const double lift = 1.5 * material.radius, half = length / 2;
  return toml(World{h, {}}) + toml(material, 0.3) +
         rod(material, "lower", {-half, 0, -lift}, {half, 0, -lift},
             "velocity = " + physics::toml(Vec3d{0, 0, speed / 2})) +
         rod(material, "upper", {0.01, -0.4 * length, lift}, {0.01, 0.6 * length, lift},
             "velocity = " + physics::toml(Vec3d{0.5, 0.3, -speed / 2}));
}

void colliding_rods_keep_their_momentum(const SolverInfo& solver, const RealMaterial& material) {
  for (double h : time_steps) {
    SCOPED_TRACE(h);
    const auto sim = start_contact(solver, colliding_rods(material, h, 1));
    const Model& model = sim->model();
    const Vec3d whole = linear_momentum(model, sim->state());
    const Vec3d lower = physics::momentum_of(model, model.rods.front(), sim->state());
    for (int n = 0; n < 20; ++n) sim->step();
    const double exchanged = norm(physics::momentum_of(model, model.rods.front(), sim->state()) - lower);
    EXPECT_GT(exchanged, 0.1 * norm(lower)) << "they met";
    EXPECT_LE(norm(linear_momentum(model, sim->state()) - whole), 1e-8 * exchanged);
  }
}

// at 8 m/s they come nearer by 40 mm in a step of 5 ms, forty times their radius or more: they may meet and part
// within one
void nothing_passes_through(const SolverInfo& solver, const RealMaterial& material) {
  const auto rods = start_contact(solver, colliding_rods(material, 5e-3, 8), true);
  const Model& model = rods->model();
  const auto momentum = [&] { return physics::momentum_of(model, model.rods.front(), rods->state()); };
  const Vec3d before = momentum();
  for (int n = 0; n < 10; ++n) EXPECT_GT(rods->step().smallest_gap, 0);
  EXPECT_GT(norm(momentum() - before), 0.1 * norm(before)) << "they met";
  const double low = material.radius + 0.03;
  const auto on_floor = start_contact(
      solver,
      toml(World{5e-3}) + toml(material, friction) +
          rod(material, "rod", {0, 0, low}, {0.8 * length, 0, low + 0.05}, "velocity = [0, 0, -20]") + floor_plane,
      true);
  for (int n = 0; n < 10; ++n) {
    EXPECT_GT(on_floor->step().smallest_gap, 0);
    for (const Vec3d& x : on_floor->state().x) EXPECT_GT(x.z, material.radius);
  }
}

}  // namespace

std::vector<Property> contact_properties() {
  using Check = void (*)(const SolverInfo&, const RealMaterial&);
  const std::vector<std::pair<std::string, Check>> checks = {
      {"dropped_rods_come_to_rest_above_the_floor", dropped_rods_come_to_rest_above_the_floor},
      {"sliding_friction_is_mu_times_the_normal_force", sliding_friction_is_mu_times_the_normal_force},
      {"rods_stick_below_the_friction_angle_and_slide_above", rods_stick_below_the_friction_angle_and_slide_above},
      {"colliding_rods_keep_their_momentum", colliding_rods_keep_their_momentum},
      {"nothing_passes_through", nothing_passes_through},
  };
  std::vector<Property> properties;
  for (const auto& [name, check] : checks)
    for (const RealMaterial& material : physics::real_materials())
      properties.push_back({material.name + "_" + name,
                            [check = check, material](const SolverInfo& solver) { check(solver, material); },
                            {&Capabilities::contact, &Capabilities::friction}});
  return properties;
}

}  // namespace tendril::conformance
