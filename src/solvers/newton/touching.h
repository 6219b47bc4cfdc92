#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "contact/contact.h"
#include "solvers/newton/parts.h"

namespace tendril::newton {

class Islands;

// Contact as terms of the incremental potential: between two corners of the path (contact/contact.h) the gap of a pair
// changes linearly with its vertices. Its barrier and the spring of its friction, whose limit is frozen for a while,
// are functions of w·u, so their second derivatives w wᵀ K couple the vertices of one segment, which a part's matrix
// has room for, and those of the two segments, which conjugate gradients add. So do those of Turning, without which two
// that lie along each other would rock for ever. Friction acts at the surfaces, which move as their segments turn about
// their axes: the way c (t·theta) stands beside w u (Contact::Rolling).
class Touching {
 public:
  // the limits of friction until the next time: mu times the normal forces at the corner; whether any changed much
  bool freeze_friction(const Contact& contact);

  // Forces and stiffnesses of the pairs that touch, at the corner. What slides has no stiffness along its way, and
  // Newton's method may go back and forth between sticking and sliding; with that of the secant, the parabola which
  // touches the energy and lies above it, it does not, but creeps. `caution` says how much of that a part takes (part);
  // empty: none.
  void evaluate(const Contact& contact, const Problem& problem, const Parts& parts,
                std::span<const double> caution = {});

  struct Term {
    int vertex[4] = {};         // as in Pair
    double weight[4] = {};      // likewise
    int body[2] = {-1, -1};     // that moves freely and has the point of a or b
    Vec3d arm[2], core[2];      // from its centre to the point, and to the one below it, see Pair [m]
    int segment[2] = {-1, -1};  // that rolls
    Contact::Rolling rolling[2];
    int part[2] = {-1, -1};  // of a and b; -1: it does not yield
    Vec3d force;             // on a's point [N]
    Mat3d K;                 // against further motion, semi-definite [N/m]
    Vec3d normal;
    Turning turning;  // times the normal force [N/m]

    bool couples() const { return part[0] >= 0 && part[1] >= 0; }
  };
  const std::vector<Term>& terms() const { return terms_; }
  bool couples() const { return couples_; }

  // of each part: terms with the side (0: a, 1: b) that belongs to it
  struct Side {
    int term = 0, side = 0;
  };
  const std::vector<Side>& sides_of(int part) const { return sides_[part]; }

  // away from the corner [J]
  double energy(const Contact& contact, const Problem& problem, const Iterate& at) const;
  // the same to those of the open islands that touch
  void add_energies(const Contact& contact, const Problem& problem, const Parts& parts, const Islands& islands,
                    const Iterate& at, std::vector<double>& energies) const;
  // of the pairs that touch at the corner now (part)
  std::vector<int> count_sides(const Contact& contact, const Problem& problem, const Parts& parts) const;

 private:
  double normal_force(const Pair& pair) const;  // when it was frozen [N]
  double energy(const Pair& pair, const Contact& contact, const Problem& problem, const Iterate& at) const;

  std::unordered_map<std::uint64_t, double> frozen_;  // normal forces of pairs with friction [N]
  std::vector<Term> terms_;
  std::vector<std::vector<Side>> sides_;  // (part)
  bool couples_ = false;
};

}  // namespace tendril::newton
