#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "contact/contact.h"
#include "contact/volume/hair_volume.h"
#include "math/thread_team.h"
#include "rod/energy.h"
#include "rod/momentum.h"
#include "sim/active.h"
#include "sim/failure.h"
#include "sim/iteration_budget.h"
#include "sim/prescribe.h"
#include "sim/settle.h"
#include "sim/steering.h"
#include "solvers/solver.h"

namespace tendril::sim {

struct SimulationOptions {
  double time_step = 0;    // h [s]
  std::uint64_t seed = 0;  // of the gusts
  ContactOptions contact{.enabled = false};
  bool check_crossings = false;              // by CrossingSearch: slow
  int threads = 1;                           // 0: one for every core; results do not depend on it
  std::optional<VolumeOptions> volume = {};  // rods meet rods as a volume of hair
};

// a scene's Model and State on their way through time, one step of one solver after the other
class Simulation {
 public:
  Simulation(Model model, State start, const SimulationOptions& options, std::unique_ptr<Solver> solver);
  Simulation(const Simulation&) = delete;  // the solver keeps a reference to the Model
  Simulation& operator=(const Simulation&) = delete;

  // advances by one time step; throws SimulationFailed and stays at the last good state
  StepReport step();

  // asked again and again within steps, by any thread: when it says so, step() throws SimulationStopped, and only a
  // saved state can be loaded then
  void stop_when(std::function<bool()> is_to_stop) { inputs_.is_to_stop = std::move(is_to_stop); }

  // From code, between steps, on top of what the scene prescribes; see Steering. Not in a saved state.
  void set_force(int vertex, const Vec3d& force) { steering_.set_force(whole_, vertex, force); }
  void drive(int body, const Pose& pose) { steering_.drive(whole_, body, pose); }

  // goes to the equilibrium under the loads of this moment, keeping time and velocities; see settle.h
  SettleReport settle(const SettleOptions& options);
  SettleReport settle(const SettleOptions& options, Solver& solver);  // with another solver, as exact as it should be

  std::int64_t step_count() const { return step_count_; }
  double time_step() const { return h_; }
  double last_time_step() const { return last_h_; }  // less where the last step was divided
  double time() const { return state_.time; }

  // as the solver sees it: the holds that act, the segments that are whole
  const Model& model() const { return active_.model; }
  const ActiveModel& active() const { return active_; }
  const State& state() const { return state_; }          // its arrays stay where they are from step to step
  const State& state_before() const { return before_; }  // of the last step, in the same numbering
  const Inputs& inputs() const { return inputs_; }       // of the last step

  // in the numbering of the scene; broken segments keep their last frames
  const Model& whole_model() const { return whole_; }
  State whole_state() const;
  std::vector<int> broken_segments() const;  // in the order of their numbers

  const Contact& contact() const { return contact_; }
  const HairVolume* volume() const { return volume_ ? &*volume_ : nullptr; }
  std::span<const Vec3d> constraint_forces() const { return solver_->constraint_forces(); }  // see Solver
  Forces internal_forces() const;  // elastic, damping, contact and constraint forces at the end of the last step

  SegmentSpin segment_spin() const;  // whether the solver gives it inertia, for energies and momenta

  // all that the next step depends on, to continue with the same bits
  void save(Writer& out) const;
  void load(Reader& in);

 private:
  void remember_state();
  void prescribe(const State& then, Inputs& inputs) const;
  double find_volume_forces(double h);
  StepReport advance(double h, double end, int divisions);
  StepReport advance_by_halves(const StepReport& refused, double h, double end, int divisions);
  StepReport step_under_loads();
  StepReport step_with_following_loads();
  void renew_model();
  void begin_hold(int hold);
  void use(const Activity& activity);
  void refuse_what_met() const;

  Model whole_;        // the scene's
  State last_frames_;  // of all segments, the broken ones as they were
  Activity activity_;
  ActiveModel active_;
  std::optional<Prescription> prescription_;  // of the active Model
  bool can_break_ = false;                    // some segment
  bool loads_follow_ = false;                 // frames
  State state_, before_;                      // before_: the present step, or part of one
  State start_;                               // of a step that is divided
  bool is_divided_ = false;
  Steering steering_;
  IterationBudget budget_;
  Inputs inputs_;
  std::vector<Pose> held_start_;  // pose of each body when its hold or motion began
  mutable ThreadTeam team_;       // of the solver and of all else
  Contact contact_;
  std::optional<HairVolume> volume_;
  std::vector<Vec3d> volume_force_;  // on the present step [N] (vertex); empty: none
  std::unique_ptr<Solver> solver_;
  std::uint64_t seed_ = 0;
  bool check_crossings_ = false;
  std::int64_t step_count_ = 0;
  double h_ = 0;
  double last_h_ = 0, end_ = 0;  // of the present step, or part of one
};

}  // namespace tendril::sim
