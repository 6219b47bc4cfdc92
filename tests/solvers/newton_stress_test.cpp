#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

#include "contact/contact.h"
#include "math/thread_team.h"
#include "rod/energy.h"
#include "rod/momentum.h"
#include "solvers/newton/options.h"
#include "solvers/newton/system.h"
#include "solvers/random_rod.h"

namespace tendril::solvers {
namespace {

using testing::Drive;
using testing::RandomRod;
using testing::Scene;

// Nothing may make the solver diverge: see RandomRod. The number of rods is TENDRIL_STRESS, 200 when it is not set.
int rod_count() {
  const char* wish = std::getenv("TENDRIL_STRESS");
  return wish ? std::atoi(wish) : 200;
}

constexpr int steps_of_each = 20;

double total_energy(const Scene& s) {
  return kinetic_energy(s.model, s.state) + elastic_energy(s.model, s.state) + gravity_energy(s.model, s.state);
}

bool is_finite(const State& state) {
  double sum = 0;
  for (const Vec3d& x : state.x) sum += norm_squared(x);
  for (const Vec3d& v : state.v) sum += norm_squared(v);
  for (const Quatd& q : state.q) sum += dot(q, q);
  for (const Vec3d& w : state.omega) sum += norm_squared(w);
  for (const Vec3d& x : state.body_x) sum += norm_squared(x);
  return std::isfinite(sum);
}

// The incremental potential of a step. Its minimum is the end of the step, so it is not higher there than where the
// step began, with all that is held in its new place.
class Potential {
 public:
  explicit Potential(const Model& model) {
    problem_.reset(model);
    parts_.reset(problem_);
  }
  void begin_step(const Inputs& inputs, double h, const State& state) {
    newton::Accelerations none;
    none.forget(*problem_.model);
    problem_.begin_step(inputs, newton::Scheme::implicit_euler(h), state, none);
    problem_.set_vertices(inputs, state, none, {0, static_cast<int>(state.x.size())});
    problem_.set_segments(state, none, {0, static_cast<int>(state.q.size())});
    problem_.set_bends(state, {0, static_cast<int>(problem_.bends.size())});
  }
  double at(const State& state) const {
    newton::Iterate at = state;
    for (std::size_t b = 0; b < at.body_x.size(); ++b)
      if (problem_.model->bodies[b].kind == BodyKind::kinematic)
        at.body_x[b] = problem_.bodies[b].goal, at.body_q[b] = problem_.bodies[b].spin.goal;
    for (const newton::HeldAxis& axis : problem_.held)
      if (problem_.role[axis.vertex] == newton::Role::held) at.x[axis.vertex][axis.k] = axis.z;
    double sum = 0;
    for (const newton::Part& part : parts_.all()) sum += newton::energy(part, problem_, at);
    return sum;
  }

 private:
  newton::Problem problem_;
  newton::Parts parts_;
};

// The energy that a step may be off by [J]: of strains and velocities as small as the last digits of positions and
// frames, beside that of others, and of the strains that the last Newton step leaves, about the square of its size.
double allowance(const Scene& s, double h, double energy) {
  double size = 0, noise = 0;
  for (const Vec3d& x : s.state.x) size = std::max(size, norm(x));
  const double last_digit = 10 * std::numeric_limits<double>::epsilon();
  const double left = std::pow(newton::Options{}.tolerance, 2);
  const auto add = [&](double stiffness, double strain) { noise += stiffness * strain * strain; };
  for (const Segment& g : s.model.segments)
    add((1 + g.internal_damping / h) * std::max(g.EA, g.GA) * g.rest_length,
        last_digit * (1 + size / g.rest_length) + left);
  for (const Bend& b : s.model.bends)
    add((1 + b.internal_damping / h) * (b.EI1 + b.EI2 + b.GJ) / b.length, last_digit + left);
  for (const Vertex& v : s.model.vertices) add(v.mass, last_digit * size / h);
  for (const Segment& g : s.model.segments) add(g.rest_length * norm(g.linear_inertia), last_digit / h);
  for (const Body& b : s.model.bodies) add(b.mass, last_digit * size / h), add(norm(b.inertia), last_digit / h);
  return noise + std::sqrt(noise * std::abs(energy)) + 1e-9 * std::abs(energy);
}

struct Tally {
  long steps = 0, iterations = 0, unconverged = 0;
  int most_iterations = 0, gaining = 0;  // rods that gained energy
};

// a solver that takes Newton steps of whole parts
struct Subject {
  std::string name;
  OptionValues options;
  int order = 1;  // in time

