#include "sim/settle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/balance.h"
#include "sim/following_loads.h"
#include "sim/long_steps.h"
#include "sim/loose_part.h"
#include "sim/relaxation.h"

namespace tendril::sim {
namespace {

constexpr double mass_per_stiffness = 2;  // over h²: one sweep then removes most of the error of a pseudo-step

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

// forces below this are rounding of positions
double rounding_force(const Model& fake, double h, double size) {
  double stiffest = 0;
  for (const Vertex& vertex : fake.vertices) stiffest = larger(stiffest, vertex.mass / (mass_per_stiffness * h * h));
  return std::numeric_limits<double>::epsilon() * stiffest * size;
}

std::vector<Vec3d> free_axes(const Model& model) {
  std::vector<Vec3d> axes = held_axes(model);
  for (Vec3d& a : axes) a = Vec3d{1, 1, 1} - a;
  return axes;
}

State at_rest(State state) {
  stop(state);
  return state;
}

// whether a part that nothing holds may come to lie on something
bool has_ground(const Model& model, const Contact& contact) {
  const auto is_solid = [](const Body& body) { return body.shape.index() != 0; };
  return contact.is_enabled() && ((contact.options().rods && part_count(model) > 1) ||
                                  std::any_of(model.bodies.begin(), model.bodies.end(), is_solid));
}

}  // namespace

SettleReport settle(const Model& model, const LoadsOf& loads_of, double h, const SettleOptions& options,
                    const SettleMeans& means, State& state) {
  auto& [solver, contact, team] = means;
  SettleReport report;
  stop(state);
  Instant loads = loads_of(state);
  const bool follows = loads_follow_shape(model);
  if (!follows && !has_ground(model, contact)) report.message = loose_part(model, state, loads);
  if (!report.message.empty()) return report;
  if (solver.capabilities().long_steps) return settle_in_long_steps(model, loads_of, h, options, means, state);

  const Model fake = settling_model(model, h);
  const std::vector<Vec3d> free = free_axes(model);
  const double size = extent(state), rounding = rounding_force(fake, h, size);
  const double tolerance = larger(options.tolerance, 4 * options.exactness);  // what neighbours leave adds up
  PseudoStep pseudo_step(h);
  Watch watch(fake, free, solver.capabilities().rotational_inertia);
  Brake brake;
  Stall stall;
  State before;
  solver.reset(fake, state, team);
  while (!report.settled && report.message.empty()) {
    if (options.go_on && !options.go_on({report.steps, report.residual, tolerance})) {
      report.interrupted = true;
      report.message = fmt::format("interrupted after {} steps, the residual is {:.3g}", report.steps, report.residual);
      break;
    }
    before = state;
    contact.find_candidates(fake, state, loads.body_pose, pseudo_step.length(), team);
    const StepReport step = solver.step(still_inputs(loads), contact, pseudo_step.length(), state);
    if (step.failure.empty()) contact.end_path(state);
    if (contact.crossing()) return report;  // which its reader refuses
    contact.end_step();
    const Advance advance = watch.see(before, state, pseudo_step.length());
    if (!advance.finite || !step.failure.empty()) {
      state = before;
      stop(state);
      solver.reset(fake, state, team);
      pseudo_step.shorten();
      if (pseudo_step.is_hopeless()) report.message = "the solver finds no step towards equilibrium";
      continue;
    }

    if (follows) loads = loads_of(at_rest(state));
    // what still moves at v is v/w away from equilibrium, where the forces are m w² v/w
    const double w = brake.swings_freely() ? 1 / pseudo_step.length() : brake.frequency();
    const double unbalanced = larger(advance.unbalanced, w * advance.momentum),
                 scale = largest_force(model, state, loads, solver.constraint_forces());
    report.residual = scale > 0 ? unbalanced / scale : 0;
    report.settled = unbalanced <= larger(tolerance * scale, rounding);
    if (report.settled && pseudo_step.is_long()) {  // to be confirmed by short steps
      report.settled = false;
      pseudo_step.stay_short();
      stop(state);
    }
    brake.act(advance, pseudo_step.length(), state);
    if (!brake.swings_freely() && stall.at(report.steps, report.residual))
      report.message = fmt::format("the residual stays at {:.3g}", report.residual);
    pseudo_step.learn(step);
    if (extent(state) > 1e3 * size) report.message = "there is no equilibrium: the motion does not end";
    if (++report.steps == options.max_steps && !report.settled)
      report.message = fmt::format("not settled after {} steps, the residual is {:.3g}", report.steps, report.residual);
  }
  stop(state);
  const Balance by_law = balance(model, state, loads, contact, solver.constraint_forces());
  report.law_residual = by_law.scale > 0 ? by_law.unbalanced / by_law.scale : 0;
  return report;
}

}  // namespace tendril::sim
