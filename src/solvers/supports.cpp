#include "solvers/supports.h"

namespace tendril::solvers {

Supports supports_of(const Model& model) {
  const std::size_t vertices = model.vertices.size();
  Supports s{std::vector<Role>(vertices, Role::free), std::vector<Vec3d>(vertices, {1, 1, 1}),
             std::vector<int>(vertices, -1)};
  for (std::size_t t = 0; t < model.ties.size(); ++t) {
    const Tie& tie = model.ties[t];
    const bool slaved = model.bodies[tie.body].kind == BodyKind::dynamic;
    for (int k = 0; k < 3; ++k)
      if (tie.held[k] || slaved) s.free_axes[tie.vertex][k] = 0;
    if (slaved) s.tie[tie.vertex] = static_cast<int>(t), s.role[tie.vertex] = Role::slaved;
  }
  for (std::size_t i = 0; i < vertices; ++i) {
    if (s.role[i] == Role::slaved) continue;
    const double axes = s.free_axes[i].x + s.free_axes[i].y + s.free_axes[i].z;
    s.role[i] = axes == 3 ? Role::free : axes == 0 ? Role::held : Role::partly_held;
  }
  return s;
}

}  // namespace tendril::solvers
