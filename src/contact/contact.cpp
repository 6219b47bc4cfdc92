#include "contact/contact.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

#include "contact/candidates.h"
#include "contact/ccd.h"
#include "contact/for_all.h"
#include "math/quat.h"
#include "rod/model.h"
#include "rod/stream.h"

namespace tendril::contact {
namespace {

// what its spring was stretched by when the step began; `known` are sorted as pairs are
Vec3d slip_at_start(const Pair& pair, const std::vector<std::pair<Pair, Vec3d>>& known) {
  const auto is_before = [](const auto& one, const auto& order) { return one.first.order() < order; };
  const auto found = std::lower_bound(known.begin(), known.end(), pair.order(), is_before);
  return found != known.end() && found->first.order() == pair.order() ? found->second : Vec3d{};
}

}  // namespace

Contact::Contact() : Contact({false, 0}, {}) {}

Contact::Contact(const ContactOptions& options, const State& start)
    : options_(options), start_(start), candidates_(std::make_unique<Candidates>()) {}

Contact::~Contact() = default;

void Contact::reset(const Model& model) {
  pairs_.clear(), ++list_number_;
  survey_ = {}, frames_.clear();
  bodies_.assign(model.bodies.size(), {}), search_ranges_.clear();
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

// visits pairs that are followed, from number `first` on; all of them are counted
template <class Visit>
void Contact::survey_pairs(std::size_t first, Visit visit) {
  std::vector<Survey> found(shares_for(team_, followed_.size()));
  for_shares(team_, followed_.size(), [&](Share share, int number) {
    Survey mine;
    for (int k = share.begin; k < share.end; ++k) {
      const std::size_t p = followed_[k];
      if (p >= first) visit(p, mine);
      mine.take(pairs_[p]);
    }
    found[number] = mine;
  });
  survey_ = {};
  for (const Survey& part : found) survey_.take(part);
}

void Contact::follow(Movers movers) {
  const auto mark = [&](const std::vector<int>& some, std::vector<int>& moves) {
    bool all_moved = true;
    for (int i : some) all_moved &= moves[i] == movers_number_, moves[i] = movers_number_ + 1;
    return all_moved;
  };
  const bool had_vertices = mark(movers.vertices, vertex_moves_), had_bodies = mark(movers.bodies, body_moves_);
  ++movers_number_;
  movers_ = std::move(movers);
  if (!had_vertices || !had_bodies) return list_followed();
  std::vector<int> left =
      all_where(team_, followed_.size(), [&](std::size_t k) { return moves(pairs_[followed_[k]]); });
  for (int& p : left) p = followed_[p];
  followed_ = std::move(left);
}

void Contact::follow_all() {
  const auto all = [](std::size_t count) {
    std::vector<int> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
  };
  ++movers_number_;
  vertex_moves_.assign(waypoint_.size(), movers_number_), body_moves_.assign(bodies_.size(), movers_number_);
  movers_ = {all(waypoint_.size()), all(frames_.size()), all(bodies_.size())};
  list_followed();
  survey_pairs(0, [](std::size_t, Survey&) {});
}

void Contact::list_followed() {
  followed_ = all_where(team_, pairs_.size(), [&](std::size_t p) { return moves(pairs_[p]); });
}

bool Contact::moves(const Pair& pair) const {
  if (has_gone_alone(pair)) return false;
  const auto moves = [&](int body, int vertex) {
    if (body < 0) return vertex_moves_[vertex] == movers_number_;
    return body_moves_[body] == movers_number_ || !is_at_end(body);
  };
  return moves(pair.body_a, pair.vertex[0]) || moves(pair.body, pair.vertex[2]);
}

void Contact::find_candidates(const Model&, const State& state, std::span<const Pose> body_end, double h,
                              ThreadTeam& team) {
  team_ = &team;
  progress_.assign(bodies_.size(), 0), next_progress_ = progress_;
  effort_ = {};
  crossing_.reset(), is_followed_ = false;
  frames_.clear(), alone_.clear(), meets_bodies_.clear();
  if (!options_.enabled) return void(waypoint_ = state.x);
  effort_.detection.time([&] {
    const bool body_moves = set_bodies(state, body_end, h), is_new_waypoint = set_waypoint(state, h);
    begin_ = {waypoint_, {}, pose_};
    follow_all();
    search_where_needed();
    // two segments know nothing of bodies
    const std::size_t first = is_new_waypoint ? 0 : body_moves ? candidates_->first_solid_pair() : pairs_.size();
    if (first < pairs_.size()) evaluate_pairs(first);
    hand_over_slips(), remember();
  });
  effort_.before_path = effort_.detection.seconds();
}

// whether one is elsewhere than it was, or will be
bool Contact::set_bodies(const State& state, std::span<const Pose> body_end, double h) {
  pose_.resize(bodies_.size()), next_pose_.resize(bodies_.size()), wanted_pose_.resize(bodies_.size());
  end_pose_.resize(bodies_.size());
  longest_way_.assign(bodies_.size(), 0);
  bool body_moves = false;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Pose begin{state.body_x[b], state.body_q[b]};
    const bool has_end = !bodies_[b].is_free && b < body_end.size();
    bodies_[b].set(begin, has_end ? body_end[b] : begin);
    const Pose old = std::exchange(pose_[b], bodies_[b].is_free ? begin : bodies_[b].at(0));
    next_pose_[b] = pose_[b], end_pose_[b] = bodies_[b].moves ? bodies_[b].at(1) : pose_[b];
    const bool is_elsewhere = !(old.x == pose_[b].x && old.q == pose_[b].q);  // in the last digits, when it has stopped
    body_moves |= bodies_[b].moves || is_elsewhere;
    wanted_pose_[b] = {begin.x + h * state.body_v[b], quaternion_exp(h * state.body_omega[b]) * begin.q};
  }
  return body_moves;
}

// whether it is a new one
bool Contact::set_waypoint(const State& state, double h) {
  std::atomic<bool> is_new = waypoint_.size() != state.x.size();
  waypoint_.resize(state.x.size()), wanted_.resize(state.x.size());
  for_shares(team_, state.x.size(), [&](Share share, int) {
    bool same = true;
    for (int i = share.begin; i < share.end; ++i) {
      same = same && waypoint_[i] == state.x[i];
      waypoint_[i] = state.x[i], wanted_[i] = h * state.v[i];
    }
    if (!same) is_new = true;
  });
  return is_new;
}

void Contact::roll_from(std::span<const Quatd> frames) {
  frames_.assign(frames.begin(), frames.end()), begin_.frames = frames_;
  movers_.segments.resize(frames_.size());
  std::iota(movers_.segments.begin(), movers_.segments.end(), 0);
}

Vec3d Contact::turned(int segment, const Quatd& frame) const { return turn_between(frames_[segment], frame); }

void Contact::evaluate_pairs(std::size_t first) {
  survey_pairs(first, [&](std::size_t p, Survey&) { measure(pairs_[p], waypoint_, pose_); });
}

void Contact::evaluate_new_pairs() {
  is_new_.assign(pairs_.size(), false);
  for_all(team_, pairs_.size(), [&](std::size_t p) {
    if (!(pairs_[p].normal == Vec3d{})) return;
    measure(pairs_[p], waypoint_, pose_);
    is_new_[p] = true;
  });
  survey_pairs(0, [](std::size_t, Survey&) {});
  hand_over_slips_to_new();
}

// The list of pairs is complete while every vertex is in its box; what left it is looked for anew.
void Contact::search_beyond_boxes(const std::vector<Vec3d>& x) {
  std::atomic<bool> all_inside = true;
  for_shares(team_, movers_.vertices.size(), [&](Share share, int) {
    bool inside = true;
    for (int k = share.begin; k < share.end; ++k) {
      const int i = movers_.vertices[k];
      inside &= candidates_->holds(i, x[i]);
      wanted_[i] = x[i] - waypoint_[i];
    }
    if (!inside) all_inside = false;
  });
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (!bodies_[b].is_free) continue;
    if (!is_in_search_range(static_cast<int>(b), next_pose_[b])) all_inside = false;
    wanted_pose_[b] = next_pose_[b];
  }
  if (!all_inside) search_where_needed();
}

