#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "math/thread_team.h"
#include "solvers/newton/coupling.h"
#include "solvers/newton/energy_guard.h"
#include "solvers/newton/first_order_fallback.h"
#include "solvers/newton/free_momentum.h"
#include "solvers/newton/islands.h"
#include "solvers/newton/newton.h"
#include "solvers/newton/options.h"
#include "solvers/newton/scalar_block.h"
#include "solvers/solver.h"

namespace tendril::solvers::newton {

// Whole rods at once: Newton's method on the incremental potential of each part, or of all together where they touch.
// What solvers make of it is their System, and how they go about a part that touches nothing.
class NewtonSolver : public Solver {
 public:
  explicit NewtonSolver(const Options& options);
  NewtonSolver(const NewtonSolver&) = delete;

  void reset(const Model& model, const State& state, ThreadTeam& team) override;
  StepReport step(const Inputs& inputs, Contact& contact, double h, State& state) override;
  void save(Writer& out) const override;
  void load(Reader& in) override;

 protected:
  // called once parts_ is built; returns how many independent jobs solve_parts has
  virtual int prepare_parts() { return parts_.count(); }
  virtual bool plans_rows() const { return true; }  // one by one; else they are in the order of the Model
  // with further right-hand sides (System::precondition), or without
  virtual std::unique_ptr<System> make_system(bool solves_again) = 0;
  virtual void solve_parts(StepReport& report);
  virtual void solve_part(int part, int worker);
  virtual void solve_from_here(int part, int worker);  // from where at_ is, by Newton's method
  // positions of a part in its first guess, from where it and its frames go on to
  virtual void place_guess(int part, Iterate& at);
  // of a part that went with a body, but for what is held of it: where segments cannot stretch
  virtual void keep_lengths(int, Iterate&) const {}
  // of a step in which something comes near something, from the first guess in at_
  virtual void solve_with_contact(const State& state, Contact& contact, StepReport& report);
  // whether some parts may go through the step alone, since they come near nothing but what is driven (Contact); then
  // solve_parts() does so, and says which did
  virtual bool find_alone(const Contact&) { return false; }
  void solve_again(int part, int worker);  // from its first guess
  // of the last solve_parts, what was no solving: where parts go through the step by themselves [s]
  virtual double seconds_beside_solving() const { return 0; }
  void take_outcomes(StepReport& report) const;
  // those that a solver keeps elsewhere, of the present version
  virtual void put_predictions(Prediction&) const {}

  // work(n, worker) for n from 0 on
  template <class Work>
  void for_all(int count, Work work) {
    team_->for_each(count, work);
  }

  // what some of a step is done for, by its numbers in the Model
  struct Region {
    std::vector<Share> vertices;
    std::vector<Share> packs;    // of segments
    std::vector<char> left_out;  // segments of these packs that are not meant; empty: none
  };
  static Region all_of(const Model& model);

  Options options_;
  Options step_options_;        // of this step, see Options::strict
  ThreadTeam* team_ = nullptr;  // of the Simulation, set by reset()
  Problem problem_;
  Parts parts_;
  Iterate at_, trial_;
  const State* start_ = nullptr;                       // of the step
  State* end_ = nullptr;                               // of the step, where it is written
  Region others_;                                      // all that does not go through a step by itself
  bool each_by_itself_ = false;                        // parts that can go through this step by themselves do
  const Contact* contact_ = nullptr;                   // of the step
  bool goes_alone_ = false;                            // what may go alone does, in this step
  std::vector<char> is_alone_;                         // it has, to its end (part)
  std::vector<char> rests_;                            // it touched something there (part)
  Prediction prediction_;                              // (segment)
  long prediction_version_ = 0;                        // another number when all are to be taken from there
  std::vector<double> hessian_share_;                  // see kernels.h (part)
  std::vector<std::unique_ptr<System>> part_systems_;  // (worker)
  std::vector<Outcome> outcomes_;                      // (part)

 private:
  StepReport step(const Scheme& scheme, const Inputs& inputs, Contact& contact, State& state);
  StepReport step_of_second_order(const Scheme& scheme, const Inputs& inputs, Contact& contact, State& state);
  StepReport step_that_damps(const Inputs& inputs, Contact& contact, double h, State& state);
  Scheme scheme_of(const Contact& contact, double h, const State& state) const;
  void begin(const Inputs& inputs, const Scheme& scheme);
  bool keeps_apart(Contact& contact, const State& to);
  std::vector<char> vertices_alone() const;
  void prepare(const Region& region, const State& state);
  void guess_vertices(Share vertices, const State& state);
  void guess_held(const State& state);
  void put_held(State& end) const;
  void guess_bodies(const State& state);
  void guess_body(int body, const State& state);
  void prepare_again(const Part& part);
  void finish_again(const Part& part);
  void come_back_from_ridges(const Iterate& start, StepReport& report);
  void forget_attempt(const State& state);
  void let_unsolved_fall(StepReport& report);
  void let_fall(int part, int worker);
  bool drop_moments(const Part& part);
  void solve_without_moments(int part, int worker);

  // end_of_step.cpp
  void finish(State& state);
  void finish_in_first_order(State& state);
  void finish_in_second_order(State& state);
  void finish_vertex(int vertex, State& state) const;
  void finish_turn(int segment, State& state) const;
  void finish_turns_in_lanes(int pack, const Region& region, State& state) const;
  void finish_turn(const Quatd& z, const Spin<double>& term, const Vec3d& J, double damping, Quatd& q, Vec3d& omega,
                   Vec3d& rate) const;
  void finish_bodies(State& state);
  void lay_down_momenta(const Inputs& inputs, const State& state);
  void keep_momenta(State& state);

