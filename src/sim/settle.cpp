#include "sim/settle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/balance.h"

namespace tendril {
namespace {

constexpr double mass_per_stiffness = 2;  // over h²: a sweep then removes most of the error of a pseudo-step
constexpr int easy_step = 8, hard_step = 16;  // iterations at which the pseudo-step grows and shrinks

double larger(double a, double b) { return std::max(a, b); }

// the stiffness around each vertex, segment and body, as masses for steps of length h
Model settling_model(const Model& model, double h) {
  const double unit = mass_per_stiffness * h * h;
  Model fake = model;
  std::vector<double> turning(model.segments.size());
  for (Vertex& vertex : fake.vertices) vertex.mass = 0;
  for (Body& body : fake.bodies)
    if (body.kind == BodyKind::dynamic) body.mass = 0, body.inertia = {};
  for (std::size_t s = 0; s < model.segments.size(); ++s) {
    const Segment& segment = model.segments[s];
    const double stretching = larger(segment.EA, segment.GA) / segment.rest_length;
    for (int i : segment.vertex) fake.vertices[i].mass += unit * stretching;
    turning[s] += stretching * segment.rest_length * segment.rest_length;
    fake.segments[s].damping = fake.segments[s].internal_damping = 0;
  }
  for (Bend& bend : fake.bends) {
    bend.internal_damping = 0;
    const double stiffness = larger(larger(bend.EI1, bend.EI2), bend.GJ) / bend.length;
    for (const FrameId& frame : {bend.a, bend.b})
      if (frame.is_body)
        fake.bodies[frame.index].inertia += unit * stiffness * Vec3d{1, 1, 1};
      else
        turning[frame.index] += stiffness;
  }
  for (std::size_t s = 0; s < turning.size(); ++s)
    fake.segments[s].linear_inertia = (unit * turning[s] / model.segments[s].rest_length) * Vec3d{1, 1, 1};
  for (const Tie& tie : model.ties) {
    const double mass = fake.vertices[tie.vertex].mass;
    fake.bodies[tie.body].mass += mass;
    fake.bodies[tie.body].inertia += mass * norm_squared(tie.offset) * Vec3d{1, 1, 1};
  }
  // what no stiffness reaches keeps its own
  for (std::size_t i = 0; i < fake.vertices.size(); ++i)
    if (fake.vertices[i].mass == 0) fake.vertices[i].mass = model.vertices[i].mass;
  for (std::size_t b = 0; b < fake.bodies.size(); ++b) {
    if (fake.bodies[b].mass == 0) fake.bodies[b].mass = model.bodies[b].mass;
    if (fake.bodies[b].inertia == Vec3d{}) fake.bodies[b].inertia = model.bodies[b].inertia;
  }
  return fake;
}

void stop(State& state) {
  for (auto* rates : {&state.v, &state.omega, &state.body_v, &state.body_omega})
    std::fill(rates->begin(), rates->end(), Vec3d{});
}

// what one pseudo-step tells: the forces left unbalanced and the work that they do
struct Advance {
  double unbalanced = 0;  // [N]
  double power = 0;       // [W]
  bool finite = true;
};

Advance advance_of(const Model& fake, const std::vector<Vec3d>& free, const State& before, const State& after, double h) {
  Advance advance;
  const auto add = [&](double mass, const Vec3d& axes, const Vec3d& v_old, const Vec3d& v_new) {
    const Vec3d v = scale(axes, v_new), force = (mass / h) * scale(axes, v_new - v_old);
    advance.unbalanced = larger(advance.unbalanced, larger(norm(force), mass / h * norm(v)));
    advance.power += dot(force, v);
  };
  for (std::size_t i = 0; i < free.size(); ++i) add(fake.vertices[i].mass, free[i], before.v[i], after.v[i]);
  for (std::size_t b = 0; b < fake.bodies.size(); ++b)
    if (fake.bodies[b].kind == BodyKind::dynamic) add(fake.bodies[b].mass, {1, 1, 1}, before.body_v[b], after.body_v[b]);
  advance.finite = std::isfinite(advance.power);
  for (const Quatd& q : after.q) advance.finite = advance.finite && std::isfinite(dot(q, q));
  return advance;
}

double extent(const State& state) {
  if (state.x.empty()) return 0;
  Vec3d low = state.x[0], high = state.x[0];
  for (const Vec3d& x : state.x)
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], x[k]), high[k] = larger(high[k], x[k]);
  return norm(high - low) + norm(0.5 * (high + low));
}

