#include "contact/contact.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "contact/candidates.h"
#include "contact/closest.h"
#include "contact/for_all.h"
#include "math/quat.h"
#include "rod/energy.h"
#include "rod/model.h"
#include "rod/stream.h"

namespace tendril {

namespace {

// how much farther than the true one the distance of the steady points may be, over the barrier's reach
constexpr double steadiness = 0.3;

bool all_finite(const std::vector<Vec3d>& x) {
  return std::all_of(x.begin(), x.end(), [](const Vec3d& p) { return is_finite(p); });
}

bool is_inside(const Bounds& box, const Vec3d& p) {
  return p.x >= box.low.x && p.x <= box.high.x && p.y >= box.low.y && p.y <= box.high.y && p.z >= box.low.z &&
         p.z <= box.high.z;
}

}  // namespace

Contact::Contact() : Contact({false, 0}, {}) {}

Contact::Contact(const ContactOptions& options, const State& start)
    : options_(options), start_(start), candidates_(std::make_unique<Candidates>()) {}

Contact::~Contact() = default;

void Contact::set_movers(const Model& model) {
  free_axes_.assign(model.vertices.size(), {1, 1, 1});
  mover_.resize(model.vertices.size());
  std::iota(mover_.begin(), mover_.end(), 0);
  followers_.assign(model.bodies.size(), {});
  for (const Tie& tie : model.ties) {
    for (int k = 0; k < 3; ++k)
      if (tie.held[k]) free_axes_[tie.vertex][k] = 0;
    if (model.bodies[tie.body].kind != BodyKind::dynamic) continue;
    mover_[tie.vertex] = static_cast<int>(model.vertices.size()) + tie.body;
    followers_[tie.body].push_back({tie.vertex, tie.offset});
  }
}

void Contact::reset(const Model& model) {
  pairs_.clear(), clearances_.clear(), half_spaces_.clear(), entry_.clear();
  first_entry_.assign(model.vertices.size() + 1, 0);
  bodies_.assign(model.bodies.size(), {}), body_regions_.assign(model.bodies.size(), {});
  roams_.clear(), sides_.assign(model.bodies.size(), {});
  set_movers(model);
  if (!options_.enabled) return;
  candidates_->reset(model, start_, options_);
  std::vector<Bounds> extent(model.bodies.size());
  for (const Solid& solid : candidates_->solids()) extent[solid.body].take(bounds(solid, Pose{}));
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    bodies_[b].is_free = model.bodies[b].kind == BodyKind::dynamic;
    const Vec3d size = extent[b].high - extent[b].low;
    if (!(norm(size) >= 0 && norm(size) < Bounds::infinity)) continue;
    bodies_[b].centre = 0.5 * (extent[b].low + extent[b].high), bodies_[b].size = 0.5 * norm(size);
  }
}

void Contact::find_candidates(const Model&, const State& state, std::span<const Pose> body_end, double h,
                              ThreadTeam& team) {
  team_ = &team;
  reached_ = next_ = 0;
  crossing_.reset(), is_followed_ = false;
  const bool is_new_corner = corner_ != state.x;
  corner_ = state.x;
  if (!options_.enabled) return;
  pose_.resize(bodies_.size()), next_pose_.resize(bodies_.size()), wanted_pose_.resize(bodies_.size());
  bool body_moves = false;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Pose begin{state.body_x[b], state.body_q[b]};
    const bool has_end = !bodies_[b].is_free && b < body_end.size();
    bodies_[b].set(begin, has_end ? body_end[b] : begin);
    const Pose old = std::exchange(pose_[b], bodies_[b].is_free ? begin : bodies_[b].at(0));
    const bool is_elsewhere = !(old.x == pose_[b].x && old.q == pose_[b].q);  // in the last digits, when it has stopped
    body_moves |= bodies_[b].moves || is_elsewhere;
    wanted_pose_[b] = {begin.x + h * state.body_v[b], quaternion_exp(h * state.body_omega[b]) * begin.q};
  }
  wanted_.resize(state.v.size());
  for (std::size_t i = 0; i < state.v.size(); ++i) wanted_[i] = h * state.v[i];
  if (!search_where_needed() && (is_new_corner || body_moves))
    for_all(team_, pairs_.size(), [this](std::size_t p) { evaluate(p); });
}

