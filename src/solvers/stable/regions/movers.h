#pragma once

#include <vector>

#include "contact/pair.h"
#include "rod/model.h"

namespace tendril::solvers::stable {

// What a plane can push has a number: a vertex its own, a body that moves freely one after those. The vertices that
// follow such a body have its number.
struct Movers {
  struct Follower {
    int vertex;
    Vec3d offset;  // in the frame of its body [m]
  };
  std::vector<Vec3d> free_axes;                  // 1 or 0 (vertex)
  std::vector<int> of_vertex;                    // (vertex)
  std::vector<char> body_is_free;                // (body)
  std::vector<std::vector<Follower>> followers;  // of a body that moves freely (body)

  void reset(const Model& model);
  int vertex_count() const { return static_cast<int>(of_vertex.size()); }
  int count() const { return vertex_count() + static_cast<int>(followers.size()); }
  int of_body(int body) const { return vertex_count() + body; }
  bool moves_itself(std::size_t vertex) const { return of_vertex[vertex] == static_cast<int>(vertex); }

  bool is_driven(int body) const { return body >= 0 && !body_is_free[body]; }
  bool meets_driven(const Pair& pair) const { return is_driven(pair.body) || is_driven(pair.body_a); }

  // of vertex k of a pair, or for k = 0 and k = 2 of the body in its place; -1: nothing can push it
  int of(const Pair& pair, int k) const;

  // whether a push along the normal hardly moves it
  bool does_not_yield(int vertex, const Vec3d& normal) const {
    return vertex >= 0 && moves_itself(vertex) && norm_squared(scale(free_axes[vertex], normal)) < 1e-3;
  }
};

}  // namespace tendril::solvers::stable
