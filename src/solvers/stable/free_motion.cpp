#include "solvers/stable/free_motion.h"

#include <algorithm>

#include "math/union_find.h"

namespace tendril::solvers::stable {

void FreeMotion::reset(const StepProblem& problem, const Layout& layout) {
  const Model& model = *problem.model;
  parts_.clear();
  // vertices, then bodies; joined by segments and by ties to dynamic bodies
  const int vertex_count = static_cast<int>(model.vertices.size());
  const int count = vertex_count + static_cast<int>(model.bodies.size());
  UnionFind connected(count);
  for (const Segment& segment : model.segments) connected.unite(segment.vertex[0], segment.vertex[1]);
  for (const Tie& tie : model.ties)
    if (problem.role[tie.vertex] == Role::slaved) connected.unite(tie.vertex, vertex_count + tie.body);

  std::vector<Part> parts(count, Part{{1, 1, 1}, {}, {}, {}});
  for (int i = 0; i < vertex_count; ++i) {
    Part& part = parts[connected.find(i)];
    part.vertices.push_back(i), part.rows.push_back(layout.vertex_row[i]);
    if (problem.role[i] != Role::slaved) part.axes = scale(part.axes, problem.free_axes[i]);
  }
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (model.bodies[b].kind == BodyKind::dynamic)
      parts[connected.find(vertex_count + static_cast<int>(b))].bodies.push_back(static_cast<int>(b));
  part_of_row_.assign(layout.vertex_row_count, -1), part_of_body_.assign(model.bodies.size(), -1);
  for (Part& part : parts) {
    if ((part.vertices.size() <= 1 && part.bodies.empty()) || norm(part.axes) == 0) continue;
    for (int b : part.bodies) part_of_body_[b] = static_cast<int>(parts_.size());
    for (int row : part.rows) part_of_row_[row] = static_cast<int>(parts_.size());
    parts_.push_back(std::move(part));
  }
}

template <class S>
FreeMotion::Inertia FreeMotion::inertia_of(const StepProblem& problem, const Part& part, const Rows<S>& rows,
                                           const State& iterate) const {
  Inertia sum;
  for (std::size_t k = 0; k < part.rows.size(); ++k) {
    const int i = part.vertices[k];
    sum.force += problem.weight[i] * (problem.goal[i] - rows.displacement(part.rows[k]));
    sum.weight += problem.weight[i];
  }
  for (int b : part.bodies) {
    sum.force += problem.bodies[b].weight * (problem.bodies[b].goal - iterate.body_x[b]);
    sum.weight += problem.bodies[b].weight;
  }
  return sum;
}

template <class S>
std::vector<FreeMotion::Push> FreeMotion::pushes(const StepProblem& problem, ContactSweep<S>& contact_sweep,
                                                 const Rows<S>& rows, const State& iterate) const {
  std::vector<Push> out(parts_.size());
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const Inertia inertia = inertia_of(problem, parts_[p], rows, iterate);
    out[p] = {inertia.force, Mat3d::diagonal({inertia.weight, inertia.weight, inertia.weight})};
  }
  contact_sweep.evaluate(rows, {0, contact_sweep.pair_count()});
  contact_sweep.for_each_push([&](const auto& side_a, const auto& side_b, const Vec3d& force, const Mat3d& stiffness) {
    const int a = part_of(side_a), b = part_of(side_b);
    if (a == b) return;                             // a part that touches itself
    const double crowd = a >= 0 && b >= 0 ? 2 : 1;  // both move at the same time
    if (a >= 0) out[a].force += force, out[a].stiffness += crowd * stiffness, out[a].is_touched = true;
    if (b >= 0) out[b].force -= force, out[b].stiffness += crowd * stiffness, out[b].is_touched = true;
  });
  return out;
}

// whether all go the whole way; the planes of the next substep make room for the rest
template <class S>
bool FreeMotion::shift(std::span<const int> parts, Vec3d way, ContactSweep<S>& contact_sweep, Rows<S>& rows,
                       State& iterate) const {
  double share = 1;
  for (int p : parts) {
    for (int row : parts_[p].rows)
      share = std::min(share, contact_sweep.allowed_share(row, rows.displacement(row), way));
    for (int b : parts_[p].bodies)
      share = std::min(share, contact_sweep.allowed_share(b, {iterate.body_x[b], iterate.body_q[b]}, way));
  }
  const Vec3d refused = (1 - share) * way;
  way = share * way;
  for (int p : parts) {
    for (int row : parts_[p].rows) {
      rows.set_displacement(row, rows.displacement(row) + way);
      if (share < 1) contact_sweep.set_cut_off(row, refused);
    }
    for (int b : parts_[p].bodies) {
      iterate.body_x[b] += way;
      contact_sweep.set_pose(b, {iterate.body_x[b], iterate.body_q[b]});
    }
  }
  return share == 1;
}

template <class S>
bool FreeMotion::balance(const StepProblem& problem, ContactSweep<S>& contact_sweep, Rows<S>& rows,
                         State& iterate) const {
  const std::vector<Push> push = pushes(problem, contact_sweep, rows, iterate);
  bool is_balanced = true;
  for (int p = 0; p < static_cast<int>(parts_.size()); ++p) {
    if (!(push[p].stiffness.c0.x > 0)) continue;
    const Vec3d way = scale(parts_[p].axes, solve_symmetric(push[p].stiffness, push[p].force));
    is_balanced &= shift<S>({&p, 1}, way, contact_sweep, rows, iterate) || push[p].is_touched;
  }
  if (contact_sweep.pair_count() > 0) is_balanced &= balance_groups(problem, contact_sweep, rows, iterate);
  return is_balanced;
}

template <class S>
bool FreeMotion::balance_groups(const StepProblem& problem, ContactSweep<S>& contact_sweep, Rows<S>& rows,
                                State& iterate) const {
  // the last one stands for all that does not move freely
  const int rest = static_cast<int>(parts_.size());
  UnionFind connected(rest + 1);
  std::vector<bool> touched(parts_.size() + 1, false);
  contact_sweep.for_each_push([&](const auto& side_a, const auto& side_b, const Vec3d&, const Mat3d&) {
    const int a = part_of(side_a) < 0 ? rest : part_of(side_a), b = part_of(side_b) < 0 ? rest : part_of(side_b);
    touched[a] = touched[b] = true;
    connected.unite(a, b);
  });
  bool is_balanced = true;
  std::vector<std::vector<int>> groups(parts_.size() + 1);
  for (int p = 0; p < rest; ++p)
    if (touched[p] && connected.find(p) != connected.find(rest)) groups[connected.find(p)].push_back(p);
  for (const std::vector<int>& group : groups) {
    Vec3d force, axes{1, 1, 1};
    double weight = 0;
    for (int p : group) {
      const Inertia inertia = inertia_of(problem, parts_[p], rows, iterate);
      force += inertia.force, weight += inertia.weight, axes = scale(axes, parts_[p].axes);
    }
    if (weight > 0) is_balanced &= shift<S>(group, scale(axes, force / weight), contact_sweep, rows, iterate);
  }
  return is_balanced;
}

template bool FreeMotion::balance(const StepProblem&, ContactSweep<float>&, Rows<float>&, State&) const;
template bool FreeMotion::balance(const StepProblem&, ContactSweep<double>&, Rows<double>&, State&) const;

}  // namespace tendril::solvers::stable
