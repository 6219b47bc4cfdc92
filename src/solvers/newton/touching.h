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

  // how the last Newton step of a part went
  struct LastStep {
    double share = 1;       // of it that was taken
    bool is_small = false;  // it was below the tolerance
  };

  // Forces and stiffnesses of the pairs that touch, at the corner. What slides has no stiffness along its way, and
  // Newton's method may overshoot to where it slides back. A pair for which the last step would have done so gets that
  // of the secant, the parabola which touches the energy and lies above it; with it the pair creeps, so it gets less
  // after each step that does not.
  void evaluate(const Contact& contact, const Problem& problem, const Parts& parts,
                std::span<const LastStep> last = {});

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
  bool is_cautious(int part) const { return is_cautious_[part]; }  // some pair that slides is held by its secant

  // away from the corner [J]
  double energy(const Contact& contact, const Problem& problem, const Iterate& at) const;
  // the same to those of the open islands that touch
  void add_energies(const Contact& contact, const Problem& problem, const Parts& parts, const Islands& islands,
                    const Iterate& at, std::vector<double>& energies) const;
  // of the pairs that touch at the corner now (part)
  std::vector<int> count_sides(const Contact& contact, const Problem& problem, const Parts& parts) const;

 private:
  // of a pair
  struct Friction {
    double normal_force = 0;  // when it was frozen [N]
    Vec3d drag;               // at the last corner [m]
    double caution = 0;       // share of the secant's stiffness that it has where it slides [-]

    void go_to(const Vec3d& next_drag, const LastStep& last);
  };
  void add_friction(const Pair& pair, const Friction& friction, Term& term);
  double energy(const Pair& pair, const Contact& contact, const Problem& problem, const Iterate& at) const;

  std::unordered_map<std::uint64_t, Friction> frictions_;
  std::vector<Term> terms_;
  std::vector<std::vector<Side>> sides_;  // (part)
  std::vector<char> is_cautious_;         // (part)
  bool couples_ = false;
};

}  // namespace tendril::newton
