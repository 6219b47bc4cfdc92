// rods, bodies and driven obstacles that meet: nothing passes through anything, momentum goes from one to the other

#include <cmath>

#include "conformance_contact.h"
#include "physics/orbital_momentum.h"
#include "rod/momentum.h"

namespace tendril::app::conformance {
namespace {

std::string velocity(const Vec3d& v) { return "velocity = " + physics::toml(v); }

// one rod comes from above across the other at the given speed, both free, without gravity
std::string colliding_rods(const RealMaterial& material, double h, double speed, double mu) {
  const double lift = 1.5 * material.radius, half = length / 2;
  return toml(World{h, {}}) + toml(material, mu) +
         contact_rod(material, "lower", {-half, 0, -lift}, {half, 0, -lift}, velocity({0, 0, speed / 2})) +
         contact_rod(material, "upper", {0.01, -0.4 * length, lift}, {0.01, 0.6 * length, lift},
                     velocity({0.5, 0.3, -speed / 2}));
}

// Steps that a solver leaves unsolved lose some of it: hair that flies 200 of its diameters in a step.
const std::vector<KnownMiss> momentum_lost_by_rods{{"projective", "hair", 1.0 / 60, 5e-5}};

void colliding_rods_keep_their_momentum(const SolverInfo& solver, const RealMaterial& material, double h) {
  const auto sim = start_contact(solver, colliding_rods(material, h, 1, 0.3));
  const Model& model = sim->model();
  const Vec3d whole = linear_momentum(model, sim->state());
  const Vec3d lower = physics::momentum_of(model, model.rods.front(), sim->state());
  for (int n = 0; n < 20; ++n) sim->step();
  const double exchanged = norm(physics::momentum_of(model, model.rods.front(), sim->state()) - lower);
  EXPECT_GT(exchanged, 0.1 * norm(lower)) << "they met";
  EXPECT_LE(norm(linear_momentum(model, sim->state()) - whole) / exchanged,
            bound_or_known(1e-8, momentum_lost_by_rods, solver, material, h));
}

// The forces of contact have no moment in sum, and what a step of the first order changes all the same is known: see
// physics/orbital_momentum.h. Counted over the steps at whose end rods touch: in others a solver may give back what
// such a step takes. Without friction, which acts at centrelines where a solver has no rotational inertia. Judged until
// the first step that is not solved, which is after the collision. In a step no rod comes nearer than by a few
// diameters.
void colliding_rods_keep_their_angular_momentum(const SolverInfo& solver, const RealMaterial& material, double h) {
  if (solver.capabilities.order_in_time != 1) return;
  const double speed = std::min(1.0, 5 * material.radius / h);
  const auto sim = start_contact(solver, colliding_rods(material, h, speed, 0), {.is_tight = true});
  const Model& model = sim->model();
  const double scale = physics::impetus(model, sim->state()) * length;
  Vec3d off;  // what contact changed, which should be nothing
  int contacts = 0;
  for (int n = 0; n < 20; ++n) {
    const StepReport report = sim->step();
    if (!report.converged) break;
    contacts += report.contacts;
    ASSERT_EQ(report.divisions, 0);
    off += physics::orbit_changed_by_contact(*sim, report);
    ASSERT_LE(norm(off) / scale, 1e-8) << "step " << n;
  }
  EXPECT_GT(contacts, 0) << "they met";
}

// they come nearer by 40 mm in a step, twenty times their thickness or more: they may meet and part within one
void fast_rods_do_not_pass_through_each_other(const SolverInfo& solver, const RealMaterial& material, double h) {
  const auto sim = start_contact(solver, colliding_rods(material, h, 0.04 / h, 0.3), {.check_crossings = true});
  const Model& model = sim->model();
  const auto momentum = [&] { return physics::momentum_of(model, model.rods.front(), sim->state()); };
  const Vec3d before = momentum();
  for (int n = 0; n < 10; ++n) EXPECT_GT(sim->step().smallest_gap, 0);
  EXPECT_GT(norm(momentum() - before), 0.1 * norm(before)) << "they met";
}

// a whole length in a step
void fast_rods_do_not_pass_through_the_floor(const SolverInfo& solver, const RealMaterial& material, double h) {
  const double low = material.radius + 0.03;
  const auto sim = start_contact(
      solver,
      toml(World{h}) + toml(material, friction) +
          contact_rod(material, "rod", {0, 0, low}, {0.8 * length, 0, low + 0.05}, velocity({0, 0, -length / h})) +
          level_floor,
      {.check_crossings = true});
  for (int n = 0; n < 10; ++n) {
    EXPECT_GT(sim->step().smallest_gap, 0);
    for (const Vec3d& x : sim->state().x) EXPECT_GT(x.z, material.radius);
  }
}

// A box goes against a free rod at a steady speed, face first: the rod leaves with at least that speed, and with at
// most twice of it if nothing is lost. The rod is a little oblique, so that one end is hit first.
void a_driven_box_strikes_a_free_rod(const SolverInfo& solver, const RealMaterial& material, double h) {
  const double speed = 1, ahead = material.radius + 1e-3;
  const auto sim = start_contact(
      solver,
      toml(World{h, {}}) + toml(material, 0) +
          contact_rod(material, "rod", {ahead, -length / 2, 0}, {ahead + 1e-4, length / 2, 0}) +
          "[[obstacle]]\nname = \"box\"\nshape = \"box\"\ncenter = [-0.02, 0, 0]\nsize = [0.04, 0.3, 0.1]\n"
          "[[drive]]\nobstacle = \"box\"\ntranslate = { velocity = [1, 0, 0] }\n",
      {.check_crossings = true});
  while (sim->time() < 0.05) {
    EXPECT_GT(sim->step().smallest_gap, 0);
    for (const Vec3d& x : sim->state().x) EXPECT_GT(x.x, speed * sim->time() + material.radius);
  }
  const Vec3d momentum = linear_momentum(sim->model(), sim->state());
  const double mass = mass_of_vertices(sim->model());
  EXPECT_GT(momentum.x, 0.999 * mass * speed);
  EXPECT_LT(momentum.x, 2.001 * mass * speed);
  EXPECT_LT(std::hypot(momentum.y, momentum.z), 1e-8 * mass * speed) << "its face is smooth";
}

// a sphere lifts the middle of a rod that is held at its start, by a tenth of its length
void a_driven_sphere_lifts_a_held_rod(const SolverInfo& solver, const RealMaterial& material, double h) {
  const double ball = 0.01, speed = 0.1, under = -ball - 1.2 * material.radius;
  const auto sim = start_contact(
      solver,
      toml(World{h, {}}) + toml(material, friction) +
          contact_rod(material, "rod", {-length / 2, 0, 0}, {length / 2, 0, 0}, "clamp = \"start\"") +
          fmt::format("[[obstacle]]\nname = \"ball\"\nshape = \"sphere\"\ncenter = [0, 0, {:.17g}]\nradius = {}\n",
                      under, ball) +
          "friction = 0.4\n[[drive]]\nobstacle = \"ball\"\ntranslate = { velocity = [0, 0, 0.1] }\n",
      {.check_crossings = true});
  while (sim->time() < 0.1) {
    EXPECT_GT(sim->step().smallest_gap, 0);
    const Vec3d center{0, 0, under + speed * sim->time()};
    for (const Vec3d& x : sim->state().x) EXPECT_GT(norm(x - center), ball + material.radius);
  }
  EXPECT_GT(sim->state().x[segments / 2].z, 0.8 * speed * sim->time()) << "it is above the ball";
}

// a free ball as heavy as the rod, which hits it off its middle
void a_rod_and_a_free_body_exchange_momentum(const SolverInfo& solver, const RealMaterial& material, double h) {
  const double ball = 0.01, mass = material.linear_density() * length, gap = 1e-3 + material.radius;
  const auto sim = start_contact(
      solver,
      toml(World{h, {}}) + toml(material, 0.3) +
          contact_rod(material, "rod", {-ball - gap, -0.3 * length, 0}, {-ball - gap, 0.7 * length, 0},
                      velocity({1, 0, 0.1})) +
          fmt::format("[[body]]\nname = \"ball\"\nmass = {:.17g}\nshape = {{ shape = \"sphere\", radius = {} }}\n",
                      mass, ball),
      {.check_crossings = true});
  const Model& model = sim->model();
  const Vec3d whole = linear_momentum(model, sim->state());
  for (int n = 0; n < 20; ++n) EXPECT_GT(sim->step().smallest_gap, 0);
  const double taken = mass * norm(sim->state().body_v.front());
  EXPECT_GT(taken, 0.1 * norm(whole)) << "they met";
  EXPECT_LE(norm(linear_momentum(model, sim->state()) - whole) / taken, bound_or_known(1e-8, {}, solver, material, h));
}

}  // namespace

std::vector<Property> collision_properties() {
  const std::vector<bool Capabilities::*> with_bodies{&Capabilities::contact, &Capabilities::bodies};
  return for_real_rods({
      {"rods_that_collide_keep_their_momentum", colliding_rods_keep_their_momentum},
      {"rods_that_collide_keep_their_angular_momentum", colliding_rods_keep_their_angular_momentum},
      {"rods_that_are_fast_do_not_pass_through_each_other", fast_rods_do_not_pass_through_each_other},
      {"rods_that_are_fast_do_not_pass_through_the_floor", fast_rods_do_not_pass_through_the_floor},
      {"rod_is_struck_by_a_driven_box", a_driven_box_strikes_a_free_rod},
      {"rod_is_lifted_by_a_driven_sphere", a_driven_sphere_lifts_a_held_rod},
      {"rod_and_free_body_exchange_momentum", a_rod_and_a_free_body_exchange_momentum, with_bodies},
  });
}

}  // namespace tendril::app::conformance