void Contact::end_path(const State& state) {
  if (!options_.enabled) return;
  bool is_there = all_at_end() && state.x == waypoint_;
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    if (bodies_[b].is_free) is_there &= state.body_x[b] == pose_[b].x && state.body_q[b] == pose_[b].q;
  if (!is_there) {
    follow_all();
    for (std::size_t b = 0; b < bodies_.size(); ++b) next_pose_[b] = bodies_[b].is_free ? pose_[b] : end_pose_[b];
    next_progress_.assign(bodies_.size(), 1);
    end_substep(state);
  }
  if (alone_.empty()) return;
  alone_.clear(), meets_bodies_.clear();  // what is driven is now where they met it
  follow_all();
  const std::size_t first = candidates_->first_solid_pair();
  evaluate_pairs(first);
  // what went alone was checked then, and would be in the way now if anything had moved it since
  for (std::size_t p = first; p < pairs_.size() && !crossing_; ++p)
    if (const Pair& pair = pairs_[p]; !(pair.true_gap > 0)) crossing_ = {pair.a, pair.b, pair.body, false, pair.body_a};
}

void Contact::end_substep(const State& state) {
  if (!options_.enabled) return;
  effort_.detection.start();
  ++effort_.substeps;
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    if (bodies_[b].is_free) next_pose_[b] = {state.body_x[b], state.body_q[b]};
  const std::vector<int>&vertices = movers_.vertices, &segments = movers_.segments;
  const bool is_checked = !crossing_ && holds_for_all(team_, vertices.size(),
                                                      [&](std::size_t k) { return is_finite(state.x[vertices[k]]); });
  if (is_checked) search_beyond_boxes(state.x);
  turns_.resize(frames_.size());
  for_all(team_, frames_.empty() ? 0 : segments.size(), [&](std::size_t k) {
    const int s = segments[k];
    turns_[s] = turned(s, state.q[s]);
    frames_[s] = state.q[s];
  });
  const Substep substep{waypoint_, state.x, pose_, next_pose_, meets_bodies_};
  const Solids solids{candidates_->solids(), candidates_->edges(), bodies_};
  survey_pairs(0, [&](std::size_t p, Survey& found) {  // all in one pass, while a pair is at hand
    Pair& pair = pairs_[p];
    if (is_checked && !keeps_apart(pair, solids, substep)) found.first_crossing = std::min(found.first_crossing, p);
    if (pair.spring.friction > 0) slide(pair, substep);
    measure(pair, state.x, next_pose_);
    pair.slip = tangential(pair.slip, pair.normal);
  });
  if (survey_.first_crossing < pairs_.size()) {
    const Pair& pair = pairs_[survey_.first_crossing];
    crossing_ = {pair.a, pair.b, pair.body, false, pair.body_a};
  }
  if (is_checked && judge_)
    if (const auto verdict = judge_(substep, *team_)) crossing_ = verdict;
  for_all(team_, vertices.size(),
          [&](std::size_t k) { waypoint_[vertices[k]] = state.x[vertices[k]], wanted_[vertices[k]] = {}; });
  pose_ = next_pose_, progress_ = next_progress_;
  // An iterate of Newton's method may go astray and come back, and a sum over substeps keeps what other points saw
  // there: a rod that slid over the joints of another was then pulled sideways. So two rods have the way from where the
  // step began. Over solids, whose points move on as they roll, the sum is steadier.
  for_all(team_, rolls() ? followed_.size() : 0, [&](std::size_t k) {
    Pair& pair = pairs_[followed_[k]];
    if (pair.spring.friction == 0 || pair.with_solid() || pair.body_a >= 0) return;
    pair.slip = tangential(slip_at_start(pair, remembered_) + moved_in_step(pair), pair.normal);
  });
  effort_.detection.stop();
}

