#include "solvers/random_rod.h"

#include <cmath>
#include <numbers>

namespace tendril::solvers::testing {

using std::numbers::pi;

Vec3d Dice::direction() {
  const double z = between(-1, 1), angle = between(0, 2 * pi), r = std::sqrt(1 - z * z);
  return {r * std::cos(angle), r * std::sin(angle), z};
}

Quatd Dice::turn(double most) { return quaternion_exp(between(0, most) * direction()); }

RandomRod::RandomRod(int seed) {
  Dice dice(seed);
  h = dice.decades(1e-5, 0.25);
  draw_material(dice);
  const double kind = dice.between(0, 1);
  if (kind < 0.5)
    scene.add_chain(material_);
  else if (kind < 0.75)
    add_tree(dice);
  else
    add_ring(dice);
  for (Segment& s : scene.model.segments) s.linear_inertia = linear_inertia_;
  is_clamped = dice.coin(0.6);
  if (is_clamped) scene.clamp(0, 0, material_);
  if (dice.coin(0.3)) add_bob(dice);
  curl(dice);
  push(dice);
  if (is_clamped) draw_drive(dice);
  scene.fill_inputs();
}

// a round section, then each stiffness on its own
void RandomRod::draw_material(Dice& dice) {
  length = dice.decades(0.03, 10);
  const double radius = length / dice.decades(3, 3e3), area = pi * radius * radius;
  const double E = dice.decades(1, 1e12), density = dice.decades(10, 1e4), I = 0.25 * area * radius * radius;
  RodOptions& o = material_;
  const auto own = [&] { return dice.coin() ? 1 : dice.decades(1e-2, 1e2); };
  o.EA = own() * E * area, o.GA = own() * E * area / 3;
  o.EI1 = own() * E * I, o.EI2 = own() * E * I, o.GJ = own() * E * I / 1.5;
  o.linear_density = density * area;
  o.damping = damping = dice.coin(0.3) ? dice.decades(1e-2, 1e3) : 0;
  o.internal_damping = dice.coin(0.3) ? dice.decades(1e-6, 1) : 0;
  o.length = length, o.segments = 1 + dice.up_to(59);
  o.along = dice.direction(), o.normal = any_perpendicular(o.along);
  linear_inertia_ = density * Vec3d{I, own() * I, 2 * I};
}

// each segment goes on from any vertex that is there, to any side
void RandomRod::add_tree(Dice& dice) {
  RodOptions o = material_;
  const double l = length / o.segments;
  std::vector<std::vector<int>> segments_of = {{}};
  scene.add_vertex(o.from);
  for (int s = 0; s < o.segments; ++s) {
    const int from = dice.coin(0.8) ? s : dice.up_to(s);
    const Vec3d along = s == 0 ? o.along : dice.direction();
    o.normal = any_perpendicular(along);
    const int to = scene.add_vertex(scene.state.x[from] + l * along), segment = scene.add_segment(from, to, o);
    segments_of.emplace_back();
    if (!segments_of[from].empty()) scene.add_bend({segments_of[from].front(), false}, {segment, false}, l, o);
    segments_of[from].push_back(segment), segments_of[to].push_back(segment);
  }
}

void RandomRod::add_ring(Dice&) {
  RodOptions o = material_;
  o.segments = std::max(o.segments, 3);
  const double radius = length / (2 * pi);
  const Vec3d a = o.along, b = any_perpendicular(a);
  o.normal = cross(a, b);
  for (int i = 0; i < o.segments; ++i) {
    const double angle = 2 * pi * i / o.segments;
    scene.add_vertex(radius * (std::cos(angle) * a + std::sin(angle) * b));
  }
  for (int i = 0; i < o.segments; ++i) scene.add_segment(i, (i + 1) % o.segments, o);
  for (int i = 0; i < o.segments; ++i)
    scene.add_bend({i, false}, {(i + 1) % o.segments, false}, length / o.segments, o);
}

// on the last vertex, its centre some way off
void RandomRod::add_bob(Dice& dice) {
  const int vertex = static_cast<int>(scene.state.x.size()) - 1, segment = static_cast<int>(scene.state.q.size()) - 1;
  if (vertex == 0) return;
  const double size = length * dice.decades(1e-3, 0.3);
  Body body;
  body.kind = BodyKind::dynamic;
  body.mass = material_.linear_density * length * dice.decades(1e-2, 1e2);
  body.inertia = 0.1 * body.mass * size * size * Vec3d{1, dice.between(0.5, 1.5), dice.between(0.5, 1.4)};
  Tie tie;
  tie.vertex = vertex;
  tie.offset = dice.coin() ? Vec3d{} : size * dice.direction();
  const Quatd q = scene.state.q[segment];
  tie.body = scene.add_body(body, {scene.state.x[vertex] - rotate(q, tie.offset), q});
  scene.model.ties.push_back(tie);
  scene.add_bend({segment, false}, {tie.body, true}, 0.5 * scene.model.segments[segment].rest_length, material_);
}

// what it is at rest: as it stands, or curled and twisted
void RandomRod::curl(Dice& dice) {
  if (dice.coin()) return;
  const Quatd each = dice.turn(dice.decades(1e-3, 1.5));
  for (rod::Bend& bend : scene.model.bends) {
    bend.rest = dice.coin(0.9) ? bend.rest * each : bend.rest * dice.turn(1);
    if (bend.rest.w < 0) bend.rest = -bend.rest;
  }
}

// flies and spins as a whole, a clamp excepted
void RandomRod::push(Dice& dice) {
  scene.model.gravity = dice.coin(0.7) ? dice.between(0, 20) * dice.direction() : Vec3d{};
  if (dice.coin(0.3)) return;
  const double speed = dice.decades(1e-3, 100);
  const Vec3d v = is_clamped ? Vec3d{} : speed * dice.direction();
  const Vec3d omega = (dice.decades(1e-3, 30) * std::min(1.0, speed)) * dice.direction();
  const Vec3d about = scene.state.x[0];
  State& state = scene.state;
  for (std::size_t i = 0; i < state.x.size(); ++i) state.v[i] = v + cross(omega, state.x[i] - about);
  for (Vec3d& w : state.omega) w = omega;
  for (std::size_t b = 0; b < state.body_x.size(); ++b)
    if (scene.model.bodies[b].kind == BodyKind::dynamic)
      state.body_v[b] = v + cross(omega, state.body_x[b] - about), state.body_omega[b] = omega;
}

void RandomRod::draw_drive(Dice& dice) {
  const int kind = dice.up_to(5);
  drive = kind < 3 ? Drive::none : static_cast<Drive>(kind - 2);
  clamp_ = {scene.state.body_x[0], scene.state.body_q[0]};
  amplitude_ = length * dice.decades(1e-2, drive == Drive::jump ? 10 : 1) * dice.direction();
  rate_ = dice.decades(1e-2, 1) / h * dice.direction();  // up to a radian in a step
  jump_time_ = 3.5 * h;
}

void RandomRod::prescribe(double time) {
  if (!is_clamped) return;
  Pose& pose = scene.inputs.end.body_pose[0];
  Twist& twist = scene.inputs.end.body_twist[0];
  pose = clamp_, twist = {};
  const double rate = norm(rate_);
  if (drive == Drive::sine)
    pose.x += std::sin(rate * time) * amplitude_, twist.v = rate * std::cos(rate * time) * amplitude_;
  if (drive == Drive::turn) pose.q = quaternion_exp(time * rate_) * clamp_.q, twist.omega = rate_;
  if (drive == Drive::jump && time > jump_time_) pose.x += amplitude_;
}

}  // namespace tendril::solvers::testing