// whether the list of pairs is complete for a body there
bool Contact::roams(int b, const Pose& pose) const {
  const Vec3d way = pose.x + rotate(pose.q, bodies_[b].centre) - roams_[b].centre;
  const double farthest = std::max({std::abs(way.x), std::abs(way.y), std::abs(way.z)});
  return farthest + angle_between(roams_[b].q, pose.q) * bodies_[b].size <= roams_[b].reach;
}

// around the whole way of a driven body, and around where a free one is
std::vector<Bounds> Contact::solid_boxes() const {
  std::vector<Bounds> boxes;
  for (const Solid& solid : candidates_->solids()) {
    const BodyPath& path = bodies_[solid.body];
    Bounds box = bounds(solid, path.is_free ? pose_[solid.body] : path.at(0));
    if (path.moves) box = widened(hull(box, bounds(solid, path.at(1))), path.bulge(1));
    boxes.push_back(box);
  }
  return boxes;
}

// makes sure that the list of pairs is complete for what goes from the corner to where it wants to be; whether it is a
// new one
bool Contact::search_where_needed() {
  bool is_complete = roams_.size() == bodies_.size();
  for (std::size_t b = 0; is_complete && b < bodies_.size(); ++b)
    if (const int body = static_cast<int>(b); bodies_[b].is_free)
      is_complete = roams(body, pose_[b]) && roams(body, wanted_pose_[b]);
  if (is_complete && candidates_->cover(corner_, wanted_, solid_boxes())) return false;
  search();
  return true;
}

void Contact::search() {
  roams_.resize(bodies_.size());
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Vec3d& centre = bodies_[b].centre;
    roams_[b] = {pose_[b].x + rotate(pose_[b].q, centre), pose_[b].q, 0};
    const Vec3d way = wanted_pose_[b].x + rotate(wanted_pose_[b].q, centre) - roams_[b].centre;
    roams_[b].reach = 1.5 * norm(way) + (1.5 * angle_between(pose_[b].q, wanted_pose_[b].q) + 0.1) * bodies_[b].size;
    if (bodies_[b].size == 0) roams_[b].reach = Bounds::infinity;
  }
  std::vector<Bounds> boxes = solid_boxes();
  for (std::size_t k = 0; k < boxes.size(); ++k)
    if (const int b = candidates_->solids()[k].body; bodies_[b].is_free) boxes[k] = widened(boxes[k], roams_[b].reach);
  candidates_->search(corner_, wanted_, boxes, *team_);
  take_pairs();
  for_all(team_, pairs_.size(), [this](std::size_t p) { evaluate(p); });
}

void Contact::take_pairs() {
  const std::vector<Pair> old = std::move(pairs_);
  pairs_ = candidates_->pairs();
  clearances_.assign(pairs_.size(), {});
  // pairs keep their friction
  const auto before = [](const Pair& p, const Pair& q) {
    return std::tuple(p.body_a >= 0, p.with_solid(), p.a, p.b) < std::tuple(q.body_a >= 0, q.with_solid(), q.a, q.b);
  };
  auto from = old.begin();
  for (Pair& pair : pairs_) {
    while (from != old.end() && before(*from, pair)) ++from;
    if (from != old.end() && !before(pair, *from)) pair.drag = from->drag;
  }
  for (auto& sides : sides_) sides.clear();
  for (int p = 0; p < static_cast<int>(pairs_.size()); ++p) {
    if (const int b = pairs_[p].body_a; b >= 0 && bodies_[b].is_free) sides_[b].push_back({p, true});
    if (const int b = pairs_[p].body; b >= 0 && bodies_[b].is_free) sides_[b].push_back({p, false});
  }
  // vertex by vertex
  std::fill(first_entry_.begin(), first_entry_.end(), 0);
  for (const Pair& pair : pairs_)
    for (int i : pair.vertex)
      if (i >= 0) ++first_entry_[i + 1];
  for (std::size_t i = 1; i < first_entry_.size(); ++i) first_entry_[i] += first_entry_[i - 1];
  std::vector<int> next(first_entry_.begin(), first_entry_.end() - 1);
  half_spaces_.assign(first_entry_.back(), {});
  entry_.assign(4 * pairs_.size(), -1);
  for (std::size_t p = 0; p < pairs_.size(); ++p)
    for (int k = 0; k < 4; ++k)
      if (const int i = pairs_[p].vertex[k]; i >= 0) entry_[4 * p + k] = next[i]++;
}

