#include "solvers/stable/rod_correction.h"

#include <algorithm>

#include "math/union_find.h"

namespace tendril::solvers::stable {

namespace {

constexpr double largest_turn = 0.5;  // of a frame in one step [rad]
constexpr int most_trials = 6;
constexpr double near = 3;     // of a barrier's reach: what pushes soon
constexpr int most_cuts = 20;  // of a step, by what is in its way

bool is_dynamic(const StepProblem& problem, int body) { return problem.model->bodies[body].kind == BodyKind::dynamic; }

}  // namespace

void RodCorrection::reset(const StepProblem& problem) {
  const Model& model = *problem.model;
  vertex_count_ = static_cast<int>(model.vertices.size()), segment_count_ = static_cast<int>(model.segments.size());
  const int bodies = static_cast<int>(model.bodies.size());
  const int unknowns = vertex_count_ + segment_count_ + 2 * bodies;
  follows_.assign(vertex_count_, -1), offset_.assign(vertex_count_, {});
  for (const Tie& tie : model.ties)
    if (problem.role[tie.vertex] == Role::slaved && is_dynamic(problem, tie.body) && follows_[tie.vertex] < 0)
      follows_[tie.vertex] = tie.body, offset_[tie.vertex] = tie.offset;

  // vertices, then bodies
  UnionFind joined(vertex_count_ + bodies);
  for (const Segment& segment : model.segments) joined.unite(segment.vertex[0], segment.vertex[1]);
  for (int i = 0; i < vertex_count_; ++i)
    if (follows_[i] >= 0) joined.unite(i, vertex_count_ + follows_[i]);
  const auto node = [&](const FrameId& frame) {  // -1: it is driven
    if (!frame.is_body) return model.segments[frame.index].vertex[0];
    return is_dynamic(problem, frame.index) ? vertex_count_ + frame.index : -1;
  };
  for (const Bend& bend : model.bends)
    if (node(bend.a) >= 0 && node(bend.b) >= 0) joined.unite(node(bend.a), node(bend.b));

  parts_.clear();
  std::vector<int> part_of_root(vertex_count_ + bodies, -1);
  const auto part_at = [&](int i) {
    int& part = part_of_root[joined.find(i)];
    if (part < 0) part = static_cast<int>(parts_.size()), parts_.emplace_back();
    return part;
  };
  part_of_vertex_.assign(vertex_count_, -1), part_of_body_.assign(bodies, -1);
  for (int i = 0; i < vertex_count_; ++i) parts_[part_of_vertex_[i] = part_at(i)].vertices.push_back(i);
  for (int b = 0; b < bodies; ++b)
    if (is_dynamic(problem, b)) parts_[part_of_body_[b] = part_at(vertex_count_ + b)].bodies.push_back(b);
  for (int s = 0; s < segment_count_; ++s) parts_[part_of_vertex_[model.segments[s].vertex[0]]].segments.push_back(s);
  for (std::size_t b = 0; b < model.bends.size(); ++b) {
    const int a = node(model.bends[b].a), other = node(model.bends[b].b), any = a >= 0 ? a : other;
    if (any >= 0) parts_[part_of_root[joined.find(any)]].bends.push_back(static_cast<int>(b));
  }
  row_.assign(unknowns, -1);
  scale_.assign(unknowns, 0);
  for (auto* all : {&force_, &way_, &curve_, &rest_, &ahead_, &direction_, &image_}) all->assign(unknowns, {});
}

void RodCorrection::begin_step(const Contact& contact) {
  for (Part& part : parts_) part.is_near = false;
  find_near_parts(contact);
}

void RodCorrection::find_near_parts(const Contact& contact) {
  for (const Pair& pair : contact.pairs()) {
    if (!(pair.gap < near * pair.barrier.reach)) continue;
    for (int side = 0; side < 2; ++side)
      if (const int p = part_of(pair, side); p >= 0) parts_[p].is_near = true;
  }
}

void RodCorrection::plan(const StepProblem& problem, Part& part) {
  const Model& model = *problem.model;
  part.is_planned = true;
  std::vector<int> unknowns;
  for (int i : part.vertices)
    if (follows_[i] < 0) unknowns.push_back(i);
  for (int s : part.segments) unknowns.push_back(turn_of_segment(s));
  for (int b : part.bodies) unknowns.push_back(place_of(b)), unknowns.push_back(turn_of(b));
  for (std::size_t k = 0; k < unknowns.size(); ++k) row_[unknowns[k]] = static_cast<int>(k);

  std::vector<std::pair<int, int>> couplings;
  const auto couple = [&](int a, int b) { couplings.push_back({row_[a], row_[b]}); };
  for (int b : part.bodies) couple(place_of(b), turn_of(b));
  for (int s : part.segments) {
    const int* i = model.segments[s].vertex;
    std::vector<int> all = {turn_of_segment(s)};
    for (int end = 0; end < 2; ++end) {
      if (follows_[i[end]] < 0)
        all.push_back(i[end]);
      else
        all.push_back(place_of(follows_[i[end]])), all.push_back(turn_of(follows_[i[end]]));
    }
    for (std::size_t j = 0; j < all.size(); ++j)
      for (std::size_t k = 0; k < j; ++k)
        if (all[j] != all[k]) couple(all[k], all[j]);
  }
  for (int b : part.bends) {
    const FrameId &a = model.bends[b].a, &c = model.bends[b].b;
    if ((a.is_body && !is_dynamic(problem, a.index)) || (c.is_body && !is_dynamic(problem, c.index))) continue;
    couple(a.is_body ? turn_of(a.index) : turn_of_segment(a.index),
           c.is_body ? turn_of(c.index) : turn_of_segment(c.index));
  }
  part.plan = plan_elimination(static_cast<int>(unknowns.size()), couplings);
  part.unknowns.resize(unknowns.size());
  for (std::size_t k = 0; k < unknowns.size(); ++k)
    row_[unknowns[k]] = part.plan.row[k], part.unknowns[part.plan.row[k]] = unknowns[k];
  part.matrix.reset(part.plan);
}

int RodCorrection::part_of(const Pair& pair, int side) const {
  const int body = side == 0 ? pair.body_a : pair.body;
  return body >= 0 ? part_of_body_[body] : part_of_vertex_[pair.vertex[2 * side]];
}

int RodCorrection::island_of(const Pair& pair, int side) const {
  const int part = part_of(pair, side);
  return part >= 0 ? island_of_part_[part] : -1;
}

void RodCorrection::find_islands(const Contact& contact) {
  find_near_parts(contact);
  UnionFind joined(static_cast<int>(parts_.size()));
  for (const Pair& pair : contact.pairs()) {
    if (!(pair.gap < pair.barrier.reach)) continue;
    const int a = part_of(pair, 0), b = part_of(pair, 1);
    if (a >= 0 && b >= 0) joined.unite(a, b);
  }
  active_.clear(), islands_.clear(), island_of_part_.assign(parts_.size(), -1);
  for (int p = 0; p < static_cast<int>(parts_.size()); ++p) {
    if (!parts_[p].is_near) continue;
    active_.push_back(p);
    const int leader = joined.find(p);  // the first of them, if it is another
    if (leader == p) islands_.emplace_back();
    island_of_part_[p] = leader == p ? static_cast<int>(islands_.size()) - 1 : island_of_part_[leader];
  }
}

bool RodCorrection::look(const StepProblem& problem, const Contact& contact, const State& at) {
  find_islands(contact);
  if (active_.empty()) return false;
  displacement_.assign(parts_.size(), 0);
  for (int p : active_) {
    Part& part = parts_[p];
    if (!part.is_planned) plan(problem, part);
    part.matrix.clear();
    for (int i : part.vertices) displacement_[p] = std::max(displacement_[p], norm(at.x[i] - problem.begin.x[i]));
  }
  add_parts(problem, at, true);
  add_contact(contact, at);
  release_held(problem);
  return true;
}

double RodCorrection::residual(const StepProblem& problem, double round_off) const {
  double worst = 0;
  for (int p : active_) {
    Remainder left;
    left.displacement = displacement_[p];
    for (int unknown : parts_[p].unknowns) {
      const bool turns = unknown >= vertex_count_ && (unknown < place_of(0) || (unknown - place_of(0)) % 2 == 1);
      const double size = norm(force_[unknown]);
      if (turns)
        left.torque = std::max(left.torque, size), left.torque_scale = std::max(left.torque_scale, scale_[unknown]);
      else
        left.force = std::max(left.force, size), left.force_scale = std::max(left.force_scale, scale_[unknown]);
    }
    // where a straight rod lies, hardly any torque is at work: forces at its segments' ends are
    double longest = 0;
    for (int segment : parts_[p].segments) longest = std::max(longest, problem.stretch[segment].length);
    left.torque_scale = std::max(left.torque_scale, longest * left.force_scale);
    worst = std::max(worst, stable::residual(left, problem, round_off));
  }
  return worst;
}

void RodCorrection::step(const StepProblem& problem, Contact& contact, State& at) {
  for (int p : active_)
    if (!factorise(problem, parts_[p])) return;
  solve(way_);
  for (Island& island : islands_) island.slope = 0;
  for_active([&](int i, int k) { islands_[k].slope -= dot(force_[i], way_[i]); });
  limit_turns();
  find_curve(problem, at);
  State trial = at;
  for (int n = 0; n < most_trials; ++n) {
    go_where_nothing_meets(problem, contact, at, trial);
    add_parts(problem, trial, false);
    add_contact_of_trial(contact, trial);
    release_held(problem);
    for (Island& island : islands_) island.trial = 0;
    for_active(
        [&](int i, int k) { islands_[k].trial -= dot(force_[i], way_[i] + (2 * islands_[k].share) * curve_[i]); });
    bool all_fine = true;
    for (Island& island : islands_) {  // a step that overshoots the minimum by much is shortened by the secant
      if (island.share == 0 || island.trial <= -0.5 * island.slope) continue;
      all_fine = false;
      island.share *= std::clamp(island.slope / (island.slope - island.trial), 0.1, 0.5);
    }
    if (all_fine) break;
  }
  at = trial;
}

// ---- the way

void RodCorrection::limit_turns() {
  for (Island& island : islands_) island.share = island.slope < 0 ? 1 : 0;
  for (int p : active_) {
    double turn = largest_turn;
    for (int s : parts_[p].segments) turn = std::max(turn, norm(way_[turn_of_segment(s)]));
    for (int b : parts_[p].bodies) turn = std::max(turn, norm(way_[turn_of(b)]));
    double& share = islands_[island_of_part_[p]].share;
    share = std::min(share, largest_turn / turn);
  }
}

// A segment that turns by theta while its ends go straight is stretched by theta²/2, which costs a stiff rod more than
// the step gains. The strain shall be what the linear model says, to second order in the step (Maratos):
//   H c = force of the strain in excess of the linear prediction,   curve = c / share²
void RodCorrection::find_curve(const StepProblem& problem, const State& from) {
  for_active([&](int i, int) { curve_[i] = force_[i] = {}; });
  State to = from;
  go(problem, from, to);
  for (int p : active_) {
    const double share = islands_[island_of_part_[p]].share;
    for (int s : parts_[p].segments) {
      const StretchTerm& term = problem.stretch[s];
      const int* i = problem.model->segments[s].vertex;
      const auto edge_in = [&](const State& at) {
        return problem.edge[s] + (at.x[i[1]] - problem.begin.x[i[1]]) - (at.x[i[0]] - problem.begin.x[i[0]]);
      };
      const Vec3d edge = edge_in(from), next = edge_in(to);
      const Mat3d R = rotation_matrix(from.q[s]);
      const Vec3d linear = transpose(R) * (next + share * cross(edge, way_[turn_of_segment(s)]));
      const Vec3d excess = rotate(conjugate(to.q[s]), next) - linear;
      Terms terms;
      add_point(i[1], 1, from, terms), add_point(i[0], -1, from, terms);
      terms.add(turn_of_segment(s), skew(edge));
      add_force(terms, (-1 / term.length) * (R * scale({term.GA, term.GA, term.EA}, excess)));
    }
  }
  release_held(problem);
  solve(curve_);
  for_active([&](int i, int k) {
    const double share = islands_[k].share;
    curve_[i] = share > 0 ? (1 / (share * share)) * curve_[i] : Vec3d{};
  });
}

void RodCorrection::go(const StepProblem& problem, const State& from, State& to) const {
  for (int p : active_) {
    const Part& part = parts_[p];
    const double share = islands_[island_of_part_[p]].share;
    const auto turned = [&](const Quatd& q, int unknown) {
      return share > 0 ? normalized(quaternion_exp(moved(unknown, share)) * q) : q;
    };
    for (int s : part.segments) to.q[s] = turned(from.q[s], turn_of_segment(s));
    for (int b : part.bodies) {
      to.body_x[b] = from.body_x[b] + moved(place_of(b), share);
      to.body_q[b] = turned(from.body_q[b], turn_of(b));
    }
    for (int i : part.vertices) {
      const int b = follows_[i];
      to.x[i] = b < 0 ? from.x[i] + scale(problem.free_axes[i], moved(i, share))
                      : to.body_x[b] + rotate(to.body_q[b], offset_[i]);
    }
  }
}

// `to` is where shares of the islands' steps lead: smaller ones, until no pair meets
void RodCorrection::go_where_nothing_meets(const StepProblem& problem, Contact& contact, const State& from, State& to) {
  for (int cut = 0; cut < most_cuts; ++cut) {
    go(problem, from, to);
    contact.drive(std::vector<double>(from.body_x.size(), 0));
    contact.cover(to);
    std::vector<double> allowed(islands_.size(), 1);
    bool all = true;
    for (const Pair& pair : contact.pairs()) {
      const int island[2] = {island_of(pair, 0), island_of(pair, 1)};
      if (island[0] < 0 && island[1] < 0) continue;
      const double fraction = contact.safe_fraction(pair, to);
      if (fraction >= 1) continue;
      all = false;
      for (int k : island)
        if (k >= 0) allowed[k] = std::min(allowed[k], fraction);
    }
    if (all) return;
    const double more = cut < 3 ? 1 : cut < most_cuts - 2 ? 0.7 : 0;
    for (std::size_t k = 0; k < islands_.size(); ++k)
      if (allowed[k] < 1) islands_[k].share *= more * allowed[k];
  }
  for (Island& island : islands_) island.share = 0;
  go(problem, from, to);
  contact.set_trial(to);
}

}  // namespace tendril::solvers::stable
