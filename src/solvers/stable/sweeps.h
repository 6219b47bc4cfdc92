#pragma once

#include <memory>

#include "math/thread_team.h"
#include "solvers/stable/kernels.h"
#include "solvers/stable/layout.h"
#include "solvers/stable/potential.h"
#include "solvers/stable/published_contact.h"
#include "solvers/stable/regions/regions.h"

namespace tendril::solvers::stable {

// who takes part in a sweep
struct Worker {
  int index = 0, count = 1;
  Share share_of(std::size_t elements) const { return math::share_of(static_cast<int>(elements), index, count); }
};

// `met` collects the forces and torques that a sweep meets, each just before its own update; nullptr: not asked for
// the two sweeps of Algorithm 2 [hsu2025] over all packs of a colour; all colours but bodies are safe to share between
// workers
class Sweeps {
 public:
  virtual ~Sweeps() = default;

  // what depends on the Model and h, for so many workers, or for one alone
  virtual void load_model(const StepProblem& problem, int workers) = 0;
  virtual void load_step(const StepProblem& problem, const State& guess) = 0;  // what is held, bodies, damping
  virtual void load_rows(const StepProblem& problem, const State& guess, Worker worker) = 0;

  // contact: what is near and where everything may go until the end of a substep
  virtual void begin_substep(const Regions& regions, const StepProblem& problem, const State& start,
                             ThreadTeam& team) = 0;
  virtual bool touching() const = 0;                 // some pair is near
  virtual bool needs_a_look() const = 0;             // the geometry of contact, when a few sweeps are done
  virtual void evaluate_contact(Worker worker) = 0;  // before each colour
  virtual Vec3d cut_off(int vertex) const = 0;       // of the last update, where the vertex was not allowed [m]
  virtual Pose aim(int body) const = 0;              // of its last update

  virtual void update_positions(int colour, Worker worker, Remainder* met) = 0;
  virtual void update_orientations(int colour, Worker worker, Remainder* met) = 0;
  virtual void update_bodies(const StepProblem& problem, State& iterate, Remainder* met) = 0;
  // goes on in the direction of the last sweep: x += beta (x - x before), likewise q; beta = 0 only remembers
  virtual void extrapolate(double beta, Worker worker) = 0;
  virtual bool balance_free_motion(const StepProblem& problem, State& iterate) = 0;  // false: regions were in the way

  virtual void store(const StepProblem& problem, State& iterate, Worker worker) const = 0;  // x and q
  // the shares y of Eq. 26 [hsu2025], where lambda is stored; else empty (segment)
  virtual void load_shares(const std::vector<double>& shares) = 0;
  virtual std::vector<double> shares() const = 0;
  virtual const Layout& layout() const = 0;
  virtual double round_off() const = 0;
};

std::unique_ptr<Sweeps> make_sweeps(bool single_precision, Lambda lambda, ContactRule contact);

}  // namespace tendril::solvers::stable