void Contact::evaluate(std::size_t p) {
  Pair& pair = pairs_[p];
  if (pair.with_solid()) return evaluate_solid(p);
  const Vec3d &a0 = corner_[pair.vertex[0]], &a1 = corner_[pair.vertex[1]], &b0 = corner_[pair.vertex[2]],
              &b1 = corner_[pair.vertex[3]];
  Nearest nearest = steady_nearest_points(a0, a1, b0, b1, steadiness * pair.barrier.reach);
  Clearance& clearance = clearances_[p];
  const auto measure = [&] {
    const Vec3d& n = nearest.normal;
    const double a[2] = {dot(n, a0 - b0), dot(n, a1 - b0)}, b[2] = {0, dot(n, b1 - b0)};
    const double near_a = std::min(a[0], a[1]), near_b = std::max(b[0], b[1]);
    clearance.between = near_a - near_b - pair.radius;
    clearance.beyond[0] = a[0] - near_a, clearance.beyond[1] = a[1] - near_a;
    clearance.beyond[2] = near_b - b[0], clearance.beyond[3] = near_b - b[1];
  };
  measure();
  if (clearance.between < 0.5 * (nearest.distance - pair.radius)) nearest = nearest_points(a0, a1, b0, b1), measure();
  pair.normal = nearest.normal;
  pair.gap = nearest.distance - pair.radius;
  pair.weight[0] = 1 - nearest.s, pair.weight[1] = nearest.s;
  pair.weight[2] = nearest.t - 1, pair.weight[3] = -nearest.t;
  if (pair.gap < pair.barrier.reach)
    pair.turning = turning(closest::Quadratic(a0, a1, b0, b1), nearest, steadiness * pair.barrier.reach);
}

void Contact::evaluate_solid(std::size_t p) {
  Pair& pair = pairs_[p];
  const Solid& solid = candidates_->solids()[pair.b];
  const Pose& pose = pose_[pair.body];
  const Quatd back = conjugate(pose.q);
  const Solid* edge = pair.body_a >= 0 ? &candidates_->edges()[pair.a] : nullptr;
  const auto end = [&](int k) {
    const Pose& of_a = pose_[std::max(pair.body_a, 0)];
    return (edge ? of_a.x + rotate(of_a.q, edge->p[k]) : corner_[pair.vertex[k]]) - pose.x;
  };
  const Vec3d a0 = end(0), a1 = end(1);
  const Vec3d in_body[2] = {rotate(back, a0), rotate(back, a1)};
  NearestToSolid nearest;
  Clearance& clearance = clearances_[p];
  const auto measure = [&](double slack) {
    nearest = steady_nearest_points(solid, in_body[0], in_body[1], slack);
    pair.normal = rotate(pose.q, nearest.normal);
    pair.gap = nearest.distance - pair.radius;
    const double a[2] = {dot(pair.normal, a0), dot(pair.normal, a1)}, near_a = std::min(a[0], a[1]);
    clearance.between = near_a - (pair.radius - solid.radius) - support(solid, nearest.normal);
    if (!edge) clearance.beyond[0] = a[0] - near_a, clearance.beyond[1] = a[1] - near_a;
  };
  measure(steadiness * pair.barrier.reach);
  if (clearance.between < 0.5 * pair.gap) measure(0);  // the true points separate best
  pair.weight[0] = 1 - nearest.s, pair.weight[1] = nearest.s;
  pair.point = nearest.point + solid.radius * nearest.normal;
  if (!edge && pair.gap < pair.barrier.reach)
    pair.turning = turning(solid, in_body[0], in_body[1], nearest, steadiness * pair.barrier.reach);
  if (!edge) return;
  const Quatd into_a = conjugate(pose_[pair.body_a].q);
  pair.point_a = edge->p[0] + nearest.s * (edge->p[1] - edge->p[0]) - edge->radius * rotate(into_a, pair.normal);
}

// The list of pairs is complete while every vertex is in its box; what left it is looked for anew.
void Contact::check_leg(const std::vector<Vec3d>& x) {
  if (crossing_ || !all_finite(x)) return;
  bool all_inside = true;
  for (std::size_t i = 0; i < x.size(); ++i) {
    all_inside &= is_inside(candidates_->box(static_cast<int>(i)), x[i]);
    wanted_[i] = x[i] - corner_[i];
  }
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (!bodies_[b].is_free) continue;
    all_inside &= roams(static_cast<int>(b), next_pose_[b]);
    wanted_pose_[b] = next_pose_[b];
  }
  if (!all_inside) search_where_needed();

  const Leg leg{corner_, x, pose_, next_pose_};
  crossing_ = first_crossing(pairs_, {candidates_->solids(), candidates_->edges(), bodies_}, leg, team_);
  if (judge_)
    if (const auto verdict = judge_(leg, *team_)) crossing_ = verdict;
}

