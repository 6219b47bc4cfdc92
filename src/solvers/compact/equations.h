#pragma once

#include <vector>

#include "math/mat3.h"
#include "math/sym3.h"

namespace tendril::solvers::compact {

// The quadratic model of one Newton step of a chain, A = Jᵀ H J of Eq. 12 [zhao2022], by the blocks of H: nothing of
// the size of A is ever stored. What is unknown are the way dx of the root and a turn w_k of each segment; vertices
// follow,
//   dx_{k+1} = dx_k + w_k x b_k,   b_k = x_{k+1} - x_k                                    Eq. 18
struct Equations {
  struct Vertex {
    Sym3<double> H;  // [N/m]
    Vec3d right;     // -gradient [N]
  };
  struct Link {
    Vec3d arm;           // b [m]
    Sym3<double> theta;  // of its turn alone: inertia, ground, dJ/ds : dE/dx [N m]
    Vec3d right;         // -gradient [N m]
    // with the link before, whose turn is w: (w_k - w)ᵀ S (w_k - w) / 2 + w · half_moment x w_k
    Sym3<double> S;
    Vec3d half_moment;
    int coupling = -1;  // see below; -1: none
  };
  // of what touches the segment: dx_kᵀ near_far dx_{k+1} + dx_kᵀ near_theta w_k + dx_{k+1}ᵀ far_theta w_k
  struct Coupling {
    Mat3d near_far, near_theta, far_theta;
  };

  std::vector<Vertex> vertices;  // (place)
  std::vector<Link> links;
  std::vector<Coupling> couplings;
  Vec3d root_free = {1, 1, 1};  // 0 along axes on which the root is held

  int count() const { return static_cast<int>(links.size()); }
};

// forces, or ways: of the vertices, and of the turns of the links
struct Vectors {
  std::vector<Vec3d> x, theta;
};

// J s: turns, and the way of the root in x[0], to the ways of all vertices, by a prefix sum in place
void follow(const Equations& equations, Vectors& u);
// Jᵀ f: forces on vertices to those on the root, x[0], and on the turns, by a suffix sum in place; the rest of x is
// zero
void gather(const Equations& equations, Vectors& f);
// H u
void multiply(const Equations& equations, const Vectors& u, Vectors& out);

}  // namespace tendril::solvers::compact