  // contact_newton.cpp
  // how far groups of parts, and driven bodies, go towards where they want to be
  struct Ways {
    std::vector<double> fractions;  // (group)
    std::vector<double> drive;      // of what is left of their ways (body)
    std::vector<char> is_new;       // its fraction has changed (group)
    bool drive_is_new = true;       // one of them

    // group_of(pair, side) is {group, -1}, {-1, driven body}, or twice -1 for what stays; each goes no further than the
    // pairs that it meets allow
    template <class GroupOf>
    void shorten(const std::vector<std::pair<int, double>>& met, double factor, GroupOf group_of);
  };
  void begin_contact(const State& state, Contact& contact);
  void open_islands(Contact& contact);
  void go_on(Contact& contact, StepReport& report);
  void end_contact(Contact& contact);
  void approach(const State& state, Contact& contact);
  void carry(Contact& contact);
  void go_along(int part, const Pose& from, const Pose& to, double fraction);
  void go_towards_guess(int part, double fraction);
  void copy_all(const State& from, Iterate& to);
  void exchange_with(Iterate& other);
  Ways all_ways(std::vector<double> fractions) const;
  template <class GroupOf, class Go>
  void go_where_nothing_meets(Contact& contact, Ways& ways, GroupOf group_of, Go go);
  bool held_are_there() const;
  std::vector<char> driven_islands(const Contact& contact) const;
  std::vector<char> small_steps(const Contact& contact) const;
  std::vector<double> first_fractions();
  void take_step(Contact& contact, const std::vector<char>& last);
  void judge_parts(const Contact& contact, std::vector<char> solved);
  struct EnergiesHere {
    std::vector<double> energy, round_off;  // [J] (island)
  };
  EnergiesHere energies_here(const std::vector<char>& asked, const Contact& contact);
  std::vector<double> trial_energies(const std::vector<double>& fractions, const std::vector<char>& asked,
                                     const Contact& contact);

  void keep_momenta_of_islands(State& state);

  // contact_direction.cpp
  void newton_direction(Contact& contact, StepReport& report);
  void begin_linear_equations(const std::vector<char>& asked);
  void solve_linear_equations(const std::vector<char>& asked, StepReport& report);
  void begin_where_needed(const std::vector<char>& asked);
  void settle_direction(const Contact& contact, std::vector<char>& asked, StepReport& report);
  bool aim_at_what_it_meets(Contact& contact, std::vector<char>& asked);
  std::vector<std::pair<int, double>> met_on_whole_ways(Contact& contact);
  std::vector<std::pair<int, double>> met_on_the_way_to_trial(const Contact& contact) const;
  bool take_changes(const std::vector<int>& changed, std::vector<char>& asked);
  bool drop_what_makes_wild(std::vector<char>& asked);
  bool follow_directions(const Contact& contact, std::vector<char>& asked);
  bool come_back_where_forces_diverge(std::vector<char>& asked);
  // its contacts stay linearised there
  bool is_at_iterate(int part) const { return islands_.of_part(part).astray || came_back_[part]; }
  bool follow_direction(const ContactTerms::Followed& f);
  bool comes_near(const ContactTerms::Followed& f, const Contact& contact) const;
  void make_ways(Contact& contact);
  void bend_ways(Contact& contact);

  template <class Work>
  void for_parts(Work work) {
    for_all(parts_.count(), work);
  }
  // of open islands
  template <class Work>
  void for_open(Work work) {
    for_all(static_cast<int>(open_.size()), [&](int k, int) { work(open_[k]); });
  }
  // work(share) of each range that belongs to a chunk
  template <class Work>
  static void for_ranges(const std::vector<Share>& ranges, int chunk, int chunks, Work work) {
    for (const Share& range : ranges) {
      const Share share = share_of(range.end - range.begin, chunk, chunks);
      work(Share{range.begin + share.begin, range.begin + share.end});
    }
  }

  Region all_;
  Accelerations accelerations_;
  EnergyGuard guard_{problem_, parts_};
  FirstOrderFallback fallback_;
  std::vector<Vec3d> left_v_, left_omega_;  // by the last step; empty: not known
  State before_;                            // the start of the step, where Inputs have none
  std::vector<Pose> body_end_;              // of kinematic bodies (body)
  std::vector<FreeMomentum> momenta_;       // (part)

  // with contact
  Iterate free_;                                  // where parts go that touch nothing
  Iterate guess_;                                 // where all go at first
  std::vector<std::unique_ptr<System>> systems_;  // (part)
  ContactTerms contact_terms_;
  Coupling coupling_{problem_, parts_};
  Islands islands_;
  std::vector<int> open_;                   // parts of open islands, see open_islands()
  std::vector<double> energies_;            // (part)
  std::vector<double> sizes_, last_sizes_;  // of this Newton step, and of the one before (part)
  std::vector<char> is_stale_;              // its factors are not those of its terms (part)
  std::vector<char> begins_;                // nothing is known of its direction (part)
  std::vector<char> has_no_way_;            // its direction has changed since make_ways() (part)
  std::vector<char> came_back_;             // its forces diverged (part)
  std::vector<char> is_unsettled_;          // its contacts are not linearised where this step leads (part)
  std::vector<double> fractions_;           // of the last Newton step that were taken (part)
  std::vector<char> is_halved_;             // because its energy rose (part)
};

}  // namespace tendril::solvers::newton
