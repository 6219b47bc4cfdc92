#include "session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "engine/scene_start.h"
#include "session/topology.h"
#include "session/written_value.h"

namespace tendril::session {
namespace {

void check_finite(const Vec3d& x) {
  if (!(norm(x) < 1e9)) throw std::invalid_argument("a position that is out of scale");
}

void check_body(const Model& model, int body, BodyKind kind) {
  if (body < 0 || std::size_t(body) >= model.bodies.size())
    throw std::out_of_range(fmt::format("there is no body {}", body));
  if (model.bodies[body].kind != kind)
    throw std::invalid_argument(kind == BodyKind::dynamic ? "this body is held: it can be moved, not pulled"
                                                          : "this body moves freely: it can be pulled, not moved");
}

void check_grip(const Model& model, const Grip& grip) {
  if (grip.segment < 0) return check_body(model, grip.body, BodyKind::dynamic), check_finite(grip.point);
  if (std::size_t(grip.segment) >= model.segments.size())
    throw std::out_of_range(fmt::format("there is no segment {}", grip.segment));
  if (!(grip.fraction >= 0 && grip.fraction <= 1)) throw std::invalid_argument("a fraction lies between 0 and 1");
}

// diagonal of the box around all vertices [m]
double size_of(const State& state) {
  Vec3d low = state.x.empty() ? Vec3d{} : state.x[0], high = low;
  for (const Vec3d& x : state.x)
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], x[k]), high[k] = std::max(high[k], x[k]);
  return norm(high - low);
}

}  // namespace

Session::Session(SceneText text) : own_(text), text_(text), first_(std::move(text)) {
  start(open_scene_text(text_), true);
}

Session Session::unsettled(SceneText text) {
  Session session;
  session.own_ = session.text_ = session.first_ = std::move(text);
  session.start(open_scene_text(session.text_), false);
  return session;
}

Session Session::beside(const std::string& solver) const {
  SceneText text = text_;
  text.solver = solver;
  Session other = unsettled(std::move(text));
  other.own_ = own_;
  other.go_on_as(LoadedScene(other.scene()), continuation(other.scene()));
  other.hands_ = hands_, other.ways_ = ways_;
  other.unsavable_ = "it began beside another session";
  return other;
}

void Session::start(LoadedScene scene, bool settles) {
  refuse_overlaps(scene);
  auto engine = std::make_unique<Engine>(std::move(scene));
  settled_ = settles ? engine->settle() : std::nullopt;
  engine_ = std::move(engine);
  report_ = {};
  first_ = text_;
  hands_.clear(), ways_.clear(), touches_.clear();
  trouble_.clear(), unsavable_.clear();
}

void Session::reset() { start(open_scene_text(text_), true); }

// Of the targets that a hand is given before one step, the last counts.
void Session::note(std::function<void(Session&)> act, int hand, int body) {
  constexpr std::size_t most_touches = 1'000'000;
  Touch touch{simulation().step_count(), std::move(act), hand, body};
  const bool is_target = hand >= 0 || body >= 0;
  if (is_target && !touches_.empty() && touches_.back().step == touch.step && touches_.back().hand == hand &&
      touches_.back().body == body)
    touches_.back() = std::move(touch);
  else if (touches_.size() < most_touches)
    touches_.push_back(std::move(touch));
  else
    unsavable_ = "it was touched too often: reset, and it is recorded from the start";
}

Recipe Session::recipe() const { return {first_, text_, touches_, simulation().step_count(), unsavable_}; }

bool Session::step() {
  trouble_.clear();
  prepare_step();
  try {
    report_ = engine_->step();
    return true;
  } catch (const SimulationFailed& failure) {
    if (hands_.empty() && ways_.empty()) throw;
    trouble_ = failure.what();
  }
  let_go();
  restart_solver();
  return false;
}

void Session::restart_solver() {
  note([](Session& s) { s.restart_solver(); });
  Continuation from = continuation(scene());
  from.keeps_contacts = true;
  go_on_as(LoadedScene(scene()), std::move(from));
}

void Session::prepare_step() {
  Simulation& simulation = engine_->simulation();
  const HandSpeed speed = hand_speed();
  const double h = simulation.time_step();
  for (auto way = ways_.begin(); way != ways_.end();) {
    const auto [body, to] = *way;
    const Pose from{simulation.state().body_x[body], simulation.state().body_q[body]};
    const Pose target = to.returns ? simulation.prescribed_pose(body) : to.target;
    const bool is_back = to.returns && is_within_reach(from, target, h, speed);
    if (is_back)
      simulation.let_go(body);
    else
      simulation.drive(body, approach(from, target, h, speed));
    way = is_back ? ways_.erase(way) : std::next(way);
  }
  std::vector<Spring> springs;
  for (auto& [id, hand] : hands_) {
    const std::vector<Spring> own = springs_of(hand.grip, model(), simulation.state(), hand.target, hand.strength);
    hand.first_spring = int(springs.size()), hand.spring_count = int(own.size());
    springs.insert(springs.end(), own.begin(), own.end());
  }
  simulation.set_springs(std::move(springs));
}

