#include "solvers/block/cut_strand.h"

#include "solvers/newton/scalar_block.h"

namespace tendril::solvers::block {
namespace {

using T = StrandLanes;

// rows before they are put in order
constexpr int vertex_of(int joint) { return 2 * joint; }
constexpr int turn_of(int joint) { return 2 * joint + 1; }
constexpr int joint_rows = turn_of(strand_lanes);  // behind the last piece there is no segment

Elimination plan_joints() {
  std::vector<std::pair<int, int>> couplings;
  for (int k = 0; k < strand_lanes; ++k)
    for (int a = vertex_of(k); a <= turn_of(k + 1); ++a)
      for (int b = a + 1; b <= turn_of(k + 1); ++b)
        if (b < joint_rows) couplings.push_back({a, b});
  return plan_elimination(joint_rows, couplings);
}

Vec3d of_lane(const Vec3<T>& a, int k) { return {a.x[k], a.y[k], a.z[k]}; }
Mat3d of_lane(const Mat3<T>& a, int k) { return {of_lane(a.c0, k), of_lane(a.c1, k), of_lane(a.c2, k)}; }
Mat3d of_lane(const Sym3<T>& a, int k) { return of_lane(full(a), k); }

Quatd of_lane(const Quat<T>& a, int k) { return {a.w[k], a.x[k], a.y[k], a.z[k]}; }

void set_lane(Vec3<T>& a, int k, const Vec3d& to) { a.x.v[k] = to.x, a.y.v[k] = to.y, a.z.v[k] = to.z; }
void set_lane(Quat<T>& a, int k, const Quatd& to) {
  a.w.v[k] = to.w, a.x.v[k] = to.x, a.y.v[k] = to.y, a.z.v[k] = to.z;
}

// the lane and the slot of a segment
struct Slot {
  int lane = 0, s = 0;
};
Slot slot_of(const Cut& cut, int segment) {
  const int length = static_cast<int>(cut.pieces.constants->segments.size());
  const int n = cut.pieces.lineup.last_segment[0] - segment;
  return {n / length, n % length};
}

}  // namespace

Cut cut_strand(const Problem& problem, const Parts& parts, int part) {
  Cut cut{.part = part};
  const Strand strand = *strand_of(problem, parts[part]);
  const int length = (strand.segments + strand_lanes - 1) / strand_lanes;
  Lineup<T>& lineup = cut.pieces.lineup;
  lineup.empty = strand_lanes * length - strand.segments;
  for (int k = 0; k < strand_lanes; ++k) {
    lineup.last_vertex[k] = strand.last_vertex + lineup.empty - k * length;
    lineup.last_segment[k] = strand.last_segment + lineup.empty - k * length;
  }
  cut.pieces.parts.fill(part);
  cut.pieces.is_open = parts[part].skeleton.is_open;
  cut.pieces.make_room(length);
  cut.pieces.constants = std::make_shared<StrandConstants<T>>();
  StrandConstants<T>& constants = *cut.pieces.constants;
  constants.segments.resize(length), constants.bends.resize(length), constants.is_held.assign(length + 1, 0);
  for (int i = 1; i < length; ++i)  // joints are held by themselves
    for (int vertex : lineup.vertices(i)) constants.is_held[i] |= problem.role[vertex] != Role::free;
  return cut;
}

void load_constants(const Problem& p, const Parts& parts, Cut& cut) {
  StrandConstants<T>& constants = *cut.pieces.constants;
  const int length = static_cast<int>(constants.segments.size());
  for (int s = 0; s < length; ++s) {
    StrandSegment<T>& segment = constants.segments[s];
    segment = segment_constants<T>(p, cut.pieces.lineup.segments(s));
    if (s >= cut.empty()) continue;
    segment.stretch.GA.v[0] = segment.stretch.EA.v[0] = segment.per_length.v[0] = 0;
    set_lane(segment.spin, 0, {1, 1, 1});
  }
  // where no bend is there is one without stiffness
  const Bend<T> none{{T(0), T(0), T(0)}, {T(0), T(0), T(0)}, T(0)};
  const Quat<T> no_turn{T(1), T(0), T(0), T(0)};
  std::fill(constants.bends.begin(), constants.bends.end(), none);
  constants.turns.assign(length, no_turn);
  cut.pieces.held.clear();
  bool turns = false;
  for (const BendElement& e : parts[cut.part].bends) {
    const rod::Bend& ends = p.model->bends[e.bend];
    const Bend<double> term = p.bend(e.bend);
    const auto [lane, s] = slot_of(cut, e.b >= 0 ? ends.b.index : ends.a.index);
    const bool is_held = e.a < 0 || e.b < 0;
    if (is_held) {
      LaneIndex in_model;
      in_model.fill(e.bend);
      cut.pieces.held.push_back({s, in_model, e.a < 0, none, no_turn});
    }
    Bend<T>& bend = is_held ? cut.pieces.held.back().bend : constants.bends[s];
    set_lane(bend.K, lane, term.K), set_lane(bend.rest, lane, term.rest), bend.ridge.v[lane] = term.ridge;
    set_lane(is_held ? cut.pieces.held.back().turn : constants.turns[s], lane, ends.turn);
    turns |= !is_held && p.bends[e.bend].turns;
  }
  if (!turns) constants.turns.clear();
  sort_by_segment(cut.pieces.held);
  constants.kind = kind_of(constants);
  constants.version = p.version;
}

void load_weights(const Problem& p, Cut& cut) {
  load_weights(p, cut.pieces);
  std::vector<T>& weight = cut.pieces.weight;
  for (int n = 0; n < cut.empty(); ++n) weight[n].v[0] = 1;
  // the last vertex of a piece is the first of the next
  for (int k = 0; k + 1 < strand_lanes; ++k) weight.back().v[k] = 0;
}

CutStrand::CutStrand(const Problem& problem, const Parts& parts) : Pieces(problem, parts), joint_plan_(plan_joints()) {}

void CutStrand::load(Cut& cut, Iterate& at, const Iterate& start, const State& moving) {
  cut_ = &cut;
  Pieces::begin(cut.pieces, at, start, moving);
  read_guess();
  if (follows()) {
    follow_guessed_frames();
    take_guess(-shift_of_pieces(beyond_guess_));
  }
  begin_moving();
  guess_.q.back() = guess_.q[0];
  for (int k = 0; k + 1 < strand_lanes; ++k) set_lane(guess_.q.back(), k, of_lane(guess_.q[0], k + 1));
  for (int n = 0; n < cut.empty(); ++n) {
    set_lane(goal_[n], 0, {});
    if (!moment_.empty()) set_lane(moment_[n], 0, {});
  }
}

// the frame behind each piece is the first of the next, and empty slots stay where they are
void CutStrand::fit_ends(Places& places) const {
  places.turn.back() = {T(1), T(0), T(0), T(0)};
  for (int k = 0; k + 1 < strand_lanes; ++k) set_lane(places.turn.back(), k, of_lane(places.turn[0], k + 1));
  for (int n = 0; n < cut_->empty(); ++n) set_lane(places.x[n], 0, {}), set_lane(places.turn[n], 0, {});
}

// What pieces have gone beyond x + u is counted from their last vertex, which went as far as the next piece says. What
// they go on by: that, less the way of the anchor, or the mean way along the axes on which it is free.
Vec3<T> CutStrand::shift_of_pieces(const std::vector<Vec3<T>>& beyond) const {
  Vec3<T> from{};
  for (int k = strand_lanes - 1; k > 0; --k) set_lane(from, k - 1, of_lane(from, k) + of_lane(beyond[0], k));
  const Skeleton& skeleton = shape_->skeleton;
  const int length = segment_count(), n = cut_->pieces.lineup.last_vertex[0] - skeleton.anchor;
  const int lane = std::min(n / length, strand_lanes - 1), slot = n - lane * length;
  Vec3d back = of_lane(from, lane) + of_lane(beyond[slot], lane);
  if (!(skeleton.free == Vec3d{})) {
    const Vec3d mean = this->mean([&](int i) { return from + beyond[i]; });
    back += scale(skeleton.free, mean - back);
  }
  return from - Vec3<T>{T(back.x), T(back.y), T(back.z)};
}

// by their weights
template <class Of>
Vec3d CutStrand::mean(Of of) const {
  double weight = 0;
  Vec3<T> total{T(0), T(0), T(0)};
  for (int i = 0; i <= segment_count(); ++i) {
    T w = bundle_->weight[i];
    if (i < cut_->empty()) w.v[0] = 0;
    weight += sum(w), total += w * of(i);
  }
  return weight > 0 ? (1 / weight) * Vec3d{sum(total.x), sum(total.y), sum(total.z)} : Vec3d{};
}

void CutStrand::go(double share, Places& to, bool predicts) {
  Pieces::go<false>(T(share), everywhere(), to, predicts);
  if (follows()) {
    const Vec3<T> shift = shift_of_pieces(beyond_);
    for (int i = 0; i <= segment_count(); ++i) to.x[i] += shift;
  }
  fit_ends(to);
}

double CutStrand::energy_along(double share) {
  go(share, trial_, false);
  return sum(energy(trial_));
}

double CutStrand::sum(const T& lanes) {
  double total = 0;
  for (int k = 0; k < strand_lanes; ++k) total += lanes[k];
  return total;
}

// of row a with b
void CutStrand::add_coupling(int a, int b, const Mat3d& H) {
  const int row_a = joint_plan_.row[a], row_b = joint_plan_.row[b];
  joints_.coupling(joint_plan_.coupling(std::min(row_a, row_b), std::max(row_a, row_b))) +=
      row_a > row_b ? H : transpose(H);
}

CutStrand::Pass CutStrand::factorise(double hessian_share) {
  const Pieces::Pass pieces = factorise_pieces(T(hessian_share));
  joints_.reset(joint_plan_), joints_.clear();
  const auto add = [&](int joint, const OpenPair<T>& pair, int k) {
    const auto add_row = [&](int row, const OpenRow<T>& from) {
      joints_.diagonal(joint_plan_.row[row]) += of_lane(from.diagonal, k);
      joints_.right(joint_plan_.row[row]) += of_lane(from.right, k);
    };
    add_row(vertex_of(joint), pair.first);
    if (joint == strand_lanes) return;
    add_row(turn_of(joint), pair.second);
    add_coupling(turn_of(joint), vertex_of(joint), of_lane(pair.coupling, k));
  };
  const auto add_between = [&](int row, int k, const Border<T>& border) {
    add_coupling(vertex_of(k), row, of_lane(border.first, k));
    add_coupling(turn_of(k), row, of_lane(border.second, k));
  };
  for (int k = 0; k < strand_lanes; ++k) {
    add(k, ends_.first, k), add(k + 1, ends_.last, k);
    add_between(vertex_of(k + 1), k, ends_.last_vertex);
    if (k + 1 < strand_lanes) add_between(turn_of(k + 1), k, ends_.last_turn);
  }
  Pass pass{sum(pieces.energy), !any(~pieces.is_definite)};
  std::array<Vec3d, joint_rows> free;  // by rows
  free.fill({1, 1, 1});
  const int length = segment_count();
  const LaneIndex first = bundle_->lineup.vertices(0), last = bundle_->lineup.vertices(length);
  for (int k = 0; k < strand_lanes; ++k)
    if (k > 0 || cut_->empty() == 0) free[joint_plan_.row[vertex_of(k)]] = problem_->free_axes(first[k]);
  free[joint_plan_.row[vertex_of(strand_lanes)]] = problem_->free_axes(last[strand_lanes - 1]);
  for (int row = 0; row < joint_rows; ++row)
    pass.is_definite &= free[row] == Vec3d{1, 1, 1} ? joints_.eliminate(row) : joints_.eliminate_partly(row, free[row]);
  return pass;
}

void CutStrand::solve() {
  joints_.solve_backwards(joint_u_);
  solve_between_joints();
  if (!bundle_->is_open && retracts_) bend_way();
}

void CutStrand::solve_between_joints() {
  const int length = segment_count();
  u_[2 * length] = u_[2 * length + 1] = {};
  const auto of = [&](int row) -> const Vec3d& { return joint_u_[joint_plan_.row[row]]; };
  for (int k = 0; k < strand_lanes; ++k) {
    set_lane(u_[0], k, of(vertex_of(k))), set_lane(u_[1], k, of(turn_of(k)));
    set_lane(u_[2 * length], k, of(vertex_of(k + 1)));
    if (k + 1 < strand_lanes) set_lane(u_[2 * length + 1], k, of(turn_of(k + 1)));
  }
  solve_pieces();
}

// the second order of the way, see Strands
void CutStrand::bend_way() {
  const int length = segment_count();
  const T step = step_size_, turn = turn_size_;
  add_excess_forces();
  solve_forwards<true>();
  joint_u_.assign(joint_rows, {});
  const auto add = [&](int row, const Vec3<T>& force, int k) { joint_u_[joint_plan_.row[row]] += of_lane(force, k); };
  for (int k = 0; k < strand_lanes; ++k) {
    add(vertex_of(k), second_order_[0], k), add(turn_of(k), second_order_[1], k);
    add(vertex_of(k + 1), second_order_[2 * length], k);
    if (k + 1 < strand_lanes) add(turn_of(k + 1), second_order_[2 * length + 1], k);
  }
  joints_.solve(joint_u_);
  u_.swap(second_order_);
  solve_between_joints();
  u_.swap(second_order_);
  step_size_ = step, turn_size_ = turn;
}

double CutStrand::round_off(double energy) const { return newton::round_off(*shape_, largest(farthest()), energy); }

double CutStrand::start_energy() {
  Pieces::load_start(trial_);
  fit_ends(trial_);
  return sum(energy(trial_));
}

void CutStrand::go_back(bool) {
  Pieces::go_back(everywhere());
  fit_ends(at_);
}

void CutStrand::keep_momentum(bool) {
  if (!shape_->is_free) return;
  const Vec3d away = mean([&](int i) { return at_.x[i] - goal_[i]; });
  const Vec3<T> shift{T(away.x), T(away.y), T(away.z)};
  for (Vec3<T>& x : at_.x) x -= shift;
  fit_ends(at_);
}

}  // namespace tendril::solvers::block
