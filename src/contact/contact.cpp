#include "contact/contact.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

#include "contact/candidates.h"
#include "contact/for_all.h"
#include "math/quat.h"
#include "rod/model.h"
#include "rod/stream.h"

namespace tendril {

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
  survey_ = {}, frames_.clear();
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

// visits pairs from `first` on; all are counted
template <class Visit>
void Contact::survey_pairs(std::size_t first, Visit visit) {
  std::vector<Survey> found(shares_for(team_, pairs_.size()));
  for_shares(team_, pairs_.size(), [&](Share share, int number) {
    Survey mine;
    for (std::size_t p = share.begin; p < static_cast<std::size_t>(share.end); ++p) {
      if (p >= first) visit(p, mine);
      mine.take(pairs_[p]);
    }
    found[number] = mine;
  });
  survey_ = {};
  for (const Survey& part : found) survey_.take(part);
}

void Contact::find_candidates(const Model&, const State& state, std::span<const Pose> body_end, double h,
                              ThreadTeam& team) {
  team_ = &team;
  reached_ = next_ = 0;
  effort_ = {};
  crossing_.reset(), is_followed_ = false;
  frames_.clear();
  if (!options_.enabled) return void(corner_ = state.x);
  effort_.detection.time([&] {
    const bool body_moves = set_bodies(state, body_end, h), is_new_corner = set_corner(state, h);
    search_where_needed();
    // two segments know nothing of bodies
    const std::size_t first = is_new_corner ? 0 : body_moves ? candidates_->first_solid_pair() : pairs_.size();
    if (first < pairs_.size()) evaluate_pairs(first);
  });
  effort_.before_path = effort_.detection.seconds();
}

// whether one is elsewhere than it was, or will be
bool Contact::set_bodies(const State& state, std::span<const Pose> body_end, double h) {
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
  return body_moves;
}

// whether it is a new one
bool Contact::set_corner(const State& state, double h) {
  std::atomic<bool> is_new = corner_.size() != state.x.size();
  corner_.resize(state.x.size()), wanted_.resize(state.x.size());
  for_shares(team_, state.x.size(), [&](Share share, int) {
    bool same = true;
    for (int i = share.begin; i < share.end; ++i) {
      same = same && corner_[i] == state.x[i];
      corner_[i] = state.x[i], wanted_[i] = h * state.v[i];
    }
    if (!same) is_new = true;
  });
  return is_new;
}

void Contact::roll_from(std::span<const Quatd> frames) { frames_.assign(frames.begin(), frames.end()); }

Vec3d Contact::turned(int segment, const Quatd& frame) const {
  const Quatd turn = frame * conjugate(frames_[segment]);
  return quaternion_log(turn.w < 0 ? -turn : turn);
}

void Contact::evaluate_pairs(std::size_t first) {
  survey_pairs(first, [&](std::size_t p, Survey&) { evaluate(p, corner_, pose_); });
}

void Contact::evaluate_new_pairs() {
  survey_pairs(0, [&](std::size_t p, Survey&) {
    if (pairs_[p].normal == Vec3d{}) evaluate(p, corner_, pose_);
  });
}

// The list of pairs is complete while every vertex is in its box; what left it is looked for anew.
void Contact::search_beyond_boxes(const std::vector<Vec3d>& x) {
  std::atomic<bool> all_inside = true;
  for_shares(team_, x.size(), [&](Share share, int) {
    bool inside = true;
    for (int i = share.begin; i < share.end; ++i) {
      inside &= candidates_->holds(i, x[i]);
      wanted_[i] = x[i] - corner_[i];
    }
    if (!inside) all_inside = false;
  });
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (!bodies_[b].is_free) continue;
    if (!roams(static_cast<int>(b), next_pose_[b])) all_inside = false;
    wanted_pose_[b] = next_pose_[b];
  }
  if (!all_inside) search_where_needed();
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
  effort_.detection.start();
  ++effort_.legs;
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    if (bodies_[b].is_free) next_pose_[b] = {state.body_x[b], state.body_q[b]};
  const bool is_checked =
      !crossing_ && holds_for_all(team_, state.x.size(), [&](std::size_t i) { return is_finite(state.x[i]); });
  if (is_checked) search_beyond_boxes(state.x);
  turns_.resize(frames_.size());
  for_all(team_, frames_.size(), [&](std::size_t s) {
    turns_[s] = turned(static_cast<int>(s), state.q[s]);
    frames_[s] = state.q[s];
  });
  const Leg leg{corner_, state.x, pose_, next_pose_};
  const Solids solids{candidates_->solids(), candidates_->edges(), bodies_};
  survey_pairs(0, [&](std::size_t p, Survey& found) {  // all in one pass, while a pair is at hand
    Pair& pair = pairs_[p];
    if (is_checked && !keeps_apart(pair, solids, leg)) found.first_crossing = std::min(found.first_crossing, p);
    if (pair.grip.friction > 0) slide(pair, leg);
    evaluate(p, state.x, next_pose_);
    if (pair.with_solid()) pair.carried = {};
    pair.drag = tangential(pair.drag, pair.normal);
  });
  if (survey_.first_crossing < pairs_.size()) {
    const Pair& pair = pairs_[survey_.first_crossing];
    crossing_ = {pair.a, pair.b, pair.body, false, pair.body_a};
  }
  if (is_checked && judge_)
    if (const auto verdict = judge_(leg, *team_)) crossing_ = verdict;
  corner_ = state.x;
  reached_ = next_;
  std::swap(pose_, next_pose_);
  effort_.detection.stop();
}

// how far the points that touch are dragged over one another
void Contact::slide(Pair& pair, const Leg& leg) const {
  if (pair.with_solid()) pair.carried = carried(pair.body, pair.point) - carried(pair.body_a, pair.point_a);
  pair.drag += pair.relative([&](int i) { return leg.to[i] - leg.from[i]; });
  if (turns_.empty()) return;
  for (int side = 0; side < 2; ++side)
    if (const Rolling roll = rolling(pair, side); !(roll.way == Vec3d{}))
      pair.drag += dot(roll.axis, turns_[side == 0 ? pair.a : pair.b]) * roll.way;
}

// what the springs of friction cannot hold has slid
void Contact::end_step() {
  constexpr std::size_t block = 4096;  // pairs whose work is added up together, whatever the threads
  std::vector<double> work((pairs_.size() + block - 1) / block, 0);
  const auto let_slide = [](Pair& pair) {
    if (pair.drag == Vec3d{}) return 0.0;
    const double length = norm(pair.drag);
    const double normal_force = -pair.barrier.at(pair.gap).slope;
    const double held = pair.grip.held_share(length, normal_force);
    pair.drag = held * pair.drag;
    return pair.grip.friction * normal_force * (1 - held) * length;
  };
  for_all(
      team_, work.size(),
      [&](std::size_t b) {
        for (std::size_t p = b * block; p < std::min((b + 1) * block, pairs_.size()); ++p)
          work[b] += let_slide(pairs_[p]);
      },
      2);
  friction_work_ = std::accumulate(work.begin(), work.end(), friction_work_);
}

std::string Contact::obstruction() const {
  return "there is no room for what is held, or for an obstacle, to go where it is driven: rods are in its way";
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
  team_ = &team;
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
