#include "solvers/stable/regions/movers.h"

#include <numeric>

namespace tendril::solvers::stable {

void Movers::reset(const Model& model) {
  free_axes.assign(model.vertices.size(), {1, 1, 1});
  of_vertex.resize(model.vertices.size());
  std::iota(of_vertex.begin(), of_vertex.end(), 0);
  followers.assign(model.bodies.size(), {});
  body_is_free.clear();
  for (const Body& body : model.bodies) body_is_free.push_back(body.kind == BodyKind::dynamic);
  for (const Tie& tie : model.ties) {
    for (int k = 0; k < 3; ++k)
      if (tie.held[k]) free_axes[tie.vertex][k] = 0;
    if (!body_is_free[tie.body]) continue;
    of_vertex[tie.vertex] = of_body(tie.body);
    followers[tie.body].push_back({tie.vertex, tie.offset});
  }
}

int Movers::of(const Pair& pair, int k) const {
  if (pair.vertex[k] >= 0) return of_vertex[pair.vertex[k]];
  const int body = k == 0 ? pair.body_a : k == 2 ? pair.body : -1;
  return body >= 0 && body_is_free[body] ? of_body(body) : -1;
}

}  // namespace tendril::solvers::stable