// forces below this are rounding of positions
double rounding_force(const Model& fake, double h, double size) {
  double stiffest = 0;
  for (const Vertex& vertex : fake.vertices) stiffest = larger(stiffest, vertex.mass / (mass_per_stiffness * h * h));
  return 1e-15 * stiffest * size;
}

// whether the residual has stopped falling: not halved in the last half of all steps
class Stall {
 public:
  bool at(int step, double residual) {
    if (residual < 0.5 * best_) best_ = residual, best_step_ = step;
    return step - best_step_ > std::max(2000, step / 2);
  }

 private:
  double best_ = forever;
  int best_step_ = 0;
};

}  // namespace

SettleReport settle(const Model& model, const Instant& loads, double h, const SettleOptions& options, Solver& solver,
                    Contact& contact, State& state) {
  SettleReport report;
  if (report.message = falling_part(model, loads); !report.message.empty()) return report;

  Inputs inputs{loads, loads};
  for (Instant* instant : {&inputs.begin, &inputs.end}) {
    instant->drag.clear();
    for (Twist& twist : instant->body_twist) twist = {};
  }
  const Model fake = settling_model(model, h);
  std::vector<Vec3d> free = held_axes(model);
  for (Vec3d& axes : free) axes = Vec3d{1, 1, 1} - axes;
  const double size = extent(state), rounding = rounding_force(fake, h, size);
  stop(state);
  solver.reset(fake, state);

  double pseudo_step = h;
  Stall stall;
  while (report.steps < options.max_steps) {
    const State before = state;
    contact.find_candidates(fake, state, pseudo_step);
    const StepReport step = solver.step(inputs, contact, pseudo_step, state);
    ++report.steps;
    const Advance advance = advance_of(fake, free, before, state, pseudo_step);
    if (!advance.finite) {
      state = before;
      stop(state);
      solver.reset(fake, state);
      pseudo_step *= 0.25;
      if (pseudo_step > 1e-6 * h) continue;
      report.message = "the solver finds no step towards equilibrium";
      return report;
    }

    const double scale = largest_force(model, state, loads);
    report.residual = scale > 0 ? advance.unbalanced / scale : 0;
    report.settled = advance.unbalanced <= larger(options.tolerance * scale, rounding);
    if (report.settled) break;
    if (stall.at(report.steps, report.residual)) {
      report.message = fmt::format("the residual stays at {:.3g}; the solver's own tolerance may be too wide", report.residual);
      break;
    }
    if (extent(state) > 1e3 * size) {
      report.message = "there is no equilibrium: the motion does not end";
      break;
    }
    if (advance.power < 0) stop(state);
    if (step.converged && step.iterations <= easy_step) pseudo_step = std::min(1.3 * pseudo_step, 1e4 * h);
    if (!step.converged || step.iterations > hard_step) pseudo_step = larger(0.7 * pseudo_step, 0.1 * h);
  }
  if (!report.settled && report.message.empty())
    report.message = fmt::format("not settled after {} steps, the residual is {:.3g}", report.steps, report.residual);
  stop(state);
  const Balance by_law = balance(model, state, loads);
  report.law_residual = by_law.scale > 0 ? by_law.unbalanced / by_law.scale : 0;
  return report;
}

}  // namespace tendril