void Contact::remember() {
  remembered_.clear();
  for (const Pair& pair : pairs_)
    if (!(pair.slip == Vec3d{})) remembered_.push_back({pair, pair.slip});
}

void Contact::go_back() {
  auto then = remembered_.begin();  // both are in the order of the list
  for (Pair& pair : pairs_) {
    while (then != remembered_.end() && then->first.order() < pair.order()) ++then;
    const bool is_there = then != remembered_.end() && then->first.order() == pair.order();
    pair.slip = is_there ? then->second : Vec3d{};
  }
  waypoint_.clear();  // the geometry is evaluated when the next step begins
}

std::string Contact::obstruction() const {
  return "there is no room for what is held, or for an obstacle, to go where it is driven: rods are in its way";
}

void Contact::save(Writer& out) const {
  candidates_->save(out);
  std::vector<Vec3d> slips;
  for (const Pair& pair : pairs_) slips.push_back(pair.slip);
  out.put(slips);
  out.put(search_ranges_);
  out.put(friction_work_), out.put(contact_loss_);
}

void Contact::load(Reader& in, ThreadTeam& team) {
  team_ = &team;
  candidates_->load(in, team);
  take_pairs();
  std::vector<Vec3d> slips;
  in.get(slips);
  in.get(search_ranges_);
  in.get(friction_work_), in.get(contact_loss_);
  if (slips.size() != pairs_.size()) throw std::runtime_error("the saved contacts belong to another scene");
  for (std::size_t p = 0; p < pairs_.size(); ++p) pairs_[p].slip = slips[p];
  waypoint_.clear();  // the geometry is evaluated when the next step begins
}

}  // namespace tendril::contact
