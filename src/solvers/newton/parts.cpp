#include "solvers/newton/parts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "math/union_find.h"

namespace tendril::solvers::newton {
namespace {

using Couplings = std::vector<std::pair<int, int>>;

Place place(const Elimination& plan, int first, int second) {
  return {plan.coupling(std::min(first, second), std::max(first, second)), first > second};
}

// elements sorted by the first row that they touch; where each row's begin
template <class Element, class FirstRow>
std::vector<int> sort_by_first_row(std::vector<Element>& elements, int rows, FirstRow first_row) {
  std::stable_sort(elements.begin(), elements.end(),
                   [&](const Element& a, const Element& b) { return first_row(a) < first_row(b); });
  std::vector<int> first(rows + 1, 0);
  for (const Element& e : elements) ++first[first_row(e) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  return first;
}

template <class Item>
void move_to(const std::vector<int>& places, std::vector<Item>& items) {
  const std::vector<Item> before = items;
  for (std::size_t n = 0; n < before.size(); ++n) items[places[n]] = before[n];
}

}  // namespace

Unknown Parts::unknown(int id) const {
  if (id < vertices_) return {Kind::vertex, id};
  if ((id -= vertices_) < segments_) return {Kind::segment, id};
  id -= segments_;
  return {id % 2 == 0 ? Kind::body_place : Kind::body_turn, id / 2};
}

int Parts::id(const Unknown& u) const {
  if (u.kind == Kind::vertex) return u.index;
  if (u.kind == Kind::segment) return vertices_ + u.index;
  return vertices_ + segments_ + 2 * u.index + (u.kind == Kind::body_turn ? 1 : 0);
}

void Parts::reset(const Problem& problem, bool with_plans) {
  const Model& model = *problem.model;
  vertices_ = static_cast<int>(model.vertices.size()), segments_ = static_cast<int>(model.segments.size());
  bodies_ = static_cast<int>(model.bodies.size());
  const Couplings all = couplings(problem);
  find_parts(problem, all);
  if (with_plans) plan_rows(all);
  add_elements(problem);
  if (with_plans)
    for (Part& part : parts_) place_elements(part);
  for (Part& part : parts_) part.skeleton = skeleton_of(part, *this, problem);
}

void Parts::arrange(int p, const Order& order) {
  Part& part = parts_[p];
  move_to(order.row, part.unknowns), move_to(order.stretch, part.stretches), move_to(order.bend, part.bends);
  for (int row = 0; row < part.row_count(); ++row) row_[id(part.unknowns[row])] = row;
  for (StretchElement& e : part.stretches)
    for (int* row : {&e.x0, &e.x1, &e.theta}) *row = order.row[*row];
  for (BendElement& e : part.bends)
    for (int* row : {&e.a, &e.b})
      if (*row >= 0) *row = order.row[*row];
  for (Skeleton::Link& link : part.skeleton.links)
    if (link.element >= 0) link.element = order.stretch[link.element];
}

std::vector<std::pair<int, int>> Parts::couplings(const Problem& problem) const {
  const Model& model = *problem.model;
  Couplings couplings;
  std::vector<int> ids;
  const auto add_vertex = [&](int i) {
    if (problem.tie[i] < 0) return ids.push_back(i);
    const int place = vertices_ + segments_ + 2 * model.ties[problem.tie[i]].body;
    ids.push_back(place), ids.push_back(place + 1);
  };
  const auto add_all = [&] {
    for (std::size_t a = 0; a < ids.size(); ++a)
      for (std::size_t b = a + 1; b < ids.size(); ++b)
        if (ids[a] != ids[b]) couplings.push_back({ids[a], ids[b]});
  };
  for (int s = 0; s < segments_; ++s) {
    ids = {vertices_ + s};
    for (int i : model.segments[s].vertex) add_vertex(i);
    add_all();
  }
  for (const rod::Bend& bend : model.bends) {
    if (!problem.is_unknown(bend.a) || !problem.is_unknown(bend.b)) continue;
    const auto id = [&](const FrameId& f) {
      return f.is_body ? vertices_ + segments_ + 2 * f.index + 1 : vertices_ + f.index;
    };
    couplings.push_back({id(bend.a), id(bend.b)});
  }
  for (int b = 0; b < bodies_; ++b)
    if (model.bodies[b].kind == BodyKind::dynamic)
      couplings.push_back({vertices_ + segments_ + 2 * b, vertices_ + segments_ + 2 * b + 1});
  return couplings;
}

void Parts::find_parts(const Problem& problem, const Couplings& couplings) {
  const int ids = vertices_ + segments_ + 2 * bodies_;
  UnionFind sets(ids);
  for (const auto& [a, b] : couplings) sets.unite(a, b);
  parts_.clear(), part_.assign(ids, -1), row_.assign(ids, -1);
  for (int id = 0; id < ids; ++id) {
    const Unknown u = unknown(id);
    if (u.kind == Kind::vertex && problem.tie[u.index] >= 0) continue;
    if (u.kind > Kind::segment && problem.model->bodies[u.index].kind == BodyKind::kinematic) continue;
    const int leader = sets.find(id);
    if (leader == id) part_[id] = count(), parts_.emplace_back();
    part_[id] = part_[leader];
    row_[id] = parts_[part_[id]].row_count();
    parts_[part_[id]].unknowns.push_back(u);
    if (u.kind == Kind::body_place) parts_[part_[id]].has_bodies = true;
  }
  for (Part& part : parts_) part.unknowns.shrink_to_fit();
}

// rows in the order of their elimination
void Parts::plan_rows(const Couplings& couplings) {
  std::vector<Couplings> inner(parts_.size());
  for (const auto& [a, b] : couplings) inner[part_[a]].push_back({row_[a], row_[b]});
  std::map<std::pair<int, Couplings>, std::shared_ptr<const Elimination>> plans;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    Part& part = parts_[p];
    auto& plan = plans[{part.row_count(), inner[p]}];
    if (!plan) plan = std::make_shared<const Elimination>(plan_elimination(part.row_count(), inner[p]));
    part.plan = plan;
    const std::vector<Unknown> listed = part.unknowns;
    for (int n = 0; n < part.row_count(); ++n) part.unknowns[plan->row[n]] = listed[n];
  }
  for (std::size_t id = 0; id < row_.size(); ++id)
    if (row_[id] >= 0) row_[id] = parts_[part_[id]].plan->row[row_[id]];
}

void Parts::add_elements(const Problem& problem) {
  const Model& model = *problem.model;
  for (int s = 0; s < segments_; ++s) {
    const Segment& segment = model.segments[s];
    Part& part = parts_[part_[vertices_ + s]];
    part.stiffness += std::max(segment.EA, segment.GA) * segment.rest_length;
    part.shortest = std::min(part.shortest, segment.rest_length);
    const auto [i, j] = segment.vertex;
    const double mass = std::min(model.vertices[i].mass, model.vertices[j].mass);
    part.sound_time =
        std::min(part.sound_time, std::sqrt(mass * segment.rest_length / std::max(segment.EA, segment.GA)));
    if (problem.tie[i] >= 0 || problem.tie[j] >= 0) {
      part.slaved_segments.push_back(s);
      continue;
    }
    part.stretches.push_back({s, {i, j}, row_[i], row_[j], row_of_segment(s)});
  }
  for (std::size_t b = 0; b < model.bends.size(); ++b) {
    const rod::Bend& bend = model.bends[b];
    const auto frame = [](const FrameId& id) { return id.is_body ? ~id.index : id.index; };
    const BendElement e{static_cast<int>(b), row_of_frame(bend.a), row_of_frame(bend.b), frame(bend.a), frame(bend.b)};
    if (e.a < 0 && e.b < 0) continue;
    const FrameId& known = e.a >= 0 ? bend.a : bend.b;
    Part& part = parts_[part_[known.is_body ? vertices_ + segments_ + 2 * known.index + 1 : vertices_ + known.index]];
    part.bends.push_back(e);
  }
  for (int i = 0; i < vertices_; ++i)
    if (problem.tie[i] >= 0) {
      part_[i] = part_[vertices_ + segments_ + 2 * model.ties[problem.tie[i]].body];
      parts_[part_[i]].slaved_vertices.push_back(i);
    }
  for (int i = 0; i < vertices_; ++i)
    if (problem.role[i] == Role::held || problem.role[i] == Role::partly_held) parts_[part_[i]].is_free = false;
  for (Part& part : parts_) part.stretches.shrink_to_fit(), part.bends.shrink_to_fit();
}

void Parts::place_elements(Part& part) {
  const Elimination& plan = *part.plan;
  Places& places = part.places;
  places.first_stretch = sort_by_first_row(part.stretches, part.row_count(), [](const StretchElement& e) {
    return std::min({e.x0, e.x1, e.theta});
  });
  places.first_bend = sort_by_first_row(part.bends, part.row_count(), [](const BendElement& e) {
    return e.a < 0 ? e.b : e.b < 0 ? e.a : std::min(e.a, e.b);
  });
  places.stretches.reserve(part.stretches.size()), places.bends.reserve(part.bends.size());
  for (const StretchElement& e : part.stretches)
    places.stretches.push_back({place(plan, e.x0, e.x1), place(plan, e.x0, e.theta), place(plan, e.x1, e.theta)});
  for (const BendElement& e : part.bends)
    places.bends.push_back(e.a >= 0 && e.b >= 0 ? place(plan, e.a, e.b) : Place());
}

Parts::Rows Parts::rows_of_vertex(const Problem& problem, int vertex, const Iterate& at) const {
  const int t = problem.tie[vertex];
  if (t < 0) return Follows::itself(row_[vertex]);
  const Tie& tie = problem.model->ties[t];
  return rows_of_point(tie.body, rotate(at.body_q[tie.body], tie.offset));
}

Parts::Rows Parts::rows_of_point(int body, const Vec3d& arm) const {
  return {Follows::itself(row_of_body(body)), {row_of_turn(body), skew(-arm), arm}};
}

}  // namespace tendril::solvers::newton
