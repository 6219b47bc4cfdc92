#pragma once

#include <span>
#include <vector>

#include "contact/contact.h"
#include "solvers/newton/parts.h"

namespace tendril::solvers::newton {

class Islands;

// Contact as terms of the incremental potential: with the unknowns the surfaces of a pair move against each other; its
// barrier, and the spring of its friction, are functions of that way. Their second derivatives w wᵀ K couple the
// vertices of one segment, which a part's matrix has room for, and those of the two segments, which conjugate gradients
// add; so does the gap's curvature, without which two that lie along each other would rock for ever. Friction acts at
// the surfaces, which move as their segments turn (Contact::lever).
//
// A barrier bends so strongly that a parabola at the present gap says little of the next one. So each term is
// linearised where the direction leads, not where the pair is: see follow().
class ContactTerms {
 public:
  // the force at the waypoint, on a's point, and the stiffness against further motion, semi-definite
  struct Linear {
    Vec3d force;             // [N]
    Mat3d K;                 // [N/m]
    GapCurvature curvature;  // times the pressure [N/m]
  };
  struct Term : Linear {
    int vertex[4] = {};         // as in Pair
    double weight[4] = {};      // likewise
    int body[2] = {-1, -1};     // that moves freely and has the point of a or b
    Vec3d arm[2], core[2];      // from its centre to the point, and to the one below it, see Pair [m]
    Vec3d edge[2];              // of it, along which the point slides [m]
    int segment[2] = {-1, -1};  // that turns
    Mat3d lever[2];             // of it, see Contact::lever [m]
    int part[2] = {-1, -1};     // of a and b; -1: it does not yield

    // at the waypoint, or as the two meet, see aim()
    int aim = -1;        // number of its pair there; -1: at the waypoint
    Vec3d normal, slip;  // see Pair
    Barrier barrier;
    FrictionSpring spring;
    double gap = 0, slope = 1;
    GapCurvature bend;  // of the gap
    Vec3d driven;       // part of the way that what is held goes in any case [m]

    // where it is linearised
    bool is_pressed = false;  // else the barrier does nothing
    double pressure = 0;      // the force of the barrier, along the gap [N]
    Vec3d slid;               // the slip [m]
    Linear before;            // of the last round

    bool couples() const { return part[0] >= 0 && part[1] >= 0; }
    double linear_gap(const Vec3d& way) const { return gap + slope * dot(normal, way); }
    double limit() const { return slope * pressure; }  // the normal force, of which friction is at most mu [N]
    bool follow(const Vec3d& way, const Vec3d& surface_way, double accuracy);
    void linearise();
    void linearise_at_iterate();
  };

  // what is followed: pairs by their numbers, with the parts of both sides and their term, -1: none
  struct Followed {
    int pair = 0;
    int part[2] = {-1, -1};
    int term = -1;
  };

  // the pairs that are near at the waypoint of the path, of those that are followed, linearised there
  void evaluate(const Contact& contact, const Problem& problem, const Parts& parts, const Iterate& at,
                ThreadTeam* team = nullptr);
  // when there is a new list
  void list_followed(const Contact& contact, const Problem& problem, const Parts& parts, ThreadTeam* team = nullptr);
  const std::vector<Followed>& followed() const { return followed_; }
  std::vector<Followed>& followed() { return followed_; }
  // of pairs that have none yet, because they are far; by their numbers in followed()
  void add_terms(std::span<const int> far, const Contact& contact, const Problem& problem, const Iterate& at,
                 ThreadTeam* team = nullptr);
  // Linearises a term where its points, and their surfaces, have gone these ways by the direction; whether that is
  // elsewhere, by more than a part `accuracy` of its gap or of its friction.
  bool follow(int term, const Vec3d& way, const Vec3d& surface_way, double accuracy) {
    return terms_[term].follow(way, surface_way, accuracy);
  }
  // A pair whose gap there, on its way, says more than the one at the waypoint, see Contact::on_its_way: its normal and
  // its points are those of there from now on.
  void aim(const Followed& followed, const Pair& there, const Contact& contact, const Problem& problem,
           const Iterate& at);
  void linearise_at_iterate(int term) { terms_[term].linearise_at_iterate(); }
  // of a term that has begun to act, if they are not in sides_of() its parts
  void list_sides(const Followed& followed);

  // the pair acts though the last evaluation did not see it
  bool is_new(const Followed& f, const Contact& contact) const {
    const Pair& pair = contact.pairs()[f.pair];
    return pair.gap < pair.barrier.reach && !(f.term >= 0 && terms_[f.term].is_pressed);
  }
  // within the reach of a barrier
  static std::vector<int> parts_that_touch(const Contact& contact, const Problem& problem, const Parts& parts,
                                           ThreadTeam* team = nullptr);

  std::span<const Term> terms() const { return {terms_.data(), term_count_}; }
  std::span<const Pair> pairs() const { return {pairs_.data(), term_count_}; }  // of the terms, at the waypoint
  const Pair& aimed_pair(const Term& term) const { return aimed_[term.aim]; }
  const std::vector<int>& couplings() const { return couplings_; }  // terms between two parts, ascending

  // of each part: terms that are pressed, or were in this evaluation, with the side (0: a, 1: b) that belongs to it
  struct Side {
    int term = 0, side = 0;
  };
  const std::vector<Side>& sides_of(int part) const { return sides_[part]; }

  // of islands that are asked for, friction with its present limits; here where `at` is none [J]
  void add_energies(const Islands& islands, const std::vector<char>& asked, const Contact& contact, const Iterate* at,
                    ThreadTeam& team, std::vector<double>& energies) const;
  double energy(const Contact& contact, const Iterate& at) const;  // of all terms [J]
  // what the last digits of the places make of these energies: forces times the rounding of the gaps [J] (island)
  void add_round_off(const Islands& islands, const Iterate& at, std::vector<double>& round_off) const;

  // the part that one side of a pair belongs to, -1: it does not yield
  static int part_of(const Pair& pair, int side, const Problem& problem, const Parts& parts);

 private:
  static Term make_term(const Followed& followed, const Pair& pair, const Contact& contact, const Problem& problem,
                        const Iterate& at);

  std::size_t term_count_ = 0;
  std::vector<Term> terms_;      // and memory for more
  std::vector<Pair> pairs_;      // likewise (term)
  std::vector<Pair> aimed_;      // see aim()
  std::vector<char> is_listed_;  // see list_sides (term)
  std::vector<int> couplings_;
  std::vector<std::vector<Side>> sides_;  // (part)
  std::vector<Followed> followed_;
};

}  // namespace tendril::solvers::newton