  std::unique_ptr<Solver> make(OptionValues others = {}) const {
    others.insert(options.begin(), options.end());
    return find_solver(name)->make(others);
  }
};

std::ostream& operator<<(std::ostream& out, const Subject& s) { return out << s.name << " of order " << s.order; }

void run(const Subject& subject, int seed, Tally& tally) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  RandomRod rod(seed);
  Scene& s = rod.scene;
  const auto solver = subject.make();
  ThreadTeam team(1);
  solver->reset(s.model, s.state, team);
  Potential potential(s.model);
  Contact contact;
  const double energy_at_start = total_energy(s), elastic_at_start = elastic_energy(s.model, s.state);
  const double height_at_start = std::abs(gravity_energy(s.model, s.state));
  bool converged = true, gains = false;
  for (int n = 0; n < steps_of_each; ++n) {
    rod.prescribe(s.state.time + rod.h);
    potential.begin_step(s.inputs, rod.h, s.state);
    const double before = potential.at(s.state);
    const StepReport report = solver->step(s.inputs, contact, rod.h, s.state);
    s.state.time += rod.h;
    ASSERT_TRUE(is_finite(s.state)) << "step " << n;
    if (subject.order == 1) {
      EXPECT_LE(potential.at(s.state), before + allowance(s, rod.h, before)) << "step " << n;
    }
    converged &= report.converged;
    if (converged && rod.drive == Drive::none) {
      const double scale =
          std::abs(energy_at_start) + elastic_at_start + height_at_start + std::abs(gravity_energy(s.model, s.state));
      const double most = energy_at_start + allowance(s, rod.h, scale) + 1e-8 * scale;
      if (subject.order == 1) {
        EXPECT_LE(total_energy(s), most) << "step " << n;
      }
      gains |= total_energy(s) > most;
    }
    ++tally.steps, tally.iterations += report.iterations, tally.unconverged += !report.converged;
    tally.most_iterations = std::max(tally.most_iterations, report.iterations);
  }
  tally.gaining += gains;
}

class NewtonStress : public ::testing::TestWithParam<Subject> {};
INSTANTIATE_TEST_SUITE_P(Solvers, NewtonStress,
                         ::testing::Values(Subject{"block", {{"order", 1}}, 1}, Subject{"block", {{"order", 2}}, 2},
                                           Subject{"direct", {}, 1}),
                         [](const auto& info) { return info.param.name + std::to_string(info.param.order); });

TEST_P(NewtonStress, NothingMakesItDiverge) {
  Tally tally;
  for (int seed = 0; seed < rod_count(); ++seed) run(GetParam(), seed, tally);
  RecordProperty("mean_iterations", std::to_string(double(tally.iterations) / double(tally.steps)));
  RecordProperty("unconverged_steps", std::to_string(tally.unconverged));
  std::printf(
      "%ld steps: %.2f iterations, at most %d; %ld steps stopped short of their tolerance, %d rods gained energy\n",
      tally.steps, double(tally.iterations) / double(tally.steps), tally.most_iterations, tally.unconverged,
      tally.gaining);
  EXPECT_LE(tally.gaining, rod_count() / 200);               // of second order: 7 in 2,000, see docs/block.md
  EXPECT_LE(tally.unconverged, 0.02 * double(tally.steps));  // they stop at a lower potential, a little too early
}

// M v = M v0 + M g t for what nothing holds or brakes, however stiff it is and however it whirls
TEST_P(NewtonStress, MomentumFollowsTheWeight) {
  int counted = 0;
  for (int seed = 0; seed < rod_count(); ++seed) {
    RandomRod rod(seed);
    Scene& s = rod.scene;
    if (rod.is_clamped || rod.damping > 0) continue;
    // what is tied to a body goes along an arc, which steps of second order follow to their order only
    if (GetParam().order == 2 && !s.model.bodies.empty()) continue;
    const auto solver = GetParam().make();
    ThreadTeam team(1);
    solver->reset(s.model, s.state, team);
    Contact contact;
    double mass = 0, fastest = 0, size = 0;
    for (const Vertex& v : s.model.vertices) mass += v.mass;
    for (const Body& b : s.model.bodies) mass += b.mass;
    const Vec3d at_start = linear_momentum(s.model, s.state);
    bool converged = true;
    for (int n = 0; n < 10; ++n) {
      converged &= solver->step(s.inputs, contact, rod.h, s.state).converged;
      s.state.time += rod.h;
      for (const Vec3d& v : s.state.v) fastest = std::max(fastest, norm(v));
      for (const Vec3d& x : s.state.x) size = std::max(size, norm(x));
    }
    if (!converged) continue;
    ++counted;
    const Vec3d expected = at_start + (mass * s.state.time) * s.model.gravity;
    // a velocity has the last digit of a position, and so have the forces that should cancel
    double force = 0;
    const double epsilon = std::numeric_limits<double>::epsilon();
    for (const Segment& g : s.model.segments) {
      const double stiffness = (1 + g.internal_damping / rod.h) * std::max(g.EA, g.GA);
      force = std::max(force, 1e9 * epsilon * stiffness * (1 + size / g.rest_length));
    }
    const double scale = mass * (fastest + 1e-4 * size / rod.h) + force * s.state.time;
    EXPECT_LT(norm(linear_momentum(s.model, s.state) - expected), 1e-9 * scale) << "seed " << seed;
  }
  EXPECT_GT(counted, rod_count() / 10);
}

// a hanging rod: each segment is stretched by the weight below it, strain = W / EA
TEST_P(NewtonStress, AHangingRodIsStretchedByItsWeight) {
  for (int seed = 0; seed < 40; ++seed) {
    testing::Dice dice(seed);
    testing::RodOptions o;
    o.segments = 1 + dice.up_to(39), o.along = {0, 0, -1}, o.normal = {1, 0, 0};
    o.linear_density = dice.decades(1e-3, 1e3);
    o.EA = 9.81 * o.linear_density * o.length * dice.decades(1, 1e12);
    o.GA = o.EA * dice.decades(1e-2, 1e2), o.EI1 = o.EI2 = o.GJ = o.EA * dice.decades(1e-8, 1e-2);
    Scene s;
    s.model.gravity = {0, 0, -9.81};
    s.add_chain(o);
    s.clamp(0, 0, o);
    for (Segment& g : s.model.segments) g.linear_inertia = o.linear_density * 1e-4 * Vec3d{1, 1, 2};
    s.fill_inputs();
    const auto solver = GetParam().make({{"tolerance", 1e-12}});
    ThreadTeam team(1);
    solver->reset(s.model, s.state, team);
    Contact contact;
    for (int n = 0; n < 60; ++n) solver->step(s.inputs, contact, 1e3, s.state);  // so long that it comes to rest
    double below = 0;
    for (int g = o.segments - 1; g >= 0; --g) {
      below += 9.81 * s.model.vertices[g + 1].mass;
      const double strain = norm(s.state.x[g + 1] - s.state.x[g]) / s.model.segments[g].rest_length - 1;
      EXPECT_NEAR(strain, below / o.EA, 1e-9 * below / o.EA + 1e-14 * o.segments) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace tendril::solvers
