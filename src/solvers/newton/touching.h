#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "contact/contact.h"
#include "solvers/newton/parts.h"

namespace tendril::newton {

class Islands;

// Contact as terms of the incremental potential: with the unknowns the surfaces of a pair move against each other; its
// barrier, and the spring of its friction whose limit is frozen for a while, are functions of that way. Their second
// derivatives w wᵀ K couple the vertices of one segment, which a part's matrix has room for, and those of the two
// segments, which conjugate gradients add; so does the gap's curvature, without which two that lie along each other
// would rock for ever. Friction acts at the surfaces, which move as their segments turn (Contact::lever).
class Touching {
 public:
  struct Term {
    int pair = 0;               // see pairs()
    int vertex[4] = {};         // as in Pair
    double weight[4] = {};      // likewise
    int body[2] = {-1, -1};     // that moves freely and has the point of a or b
    Vec3d arm[2], core[2];      // from its centre to the point, and to the one below it, see Pair [m]
    Vec3d edge[2];              // of it, along which the point slides [m]
    int segment[2] = {-1, -1};  // that turns
    Mat3d lever[2];             // of it, see Contact::lever [m]
    int part[2] = {-1, -1};     // of a and b; -1: it does not yield

    Vec3d normal, drag;  // see Pair
    Barrier barrier;
    double gap = 0, slope = 1;
    GapCurvature curvature;  // times the normal force [N/m]
    bool acts = false;
    Vec3d force;       // on a's point [N]
    Mat3d K;           // against further motion, semi-definite [N/m]
    double limit = 0;  // of friction: the normal force when it was frozen [N]

    bool couples() const { return part[0] >= 0 && part[1] >= 0; }
  };

  // by how much normal forces, weighted by mu, have changed (part)
  struct Change {
    double by = 0, of = 0;  // [N]
    double share() const { return by > 0 ? by / std::max(of, by) : 0; }
  };
  std::vector<Change> changes_since_last_corner(const Contact& contact, const Problem& problem, const Parts& parts);
  std::vector<Change> changes_since_frozen(const Contact& contact, const Problem& problem, const Parts& parts) const;
  // the limits of friction until the next time: mu times the normal forces at the corner, of parts that are asked for
  void freeze_friction(const Contact& contact, const Problem& problem, const Parts& parts,
                       const std::vector<char>& asked);
  void forget_friction() { frictions_.clear(); }

  // how the last Newton step of a part went
  struct LastStep {
    double share = 1;       // of it that was taken
    bool is_small = false;  // it was below the tolerance
  };
  bool is_cautious(int part) const { return is_cautious_[part]; }  // some pair that slides is held by its secant

  // The pairs that are near at the corner of the path, of those that are followed, with their tangents there. What
  // slides has no stiffness along its way, and Newton's method may overshoot to where it slides back. A pair for which
  // the last step would have done so gets that of the secant, the parabola which touches the energy and lies above it;
  // with it the pair creeps, so it gets less after each step that does not.
  void look(const Contact& contact, const Problem& problem, const Parts& parts, const Iterate& at,
            std::span<const LastStep> last = {});
  // within the reach of a barrier
  static std::vector<int> parts_that_touch(const Contact& contact, const Problem& problem, const Parts& parts);
  static bool is_near(const Pair& pair) { return pair.gap < 10 * pair.barrier.reach; }

  const std::vector<Term>& terms() const { return terms_; }
  std::span<const Pair> pairs() const { return pairs_; }

  // what is followed: pairs by their numbers, with the parts of both sides and their term, -1: none
  struct Followed {
    int pair = 0;
    int part[2] = {-1, -1};
    int term = -1;
  };
  const std::vector<Followed>& followed() const { return followed_; }
  void list_followed(const Contact& contact, const Problem& problem, const Parts& parts);  // when there is a new list
  // the pair acts on its parts though the last look knew of no term
  bool is_new(const Followed& f, const Contact& contact) const {
    const Pair& pair = contact.pairs()[f.pair];
    return pair.gap < pair.barrier.reach && !(f.term >= 0 && terms_[f.term].acts);
  }

  // of each part: terms that act, with the side (0: a, 1: b) that belongs to it
  struct Side {
    int term = 0, side = 0;
  };
  const std::vector<Side>& sides_of(int part) const { return sides_[part]; }

  // of islands that are asked for, friction with its present limits; here where `at` is none [J]
  void add_energies(const Islands& islands, const std::vector<char>& asked, const Contact& contact, const Iterate* at,
                    ThreadTeam& team, std::vector<double>& energies) const;
  double energy(const Contact& contact, const Iterate& at) const;  // of all terms [J]

  // the part that one side of a pair belongs to, -1: it does not yield
  static int part_of(const Pair& pair, int side, const Problem& problem, const Parts& parts);
  static std::uint64_t key(const Pair& pair);  // of each another one

 private:
  template <class Visit>
  void for_pairs_that_rub(const Contact& contact, const Problem& problem, const Parts& parts, Visit visit) const;
  void add(const Pair& pair, const Followed& followed, const Contact& contact, const Problem& problem,
           const Parts& parts, const Iterate& at, std::span<const LastStep> last);
  void add_friction(const Pair& pair, Term& term, const LastStep& last, int leg);

  struct Friction {
    double normal_force = 0;  // when it was frozen [N]
    double last_force = 0;    // at the last corner [N]
    Vec3d drag;               // at the last corner [m]
    double caution = 0;       // see Term
    int leg = -1;             // of this step, that led to the corner
    void go_to(const Vec3d& next_drag, const LastStep& last);
  };
  std::unordered_map<std::uint64_t, Friction> frictions_;
  std::vector<char> is_cautious_;  // (part)
  std::vector<Term> terms_;
  std::vector<std::vector<Side>> sides_;  // (part)
  std::vector<Pair> pairs_;
  std::vector<Followed> followed_;
};

}  // namespace tendril::newton
