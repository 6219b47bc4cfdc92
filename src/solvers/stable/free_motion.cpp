#include "solvers/stable/free_motion.h"

#include <numeric>

namespace tendril::stable {

namespace {

int root_of(std::vector<int>& parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

}  // namespace

void FreeMotion::reset(const StepProblem& problem, const Layout& layout) {
  const Model& model = *problem.model;
  parts_.clear();
  // vertices, then bodies; joined by segments and by ties to dynamic bodies
  const int vertex_count = static_cast<int>(model.vertices.size());
  const int count = vertex_count + static_cast<int>(model.bodies.size());
  std::vector<int> parent(count);
  std::iota(parent.begin(), parent.end(), 0);
  const auto join = [&](int a, int b) { parent[root_of(parent, a)] = root_of(parent, b); };
  for (const Segment& segment : model.segments) join(segment.vertex[0], segment.vertex[1]);
  for (const Tie& tie : model.ties)
    if (problem.role[tie.vertex] == Role::slaved) join(tie.vertex, vertex_count + tie.body);

  std::vector<Part> parts(count, Part{{1, 1, 1}, {}, {}, {}});
  for (int i = 0; i < vertex_count; ++i) {
    Part& part = parts[root_of(parent, i)];
    part.vertices.push_back(i), part.rows.push_back(layout.vertex_row[i]);
    if (problem.role[i] != Role::slaved) part.axes = scale(part.axes, problem.free_axes[i]);
  }
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (model.bodies[b].kind == BodyKind::dynamic)
      parts[root_of(parent, vertex_count + static_cast<int>(b))].bodies.push_back(static_cast<int>(b));
  for (Part& part : parts)
    if (part.vertices.size() > 1 && norm(part.axes) > 0) parts_.push_back(std::move(part));
}

template <class S>
void FreeMotion::balance(const StepProblem& problem, Rows<S>& rows, State& iterate) const {
  for (const Part& part : parts_) {
    Vec3d force;  // of inertia
    double weight = 0;
    for (std::size_t k = 0; k < part.rows.size(); ++k) {
      const int i = part.vertices[k];
      force += problem.weight[i] * (problem.goal[i] - rows.displacement(part.rows[k]));
      weight += problem.weight[i];
    }
    for (int b : part.bodies) {
      force += problem.bodies[b].weight * (problem.bodies[b].goal - iterate.body_x[b]);
      weight += problem.bodies[b].weight;
    }
    if (!(weight > 0)) continue;
    const Vec3d shift = scale(part.axes, force / weight);
    for (int row : part.rows) rows.set_displacement(row, rows.displacement(row) + shift);
    for (int b : part.bodies) iterate.body_x[b] += shift;
  }
}

template void FreeMotion::balance(const StepProblem&, Rows<float>&, State&) const;
template void FreeMotion::balance(const StepProblem&, Rows<double>&, State&) const;

}  // namespace tendril::stable
