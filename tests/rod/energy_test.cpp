#include "rod/energy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numbers>

#include "math/random.h"
#include "rod/chain.h"
#include "rod/momentum.h"

namespace tendril::rod {
namespace {

using std::numbers::pi;

Vec3d random_vector(Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

// every kind of bend: along the rod, curved at rest, anisotropic, to a body, with a turn, with a free spin on either
// side
Chain crooked_chain(double disorder) {
  Chain c = make_chain({.segments = 5, .EI1 = 2, .EI2 = 0.7, .GJ = 0.4, .internal_damping = 0.3, .clamped = true});
  c.model.holds.push_back({});
  const int second = add_clamp(c, 5, {4}, 1);
  Random random(7);
  for (Bend& bend : c.model.bends) bend.rest = quaternion_exp(random_vector(random, 0.5));
  c.model.bends[1].turn = quaternion_exp({1.2, 0.3, -0.4});
  c.model.bends[1].rest = Quatd{};
  c.state.q[2] = c.state.q[2] * conjugate(c.model.bends[1].turn);
  Bend axis = c.model.bends.back();
  axis.GJ = 0;
  c.model.bends.push_back(axis);
  axis.a = {second, true}, axis.b = {3, false};
  c.model.bends.push_back(axis);

  for (Vec3d& x : c.state.x) x += random_vector(random, 0.1 * disorder);
  for (Quatd& q : c.state.q) q = quaternion_exp(random_vector(random, disorder)) * q;
  for (Quatd& q : c.state.body_q) q = quaternion_exp(random_vector(random, disorder)) * q;
  for (Vec3d& v : c.state.v) v = random_vector(random, 1);
  for (Vec3d& w : c.state.omega) w = random_vector(random, 1);
  for (Vec3d& w : c.state.body_omega) w = random_vector(random, 1);
  return c;
}

// -dE/du along one degree of freedom against central differences
void expect_gradient(const Chain& c, const std::function<void(State&, double)>& move, double force) {
  const double step = 1e-6;
  State plus = c.state, minus = c.state;
  move(plus, step), move(minus, -step);
  const double slope = (elastic_energy(c.model, plus) - elastic_energy(c.model, minus)) / (2 * step);
  EXPECT_NEAR(force, -slope, 1e-7 * (1 + std::abs(slope)));
}

void expect_all_gradients(const Chain& c) {
  Forces forces = Forces::zero(c.model);
  add_elastic_forces(c.model, c.state, forces);
  double largest = 0;
  for (int k = 0; k < 3; ++k) {
    const auto turned = [k](Quatd& q, double step) {
      Vec3d angle;
      angle[k] = step;
      q = quaternion_exp(angle) * q;
    };
    for (std::size_t i = 0; i < c.state.x.size(); ++i) {
      expect_gradient(
          c, [&](State& s, double step) { s.x[i][k] += step; }, forces.force[i][k]);
      largest = std::max(largest, std::abs(forces.force[i][k]));
    }
    for (std::size_t s = 0; s < c.state.q.size(); ++s)
      expect_gradient(
          c, [&](State& state, double step) { turned(state.q[s], step); }, forces.moment[s][k]);
    for (std::size_t b = 0; b < c.state.body_q.size(); ++b) {
      expect_gradient(
          c, [&](State& state, double step) { turned(state.body_q[b], step); }, forces.body_moment[b][k]);
      largest = std::min(largest, norm(forces.body_moment[b]) * 1e3);
    }
  }
  EXPECT_GT(largest, 1) << "the state is too near to rest to test anything";
}

TEST(energy, gradient_is_the_finite_difference) {
  expect_all_gradients(crooked_chain(0.3));
  expect_all_gradients(crooked_chain(0.9));
}

// hardly anything holds it against twisting, so some bends have turned by more than pi
TEST(energy, gradient_of_what_is_soft_in_twist) {
  Chain c = crooked_chain(0.9);
  for (Bend& bend : c.model.bends) bend.GJ *= 1e-4;
  for (std::size_t s = 0; s < c.state.q.size(); ++s) c.state.q[s] = c.state.q[s] * quaternion_exp({0, 0, 4.0 * s});
  expect_all_gradients(c);
  EXPECT_TRUE(std::any_of(c.model.bends.begin(), c.model.bends.end(), [&](const Bend& bend) {
    return norm(bend_strain(bend, c.state).angle + quaternion_log(bend.rest)) > pi;
  }));
}

// a bend that is twisted on and on, and the whole turns that are taken off
TEST(energy, does_not_jump_where_another_turn_is_cheaper) {
  const Vec3d K{2, 3, 2e-4}, rest{0.2, 0.1, 0};
  double last_energy = 0, last_angle = 0;
  int changes = 0;
  for (int n = 0; n < 250'000; ++n) {
    const Quatd half = quaternion_exp({0, 0, 0.5e-4 * n}), turned = half * quaternion_exp({0.25, 0.05, 0}) * half;
    const Vec3d strain = bend_strain({}, turned, quaternion_exp(rest), K).angle;
    const double energy = 0.5 * dot(strain, scale(K, strain)), angle = norm(strain + rest);
    if (n > 0) {
      EXPECT_LT(std::abs(energy - last_energy), 1e-4) << "twisted by " << 1e-4 * n;
      changes += std::abs(angle - last_angle) > 0.1;
    }
    last_energy = energy, last_angle = angle;
  }
  EXPECT_GT(changes, 3);
}

TEST(energy, forces_have_no_net_force_or_moment) {
  const Chain c = crooked_chain(0.5);
  for (const auto add : {add_elastic_forces, add_internal_damping}) {
    Forces f = Forces::zero(c.model);
    add(c.model, c.state, f);
    Vec3d force, moment;
    double size = 0;
    for (std::size_t i = 0; i < f.force.size(); ++i) {
      force += f.force[i], moment += cross(c.state.x[i], f.force[i]);
      size += norm(f.force[i]);
    }
    for (const Vec3d& m : f.moment) moment += m;
    for (const Vec3d& m : f.body_moment) moment += m;
    EXPECT_GT(size, 1);
    EXPECT_LT(norm(force), 1e-13 * size);
    EXPECT_LT(norm(moment), 1e-13 * size);
  }
}

// E = EA e² L/2 for a stretch, GJ phi²/2L for a twist, EI phi²/2L for an arc of angle phi
TEST(energy, closed_forms) {
  Chain c = make_chain({.segments = 10, .length = 2, .EA = 300, .EI1 = 5, .EI2 = 7, .GJ = 3});
  for (Vec3d& x : c.state.x) x.x *= 1.1;
  EXPECT_NEAR(stretch_energy(c.model, c.state), 0.5 * 300 * 0.01 * 2, 1e-10);
  EXPECT_NEAR(largest_stretch(c.model, c.state), 0.1, 1e-14);

  const double phi = 2.5, per_bend = phi / 9, length = 9 * 0.2;
  const double stiffness[3] = {5, 7, 3};
  for (int k = 0; k < 3; ++k) {
    Chain bent = make_chain({.segments = 10, .length = 2, .EI1 = 5, .EI2 = 7, .GJ = 3});
    Vec3d turn;
    turn[k] = per_bend;
    for (int s = 1; s < 10; ++s) bent.state.q[s] = bent.state.q[s - 1] * quaternion_exp(turn);
    EXPECT_NEAR(bend_energy(bent.model, bent.state), 0.5 * stiffness[k] * phi * phi / length, 1e-10) << k;
  }
}

TEST(energy, sign_of_a_frame_means_nothing) {
  Chain c = crooked_chain(0.5);
  const double energy = elastic_energy(c.model, c.state);
  EXPECT_GT(energy, 1);
  for (std::size_t s = 0; s < c.state.q.size(); s += 2) c.state.q[s] = -c.state.q[s];
  EXPECT_DOUBLE_EQ(elastic_energy(c.model, c.state), energy);
}

// a held axis: the misalignment costs EI phi²/2l whatever the spin; spinning about the axis is free even when bent
TEST(energy, held_axis_leaves_the_spin_free) {
  for (const bool body_first : {false, true}) {
    Chain c = make_chain({.segments = 1, .EI1 = 2, .EI2 = 2});
    const int body = add_clamp(c, 0, {0}, -1);
    Bend& bend = c.model.bends[0];
    bend.GJ = 0;
    if (body_first) std::swap(bend.a, bend.b);
    const double phi = 0.8, expected = 0.5 * 2 * phi * phi / bend.length;
    c.state.q[0] = c.state.q[0] * quaternion_exp({phi, 0, 0});
    for (double spin : {0.0, 1.0, 3.0, -2.0}) {
      State turned = c.state;
      turned.q[0] = turned.q[0] * quaternion_exp({0, 0, spin});
      EXPECT_NEAR(bend_energy(c.model, turned), expected, 1e-12);
      turned.q[0] = quaternion_exp(spin * director3(turned.body_q[body])) * turned.q[0];
      EXPECT_NEAR(bend_energy(c.model, turned), expected, 1e-12);
    }
  }
}

// the power of internal damping is minus twice its dissipation; a rigid motion loses nothing
TEST(energy, internal_damping_brakes_strain_only) {
  Chain c = crooked_chain(0.5);
  const auto power = [&] {
    Forces f = Forces::zero(c.model);
    add_internal_damping(c.model, c.state, f);
    double sum = 0;
    for (std::size_t i = 0; i < f.force.size(); ++i) sum += dot(f.force[i], c.state.v[i]);
    for (std::size_t s = 0; s < f.moment.size(); ++s) sum += dot(f.moment[s], c.state.omega[s]);
    for (std::size_t b = 0; b < f.body_moment.size(); ++b) sum += dot(f.body_moment[b], c.state.body_omega[b]);
    return sum;
  };
  EXPECT_LT(power(), -1);
  const Vec3d omega{0.3, -1, 2}, velocity{1, 2, 3};
  for (std::size_t i = 0; i < c.state.v.size(); ++i) c.state.v[i] = velocity + cross(omega, c.state.x[i]);
  for (Vec3d& w : c.state.omega) w = omega;
  for (Vec3d& w : c.state.body_omega) w = omega;
  EXPECT_NEAR(power(), 0, 1e-10);
}

// the elastic moment of strain rate equals the difference quotient of elastic moments for a linear law at rest
TEST(energy, internal_damping_is_eta_times_the_rate_of_stress) {
  Chain c = make_chain({.segments = 4, .EI1 = 2, .EI2 = 3, .GJ = 4, .internal_damping = 0.25});
  Random random(3);
  for (Vec3d& v : c.state.v) v = random_vector(random, 1);
  for (Vec3d& w : c.state.omega) w = random_vector(random, 1);
  Forces damping = Forces::zero(c.model), elastic = Forces::zero(c.model);
  add_internal_damping(c.model, c.state, damping);
  const double step = 1e-7;
  State later = c.state;
  for (std::size_t i = 0; i < later.x.size(); ++i) later.x[i] += step * later.v[i];
  for (std::size_t s = 0; s < later.q.size(); ++s) later.q[s] = quaternion_exp(step * later.omega[s]) * later.q[s];
  add_elastic_forces(c.model, later, elastic);
  for (std::size_t i = 0; i < later.x.size(); ++i)
    EXPECT_LT(norm(damping.force[i] - (0.25 / step) * elastic.force[i]), 1e-4 * (1 + norm(damping.force[i])));
  for (std::size_t s = 0; s < later.q.size(); ++s)
    EXPECT_LT(norm(damping.moment[s] - (0.25 / step) * elastic.moment[s]), 1e-4 * (1 + norm(damping.moment[s])));
}

// a rod that turns about its own centre: J = rho L³/12 + rho r² L/4, and as a point mass it has L = m x × v
TEST(momentum, of_a_rigid_rotation) {
  const int n = 400;
  Chain c = make_chain({.segments = n, .length = 1, .linear_density = 2, .radius = 0.1});
  const Vec3d omega{0, 0, 3}, velocity{1, 0, 0};
  for (std::size_t i = 0; i < c.state.x.size(); ++i) {
    c.state.v[i] = velocity + cross(omega, c.state.x[i] - Vec3d{0.5, 0, 0});
    c.state.x[i] += Vec3d{0, 4, 0};
  }
  for (Vec3d& w : c.state.omega) w = omega;
  const double J = 2.0 / 12 + 2 * 0.01 / 4;
  EXPECT_NEAR(kinetic_energy(c.model, c.state), 0.5 * J * 9 + 0.5 * 2, 1e-4);
  EXPECT_NEAR(angular_momentum(c.model, c.state).z, J * 3 - 2 * 4, 1e-4);
  EXPECT_NEAR(linear_momentum(c.model, c.state).x, 2, 1e-12);
}

TEST(momentum, bodies_count_when_they_are_free) {
  Chain c = make_chain({.segments = 1, .linear_density = 0});
  const int body = add_clamp(c, 1, {}, -1);
  c.model.bodies[body].mass = 3, c.model.bodies[body].inertia = {1, 2, 3};
  c.state.body_v[body] = {0, 1, 0}, c.state.body_omega[body] = {0, 2, 0};
  EXPECT_EQ(kinetic_energy(c.model, c.state), 0);
  c.model.bodies[body].kind = BodyKind::dynamic;
  EXPECT_DOUBLE_EQ(kinetic_energy(c.model, c.state), 0.5 * 3 + 0.5 * 2 * 4);
  EXPECT_DOUBLE_EQ(angular_momentum(c.model, c.state).z, 3);
  EXPECT_DOUBLE_EQ(angular_momentum(c.model, c.state).y, 4);
  c.state.body_x[body] = {0, 0, 2};
  EXPECT_DOUBLE_EQ(gravity_energy(c.model, c.state), 3 * 9.81 * 2);
}

TEST(energy, external_damping_is_c_times_the_momentum) {
  Chain c = make_chain({.damping = 1.5});
  for (Vec3d& v : c.state.v) v = {0.1, 0.2, 0.3};
  for (Vec3d& w : c.state.omega) w = {0.4, 0, 0};
  Forces f = Forces::zero(c.model);
  add_external_damping(c.model, c.state, f);
  Vec3d force, moment;
  for (const Vec3d& a : f.force) force += a;
  for (const Vec3d& a : f.moment) moment += a;
  EXPECT_LT(norm(force + 1.5 * linear_momentum(c.model, c.state)), 1e-14);
  EXPECT_NEAR(moment.x, -1.5 * 0.5 * 0.02 * 0.02 * 0.5 * 0.4, 1e-16);
}

}  // namespace
}  // namespace tendril::rod