void Contact::end_path(const State& state) {
  if (!options_.enabled) return;
  bool is_there = reached_ == 1 && state.x == corner_;
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    if (bodies_[b].is_free) is_there &= state.body_x[b] == pose_[b].x && state.body_q[b] == pose_[b].q;
  if (is_there) return;
  next_ = 1;
  for (std::size_t b = 0; b < bodies_.size(); ++b) next_pose_[b] = bodies_[b].moves ? bodies_[b].at(1) : pose_[b];
  end_leg(state);
}

void Contact::end_leg(const State& state) {
  if (!options_.enabled) return;
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    if (bodies_[b].is_free) next_pose_[b] = {state.body_x[b], state.body_q[b]};
  check_leg(state.x);
  for_all(team_, pairs_.size(), [&](std::size_t p) {
    Pair& pair = pairs_[p];
    if (pair.grip.friction == 0) return;
    pair.carried = carried(pair.body, pair.point) - carried(pair.body_a, pair.point_a);
    pair.drag += pair.relative([&](int i) { return state.x[i] - corner_[i]; });
  });
  corner_ = state.x;
  reached_ = next_;
  std::swap(pose_, next_pose_);
  for_all(team_, pairs_.size(), [this](std::size_t p) {
    evaluate(p);
    pairs_[p].carried = {};
    pairs_[p].drag = tangential(pairs_[p].drag, pairs_[p].normal);
  });
}

// how far a body takes one of its points on this leg
Vec3d Contact::carried(int body, const Vec3d& point) const {
  if (body < 0 || !(bodies_[body].moves || bodies_[body].is_free)) return {};
  const Pose &from = pose_[body], &to = next_pose_[body];
  return to.x + rotate(to.q, point) - from.x - rotate(from.q, point);
}

// what the springs of friction cannot hold has slid
void Contact::end_step() {
  for (Pair& pair : pairs_) {
    if (pair.grip.friction == 0) continue;
    const double normal_force = -pair.barrier.at(pair.gap).slope, length = norm(pair.drag);
    if (length == 0) continue;
    const double held = pair.grip.held_share(length, normal_force);
    friction_work_ += pair.grip.friction * normal_force * (1 - held) * length;
    pair.drag = held * pair.drag;
  }
}

std::string Contact::obstruction() const {
  return "there is no room for what is held, or for an obstacle, to go where it is driven: rods are in its way";
}

int Contact::touching() const {
  return static_cast<int>(
      std::count_if(pairs_.begin(), pairs_.end(), [](const Pair& pair) { return pair.gap < pair.barrier.reach; }));
}

double Contact::smallest_gap() const {
  double gap = forever;
  for (const Pair& pair : pairs_) gap = std::min(gap, pair.gap);
  return gap;
}

void Contact::add_forces(Forces& forces) const {
  const auto add = [&](int body, const Vec3d& point, const Vec3d& force) {
    if (body < 0 || !bodies_[body].is_free) return;
    forces.body_force[body] += force;
    forces.body_moment[body] += cross(rotate(pose_[body].q, point), force);
  };
  for (const Pair& pair : pairs_) {
    if (pair.gap >= pair.barrier.reach) continue;
    const Vec3d f = force_of(pair, {}).force;
    for (int k = 0; k < 4; ++k)
      if (pair.vertex[k] >= 0) forces.force[pair.vertex[k]] += pair.weight[k] * f;
    add(pair.body_a, pair.point_a, f), add(pair.body, pair.point, -f);
  }
}

void Contact::save(Writer& out) const {
  candidates_->save(out);
  std::vector<Vec3d> drags;
  for (const Pair& pair : pairs_) drags.push_back(pair.drag);
  out.put(drags);
  out.put(roams_);
  out.put(friction_work_);
}

void Contact::load(Reader& in, ThreadTeam& team) {
  candidates_->load(in, team);
  take_pairs();
  std::vector<Vec3d> drags;
  in.get(drags);
  in.get(roams_);
  in.get(friction_work_);
  if (drags.size() != pairs_.size()) throw std::runtime_error("the saved contacts belong to another scene");
  for (std::size_t p = 0; p < pairs_.size(); ++p) pairs_[p].drag = drags[p];
  corner_.clear();  // the geometry is evaluated when the next step begins
}

}  // namespace tendril
