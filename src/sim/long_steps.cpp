#include "sim/long_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "math/bounds.h"
#include "math/random.h"
#include "rod/stream.h"
#include "sim/balance.h"
#include "sim/following_loads.h"
#include "sim/relaxation.h"

namespace tendril::sim {
namespace {

constexpr double longer = 8, shorter = 1.0 / 8;   // steps, after one that was solved and one that was not
constexpr double longest = 1e8, shortest = 1e-8;  // in time steps of the scene
constexpr double far_beyond = 1e4;                // the time in which the loads move everything by its size
constexpr double beyond = 20;                     // the same where something touches: what may slide would go far
constexpr int patience = 120;                     // steps without a better balance
constexpr int most_tries = 12;                    // of loads that follow the shape
constexpr double near = 0.2;  // of the size: the most that a step may move under loads that follow the shape
constexpr double tiny = 1e-6, small = 1e-2;  // disturbances, over the size

// forces below this are rounding of positions [N]
double rounding_force(const Model& model, double size) {
  double stiffest = 0;
  for (const Segment& s : model.segments) stiffest = std::max(stiffest, std::max(s.EA, s.GA) / s.rest_length);
  return 4 * std::numeric_limits<double>::epsilon() * stiffest * size;
}

bool is_finite(const State& state) {
  for (const Vec3d& x : state.x)
    if (!math::is_finite(x)) return false;
  for (const Quatd& q : state.q)
    if (!std::isfinite(dot(q, q))) return false;
  return true;
}

double size_of(const State& state) {
  Bounds box;
  for (const Vec3d& x : state.x) box.take(x);
  return box.empty() ? 0 : norm(box.high - box.low);
}

// in which the loads move everything by its size; infinite without loads [s]
double time_of_loads(const Model& model, const Instant& loads, double size) {
  double mass = 0, force = 0;
  for (const Vertex& vertex : model.vertices) mass += vertex.mass;
  for (const Body& body : model.bodies) mass += body.kind == BodyKind::dynamic ? body.mass : 0;
  for (const auto* forces : {&loads.force, &loads.body_force})
    for (const Vec3d& f : *forces) force += norm(f);
  for (const auto* moments : {&loads.moment, &loads.body_moment})
    for (const Vec3d& m : *moments) force += norm(m) / size;
  return force > 0 ? std::sqrt(size * mass / force) : forever;
}

// moments that keep their directions in the world have no energy: what turns about one axis turns others with it
bool has_moments(const Instant& loads) {
  const auto is_one = [](const Vec3d& moment) { return !(moment == Vec3d{}); };
  return std::any_of(loads.moment.begin(), loads.moment.end(), is_one) ||
         std::any_of(loads.body_moment.begin(), loads.body_moment.end(), is_one);
}

double largest_way(const State& from, const State& to) {
  double way = 0;
  for (std::size_t i = 0; i < from.x.size(); ++i) way = std::max(way, norm(to.x[i] - from.x[i]));
  return way;
}

// velocities that take the vertices along smooth waves of this height in this time
void push(State& state, double height, double time) {
  using std::numbers::pi;
  Random random(0);
  const double size = size_of(state);
  for (int k = 0; k < 3; ++k) {
    const auto number = [&] { return pi / size * random.uniform(-2, 2); };
    const Vec3d wave{number(), number(), number()};
    const double phase = random.uniform(0, 2 * pi);
    for (std::size_t i = 0; i < state.x.size(); ++i)
      state.v[i][k] = height / time * std::sin(dot(wave, state.x[i]) + phase);
  }
}

class LongSteps {
 public:
  LongSteps(const Model& model, const LoadsOf& loads_of, double h, const SettleOptions& options,
            const SettleMeans& means, State& state)
      : model_(model),
        loads_of_(loads_of),
        h_(h),
        options_(options),
        solver_(means.solver),
        contact_(means.contact),
        team_(means.team),
        state_(state) {}

  SettleReport settle();

 private:
  struct Snapshot {
    State state;
    Writer contacts;
  };