// ---- hands

void Session::grab(int id, const Grip& grip, const Vec3d& target, double strength) {
  check_grip(model(), grip), check_finite(target);
  if (!(strength > 0 && strength <= 1e3)) throw std::invalid_argument("strength is a factor between 0 and 1000");
  note([=](Session& s) { s.grab(id, grip, target, strength); });
  GripStrength spring = grip_strength(grip, model(), simulation().time_step());
  spring.stiffness *= strength, spring.damping *= std::sqrt(strength), spring.most_force *= strength;
  hands_[id] = {grip, spring, target};
}

void Session::drag(int id, const Vec3d& target) {
  check_finite(target);
  const auto hand = hands_.find(id);
  if (hand == hands_.end()) return;  // it was let go
  note([=](Session& s) { s.drag(id, target); }, id);
  hand->second.target = target;
}

void Session::release(int id) {
  if (hands_.erase(id) > 0) note([=](Session& s) { s.release(id); });
}

void Session::move(int body, const Pose& target) {
  check_body(model(), body, BodyKind::kinematic), check_finite(target.x);
  if (!(norm(target.q) > 1e-6 && norm(target.q) < 1e6)) throw std::invalid_argument("a rotation of no length");
  note([=](Session& s) { s.move(body, target); }, -1, body);
  ways_[body] = {{target.x, normalized(target.q)}, false};
}

void Session::stay(int body) {
  const auto way = ways_.find(body);
  if (way == ways_.end()) return;
  note([=](Session& s) { s.stay(body); });
  way->second = {{simulation().state().body_x[body], simulation().state().body_q[body]}, false};
}

void Session::let_go() {
  if (hands_.empty() && ways_.empty()) return;
  note([](Session& s) { s.let_go(); });
  hands_.clear();
  for (auto& [body, way] : ways_)
    if (!way.returns) way.target = {simulation().state().body_x[body], simulation().state().body_q[body]};
}

std::map<int, Session::Pull> Session::pulls() const {
  std::map<int, Pull> pulls;
  for (const auto& [id, hand] : hands_) {
    Pull pull{position(hand.grip, model(), simulation().state()), hand.target, {}};
    for (int k = 0; k < hand.spring_count; ++k) pull.force += simulation().spring_force(hand.first_spring + k);
    pulls[id] = pull;
  }
  return pulls;
}

// two lengths of the scene and one turn in a second
HandSpeed Session::hand_speed() const { return {2 * size_of(scene().baked.state), 2 * std::numbers::pi}; }

// ---- the scene

bool Session::set(const std::string& path, const std::string& value) { return become(with_value(text_, path, value)); }

bool Session::replace(const std::string& new_text) {
  SceneText text = text_;
  text.text = new_text, text.sets.clear();
  return become(std::move(text));
}

bool Session::use_solver(const std::string& name) {
  SceneText text = text_;
  text.solver = name;
  return become(std::move(text));
}

bool Session::has_gravity() const { return !(model().gravity == Vec3d{}); }

bool Session::switch_gravity(bool on) {
  SceneText text = text_;
  remove_set(text.sets, "simulation.gravity");
  const Vec3d own = open_scene_text(text).baked.model.gravity;
  if (!on) put_set(text.sets, "simulation.gravity", "[0, 0, 0]");
  if (on && own == Vec3d{}) put_set(text.sets, "simulation.gravity", "[0, 0, -9.81]");
  return become(std::move(text));
}

bool Session::has_wind() const {
  return std::any_of(model().fields.begin(), model().fields.end(), [](const Field& f) {
    return f.kind == FieldKind::wind && (!(f.velocity == Vec3d{}) || f.gust_amplitude > 0);
  });
}

// The air stands still while it is off, for rods in it are braked all the same.
bool Session::switch_wind(bool on, const std::optional<Vec3d>& velocity) {
  SceneText text = text_;
  bool has_one = false;
  for (std::size_t f = 0; f < model().fields.size(); ++f) {
    if (model().fields[f].kind != FieldKind::wind) continue;
    const std::string path = fmt::format("field.{}.velocity", f), gust = fmt::format("field.{}.gust.amplitude", f);
    remove_set(text.sets, path), remove_set(text.sets, gust);
    if (!on) put_set(text.sets, path, "[0, 0, 0]");
    if (!on && model().fields[f].gust_amplitude > 0) put_set(text.sets, gust, "0");
    if (on && velocity && !has_one)
      put_set(text.sets, path, fmt::format("[{}, {}, {}]", velocity->x, velocity->y, velocity->z));
    has_one = true;
  }
  const Vec3d new_wind = velocity.value_or(Vec3d{2, 0, 0});
  if (on && !has_one)
    text.text +=
        fmt::format("\n[[field]]\ntype = \"wind\"\nvelocity = [{}, {}, {}]\n", new_wind.x, new_wind.y, new_wind.z);
  return become(std::move(text));
}

