#include "solvers/newton/parts.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "math/union_find.h"

namespace tendril::newton {
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

}  // namespace

Unknown Parts::unknown(int id) const {
  if (id < vertices_) return {Kind::vertex, id};
  if ((id -= vertices_) < segments_) return {Kind::segment, id};
  id -= segments_;
  return {id % 2 == 0 ? Kind::body_place : Kind::body_turn, id / 2};
}

void Parts::reset(const Problem& problem) {
  const Model& model = *problem.model;
  vertices_ = static_cast<int>(model.vertices.size()), segments_ = static_cast<int>(model.segments.size());
  bodies_ = static_cast<int>(model.bodies.size());
  find_parts(problem, couplings(problem));
  add_elements(problem);
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
  for (const tendril::Bend& bend : model.bends) {
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
  std::vector<std::vector<int>> members;
  for (int id = 0; id < ids; ++id) {
    const Unknown u = unknown(id);
    if (u.kind == Kind::vertex && problem.tie[u.index] >= 0) continue;
    if (u.kind > Kind::segment && problem.model->bodies[u.index].kind == BodyKind::kinematic) continue;
    const int leader = sets.find(id);
    if (leader == id) part_[id] = static_cast<int>(members.size()), members.emplace_back();
    part_[id] = part_[leader];
    row_[id] = static_cast<int>(members[part_[id]].size());  // among the members, for now
    members[part_[id]].push_back(id);
  }
  std::vector<Couplings> inner(members.size());
  for (const auto& [a, b] : couplings) inner[part_[a]].push_back({row_[a], row_[b]});
  std::map<std::pair<int, Couplings>, std::shared_ptr<const Elimination>> plans;
  parts_.resize(members.size());
  for (std::size_t p = 0; p < members.size(); ++p) {
    const int count = static_cast<int>(members[p].size());
    auto& plan = plans[{count, inner[p]}];
    if (!plan) plan = std::make_shared<const Elimination>(plan_elimination(count, inner[p]));
    parts_[p].plan = plan;
    parts_[p].unknowns.resize(count);
    for (int id : members[p]) row_[id] = plan->row[row_[id]], parts_[p].unknowns[row_[id]] = unknown(id);
  }
}

void Parts::add_elements(const Problem& problem) {
  const Model& model = *problem.model;
  for (int s = 0; s < segments_; ++s) {
    const Segment& segment = model.segments[s];
    Part& part = parts_[part_[vertices_ + s]];
    part.stiffness += std::max(segment.EA, segment.GA) * segment.rest_length;
    const auto [i, j] = segment.vertex;
    if (problem.tie[i] >= 0 || problem.tie[j] >= 0) {
      part.slaved_segments.push_back(s);
      continue;
    }
    StretchElement e{s, {i, j}, row_[i], row_[j], row_of_segment(s), {}, {}, {}};
    e.x0_x1 = place(*part.plan, e.x0, e.x1);
    e.x0_theta = place(*part.plan, e.x0, e.theta), e.x1_theta = place(*part.plan, e.x1, e.theta);
    part.stretches.push_back(e);
  }
  for (std::size_t b = 0; b < model.bends.size(); ++b) {
    const tendril::Bend& bend = model.bends[b];
    BendElement e{static_cast<int>(b), row_of_frame(bend.a), row_of_frame(bend.b), {}};
    if (e.a < 0 && e.b < 0) continue;
    const FrameId& known = e.a >= 0 ? bend.a : bend.b;
    Part& part = parts_[part_[known.is_body ? vertices_ + segments_ + 2 * known.index + 1 : vertices_ + known.index]];
    if (e.a >= 0 && e.b >= 0) e.a_b = place(*part.plan, e.a, e.b);
    part.bends.push_back(e);
  }
  for (int i = 0; i < vertices_; ++i)
    if (problem.tie[i] >= 0) {
      part_[i] = part_[vertices_ + segments_ + 2 * model.ties[problem.tie[i]].body];
      parts_[part_[i]].slaved_vertices.push_back(i);
    }
  for (int i = 0; i < vertices_; ++i)
    if (problem.role[i] == Role::held || problem.role[i] == Role::partly_held) parts_[part_[i]].is_free = false;
  for (Part& part : parts_) {
    part.first_stretch = sort_by_first_row(part.stretches, part.row_count(), [](const StretchElement& e) {
      return std::min({e.x0, e.x1, e.theta});
    });
    part.first_bend = sort_by_first_row(part.bends, part.row_count(), [](const BendElement& e) {
      return e.a < 0 ? e.b : e.b < 0 ? e.a : std::min(e.a, e.b);
    });
  }
}

std::vector<Parts::Follows> Parts::rows_of_vertex(const Problem& problem, int vertex, const Iterate& at) const {
  const int t = problem.tie[vertex];
  if (t < 0) return {{row_[vertex], Mat3d::identity(), {}}};
  const Tie& tie = problem.model->ties[t];
  return rows_of_point(tie.body, rotate(at.body_q[tie.body], tie.offset));
}

std::vector<Parts::Follows> Parts::rows_of_point(int body, const Vec3d& arm) const {
  return {{row_of_body(body), Mat3d::identity(), {}}, {row_of_turn(body), skew(-arm), arm}};
}

}  // namespace tendril::newton