  bool is_wanted();
  void step();
  void step_with_loads();
  void step_under_loads();
  void take_back(const Snapshot& before);
  void judge(const Instant& loads);
  void see_progress();
  bool is_balanced() const;
  bool can_leave() const;
  bool stays_when_disturbed();
  double longest_step() const;
  void choose_length();
  std::string reason_to_end() const;
  Snapshot remember() const;
  void go_back(const Snapshot& there);

  const Model& model_;
  const LoadsOf& loads_of_;
  const double h_;
  const SettleOptions& options_;
  Solver& solver_;
  Contact& contact_;
  ThreadTeam& team_;
  State& state_;
  SettleReport report_;
  Instant loads_ = loads_of_(state_);  // of the coming step
  const bool follows_ = loads_follow_shape(model_), has_energy_ = !follows_ && !has_moments(loads_);
  const double extent_ = extent(state_), rounding_ = rounding_force(model_, extent_);
  const double time_of_loads_ = time_of_loads(model_, loads_, size_of(state_));
  double length_ = h_, allowed_ = longest * h_;  // of steps [s]
  // of the last step
  bool solved_ = false, moves_ = false, improves_ = false;
  int touching_ = 0;
  Balance balance_{.unbalanced = forever};
  // so far
  double best_ = forever;
  int waited_ = 0, departures_ = 0;
};

SettleReport LongSteps::settle() {
  solver_.reset(model_, state_, team_);
  while (!report_.settled && report_.message.empty() && is_wanted()) {
    step();
    see_progress();
    const bool ends = solved_ && is_balanced() && length_ >= longest_step();
    const bool stays = ends && (!can_leave() || stays_when_disturbed());
    if (contact_.crossing()) return report_;  // which its reader refuses
    report_.settled = stays;
    if (!ends) choose_length();
    if (!stays) report_.message = reason_to_end();
  }
  return report_;
}

bool LongSteps::is_wanted() {
  if (!options_.go_on || options_.go_on({report_.steps, report_.residual, options_.tolerance})) return true;
  report_.interrupted = true;
  report_.message = fmt::format("interrupted after {} steps, the residual is {:.3g}", report_.steps, report_.residual);
  return false;
}

// A step away from a balanced state counts only if it lowers an energy, which an instability does; else it is
// round-off, and is undone.
void LongSteps::step() {
  if (follows_) return step_with_loads();
  if (!is_balanced()) return step_under_loads();
  const Snapshot before = remember();
  step_under_loads();
  if (contact_.crossing()) return;
  const bool is_noise = has_energy_ ? !solved_ && is_balanced() : !solved_ || !is_balanced();
  if (!is_noise) return;
  take_back(before);
  allowed_ = shorter * length_;
}

// the loads are those of the shape with which it ends
void LongSteps::step_with_loads() {
  const Snapshot before = remember();
  FollowingLoads following;
  double first = 0;
  for (int tries = 1; tries <= most_tries; ++tries) {
    step_under_loads();
    if (contact_.crossing()) return;
    if (!solved_ || largest_way(before.state, state_) > near * size_of(before.state)) break;
    const Instant found = loads_of_(state_);
    judge(found);
    const double left = largest_difference(model_, loads_, found);
    if (tries == 1) first = left;
    const double much = std::max(0.1 * std::max(first, balance_.unbalanced), 0.3 * options_.tolerance * balance_.scale);
    if (left <= much) return void(loads_ = found);
    loads_ = following.next(loads_, found);
    go_back(before);
  }
  take_back(before);
  allowed_ = 0.5 * length_;
}

void LongSteps::take_back(const Snapshot& before) {
  go_back(before);
  loads_ = loads_of_(state_);
  judge(loads_);
  solved_ = false;
}

void LongSteps::step_under_loads() {
  const State before = state_;
  contact_.find_candidates(model_, state_, loads_.body_pose, length_, team_);
  const StepReport step = solver_.step(still_inputs(loads_), contact_, length_, state_);
  const bool usable = step.failure.empty() && is_finite(state_);
  if (step.failure.empty()) contact_.end_path(state_);
  if (contact_.crossing()) return;
  contact_.end_step();
  if (!usable) state_ = before, solver_.reset(model_, state_, team_);
  stop(state_);
  ++report_.steps;
  solved_ = usable && step.converged;
  moves_ = largest_way(before, state_) > 0;
  judge(loads_);
}

void LongSteps::judge(const Instant& loads) {
  balance_ = balance(model_, state_, loads, contact_, solver_.constraint_forces());
  report_.residual = report_.law_residual = balance_.scale > 0 ? balance_.unbalanced / balance_.scale : 0;
}

void LongSteps::see_progress() {
  improves_ = report_.residual < 0.5 * best_;
  waited_ = improves_ ? 0 : waited_ + 1;
  best_ = std::min(best_, report_.residual);
}

bool LongSteps::is_balanced() const {
  if (balance_.unbalanced <= rounding_ && !improves_) return true;  // below it, too, as long as inertia is in the way
  return balance_.unbalanced <= options_.tolerance * balance_.scale;
}

// without an energy nothing tells what is stable; what touches may slide; what leaves again and again is loose
bool LongSteps::can_leave() const { return has_energy_ && contact_.touching() == 0 && departures_ < 5; }

// Whether what is pushed a little comes back, or stays where it was pushed to. If not, it goes on from a little farther
// on its way.
bool LongSteps::stays_when_disturbed() {
  const Snapshot still = remember();
  const SettleReport report = report_;
  const double size = size_of(state_), pushed = tiny * size;
  const auto step_away = [&] { return step_under_loads(), largest_way(still.state, state_); };
  push(state_, pushed, length_);
  double away = step_away();
  bool grows = away > 1e-4 * pushed;
  for (int n = 0; n < 3 && grows && away < 30 * pushed && !contact_.crossing(); ++n) {
    const double last = std::exchange(away, step_away());
    grows = away > 1.002 * last;
  }
  if (contact_.crossing()) return false;
  if (!grows) {
    const int steps = report_.steps;
    report_ = report, report_.steps = steps;
    go_back(still);
    return true;
  }
  if (away < small * size)
    for (std::size_t i = 0; i < state_.x.size(); ++i)
      state_.v[i] = small * size / (away * length_) * (state_.x[i] - still.state.x[i]);
  best_ = forever, waited_ = 0;
  allowed_ = longest * h_;
  ++departures_;
  return false;
}

double LongSteps::longest_step() const {
  return std::min(allowed_, (contact_.touching() > 0 ? beyond : far_beyond) * time_of_loads_);
}

void LongSteps::choose_length() {
  const bool lands = contact_.touching() > 1.1 * std::exchange(touching_, contact_.touching());
  if (solved_ && length_ >= longest_step()) allowed_ = std::min(1.25 * allowed_, longest * h_);
  if (!solved_ && !moves_) allowed_ = shorter * length_;
  if (!solved_)
    length_ *= shorter;
  else if (!lands)
    length_ *= longer;
  if (is_balanced()) length_ = longest_step();
  length_ = std::min(length_, longest_step());
}

std::string LongSteps::reason_to_end() const {
  if (waited_ > patience) return fmt::format("no equilibrium is found, the residual stays at {:.3g}", report_.residual);
  if (length_ < shortest * h_) return "the solver finds no step towards equilibrium";
  if (extent(state_) > 1e3 * extent_) return "there is no equilibrium: the motion does not end";
  if (report_.steps >= options_.max_steps)
    return fmt::format("not settled after {} steps, the residual is {:.3g}", report_.steps, report_.residual);
  return {};
}

LongSteps::Snapshot LongSteps::remember() const {
  Snapshot now{state_, {}};
  contact_.save(now.contacts);
  return now;
}

void LongSteps::go_back(const Snapshot& there) {
  state_ = there.state;
  Reader contacts(there.contacts.bytes());
  contact_.load(contacts, team_);
  contact_.find_candidates(model_, state_, loads_.body_pose, length_, team_);
}

}  // namespace

SettleReport settle_in_long_steps(const Model& model, const LoadsOf& loads_of, double h, const SettleOptions& options,
                                  const SettleMeans& means, State& state) {
  return LongSteps(model, loads_of, h, options, means, state).settle();
}

}  // namespace tendril::sim