int Session::drop(const Vec3d& at, double radius, double mass) {
  check_finite(at);
  if (!(radius > 0 && radius < 1e6 && mass > 0 && mass < 1e9)) throw std::invalid_argument("a ball out of scale");
  int number = 1;
  const auto is_taken = [&](const std::string& name) {
    return std::any_of(model().bodies.begin(), model().bodies.end(), [&](const Body& b) { return b.name == name; });
  };
  while (is_taken(fmt::format("weight-{}", number))) ++number;
  SceneText text = text_;
  text.text += fmt::format(
      "\n[[body]]\nname = \"weight-{}\"\nmass = {}\nshape = {{ shape = \"sphere\", center = [{}, {}, {}], radius = {} "
      "}}\n",
      number, mass, at.x, at.y, at.z, radius);
  LoadedScene next = open_scene_text(text);
  const std::optional<int> body = added_body(model(), next.baked.model);
  if (!body) throw SceneError(fmt::format("{}: a weight cannot be dropped in this scene", text.file));
  Continuation from = continuation(next);
  refuse_overlaps(next, find_overlaps(next.baked.model, from.state, contact_options(next.baked.settings)));
  go_on_as(std::move(next), std::move(from));
  text_ = std::move(text);
  renumber_bodies(*body);
  if (simulation().step_count() == 0 && hands_.empty() && ways_.empty())
    first_ = text_, touches_.clear();
  else
    unsavable_ = "a weight was dropped on the way: reset, and it falls from the start";
  return *body;
}

// what is held has the numbers that it has now that there is one body more
void Session::renumber_bodies(int added) {
  const auto renumber = [&](int b) { return b < added ? b : b + 1; };
  std::map<int, Way> ways;
  for (const auto& [b, way] : ways_) ways[renumber(b)] = way;
  ways_ = std::move(ways);
  for (auto& [id, hand] : hands_)
    if (hand.grip.segment < 0) hand.grip.body = renumber(hand.grip.body);
}

// The scene's text changes: if nothing of its topology does, the state is kept.
bool Session::become(SceneText text) {
  refuse_paths_outside(text, own_);
  LoadedScene next = open_scene_text(text);
  const bool keeps = same_topology(model(), next.baked.model);
  const double h = next.baked.settings.time_step;
  if (!keeps) {
    std::swap(text_, text);
    try {
      start(std::move(next), true);
    } catch (...) {
      std::swap(text_, text);
      throw;
    }
    return false;
  }
  if (h != scene().baked.settings.time_step && simulation().step_count() > 0)
    unsavable_ = "the time step was changed on the way: reset, and it is the same from the start";
  Continuation from = continuation(next);
  from.keeps_contacts = text.text == text_.text && text.sets == text_.sets;
  if (!from.keeps_contacts)  // what stands further out now may reach into something
    refuse_overlaps(next, find_overlaps(next.baked.model, from.state, contact_options(next.baked.settings)));
  go_on_as(std::move(next), std::move(from));
  text_ = text;
  note([text = std::move(text)](Session& s) { s.become(text); });
  return true;
}

void Session::go_on_as(LoadedScene next, Continuation from) {
  engine_->change(std::move(next), std::move(from));
  for (auto& [id, hand] : hands_) hand.spring_count = 0;
  return_to_prescribed();
}

// State, and where motions began, of all that both have; what is new stands as at its start.
Continuation Session::continuation(const LoadedScene& next) const {
  const BakedScene &old = scene().baked, &baked = next.baked;
  Continuation from{simulation().whole_state(), {}, simulation().activity(), false};
  const std::optional<int> added = added_body(old.model, baked.model);
  const State& start = baked.state;
  if (added) {
    const auto put = [&](auto& values, const auto& value) { values.insert(values.begin() + *added, value); };
    put(from.state.body_x, start.body_x[*added]), put(from.state.body_v, start.body_v[*added]);
    put(from.state.body_q, start.body_q[*added]), put(from.state.body_omega, start.body_omega[*added]);
  }
  from.held_start = simulation().held_start();
  if (added) from.held_start.insert(from.held_start.begin() + *added, Pose{});
  for (std::size_t b = 0; b < baked.model.bodies.size(); ++b)
    if (baked.model.bodies[b].hold < 0) from.held_start[b] = {start.body_x[b], start.body_q[b]};
  return from;
}

// Driven bodies that are not where the new scene has them go there, no faster than a hand.
void Session::return_to_prescribed() {
  const State& now = simulation().state();
  for (int b = 0; b < int(model().bodies.size()); ++b) {
    if (model().bodies[b].kind == BodyKind::dynamic || ways_.contains(b)) continue;
    const Pose there = simulation().prescribed_pose(b);
    if (!(there.x == now.body_x[b]) || !(there.q == now.body_q[b])) ways_[b] = {there, true};
  }
}

}  // namespace tendril::session
